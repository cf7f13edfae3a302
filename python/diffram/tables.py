"""A metric of a run by any of its axes, as columns that other libraries take over."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from diffram._core import ColumnTable

ROWS_SHOWN = 20


class Table:
    """Rows of (axis values …, value, share, exact), largest first; `value` sums to `total`.

    `value` is in `unit`, `share` is the part of the total, `exact` the same figure as an integer
    (cycles, bytes or conflicts; 0 for energy and heat). The number columns are memory views of the
    table's own arrays: numpy, polars and arrow take them without a copy.
    """

    def __init__(self, core: ColumnTable) -> None:
        self.axes: list[str] = core.axes
        self.metric: str = core.metric
        self.unit: str = core.unit
        self.total: float = core.total
        self.exact_total: int = core.exact_total
        self.columns: dict[str, Sequence[Any]] = dict(zip(core.axes, core.keys, strict=True))
        self.columns |= {"value": core.value, "share": core.share, "exact": core.exact}

    def __len__(self) -> int:
        return len(self.columns["value"])

    def __getitem__(self, column: str) -> Sequence[Any]:
        if column not in self.columns:
            raise KeyError(f"no column {column!r}; there are {', '.join(self.columns)}")
        return self.columns[column]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        names = list(self.columns)
        for row in zip(*self.columns.values(), strict=True):
            yield dict(zip(names, row, strict=True))

    def to_pandas(self) -> pandas.DataFrame:
        import numpy
        import pandas

        return pandas.DataFrame(
            {
                name: list(column) if name in self.axes else numpy.asarray(column)
                for name, column in self.columns.items()
            }
        )

    def to_polars(self) -> polars.DataFrame:
        import polars

        frame = polars.from_arrow(self.to_arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def to_arrow(self) -> pyarrow.Table:
        import numpy
        import pyarrow

        return pyarrow.table(
            {
                name: pyarrow.array(list(column), pyarrow.string())
                if name in self.axes
                else pyarrow.array(numpy.asarray(column))
                for name, column in self.columns.items()
            }
        )

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """For each library that takes Arrow's C stream (pandas, polars, DuckDB); needs pyarrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        what = f"{self.metric} by {', '.join(self.axes)}"
        return f"<diffram.Table: {what}, {len(self)} rows, total {self.total:.6g} {self.unit}>"

    def _repr_html_(self) -> str:
        head = [*self.axes, f"{self.metric} ({self.unit})", "share"]
        body = []
        for index, row in enumerate(self):
            if index == ROWS_SHOWN:
                break
            cells = [str(row[axis]) for axis in self.axes]
            cells += [f"{row['value']:.4g}", f"{row['share']:.1%}"]
            body.append("".join(f"<td>{html.escape(cell)}</td>" for cell in cells))
        more = len(self) - len(body)
        note = f"<caption>{more} more rows</caption>" if more > 0 else ""
        header = "".join(f"<th>{html.escape(name)}</th>" for name in head)
        rows = "".join(f"<tr>{row}</tr>" for row in body)
        return f"<table>{note}<thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>"
