"""`diffram.capture`: records the PyTorch code inside a `with` block."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Any

import torch
from torch import nn

from diffram.recording.assembly import Captured, assemble
from diffram.recording.attention import attention_rewrite
from diffram.recording.capture_checks import CaptureWarning, warnings_for
from diffram.recording.recorder import Recorder
from diffram.recording.tensor_classes import MarkedStorages
from diffram.recording.trace_model import Trace
from diffram.recording.trace_writer import write_trace

_MARKS = ("input", "ema", "buffer", "parameter", "optimizer_state")


class capture:  # noqa: N801 - used like a function, as `open` is
    """Context manager that writes what runs inside it to a trace file.

    path: the file (`.dft.zst` compressed, `.dft` plain), or None to keep the trace in memory only.
    model: tracked under the name "model"; more models by `track`.
    pretend: the device that the program is meant for; a label in the header.
    attention: "as-written", or the CUDA op that replaces
        `scaled_dot_product_attention`: "flash", "efficient" or "cudnn".
    amp: "as-written", or "cuda" to follow CUDA's autocast lists on CPU-labelled tensors.
    batch: leading size of the network's input, written to the header; by default that of
        the first tensor marked as "input".
    images: what the batch stands for, where guidance doubles it; by default `batch`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        model: nn.Module | None = None,
        *,
        pretend: str = "cpu",
        attention: str = "as-written",
        amp: str = "as-written",
        batch: int | None = None,
        images: int | None = None,
    ) -> None:
        self.trace: Trace | None = None
        self.recorder = Recorder()
        self._path = path
        self._facts: dict[str, Any] = {
            "torch": torch.__version__.partition("+")[0],
            "pretend": pretend,
            "how": "hybrid",
            "attention": attention,
        }
        self._batch = batch
        self._images = images
        if amp != "as-written":
            self._facts["amp"] = amp
        self._attention = attention
        self._amp = amp
        self._marked = MarkedStorages()
        self._models: list[nn.Module] = []
        self._optimizers: list[tuple[torch.optim.Optimizer, dict[int, str]]] = []
        self._gradient_hooks: list[Any] = []
        self._resources = ExitStack()
        if model is not None:
            self.track(model, name="model")

    # ---- what the caller tells

    def track(self, model: nn.Module, name: str) -> None:
        """Names a model: its modules give the paths, its parameters and buffers their class."""
        self._models.append(model)
        self.recorder.paths.track(model, name)
        for path, module in model.named_modules():
            place = self.recorder.paths.identity(f"{name}.{path}" if path else name)
            for part, parameter in module.named_parameters(recurse=False):
                self._track_parameter(parameter, f"{self._path_of(place)}.{part}", place)
            for part, buffer in module.named_buffers(recurse=False):
                storage = self._known(buffer)
                self._marked.add("buffer", storage, f"{self._path_of(place)}.{part}", place)

    def mark(self, *tensors: torch.Tensor | Iterable[torch.Tensor], as_: str) -> None:
        """Gives tensors a class, most often "input" or "ema"; `_MARKS` has them all."""
        if as_ not in _MARKS:
            raise ValueError(f"as_={as_!r} is not a class that can be marked; one of {_MARKS}")
        for entry in tensors:
            listed = [entry] if isinstance(entry, torch.Tensor) else entry
            for tensor in listed:
                self._marked.add(as_, self._known(tensor))
                if as_ == "input" and self._batch is None and tensor.dim() > 1:
                    self._batch = int(tensor.shape[0])

    def optimizer(self, optimizer: torch.optim.Optimizer) -> None:
        """Names the tensors of `optimizer.state` when the capture ends."""
        names = {
            id(parameter): self._marked.names.get(self._known(parameter), "")
            for group in optimizer.param_groups
            for parameter in group["params"]
        }
        self._optimizers.append((optimizer, names))

    def enter_phase(self, name: str) -> None:
        """What runs from here on belongs to phase `name`, until the next one."""
        self.recorder.raw.phase = name

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Phase `name` for the block."""
        before = self.recorder.raw.phase
        self.enter_phase(name)
        try:
            yield
        finally:
            self.enter_phase(before)

    def step(self) -> None:
        """Ends a step; a step equal to the one before it is stored as a replay."""
        self._collect_optimizer_state()
        self.recorder.end_step()

    # ---- the block

    def __enter__(self) -> capture:
        self._resources.enter_context(torch.autograd.set_multithreading_enabled(False))
        self.recorder.stack.install()
        self._resources.callback(self.recorder.stack.remove)
        for rewrite in attention_rewrite(self._attention, self._amp):
            self._resources.enter_context(rewrite)
        self.recorder.raw.recording = True
        self._resources.enter_context(self.recorder)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._resources.close()
        self.recorder.raw.recording = False
        for hook in self._gradient_hooks:
            hook.remove()
        if error is None:
            self._finish()
        self.recorder.ledger.close()

    def _finish(self) -> None:
        self._collect_optimizer_state()
        self.recorder.raw.end_step()
        recorder = self.recorder
        if self._batch is not None:
            self._facts["batch"] = self._batch
            self._facts["images"] = self._batch if self._images is None else self._images
        captured = Captured(
            recorder.raw,
            recorder.ledger.records,
            recorder.paths.table,
            self._marked,
            self._facts,
        )
        self.trace = assemble(captured)
        for message in warnings_for(self.trace, recorder, self._models, self._amp):
            warnings.warn(message, CaptureWarning, stacklevel=3)
        if self._path is not None:
            write_trace(self._path, self.trace)

    # ---- bookkeeping

    def _path_of(self, module: int) -> str:
        return self.recorder.paths.table[module].path

    def _known(self, tensor: torch.Tensor) -> int:
        ledger = self.recorder.ledger
        known = ledger.find(tensor)
        if known is not None:
            return known
        before = self.recorder.raw.is_empty
        identity = ledger.add(tensor, preexisting=before, external=True)
        if before:
            self.recorder.raw.peak_live_bytes = ledger.live_bytes
        else:
            self.recorder.raw.alloc(identity, ledger.live_bytes)
        return identity

    def _track_parameter(self, parameter: nn.Parameter, name: str, module: int) -> None:
        self._marked.add("parameter", self._known(parameter), name, module)
        self.recorder.module_of_parameter.setdefault(id(parameter), module)
        if parameter.requires_grad:
            hook = _GradientSeen(self, name, module)
            self._gradient_hooks.append(parameter.register_post_accumulate_grad_hook(hook))

    def _collect_optimizer_state(self) -> None:
        find = self.recorder.ledger.find
        for optimizer, names in self._optimizers:
            for parameter, state in optimizer.state.items():
                owner = names.get(id(parameter), "")
                for part, value in state.items():
                    storage = find(value) if isinstance(value, torch.Tensor) else None
                    if storage is not None:
                        name = f"{owner}.{part}" if owner else ""
                        module = self.recorder.module_of_parameter.get(id(parameter), -1)
                        self._marked.add("optimizer_state", storage, name, module)


class _GradientSeen:
    """At this moment the storage of `p.grad` is the gradient."""

    def __init__(self, owner: capture, name: str, module: int) -> None:
        self._owner = owner
        self._name = name
        self._module = module

    def __call__(self, parameter: torch.Tensor) -> None:
        owner = self._owner
        if parameter.grad is None or not owner.recorder.raw.recording:
            return
        storage = owner.recorder.ledger.find(parameter.grad)
        if storage is not None:
            owner._marked.add("gradient", storage, f"{self._name}.grad", self._module)
