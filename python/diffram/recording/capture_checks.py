"""What a capture says about itself: warnings, and checks of its own rules."""

from __future__ import annotations

from collections.abc import Iterator

from torch import nn

from diffram.recording.hybrid_execution import REAL_LIMIT_BYTES
from diffram.recording.recorder import Recorder
from diffram.recording.trace_model import Alloc, Free, Op, Phase, Trace


class CaptureWarning(UserWarning):
    """The trace is complete, but something in it may not be what the user expects."""


def warnings_for(
    trace: Trace, recorder: Recorder, models: list[nn.Module], amp: str
) -> Iterator[str]:
    """One text for each finding, none when all is well."""
    seen = recorder.seen
    if any(_is_compiled(model) for model in models):
        yield (
            "the model is compiled, but a capture sees the eager program:"
            " fused kernels are not in the trace"
        )
    if trace.facts.get("batch") == 1 and _has_materialised_attention(trace):
        yield (
            "batch 1 with materialised attention has a structure of its own"
            " (some copies become views): do not scale this trace to other batches"
        )
    if amp == "as-written" and _mixes_precisions(trace):
        yield (
            "mixed precision was recorded with the CPU's op lists;"
            " CUDA keeps softmax and norms in float32: capture with amp='cuda'"
        )
    if seen.ops_without_mac_rule:
        names = ", ".join(sorted(seen.ops_without_mac_rule))
        yield f"no rule for the MACs of {names}, which read a 4-D weight: they count as 0"
    if seen.largest_real_bytes > REAL_LIMIT_BYTES:
        yield (
            f"a real tensor of {seen.largest_real_bytes} bytes was made (limit {REAL_LIMIT_BYTES}):"
            " the program computes with real data; use fake parameters and inputs"
        )
    if seen.unattributed_backward_ops:
        yield f"{seen.unattributed_backward_ops} backward ops have no layer"
    yield from _broken_rules(trace)


def _is_compiled(model: nn.Module) -> bool:
    return any(
        hasattr(module, "_orig_mod") or getattr(module, "_compiled_call_impl", None) is not None
        for module in model.modules()
    )


def _function_names(trace: Trace) -> set[str]:
    return {function.name for function in trace.tables.functions}


def _has_materialised_attention(trace: Trace) -> bool:
    names = _function_names(trace)
    return "aten._softmax.default" in names and bool(
        names & {"aten.baddbmm.default", "aten.bmm.default"}
    )


def _mixes_precisions(trace: Trace) -> bool:
    return any(storage.tensor_class == "weight_cast" for storage in trace.tables.storages)


def _broken_rules(trace: Trace) -> Iterator[str]:
    """Self-checks; a text here is a defect of the recorder or of the marks."""
    storages = trace.tables.storages
    live = {identity for identity, storage in enumerate(storages) if storage.preexisting}
    early_writes = 0
    for step in trace.steps:
        phase = ""
        for event in step.events:
            if isinstance(event, Phase):
                phase = event.name
            elif isinstance(event, Alloc):
                live.add(event.storage)
            elif isinstance(event, Free):
                if event.storage not in live:
                    yield f"storage {event.storage} is freed while it is not alive"
                live.discard(event.storage)
            elif isinstance(event, Op):
                if any(use.storage not in live for use in (*event.reads, *event.writes)):
                    yield f"op {event.index} uses a storage that is not alive"
                if phase in ("forward", "backward"):
                    early_writes += any(
                        storages[use.storage].tensor_class == "parameter" for use in event.writes
                    )
    if early_writes:
        yield f"{early_writes} ops outside the optimizer phase write parameters"
