"""Tables of figures in Markdown, and the sentence about the runs that they come from."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from records import Figure, Records, Run
from scales import number

NOT_MEASURED = "not measured yet"
REFERENCE = re.compile(r"\{([a-z0-9/-]+)(?::(value|ratio))?\}")


def value(figure: Figure) -> str:
    """Value of a figure, three significant digits."""
    return number(figure.value)


def ratio(figure: Figure) -> str:
    """Ratio of a figure to its base."""
    return "" if figure.ratio is None else number(figure.ratio)


def percent(figure: Figure) -> str:
    """Value of a figure in percent, with one decimal."""
    return f"{figure.value:.1f} %"


@dataclass(frozen=True)
class Column:
    """Column of a table; `{}` in the reference is the key of the row."""

    heading: str
    reference: str
    text: Callable[[Figure], str] = value
    # Whether a row may have no such figure, though it was measured: no refusals, no time that they took.
    optional: bool = False


@dataclass(frozen=True)
class Row:
    """Row of a table, with references of its own where those of the columns do not fit; an empty one leaves the cell empty."""

    label: str
    key: str
    own: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """Table of figures."""

    head: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def markdown(self, records: Records) -> tuple[list[str], list[str], list[Run]]:
        """Lines of the table, labels of the rows that are not measured yet, and the runs that were used."""
        lines: list[str] = []
        missing: list[str] = []
        runs: list[Run] = []
        for row in self.rows:
            cells = self._cells(row, records, runs)
            if cells is None:
                missing.append(row.label)
            else:
                lines.append(f"| {' | '.join([row.label, *cells])} |")
        if lines:
            headings = [self.head, *(column.heading for column in self.columns)]
            align = ["---", *("---:" for _ in self.columns)]
            lines = [f"| {' | '.join(headings)} |", f"| {' | '.join(align)} |", *lines]
        return lines, missing, runs

    def _cells(self, row: Row, records: Records, runs: list[Run]) -> list[str] | None:
        """Texts of a row; None when a figure of it is missing."""
        cells: list[str] = []
        found: list[Run] = []
        for index, column in enumerate(self.columns):
            reference = row.own.get(index, column.reference.format(row.key))
            figure = records.get(reference) if reference else None
            if figure is None and reference and not column.optional:
                return None
            cells.append("" if figure is None else column.text(figure))
            found += [] if figure is None else [figure.run]
        runs += found
        return cells


def sentences(texts: tuple[str, ...], records: Records) -> tuple[list[str], list[Run]]:
    """List of sentences with figures in braces; one with a figure that is missing says so instead."""
    lines: list[str] = []
    runs: list[Run] = []
    for text in texts:
        subject, _, rest = text.partition(": ")
        figures = [(match, records.get(match.group(1))) for match in REFERENCE.finditer(rest)]
        if any(figure is None for _, figure in figures):
            lines.append(f"- **{subject}**: {NOT_MEASURED}.")
            continue
        known = [(match, figure) for match, figure in figures if figure is not None]
        for match, figure in known:
            rest = rest.replace(match.group(0), (ratio if match.group(2) == "ratio" else value)(figure))
        runs += [figure.run for _, figure in known]
        lines.append(f"- **{subject}**: {rest}")
    return lines, runs


def provenance(runs: list[Run]) -> list[str]:
    """A line for each run: the command, the machine, the day and the commit."""
    return [_origin(run) for run in dict.fromkeys(runs)]


def _origin(run: Run) -> str:
    commit = "commit not recorded" if run.commit == "unknown" else f"commit {run.commit}"
    wait = "" if run.disk_wait is None else f", whose disk took {number(run.disk_wait)} ms for a small durable write"
    return f"*`{run.command}`, {run.date}, {commit}, on {run.machine}{wait}.*"
