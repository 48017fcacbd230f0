"""Scales of axes: from values to places, with round steps, and numbers as people read them."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """Scale from the values of an axis to places in the picture."""

    low: float
    high: float
    start: float
    end: float
    # Distance of the lines of the grid; None for powers of ten.
    step: float | None = None

    def __call__(self, value: float) -> float:
        """Place of a value."""
        if self.step is None:
            share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + (self.end - self.start) * share

    @property
    def steps(self) -> list[float]:
        """Round values for the lines of the grid."""
        if self.step is None:
            first, last = round(math.log10(self.low)), round(math.log10(self.high))
            return [10.0**power for power in range(first, last + 1)]
        return [self.low + self.step * index for index in range(round((self.high - self.low) / self.step) + 1)]


def linear(values: list[float], start: float, end: float) -> Scale:
    """Scale from zero to a round number that no value exceeds."""
    most = max([*values, 1e-9])
    step = _step(most)
    return Scale(0, step * math.ceil(most / step - 1e-9), start, end, step)


def logarithmic(values: list[float], start: float, end: float) -> Scale:
    """Scale over whole powers of ten."""
    positive = [value for value in values if value > 0] or [1.0]
    low = math.floor(math.log10(min(positive)) + 1e-9)
    high = max(math.ceil(math.log10(max(positive)) - 1e-9), low + 1)
    return Scale(10.0**low, 10.0**high, start, end)


def _step(width: float) -> float:
    power = 10.0 ** math.floor(math.log10(width))
    return next(power * factor for factor in (0.2, 0.5, 1.0, 2.0) if width / (power * factor) <= 6)


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


def axis_number(value: float) -> str:
    """Number at an axis, without zeros that say nothing."""
    text = f"{value:,.4f}".rstrip("0").rstrip(".")
    return text or "0"
