"""Trace files: what is written is read, and a damaged file ends in one clear error."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from diffram.recording.trace_model import (
    Alloc,
    Event,
    Free,
    Function,
    Module,
    Op,
    Phase,
    Replay,
    Storage,
    StoredStep,
    Tables,
    Trace,
    Use,
)
from diffram.recording.trace_reader import TraceError, read_trace, stream_trace
from diffram.recording.trace_writer import lines_of, write_trace
from diffram.recording.zstd_frame import MAGIC


def view(storage: int) -> Use:
    return Use(storage, 0, 0, (4, 4), (4, 1))


def small_trace() -> Trace:
    """Two stored steps; the second hands storage 2 to its repetitions as storage 1."""
    tables = Tables(
        [Module(-1, "net", "Net"), Module(0, "net.layer", "Layer")],
        [Function("aten.add.Tensor", "elt", (("self", 1), ("other", 1)), (("out", 1),))],
        [
            Storage(64, "parameter", True, 1, "net.layer.weight"),
            Storage(64, "temporary", False, 1),
            Storage(64, "temporary", False, 1),
        ],
    )

    def add(index: int, given: int, made: int) -> Op:
        return Op(index, 0, 1, "f", (view(given), view(0)), (view(made),), 7, {"groups": 1})

    first: list[Event] = [
        Phase("sampling", 0),
        Alloc(1),
        Op(0, 0, 1, "f", (view(0), Use(0, 4, 0, (), ())), (view(1),)),
    ]
    second: list[Event] = [Phase("sampling", 1), Alloc(2), add(1, 1, 2), Free(1)]
    steps = [StoredStep(first), StoredStep(second, Replay(2, 3, ((2, 1),)))]
    return Trace(tables, steps, {"torch": "none", "batch": 2, "images": 2})


@pytest.mark.parametrize("name", ["small.dft", "small.dft.zst"])
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_trace(path, small_trace())
    assert read_trace(path) == small_trace()
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_events_stream_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "small.dft.zst"
    write_trace(path, small_trace())
    with stream_trace(path) as reader:
        assert reader.counts["steps"] == 5
        assert len(list(reader.events())) == 8


def test_totals_count_every_repetition(tmp_path: Path) -> None:
    last = json.loads(list(lines_of(small_trace()))[-1])
    assert last["ops"] == 1 + 4
    assert last["read"] == (64 + 4) + 4 * 128
    assert last["write"] == 5 * 64
    assert last["mac"] == 4 * 7


def edited(change: Callable[[list[str]], None]) -> str:
    lines = list(lines_of(small_trace()))
    change(lines)
    return "".join(line + "\n" for line in lines)


def at_line(number: int, old: str, new: str) -> Callable[[list[str]], None]:
    def change(lines: list[str]) -> None:
        assert old in lines[number]
        lines[number] = lines[number].replace(old, new)

    return change


DAMAGES: dict[str, tuple[Callable[[list[str]], None], str]] = {
    "no end": (lambda lines: lines.__delitem__(-1), "the file ends here"),
    "other major": (at_line(0, "[1,0]", "[2,0]"), r"version \[2, 0\] is not readable"),
    "no header": (lambda lines: lines.__delitem__(0), 'expected "e":"trace" first'),
    "missing count": (at_line(0, '"ops":2', '"opz":2'), '"ops" is missing'),
    "short table": (at_line(0, '"storages":3', '"storages":4'), 'expected "sto" 3'),
    "unknown event": (at_line(-3, '"free"', '"fr"'), 'unknown event "fr"'),
    "unknown class": (at_line(4, '"parameter"', '"params"'), '"cls" is "params"'),
    "dead storage": (at_line(-3, '"s":1', '"s":0'), "wrong lifetimes"),
    "double release": (lambda lines: lines.insert(-2, lines[-3]), "freed while not alive"),
    "op out of order": (at_line(-4, '"i":1', '"i":5'), '"i" is 5, expected 1'),
    "bad view": (at_line(-4, "[4,4],[4,1]", "[4,4],[4]"), "as many strides as sizes"),
    "wrong totals": (at_line(-1, '"mac":28', '"mac":27'), "states mac 27, the events give 28"),
    "step skipped": (at_line(-6, '"step":1', '"step":4'), "expected step 1, found 4"),
    "after the end": (lambda lines: lines.append("{}"), 'nothing may follow "end"'),
    "no JSON": (at_line(-2, '{"e"', '{"e'), "no JSON"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_names_the_line_and_the_reason(tmp_path: Path, damage: str) -> None:
    change, reason = DAMAGES[damage]
    path = tmp_path / "bad.dft"
    path.write_text(edited(change))
    with pytest.raises(TraceError, match=reason) as caught:
        read_trace(path)
    assert str(caught.value).startswith(f"{path}:")
    assert "\n" not in str(caught.value)


def test_a_cut_off_compressed_file_is_an_error_at_every_length(tmp_path: Path) -> None:
    whole = tmp_path / "small.dft.zst"
    write_trace(whole, small_trace())
    content = whole.read_bytes()
    path = tmp_path / "cut.dft.zst"
    for length in range(len(content)):
        path.write_bytes(content[:length])
        with pytest.raises(TraceError):
            read_trace(path)
    path.write_bytes(content + b"more")
    with pytest.raises(TraceError, match="something follows"):
        read_trace(path)


def test_a_changed_byte_in_a_compressed_file_is_an_error(tmp_path: Path) -> None:
    whole = tmp_path / "small.dft.zst"
    write_trace(whole, small_trace())
    content = whole.read_bytes()
    path = tmp_path / "flipped.dft.zst"
    for at in range(len(MAGIC), len(content)):
        changed = bytearray(content)
        changed[at] ^= 0x10
        path.write_bytes(changed)
        try:
            assert read_trace(path) == small_trace()  # a bit that means nothing to zstd
        except TraceError:
            continue


def test_random_damage_never_ends_in_another_error(tmp_path: Path) -> None:
    generator = random.Random(20250101)
    text = edited(lambda lines: None).encode()
    path = tmp_path / "fuzz.dft"
    refused = 0
    for _ in range(3000):
        content = bytearray(text)
        for _ in range(generator.randint(1, 4)):
            at = generator.randrange(len(content))
            content[at] = generator.choice(b'0123456789-.,:[]{}"e \n\x80nul')
        path.write_bytes(content)
        try:
            read_trace(path)
        except TraceError:
            refused += 1
    assert refused > 2000


def test_a_missing_file_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="cannot be opened"):
        read_trace(tmp_path / "none.dft.zst")


def test_batches_that_a_trace_does_not_hold_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "small.dft"
    write_trace(path, small_trace())
    with pytest.raises(TraceError, match="for 2 images only, not 4"):
        read_trace(path, images=4)
