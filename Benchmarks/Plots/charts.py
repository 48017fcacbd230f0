"""Charts of lines in panels side by side, drawn by matplotlib as SVG."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path

Points = tuple[tuple[float, float], ...]

# Colours that people with colour blindness can tell apart (Okabe and Ito), with a mark and a dash for each.
STYLES = (("#0072B2", "o", "-"), ("#D55E00", "s", "--"), ("#009E73", "^", ":"))
SETTINGS = {
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "axes.titleweight": "bold",
    "font.size": 10,
    "grid.alpha": 0.4,
    "svg.fonttype": "none",
    # Names of elements that are the same each time.
    "svg.hashsalt": "signet",
}


@dataclass(frozen=True)
class Panel:
    """Lines over one axis; the points of each series lie in the order of the axis."""

    title: str
    unit: str
    lines: tuple[Points, ...]
    logarithmic: bool = False


@dataclass(frozen=True)
class Chart:
    """Panels side by side that share the horizontal axis and the series."""

    title: str
    description: str
    axis: str
    # Values of the horizontal axis with their texts.
    ticks: tuple[tuple[float, str], ...]
    series: tuple[str, ...]
    panels: tuple[Panel, ...]
    logarithmic: bool = False
    # Whether all panels have the same vertical axis.
    shared: bool = False

    @property
    def is_measured(self) -> bool:
        """Whether the records have any point of it."""
        return any(points for panel in self.panels for points in panel.lines)

    @property
    def digest(self) -> str:
        """Digest of the chart and of this program; the picture holds it, whatever version of matplotlib has drawn it."""
        return hashlib.sha256(repr(self).encode() + Path(__file__).read_bytes()).hexdigest()

    def svg(self) -> str:
        """The chart as a picture on white, which reads on light and on dark pages."""
        import matplotlib  # of Debian; nothing but this function needs it

        matplotlib.use("svg")
        from matplotlib import pyplot

        with matplotlib.rc_context(SETTINGS):
            figure, axes = pyplot.subplots(1, len(self.panels), figsize=(9, 3.4), sharey=self.shared, squeeze=False)
            for panel, area in zip(self.panels, axes[0], strict=True):
                self._draw(panel, area)
            figure.legend(*axes[0][0].get_legend_handles_labels(), loc="lower center", ncol=len(self.series), frameon=False)
            figure.suptitle(self.title, fontweight="bold")
            figure.tight_layout(rect=(0, 0.07, 1, 1))
            output = io.StringIO()
            figure.savefig(output, metadata={"Date": None, "Creator": None, "Source": self.digest})
            pyplot.close(figure)
        # On one line: the drawing is not read by lines, and they would fill each change.
        return " ".join(output.getvalue().split()) + "\n"

    def _draw(self, panel: Panel, area) -> None:
        for name, points, (colour, mark, dash) in zip(self.series, panel.lines, STYLES):
            xs, ys = [x for x, _ in points], [y for _, y in points]
            area.plot(xs, ys, label=name, color=colour, marker=mark, markersize=4, linestyle=dash)
        if self.logarithmic:
            area.set_xscale("log")
        if panel.logarithmic:
            area.set_yscale("log")
            area.yaxis.set_major_formatter("{x:g}")
        else:
            area.set_ylim(bottom=0)
            area.yaxis.set_major_formatter("{x:,g}")
        area.set_xticks([value for value, _ in self.ticks], [text for _, text in self.ticks])
        area.minorticks_off()
        area.set(title=panel.title, xlabel=self.axis, ylabel=panel.unit)
