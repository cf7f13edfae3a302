"""What goes wrong in captures if nobody looks: lifetimes, layers, repeatability, warnings."""

from __future__ import annotations

import gc
import warnings
from typing import cast

import pytest
import torch
from torch import nn

from diffram.recording import figures
from diffram.recording.capture_block import capture
from diffram.recording.capture_checks import CaptureWarning
from diffram.recording.fake_model import fake, fake_tensor
from diffram.recording.trace_model import Alloc, Free, Op, Trace
from diffram.recording.trace_writer import lines_of
from diffram.recording.training import capture_training


def tiny_training(checkpointing: str = "off", steps: int = 3) -> Trace:
    recording = capture_training(
        None, batch=2, network="tiny-unet", checkpointing=checkpointing, steps=steps
    )
    assert recording.trace is not None
    return recording.trace


@pytest.fixture(scope="module")
def trained() -> Trace:
    return tiny_training()


@pytest.fixture(scope="module")
def checkpointed() -> Trace:
    return tiny_training("non-reentrant")


def ops(trace: Trace) -> list[Op]:
    return [event for step in trace.steps for event in step.events if isinstance(event, Op)]


def test_peak_is_the_same_without_the_garbage_collector(trained: Trace) -> None:
    gc.disable()
    try:
        uncollected = tiny_training()
    finally:
        gc.enable()
    assert figures.live_bytes(uncollected) == figures.live_bytes(trained)


def test_two_captures_give_the_same_lines(checkpointed: Trace) -> None:
    assert list(lines_of(tiny_training("non-reentrant"))) == list(lines_of(checkpointed))


@pytest.mark.parametrize("which", ["trained", "checkpointed"])
def test_every_backward_op_has_a_layer(which: str, request: pytest.FixtureRequest) -> None:
    trace: Trace = request.getfixturevalue(which)
    engine = [op for op in ops(trace) if op.pass_ in "br"]
    outside = [op for op in engine if op.module < 0]
    loss = {"aten.mse_loss_backward.default"}
    assert len(engine) > 1000
    assert {trace.tables.functions[op.function].name for op in outside} <= loss


def test_gradients_are_written_by_ops_of_their_own_layer(trained: Trace) -> None:
    storages, functions = trained.tables.storages, trained.tables.functions
    checked = 0
    for op in ops(trained):
        for use in op.writes:
            storage = storages[use.storage]
            if op.pass_ == "b" and storage.tensor_class == "gradient":
                assert op.module == storage.module, functions[op.function].name
                checked += 1
    assert checked == 2 * 440  # tensors, in two stored steps


def test_backward_names_a_forward_op_of_the_same_layer(trained: Trace) -> None:
    by_index = {op.index: op for op in ops(trained)}
    linked = [op for op in by_index.values() if op.forward is not None]
    assert len(linked) > 500
    for op in linked:
        assert op.forward is not None
        assert by_index[op.forward].pass_ == "f"
        assert by_index[op.forward].module == op.module


def test_recomputed_ops_repeat_a_forward_op(checkpointed: Trace) -> None:
    by_index = {op.index: op for op in ops(checkpointed)}
    recomputed = [op for op in by_index.values() if op.pass_ == "r"]
    assert len(recomputed) == 2 * 433
    for op in recomputed:
        assert op.forward is not None
        assert by_index[op.forward].function == op.function
        assert [use[1:] for use in by_index[op.forward].writes] == [use[1:] for use in op.writes]


def test_allocations_less_releases_are_alive_at_the_end(checkpointed: Trace) -> None:
    storages = checkpointed.tables.storages
    alive = {at for at, storage in enumerate(storages) if storage.preexisting}
    for event in figures.events_as_run(checkpointed):
        if isinstance(event, Alloc):
            alive.add(event.storage)
        elif isinstance(event, Free):
            alive.remove(event.storage)
    assert sum(storages[at].bytes for at in alive) == figures.live_bytes(checkpointed).at_end
    kinds = {storages[at].tensor_class for at in alive}
    assert kinds == {"parameter", "input", "optimizer_state"}


def test_equal_training_steps_fold_after_the_first(trained: Trace) -> None:
    assert [step.runs for step in trained.steps] == [1, 2]


