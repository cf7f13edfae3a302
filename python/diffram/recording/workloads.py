"""Makes the shipped workloads again: `python -m diffram.recording.workloads DIRECTORY`.

Same versions of torch and diffusers, same lines: there are no time stamps, and
runs of releases are sorted. The compressed bytes may differ between versions of
zstd; the lines may not.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

from diffram.recording.affine import parametric
from diffram.recording.capture_block import capture
from diffram.recording.capture_checks import CaptureWarning
from diffram.recording.sampling import capture_sampling
from diffram.recording.trace_model import Trace
from diffram.recording.training import capture_training

#: Batches that an affine trace is made from, and the one that checks it.
AFFINE_BATCHES, CHECKED_BATCH = (2, 3), 4


def _trace(recording: capture) -> Trace:
    assert recording.trace is not None
    return recording.trace


def make_sample(path: Path) -> None:
    """SD 1.4, DDIM, 50 steps, one 512 x 512 image, fp16, materialised attention."""
    capture_sampling(path, steps=50)


def make_sample_of_many(path: Path) -> None:
    """The same for any number of images from 2."""
    parametric(
        lambda images: _trace(capture_sampling(None, steps=50, images=images)),
        batches=AFFINE_BATCHES,
        check=CHECKED_BATCH,
        path=path,
    )


def make_training(path: Path, *, checkpointing: str) -> None:
    """SD 1.4 training for any batch from 2."""

    def one(batch: int) -> Trace:
        return _trace(capture_training(None, batch=batch, checkpointing=checkpointing))

    parametric(one, batches=AFFINE_BATCHES, check=CHECKED_BATCH, path=path)


def make_single_training(path: Path, *, checkpointing: str) -> None:
    """SD 1.4 training at batch 1, which has a structure of its own (the warning says so)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CaptureWarning)
        capture_training(path, batch=1, checkpointing=checkpointing)


def _training(checkpointing: str) -> Callable[[Path], None]:
    return lambda path: make_training(path, checkpointing=checkpointing)


def _single_training(checkpointing: str) -> Callable[[Path], None]:
    return lambda path: make_single_training(path, checkpointing=checkpointing)


WORKLOADS: dict[str, Callable[[Path], None]] = {
    "sd14-sample.dft.zst": make_sample,
    "sd14-sample-images.dft.zst": make_sample_of_many,
    "sd14-train.dft.zst": _training("off"),
    "sd14-train-b1.dft.zst": _single_training("off"),
    "sd14-train-ckpt.dft.zst": _training("non-reentrant"),
    "sd14-train-ckpt-b1.dft.zst": _single_training("non-reentrant"),
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m diffram.recording.workloads",
        description="Captures the shipped workloads (needs torch, diffusers, transformers).",
        epilog="example: python -m diffram.recording.workloads specs/workloads --only sd14-sample",
    )
    parser.add_argument("directory", type=Path, help="where the traces go")
    parser.add_argument("--only", metavar="NAME", help="make one trace only")
    options = parser.parse_args(arguments)
    wanted = [name for name in WORKLOADS if options.only in (None, name.partition(".")[0])]
    if not wanted:
        known = ", ".join(name.partition(".")[0] for name in WORKLOADS)
        parser.error(f"no workload {options.only!r}; one of {known}")
    options.directory.mkdir(parents=True, exist_ok=True)
    for name in wanted:
        path = options.directory / name
        WORKLOADS[name](path)
        print(f"{path} {path.stat().st_size} bytes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
