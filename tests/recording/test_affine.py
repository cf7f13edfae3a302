"""One trace for all batches, or a refusal that says where it fails."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from diffram.recording import NotAffineError, figures, parametric, read_trace
from diffram.recording.capture_block import capture
from diffram.recording.fake_model import fake_tensor
from diffram.recording.trace_model import Trace
from diffram.recording.trace_writer import lines_of
from diffram.recording.training import capture_training


def tiny(images: int) -> Trace:
    trace = capture_training(None, batch=images, network="tiny-unet").trace
    assert trace is not None
    return trace


def test_affine_trace_is_the_capture_at_another_batch(tmp_path: Path) -> None:
    path = tmp_path / "tiny.dft.zst"
    parametric(tiny, path=path)
    at_seven, captured = read_trace(path, images=7), tiny(7)
    captured.facts = at_seven.facts
    assert list(lines_of(at_seven)) == list(lines_of(captured))
    assert figures.live_bytes(at_seven) == figures.live_bytes(captured)


def loop(images: int) -> Trace:
    """As many ops as images, like sliced attention."""
    given = fake_tensor((images, 64))
    with capture(None) as recording, torch.no_grad():
        recording.mark(given, as_="input")
        for _ in range(images):
            given + 1
    assert recording.trace is not None
    return recording.trace


def square(images: int) -> Trace:
    """A result whose size is the square of the batch."""
    given = fake_tensor((images, 64))
    with capture(None) as recording, torch.no_grad():
        recording.mark(given, as_="input")
        given @ given.t()
    assert recording.trace is not None
    return recording.trace


def test_structure_that_depends_on_the_batch_is_refused_by_name() -> None:
    with pytest.raises(NotAffineError, match="another structure at batch 3 than at 2"):
        parametric(loop)


def test_a_number_off_the_line_is_refused() -> None:
    with pytest.raises(NotAffineError, match="predicted"):
        parametric(square)