def test_views_of_a_storage_keep_its_identity_and_offset() -> None:
    layer = fake(lambda: nn.Linear(8, 8))
    given = fake_tensor((4, 8))
    with capture(None, layer) as recording:
        recording.mark(given, as_="input")
        with torch.no_grad():
            made = given[2:].t().contiguous()
    del made
    assert recording.trace is not None
    (op,) = ops(recording.trace)
    (read,) = op.reads
    assert recording.trace.tables.storages[read.storage].tensor_class == "input"
    assert (read.offset, read.sizes, read.strides) == (2 * 8 * 4, (8, 2), (1, 8))


def test_inputs_read_in_place_or_overwritten_are_told_apart() -> None:
    given, other = fake_tensor((16,)), fake_tensor((16,))
    with capture(None) as recording:
        recording.mark(given, other, as_="input")
        given.add_(other)
        given.copy_(other)
        given.zero_()
    assert recording.trace is not None
    assert [(len(op.reads), len(op.writes)) for op in ops(recording.trace)] == [
        (2, 1),
        (1, 1),
        (0, 1),
    ]


def test_storage_held_only_by_a_view_lives_on() -> None:
    with capture(None) as recording:
        whole = fake_tensor((1024,))
        doubled = whole * 2
        part = doubled[:4]
        del whole, doubled
        kept = part + 1
        del part
        last = kept + 1
        del kept, last
    assert recording.trace is not None
    events = recording.trace.steps[0].events
    doubled_storage = ops(recording.trace)[0].writes[0].storage
    freed_at = events.index(Free(doubled_storage))
    assert events.index(ops(recording.trace)[1]) < freed_at < events.index(ops(recording.trace)[2])


def test_real_small_tensors_stay_real_beside_fakes() -> None:
    weights = fake_tensor((64, 64))
    with capture(None) as recording:
        step = torch.arange(4)
        value = int(step[2].item())
        scaled = weights * step[value]
    assert value == 2
    assert scaled.shape == (64, 64)
    assert recording.trace is not None


def test_composite_ops_are_expanded_under_inference_mode() -> None:
    layer = fake(lambda: nn.Linear(8, 8))
    given = fake_tensor((4, 8))
    with capture(None, layer) as recording, torch.inference_mode():
        layer(given)
    assert recording.trace is not None
    names = [recording.trace.tables.functions[op.function].name for op in ops(recording.trace)]
    assert names == ["aten.addmm.default"]
    assert ops(recording.trace)[0].macs == 4 * 8 * 8


def test_batch_1_with_materialised_attention_warns() -> None:
    with pytest.warns(CaptureWarning, match="batch 1 with materialised attention"):
        capture_training(None, batch=1, network="tiny-unet", steps=1)


@pytest.mark.filterwarnings("ignore:Using `torch.compile:UserWarning")
def test_compiled_model_warns() -> None:
    model = cast(nn.Module, torch.compile(fake(lambda: nn.Linear(8, 8)), backend="eager"))
    with (
        pytest.warns(CaptureWarning, match="compiled"),
        capture(None) as recording,
        torch.no_grad(),
    ):
        recording.track(model, "model")
        model(fake_tensor((2, 8)))


def autocast_forward(amp: str) -> Trace:
    model = fake(lambda: nn.Sequential(nn.Linear(64, 64), nn.Softmax(dim=-1)))
    given = fake_tensor((8, 64))
    with capture(None, model, amp=amp) as recording, torch.autocast("cpu", torch.bfloat16):
        recording.mark(given, as_="input")
        model(given)
    assert recording.trace is not None
    return recording.trace


def test_cpu_autocast_lists_warn_and_the_cuda_lists_do_not() -> None:
    with pytest.warns(CaptureWarning, match="CPU's op lists"):
        autocast_forward("as-written")
    with warnings.catch_warnings():
        warnings.simplefilter("error", CaptureWarning)
        trace = autocast_forward("cuda")
    assert trace.facts["amp"] == "cuda"


def test_weight_copies_of_autocast_have_a_class_of_their_own() -> None:
    trace = autocast_forward("cuda")
    casts = [s for s in trace.tables.storages if s.tensor_class == "weight_cast"]
    assert sorted(storage.bytes for storage in casts) == [2 * 64, 2 * 64 * 64]


def test_unknown_settings_name_the_known_ones() -> None:
    with pytest.raises(ValueError, match="flash, efficient, cudnn"), capture(None, attention="x"):
        pass
    with pytest.raises(ValueError, match="cuda"), capture(None, amp="rocm"):
        pass
    with pytest.raises(ValueError, match="'input'"), capture(None) as recording:
        recording.mark(fake_tensor((1,)), as_="weights")
