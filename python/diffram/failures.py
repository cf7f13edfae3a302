"""What went wrong, in the words of the program: every error of an input at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

ErrorTuple: TypeAlias = tuple[str, str, str, int, str, str]


@dataclass(frozen=True)
class Problem:
    """One error: a stable `code`, one sentence, where it is and what would have been right."""

    code: str
    message: str
    file: str = ""
    line: int = 0
    """1-based; 0 where no line is concerned."""
    field: str = ""
    expected: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.file and self.line else self.file
        start = ": ".join(part for part in (place, self.field, self.message) if part)
        return f"{start} (expected {self.expected})" if self.expected else start


class DifframError(Exception):
    """A run that could not be made. `problems` holds every error that was found.

    `exit_code` is that of the command line: 3 for a bad input or a workload that does not fit, 4
    for a run that could not be finished. Where a workload does not fit, `capacity` tells by how
    much, in bytes: capacity_bytes, peak_live_bytes, missing_bytes, peak_op, live_by_class, largest.
    """

    def __init__(
        self,
        exit_code: int,
        problems: list[ErrorTuple],
        capacity: dict[str, Any] | None = None,
    ) -> None:
        self.exit_code = exit_code
        self.problems = [Problem(*problem) for problem in problems]
        self.capacity = capacity
        super().__init__("\n".join(map(str, self.problems)))

    @property
    def code(self) -> str:
        """The code of the first problem, such as "unknown_key" or "does_not_fit"."""
        return self.problems[0].code if self.problems else ""
