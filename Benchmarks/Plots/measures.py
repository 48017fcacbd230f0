"""What the parts of the page have in common: the databases, the loads and the percentiles, and charts of references."""

from __future__ import annotations

from charts import Bars, Lines
from records import Records
from tables import Column

DATABASES = (("SQLite", "sqlite"), ("PostgreSQL", "postgresql"))
PERCENTILES = (("p50", "p50"), ("p99", "p99"), ("p99.9", "p999"))

Points = tuple[tuple[float, float], ...]


def value_of(records: Records, reference: str) -> float | None:
    figure = records.get(reference)
    return figure.value if figure else None


def points_of(records: Records, pattern: str, keys: tuple[tuple[float, str], ...]) -> Points:
    """Points of the figures whose names the keys make, those that are measured."""
    found = ((x, value_of(records, pattern.format(key))) for x, key in keys)
    return tuple((x, y) for x, y in found if y is not None)


def bars(records: Records, chart: Bars, groups: tuple[tuple[str, tuple[str | None, ...]], ...]) -> Bars | None:
    """Chart with the values of groups of references; None when nothing is measured."""
    filled = tuple(
        (label, tuple(value_of(records, name) if name else None for name in names)) for label, names in groups
    )
    known = tuple(group for group in filled if any(value is not None for value in group[1]))
    return Bars(chart.title, chart.description, chart.unit, chart.series, known, chart.stacked) if known else None


def if_measured(chart: Lines) -> Lines | None:
    return chart if any(points for panel in chart.panels for points in panel.lines) else None


def percentile_columns(pattern: str) -> tuple[Column, ...]:
    """A column for each percentile; `<p>` in the pattern is its name."""
    return tuple(Column(f"{label}, ms", pattern.replace("<p>", name)) for label, name in PERCENTILES)
