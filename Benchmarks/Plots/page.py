"""The page docs/performance.md: what stands between its markers, and the pictures beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from charts import Bars, Lines
from records import RecordError, Records, Run
from tables import NOT_MEASURED, Table, provenance, sentences

PAGE = Path("docs/performance.md")
FIGURES = Path("docs/figures")
PICTURES = Path("docs/images")
PREFIX = "performance-"
BLOCK = re.compile(r"<!-- figures ([a-z-]+) -->\n.*?<!-- end of figures -->\n", re.DOTALL)

Chart = Bars | Lines


@dataclass(frozen=True)
class Block:
    """Everything between two markers: a picture, tables, sentences, and the runs that they come from."""

    name: str
    tables: tuple[Table, ...] = ()
    texts: tuple[str, ...] = ()
    # Makes the chart; None when nothing of it is measured yet.
    chart: Callable[[Records], Chart | None] | None = None


def outputs(root: Path, blocks: tuple[Block, ...]) -> dict[Path, str]:
    """Text of each file that is made of the records, by its path."""
    records = Records(root / FIGURES)
    texts: dict[Path, str] = {}
    parts: dict[str, str] = {}
    for block in blocks:
        chart = block.chart(records) if block.chart else None
        if chart:
            texts[_picture(block)] = chart.drawing().svg()
        parts[block.name] = _markdown(block, chart, records)
    texts[PAGE] = _filled((root / PAGE).read_text(encoding="utf-8"), parts)
    return texts


def superfluous(root: Path, texts: dict[Path, str]) -> list[Path]:
    """Pictures of the page that nothing makes any more."""
    present = [path.relative_to(root) for path in sorted((root / PICTURES).glob(f"{PREFIX}*.svg"))]
    return [path for path in present if path not in texts]


def _picture(block: Block) -> Path:
    return PICTURES / f"{PREFIX}{block.name}.svg"


def _markdown(block: Block, chart: Chart | None, records: Records) -> str:
    paragraphs: list[list[str]] = []
    runs: list[Run] = []
    if chart:
        path = _picture(block).relative_to(PAGE.parent)
        paragraphs.append([f"![{chart.title}. {chart.description}]({path})"])
    for table in block.tables:
        lines, missing, used = table.markdown(records)
        note = f"{NOT_MEASURED.capitalize()} ({table.head}): {'; '.join(missing)}."
        paragraphs += [lines] if lines else []
        paragraphs += [[note]] if missing else []
        runs += used
    if block.texts:
        lines, used = sentences(block.texts, records)
        paragraphs.append(lines)
    else:
        paragraphs += [[line] for line in provenance(runs)]
    return "\n\n".join("\n".join(lines) for lines in paragraphs) + "\n"


def _filled(page: str, parts: dict[str, str]) -> str:
    """The page with each part between its markers."""
    names = BLOCK.findall(page)
    if sorted(names) != sorted(parts):
        raise RecordError(f"{PAGE} has markers for {sorted(names)}, and there are {sorted(parts)}")

    def part(match: re.Match[str]) -> str:
        name = match.group(1)
        return f"<!-- figures {name} -->\n\n{parts[name]}\n<!-- end of figures -->\n"

    return BLOCK.sub(part, page)
