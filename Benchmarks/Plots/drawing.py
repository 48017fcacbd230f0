"""SVG elements, and colours that follow the reader's light or dark scheme.

The file brings a background of its own: a page may be dark while the browser's scheme is light.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

# Colours that people tell apart with any kind of colour vision (Okabe and Ito), and lighter ones on a dark ground.
LIGHT = ("#0072b2", "#d55e00", "#009e73", "#b0588f", "#b98300", "#56a8d8")
DARK = ("#4ba3e3", "#ff8c42", "#2fc197", "#e29bc4", "#f2c14e", "#a5d8f7")
DASHES = ("", "7 4", "2 4", "10 3 2 3", "1 3", "4 2")
WIDTH = 780
# Advance of a character by its size, rather too wide than too narrow: the reader's font is not known.
ADVANCE = 0.58


@dataclass(frozen=True)
class Label:
    """Text at a place: how it lies there, and how it looks."""

    text: str
    anchor: str = "start"
    style: str = "t"
    size: int = 13
    turned: bool = False


@dataclass
class Drawing:
    """Picture that is drawn from the top to the bottom; its height is known at the end."""

    title: str
    description: str
    height: float = 0
    elements: list[str] = field(default_factory=list)

    def label(self, x: float, y: float, label: Label) -> None:
        """Text with its base line at a place."""
        turn = f' transform="rotate(-90 {place(x)} {place(y)})"' if label.turned else ""
        self.elements.append(
            f'<text class="{label.style}" x="{place(x)}" y="{place(y)}" font-size="{label.size}" '
            f'text-anchor="{label.anchor}"{turn}>{escape(label.text)}</text>'
        )

    def line(self, start: tuple[float, float], end: tuple[float, float], style: str) -> None:
        """Straight line."""
        (x1, y1), (x2, y2) = start, end
        self.elements.append(
            f'<line class="{style}" x1="{place(x1)}" y1="{place(y1)}" x2="{place(x2)}" y2="{place(y2)}"/>'
        )

    def bar(self, corner: tuple[float, float], size: tuple[float, float], colour: int, hint: str) -> None:
        """Filled rectangle, with a hint for the pointer."""
        (x, y), (width, height) = corner, size
        self.elements.append(
            f'<rect class="f{colour} e" x="{place(x)}" y="{place(y)}" width="{place(width)}" height="{place(height)}">'
            + (f"<title>{escape(hint)}</title></rect>" if hint else "</rect>")
        )

    def path(self, points: list[tuple[float, float]], colour: int) -> None:
        """Line through points, dashed by its colour's number."""
        text = " ".join(f"{place(x)},{place(y)}" for x, y in points)
        dash = f' stroke-dasharray="{DASHES[colour]}"' if DASHES[colour] else ""
        self.elements.append(f'<polyline class="s{colour}" points="{text}"{dash}/>')

    def mark(self, x: float, y: float, colour: int, hint: str = "") -> None:
        """Mark of a point; each colour has a form of its own."""
        title = f"<title>{escape(hint)}</title>" if hint else ""
        corners = _FORMS[colour % len(_FORMS)]
        if not corners:
            self.elements.append(
                f'<circle class="f{colour} e" cx="{place(x)}" cy="{place(y)}" r="4.5">{title}</circle>'
            )
            return
        text = " ".join(f"{place(x + dx)},{place(y + dy)}" for dx, dy in corners)
        self.elements.append(f'<polygon class="f{colour} e" points="{text}">{title}</polygon>')

    def svg(self) -> str:
        """The whole file."""
        size = f'width="{WIDTH}" height="{place(self.height)}" viewBox="0 0 {WIDTH} {place(self.height)}"'
        head = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label={quoteattr(self.title)}>',
            f"<title>{escape(self.title)}</title>",
            f"<desc>{escape(self.description)}</desc>",
            f"<style>\n{_style()}\n</style>",
            f'<rect class="g" width="{WIDTH}" height="{place(self.height)}"/>',
        ]
        return "\n".join([*head, *self.elements, "</svg>"]) + "\n"


_FORMS: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)),
    ((0, -5.5), (5.5, 4.5), (-5.5, 4.5)),
    ((0, -6), (6, 0), (0, 6), (-6, 0)),
    ((0, 5.5), (5.5, -4.5), (-5.5, -4.5)),
)


def place(number: float) -> str:
    """Coordinate with one decimal at most: the same octets on every machine."""
    return f"{number:.1f}".removesuffix(".0")


def text_width(text: str, size: int = 13) -> float:
    """Width that a text needs at most."""
    return len(text) * size * ADVANCE


def _style() -> str:
    rules = [
        "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}",
        ".h{font-weight:600}",
    ]
    rules.append("polyline{fill:none;stroke-width:2.2}")
    rules += _scheme(("#ffffff", "#1f2328", "#59636e", "#d8dee4"), LIGHT)
    dark = _scheme(("#0d1117", "#f0f6fc", "#9aa4af", "#30363d"), DARK)
    rules += ["@media (prefers-color-scheme:dark){", *dark, "}"]
    return "\n".join(rules)


def _scheme(basics: tuple[str, str, str, str], colours: tuple[str, ...]) -> list[str]:
    ground, text, muted, grid = basics
    rules = [f".g{{fill:{ground}}}", f".t,.h{{fill:{text}}}", f".m{{fill:{muted}}}", f".l{{stroke:{grid}}}"]
    rules += [f".a{{stroke:{muted}}}", f".e{{stroke:{ground};stroke-width:1}}"]
    return rules + [f".f{n}{{fill:{colour}}}.s{n}{{stroke:{colour}}}" for n, colour in enumerate(colours)]
