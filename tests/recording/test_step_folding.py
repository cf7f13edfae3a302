"""Equal steps are stored once, and a replay tells the same story as the run."""

from __future__ import annotations

from collections.abc import Callable

import torch

from diffram.recording import figures
from diffram.recording.capture_block import capture
from diffram.recording.fake_model import fake_tensor
from diffram.recording.trace_model import Trace

Body = Callable[[int, torch.Tensor], torch.Tensor]


def sampled(body: Body, steps: int = 5) -> tuple[Trace, capture]:
    """A loop that hands one tensor from step to step, as sampling does."""
    latents = fake_tensor((1024,))
    with capture(None) as recording:
        recording.mark(latents, as_="input")
        latents = latents + 0
        recording.step()
        recording.enter_phase("sampling")
        for at in range(steps):
            latents = body(at, latents)
            recording.step()
        del latents
    assert recording.trace is not None
    return recording.trace, recording


def runs(trace: Trace) -> list[int]:
    return [step.runs for step in trace.steps]


def test_a_tensor_handed_on_is_carried() -> None:
    trace, recording = sampled(lambda _, latents: latents * 2)
    assert runs(trace) == [1, 5, 1]
    replay = trace.steps[1].replay
    assert replay is not None
    assert (replay.step, replay.times) == (2, 4)
    ((after, before),) = replay.carry
    made = trace.tables.storages[after]
    assert made == trace.tables.storages[before]
    assert figures.live_bytes(trace).peak == recording.recorder.raw.peak_live_bytes


def test_a_tensor_kept_from_every_step_forbids_folding() -> None:
    kept: list[torch.Tensor] = []

    def keep(_: int, latents: torch.Tensor) -> torch.Tensor:
        kept.append(latents)
        return latents * 2

    trace, _ = sampled(keep)
    assert max(runs(trace)) == 1


def test_another_op_in_the_middle_splits_the_run() -> None:
    def body(at: int, latents: torch.Tensor) -> torch.Tensor:
        return latents.exp() if at == 2 else latents * 2

    trace, _ = sampled(body)
    assert [count for count in runs(trace) if count > 1] == [2, 2]


def test_another_size_is_another_step() -> None:
    trace, _ = sampled(lambda at, latents: torch.cat([latents, latents]))
    assert max(runs(trace)) == 1


def test_the_entry_of_a_schedule_may_differ() -> None:
    schedule = torch.linspace(0, 1, 16)
    trace, _ = sampled(lambda at, latents: latents * schedule[at])
    assert max(runs(trace)) >= 4


def test_a_longer_piece_of_a_table_may_not_differ() -> None:
    table = fake_tensor((16, 1024))
    trace, _ = sampled(lambda at, latents: latents * table[at])
    assert max(runs(trace)) == 1


def test_optimizer_like_state_stays_one_storage() -> None:
    state = fake_tensor((1024,))

    def body(_: int, latents: torch.Tensor) -> torch.Tensor:
        state.add_(latents)
        return latents * 2

    trace, _ = sampled(body)
    assert runs(trace) == [1, 1, 4, 1]  # first seen, and so allocated, in the first
