"""Pack a folder of gzipped traces in one zstd file: for each a line `name bytes`, then its bytes.

    python tools/pack_traces.py FOLDER_OF_TRACE_GZ OUT.pack.zst

The long window of zstd finds the traces that many cases share, so one pack is a third of the files.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path


def packed(folder: Path) -> bytes:
    out = bytearray()
    for file in sorted(folder.glob("*.trace.gz")):
        content = gzip.decompress(file.read_bytes())
        out += f"{file.stem} {len(content)}\n".encode() + content
    return bytes(out)


def main() -> None:
    folder, target = sys.argv[1:]
    content = packed(Path(folder))
    # The stated size lands in the frame, where the reader takes it from.
    size = f"--stream-size={len(content)}"
    subprocess.run(
        ["zstd", "-q", "-f", "-19", "--long", size, "-o", target], input=content, check=True
    )


if __name__ == "__main__":
    main()
