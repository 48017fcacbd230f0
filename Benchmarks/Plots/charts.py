"""Charts: bars side by side, bars of parts, and lines in panels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from drawing import WIDTH, Drawing, Label, text_width
from scales import Scale, axis_number, linear, logarithmic, number

MARGIN = 16
BAR = 15
TICK_SIZE = 12


@dataclass(frozen=True)
class Bars:
    """Horizontal bars in groups; a part whose value is None is left out."""

    title: str
    description: str
    unit: str
    series: tuple[str, ...]
    groups: tuple[tuple[str, tuple[float | None, ...]], ...]
    # Whether the bars of a group follow each other on one line, as parts of a whole.
    stacked: bool = False

    def drawing(self) -> Drawing:
        """The chart as a picture."""
        picture = Drawing(self.title, self.description)
        top = _head(picture, self.series, marks=False) + 12
        left = MARGIN + max(text_width(label) for label, _ in self.groups) + 8
        lengths = [length for _, values in self.groups for length in self._lengths(values)]
        room = max(text_width(number(length)) for length in lengths) + 10
        scale = linear(lengths, left, WIDTH - MARGIN - room)
        rows = [self._height(values) for _, values in self.groups]
        bottom = top + sum(rows) + 6
        _bottom_axis(picture, scale, (top, bottom), self.unit)
        for (label, values), height in zip(self.groups, rows, strict=True):
            middle = top + (height - 10) / 2
            picture.label(left - 8, middle + 4.5, Label(label, anchor="end"))
            (self._parts if self.stacked else self._side_by_side)(picture, scale, (label, values), top)
            top += height
        picture.height = bottom + 48
        return picture

    def _lengths(self, values: tuple[float | None, ...]) -> list[float]:
        known = [value for value in values if value is not None]
        return [sum(known)] if self.stacked else known

    def _height(self, values: tuple[float | None, ...]) -> float:
        count = 1.5 if self.stacked else sum(value is not None for value in values)
        return count * (BAR + 1) + 10

    def _side_by_side(
        self, picture: Drawing, scale: Scale, group: tuple[str, tuple[float | None, ...]], top: float
    ) -> None:
        label, values = group
        for colour, value in enumerate(values):
            if value is None:
                continue
            hint = f"{label}, {self.series[colour]}: {number(value)} {self.unit}"
            picture.bar((scale.start, top), (scale(value) - scale.start, BAR), colour, hint)
            picture.label(scale(value) + 6, top + BAR - 3, Label(number(value), size=TICK_SIZE))
            top += BAR + 1

    def _parts(self, picture: Drawing, scale: Scale, group: tuple[str, tuple[float | None, ...]], top: float) -> None:
        label, values = group
        height, sum_before = BAR * 1.5, 0.0
        for colour, value in enumerate(values):
            if value:
                hint = f"{label}, {self.series[colour]}: {number(value)} {self.unit}"
                start = scale(sum_before)
                sum_before += value
                picture.bar((start, top), (scale(sum_before) - start, height), colour, hint)
        picture.label(scale(sum_before) + 6, top + height / 2 + 4.5, Label(number(sum_before), size=TICK_SIZE))


@dataclass(frozen=True)
class Panel:
    """Lines over one axis; the points of each series lie in the order of the axis."""

    title: str
    unit: str
    lines: tuple[tuple[tuple[float, float], ...], ...]
    logarithmic: bool = False


@dataclass(frozen=True)
class Lines:
    """Panels side by side that share the horizontal axis and the series."""

    title: str
    description: str
    axis: str
    # Values of the horizontal axis, each at its place, with their texts.
    ticks: tuple[tuple[float, str], ...]
    series: tuple[str, ...]
    panels: tuple[Panel, ...]
    spread: Callable[[list[float], float, float], Scale] = linear
    # Whether all panels have the same vertical axis.
    shared: bool = False
    height: float = 250

    def drawing(self) -> Drawing:
        """The chart as a picture."""
        picture = Drawing(self.title, self.description)
        top = _head(picture, self.series, marks=True) + 34
        width = (WIDTH - 2 * MARGIN) / len(self.panels)
        for index, panel in enumerate(self.panels):
            frame = (MARGIN + index * width + 62, MARGIN + (index + 1) * width - 14, top, top + self.height)
            self._panel(picture, panel, frame)
        picture.height = top + self.height + 52
        return picture

    def _panel(self, picture: Drawing, panel: Panel, frame: tuple[float, float, float, float]) -> None:
        left, right, top, bottom = frame
        picture.label(left, top - 14, Label(panel.title, style="h"))
        vertical = self._vertical(panel, bottom, top)
        horizontal = self.spread([x for x, _ in self.ticks], left + 10, right - 10)
        self._grid(picture, vertical, horizontal, frame)
        middle = (top + bottom) / 2
        picture.label(left - 50, middle, Label(panel.unit, "middle", "m", TICK_SIZE, turned=True))
        picture.label((left + right) / 2, bottom + 40, Label(self.axis, "middle", "m", TICK_SIZE))
        for colour, points in enumerate(panel.lines):
            self._line(picture, panel, (colour, points), (horizontal, vertical))

    def _vertical(self, panel: Panel, start: float, end: float) -> Scale:
        panels = self.panels if self.shared else (panel,)
        values = [y for each in panels for points in each.lines for _, y in points]
        return (logarithmic if panel.logarithmic else linear)(values, start, end)

    def _grid(
        self, picture: Drawing, vertical: Scale, horizontal: Scale, frame: tuple[float, float, float, float]
    ) -> None:
        left, right, _, bottom = frame
        for step in vertical.steps:
            picture.line((left, vertical(step)), (right, vertical(step)), "l")
            picture.label(left - 6, vertical(step) + 4, Label(axis_number(step), "end", "m", TICK_SIZE))
        picture.line((left, bottom), (right, bottom), "a")
        for value, text in self.ticks:
            x = horizontal(value)
            picture.line((x, bottom), (x, bottom + 5), "a")
            picture.label(x, bottom + 20, Label(text, "middle", "m", TICK_SIZE))

    def _line(
        self,
        picture: Drawing,
        panel: Panel,
        line: tuple[int, tuple[tuple[float, float], ...]],
        scales: tuple[Scale, Scale],
    ) -> None:
        colour, points = line
        places = [(scales[0](x), scales[1](y)) for x, y in points]
        if len(places) > 1:
            picture.path(places, colour)
        for (x, y), (at, value) in zip(places, points, strict=True):
            hint = f"{panel.title}, {self.series[colour]}, {axis_number(at)}: {number(value)} {panel.unit}"
            picture.mark(x, y, colour, hint)


def _head(picture: Drawing, series: tuple[str, ...], *, marks: bool) -> float:
    """Title and legend; returns where they end."""
    picture.label(MARGIN, 26, Label(picture.title, style="h", size=15))
    if len(series) < 2:
        return 32
    x, y, sign = float(MARGIN), 50.0, 32 if marks else 20
    for colour, name in enumerate(series):
        width = sign + text_width(name) + 16
        if x + width > WIDTH - MARGIN and x > MARGIN:
            x, y = float(MARGIN), y + 22
        _legend_sign(picture, (x, y), colour, marks=marks)
        picture.label(x + sign, y, Label(name))
        x += width
    return y + 6


def _legend_sign(picture: Drawing, at: tuple[float, float], colour: int, *, marks: bool) -> None:
    x, y = at
    if marks:
        picture.path([(x, y - 4), (x + 26, y - 4)], colour)
        picture.mark(x + 13, y - 4, colour)
    else:
        picture.bar((x, y - 11), (14, 14), colour, "")


def _bottom_axis(picture: Drawing, scale: Scale, frame: tuple[float, float], unit: str) -> None:
    """Grid and axis below horizontal bars."""
    top, bottom = frame
    for step in scale.steps:
        picture.line((scale(step), top - 6), (scale(step), bottom), "l")
        picture.label(scale(step), bottom + 18, Label(axis_number(step), "middle", "m", TICK_SIZE))
    picture.line((scale.start, top - 6), (scale.start, bottom), "a")
    picture.label((scale.start + scale.end) / 2, bottom + 38, Label(unit, "middle", "m", TICK_SIZE))
