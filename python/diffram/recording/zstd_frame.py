"""A zstd frame as a readable stream that notices when the frame is not whole."""

from __future__ import annotations

import io
from typing import Any, BinaryIO

MAGIC = b"\x28\xb5\x2f\xfd"
_CHUNK = 1 << 16


class DamagedFrameError(OSError):
    """The frame is cut off, or something follows it."""


class FrameReader(io.RawIOBase):
    """Unpacks exactly one frame; its checksum is verified by zstd at the end.

    zstandard's own stream reader ends silently where the input does, so a cut
    file could pass for a whole one.
    """

    def __init__(self, packed: BinaryIO) -> None:
        import zstandard

        self._packed = packed
        self._frame: Any = zstandard.ZstdDecompressor().decompressobj()
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready and not self._frame.eof:
            chunk = self._packed.read(_CHUNK)
            if not chunk:
                raise DamagedFrameError("the compressed frame is cut off")
            self._ready = self._frame.decompress(chunk)
        if not self._ready and (self._frame.unused_data or self._packed.read(1)):
            raise DamagedFrameError("something follows the compressed frame")
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size
