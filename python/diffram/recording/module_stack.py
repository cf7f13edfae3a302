"""Which module is running, and where each backward op comes from."""

from __future__ import annotations

from bisect import bisect_right, insort
from typing import Any

from torch import nn
from torch.nn.modules.module import (
    register_module_forward_hook,
    register_module_forward_pre_hook,
)

from diffram.recording.trace_model import Module


class ModulePaths:
    """Module paths as dense ids; a path's parents are in the table too."""

    def __init__(self) -> None:
        self.table: list[Module] = []
        self._ids: dict[str, int] = {}
        self._tracked: dict[int, str] = {}
        self._types: dict[str, str] = {}

    def track(self, model: nn.Module, name: str) -> None:
        for path, module in model.named_modules(remove_duplicate=True):
            full = f"{name}.{path}" if path else name
            self._tracked.setdefault(id(module), full)
            self._types.setdefault(full, type(module).__name__)

    def path_of(self, module: nn.Module, running: int) -> str:
        """Path of a module; an untracked one is named by its type below the running module."""
        tracked = self._tracked.get(id(module))
        if tracked is not None:
            return tracked
        name = type(module).__name__
        path = f"{self.table[running].path}.{name}" if running >= 0 else name
        self._types.setdefault(path, name)
        return path

    def identity(self, path: str) -> int:
        if not path:
            return -1
        known = self._ids.get(path)
        if known is not None:
            return known
        parent = self.identity(path.rpartition(".")[0])
        identity = len(self.table)
        self.table.append(Module(parent, path, self._types.get(path, "")))
        self._ids[path] = identity
        return identity


class ModuleStack:
    """The stack of running modules, kept by torch's global forward hooks."""

    def __init__(self, paths: ModulePaths) -> None:
        self._paths = paths
        self._stack: list[tuple[int, int]] = []
        self._hooks: list[Any] = []

    @property
    def current(self) -> int:
        return self._stack[-1][1] if self._stack else -1

    def install(self) -> None:
        self._hooks = [
            register_module_forward_pre_hook(self._enter),
            register_module_forward_hook(self._leave, always_call=True),
        ]

    def remove(self) -> None:
        for hook in self._hooks:
            hook.remove()
        self._hooks.clear()
        self._stack.clear()

    def _enter(self, module: nn.Module, _args: Any) -> None:
        path = self._paths.path_of(module, self.current)
        self._stack.append((id(module), self._paths.identity(path)))

    def _leave(self, module: nn.Module, _args: Any, _output: Any) -> None:
        # Checkpointing's early stop leaves inner modules by an exception.
        own = id(module)
        while self._stack:
            top, _ = self._stack.pop()
            if top == own:
                return


class ForwardOrigins:
    """Forward op of each autograd node, by the node's sequence number.

    At dispatch of a forward op its node exists already, so its number is the
    last one given out. Numbers count for the whole process: never store them.
    """

    def __init__(self) -> None:
        self._origin: dict[int, tuple[int, int | None]] = {}
        self._numbers: list[int] = []

    def note(self, number: int, module: int, op: int | None) -> None:
        # An op that makes no node sees the number of the op before it: first come wins.
        if number in self._origin:
            return
        self._origin[number] = (module, op)
        if self._numbers and number < self._numbers[-1]:
            insort(self._numbers, number)
        else:
            self._numbers.append(number)

    def find(self, number: int) -> tuple[int, int | None] | None:
        exact = self._origin.get(number)
        if exact is not None:
            return exact
        # A custom Function makes a node without an op of its own: take the nearest before it.
        at = bisect_right(self._numbers, number) - 1
        if at < 0:
            return None
        return self._origin[self._numbers[at]][0], None

    def clear(self) -> None:
        self._origin.clear()
        self._numbers.clear()
