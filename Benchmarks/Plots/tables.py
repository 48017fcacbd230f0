"""Tables of figures in Markdown, sentences with figures, and the list of the runs that they come from."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from records import Figure, Records

NOT_MEASURED = "not measured yet"
REFERENCE = re.compile(r"\{([a-z0-9/-]+)(?::(value|ratio))?\}")


def number(value: float) -> str:
    """Number with three significant digits, thousands apart."""
    size = abs(value)
    if size >= 99.95:
        return f"{value:,.0f}"
    if size >= 9.995:
        return f"{value:.1f}"
    if size >= 0.9995:
        return f"{value:.2f}"
    if size == 0:
        return "0"
    return f"{value:.{2 - math.floor(math.log10(size))}f}"


def value(figure: Figure) -> str:
    """Value of a figure, three significant digits."""
    return number(figure.value)


def ratio(figure: Figure) -> str:
    """Ratio of a figure to its base."""
    return "" if figure.ratio is None else number(figure.ratio)


@dataclass(frozen=True)
class Column:
    """Column of a table; `{}` in the reference is the key of the row."""

    heading: str
    reference: str
    text: Callable[[Figure], str] = value


@dataclass(frozen=True)
class Row:
    """Row of a table, with references of its own where the columns' do not fit; an empty one leaves the cell empty."""

    label: str
    key: str
    own: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """Table of figures."""

    head: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def markdown(self, records: Records) -> list[str]:
        """Lines of the table; a row without a figure says so."""
        headings = [self.head, *(column.heading for column in self.columns)]
        return _table(headings, [[row.label, *self._cells(row, records)] for row in self.rows])

    def _cells(self, row: Row, records: Records) -> list[str]:
        cells: list[str] = []
        for index, column in enumerate(self.columns):
            reference = row.own.get(index, column.reference.format(row.key))
            figure = records.get(reference) if reference else None
            cells.append(column.text(figure) if figure else NOT_MEASURED if reference else "")
        return cells


def sentences(texts: tuple[str, ...], records: Records) -> list[str]:
    """List of sentences with figures in braces; one with a figure that is missing says so instead."""
    lines: list[str] = []
    for text in texts:
        subject, _, rest = text.partition(": ")
        figures = {match: records.get(match.group(1)) for match in REFERENCE.finditer(rest)}
        for match, figure in figures.items():
            if figure:
                rest = rest.replace(match.group(0), (ratio if match.group(2) == "ratio" else value)(figure))
        lines.append(f"- **{subject}**: {rest if all(figures.values()) else NOT_MEASURED + '.'}")
    return lines


def runs_table(records: Records) -> list[str]:
    """A row for each run: the command that repeats it, the day, the commit, the machine and its disk.

    One machine of all runs stands once, above the table.
    """
    runs = dict.fromkeys(figure.run for figure in records.figures.values())
    machines = {run.machine for run in runs}
    columns = {
        "run": [f"`{run.command}`" for run in runs],
        "day": [run.date for run in runs],
        "commit": [run.commit for run in runs],
        "machine": [run.machine for run in runs],
        "small durable write, ms": ["" if run.disk_wait is None else number(run.disk_wait) for run in runs],
    }
    lead: list[str] = []
    if len(machines) == 1:
        del columns["machine"]
        lead = [f"Machine of all runs: {machines.pop()}.", ""]
    return lead + _table([*columns], map(list, zip(*columns.values(), strict=True)))


def _table(headings: list[str], rows: Iterable[list[str]]) -> list[str]:
    align = ["---", *("---:" for _ in headings[1:])]
    return [f"| {' | '.join(cells)} |" for cells in (headings, align, *rows)]
