"""A capture's figures in the words of capture_facts.json."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from diffram.recording import figures
from diffram.recording.figures import StepFigures, Sums
from diffram.recording.trace_model import Storage, StoredStep, Tables, Trace

if TYPE_CHECKING:
    from diffram.recording.capture_block import capture

#: Words of the reference for our pass letters.
PASS_NAMES = {"f": "fwd", "r": "recompute", "b": "bwd", "g": "accgrad"}


Case = dict[str, Any]


def find_case(cases: list[Case], name: str, batch: int, dtype: str | None = None) -> Case:
    (case,) = (
        case
        for case in cases
        if (case["case"], case["batch"]) == (name, batch) and dtype in (None, case["dtype"])
    )
    return case


def differences(expected: Any, found: Any, at: str = "") -> list[str]:
    """Every figure of `expected` that `found` has otherwise; at the top only what `found` has."""
    if isinstance(expected, dict):
        extra = set(found) - set(expected) if at else set()
        lines = [f"{at}.{name}: unexpected {found[name]}" for name in sorted(extra)]
        for name, value in expected.items():
            if name in found:
                lines += differences(value, found[name], f"{at}.{name}")
            elif at:
                lines.append(f"{at}.{name}: missing")
        return lines
    return [] if expected == found else [f"{at}: expected {expected}, found {found}"]


def dispatched(
    recording: capture, step: int | None = None, phase: str | None = None, letter: str | None = None
) -> int:
    """Calls that reached the dispatcher, views included."""
    return sum(
        count
        for key, count in recording.recorder.seen.dispatched.items()
        if step in (None, key[0]) and phase in (None, key[1]) and letter in (None, key[2])
    )


def sums(value: Sums) -> dict[str, int]:
    return {
        "nonview_ops": value.ops,
        "macs": value.macs,
        "read_bytes": value.read_bytes,
        "write_bytes": value.write_bytes,
    }


def by_class(step: StepFigures) -> dict[str, dict[str, int]]:
    classes = {**step.read_by_class, **step.write_by_class}
    return {
        name: {
            "read_bytes": step.read_by_class.get(name, 0),
            "write_bytes": step.write_by_class.get(name, 0),
        }
        for name in classes
    }


def without_weight_cast(trace: Trace) -> Trace:
    """The reference has no class for weight copies: read by backward they are activations."""
    read_back = {
        use.storage
        for step in trace.steps
        for event in step.events
        if getattr(event, "pass_", "") in ("b", "r")
        for use in getattr(event, "reads", ())
    }
    storages = [
        storage
        if storage.tensor_class != "weight_cast"
        else Storage(
            storage.bytes,
            "activation" if at in read_back else "temporary",
            storage.preexisting,
            storage.module,
            storage.name,
        )
        for at, storage in enumerate(trace.tables.storages)
    ]
    tables = Tables(trace.tables.modules, trace.tables.functions, storages)
    return Trace(tables, trace.steps, trace.facts)


def forward_figures(recording: capture) -> dict[str, Any]:
    trace = recording.trace
    assert trace is not None
    (step,) = trace.steps
    found = figures.step_figures(trace.tables, step)
    live = figures.live_bytes(trace)
    return {
        "ops": dispatched(recording),
        **sums(found.total),
        "base_live_bytes": live.base,
        "peak_live_bytes": live.peak,
        "alloc_bytes": live.allocated,
        "storages": live.storages,
        "by_class": by_class(found),
    }


def training_figures(recording: capture) -> dict[str, Any]:
    assert recording.trace is not None
    trace = without_weight_cast(recording.trace)
    first, steady = trace.steps
    found = figures.step_figures(trace.tables, steady)
    live = figures.live_bytes(trace)
    weights = [s.bytes for s in trace.tables.storages if s.tensor_class == "parameter"]
    return {
        "params": sum(weights) // 4,
        "ops": dispatched(recording, 1),
        **sums(found.total),
        "phases": {
            phase: {"ops": dispatched(recording, 1, phase), **sums(value)}
            for phase, value in found.by_phase.items()
        },
        "backward_by_kind": {
            name: {
                "ops": dispatched(recording, 1, "backward", letter),
                **sums(found.by_pass.get(("backward", letter), Sums())),
            }
            for letter, name in PASS_NAMES.items()
        },
        "first_step_extra": _extra(recording, trace, first, steady),
        "saved_activation_bytes": figures.alive_after_phase(trace, "forward"),
        "base_live_bytes": live.base,
        "peak_live_bytes": live.peak,
        "by_class": by_class(found),
        "unattributed_backward_ops": recording.recorder.seen.unattributed_backward_ops,
    }


def _extra(
    recording: capture, trace: Trace, first: StoredStep, steady: StoredStep
) -> dict[str, int]:
    more = sums(figures.step_figures(trace.tables, first).total)
    usual = sums(figures.step_figures(trace.tables, steady).total)
    ops = dispatched(recording, 0) - dispatched(recording, 1)
    return {"ops": ops, **{name: more[name] - usual[name] for name in more}}
