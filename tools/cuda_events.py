"""Turns a CUDA memory snapshot of PyTorch into JSON lines that the placement tests replay.

A snapshot (`torch.cuda.memory._dump_snapshot`) is a pickle. It is read with an
unpickler that refuses every class and function, so that a file from elsewhere
can only be data. Written, one object a line: the allocator's settings, the final
segments with their blocks, then the recorded events in order as
[action, address, bytes, stream]. Code locations are left out.

    python3 tools/cuda_events.py SNAPSHOT.pickle[.gz] > EVENTS.jsonl
"""

from __future__ import annotations

import gzip
import io
import json
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_KEPT_ACTIONS = frozenset(("alloc", "free_completed", "segment_alloc", "segment_free"))
_KEPT_BLOCK_FIELDS = ("address", "size", "requested_size", "state")


class PlainDataUnpickler(pickle.Unpickler):
    """Builds numbers, strings and containers; anything that names code is an error."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"the file asks for {module}.{name}; only plain data is read")


def read_snapshot(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    snapshot = PlainDataUnpickler(io.BytesIO(data)).load()
    if not isinstance(snapshot, dict):
        raise TypeError(f"{path}: no snapshot, but a {type(snapshot).__name__}")
    return snapshot


def lines_of(snapshot: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"settings": snapshot.get("allocator_settings", {})}
    for segment in snapshot["segments"]:
        yield {
            "segment": {
                "address": segment["address"],
                "total_size": segment["total_size"],
                "segment_type": segment["segment_type"],
                "stream": segment["stream"],
                "blocks": list(_blocks(segment)),
            }
        }
    for trace in snapshot["device_traces"]:
        for event in trace:
            if event["action"] in _KEPT_ACTIONS:
                yield {"event": [event["action"], event["addr"], event["size"], event["stream"]]}


def _blocks(segment: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Blocks with their addresses, which older snapshots leave to the reader to add up."""
    address = segment["address"]
    for block in segment["blocks"]:
        kept = {name: block[name] for name in _KEPT_BLOCK_FIELDS if name in block}
        kept.setdefault("address", address)
        yield kept
        address += block["size"]


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    for line in lines_of(read_snapshot(Path(sys.argv[1]))):
        print(json.dumps(line, separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
