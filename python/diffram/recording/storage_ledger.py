"""Identity and lifetime of storages.

`t.untyped_storage()` returns one Python object per storage and that object
lives as long as the storage, so a weak reference to it fires at the storage's
death, also when only a view or the autograd graph holds it. Addresses are
reused after death; an own counter gives each storage a number for good.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass

import torch


@dataclass(slots=True)
class StorageRecord:
    """What is known of a storage when it is first seen."""

    bytes: int
    preexisting: bool
    #: First seen as an argument: made outside the recorded region.
    external: bool
    module: int = -1
    #: Pass letter of the op that made it, "" where none did.
    made_in: str = ""
    freed: bool = False


class StorageLedger:
    """Numbers storages in the order in which they are first seen and reports their deaths."""

    def __init__(self, on_free: Callable[[int], None]) -> None:
        self.records: list[StorageRecord] = []
        self.live_bytes = 0
        self._ids: dict[int, int] = {}
        self._references: dict[int, weakref.ref[torch.UntypedStorage]] = {}
        self._on_free = on_free
        self._closed = False

    def find(self, tensor: torch.Tensor) -> int | None:
        return self._ids.get(tensor.untyped_storage()._cdata)

    def add(
        self, tensor: torch.Tensor, *, preexisting: bool = False, external: bool = False
    ) -> int:
        """Numbers a storage seen for the first time."""
        storage = tensor.untyped_storage()
        key = storage._cdata
        identity = len(self.records)
        size = int(storage.nbytes())
        self.records.append(StorageRecord(size, preexisting, external))
        self._ids[key] = identity
        self._references[key] = weakref.ref(storage, _Death(self, key, identity))
        self.live_bytes += size
        return identity

    def alias(self, tensor: torch.Tensor, identity: int) -> None:
        """Gives a converted copy of a real tensor the identity of the original."""
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key not in self._ids:
            self._ids[key] = identity
            self._references[key] = weakref.ref(storage, _Death(self, key, None))

    def close(self) -> None:
        """Stops watching: storages that die later are no part of the capture."""
        self._closed = True
        self._ids.clear()
        self._references.clear()

    def _died(self, key: int, identity: int | None) -> None:
        if self._closed:
            return
        self._ids.pop(key, None)
        self._references.pop(key, None)
        if identity is None:
            return
        record = self.records[identity]
        record.freed = True
        self.live_bytes -= record.bytes
        self._on_free(identity)


class _Death:
    """Callback of one storage; an object, since a closure here would keep its frame alive."""

    __slots__ = ("_identity", "_key", "_ledger")

    def __init__(self, ledger: StorageLedger, key: int, identity: int | None) -> None:
        self._ledger = ledger
        self._key = key
        self._identity = identity

    def __call__(self, _reference: object) -> None:
        self._ledger._died(self._key, self._identity)
