"""The page docs/operate/performance.md: what stands between its markers, and the pictures beside it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from charts import Chart
from records import RecordError, Records
from tables import Table, runs_table, sentences

PAGE = Path("docs/operate/performance.md")
FIGURES = Path("docs/figures")
PICTURES = Path("docs/images")
PREFIX = "performance-"
BLOCK = re.compile(r"<!-- figures ([a-z-]+) -->\n.*?<!-- end of figures -->\n", re.DOTALL)


@dataclass(frozen=True)
class Block:
    """Everything between two markers: a picture, tables and sentences."""

    name: str
    tables: tuple[Table, ...] = ()
    chart: Callable[[Records], Chart] | None = None
    texts: tuple[str, ...] = ()

    @property
    def picture(self) -> Path:
        return PICTURES / f"{PREFIX}{self.name}.svg"


class Page:
    """The page and its pictures as the records make them."""

    def __init__(self, root: Path, blocks: tuple[Block, ...]) -> None:
        self.root = root
        records = Records(root / FIGURES)
        charts = {block.picture: block.chart(records) for block in blocks if block.chart}
        self.charts = {path: chart for path, chart in charts.items() if chart.is_measured}
        parts = {block.name: _markdown(block, self.charts.get(block.picture), records) for block in blocks}
        parts["runs"] = "\n".join(runs_table(records)) + "\n"
        self.text = _filled((root / PAGE).read_text(encoding="utf-8"), parts)

    def out_of_date(self) -> list[Path]:
        """Files that are not what the records make, and pictures that nothing makes any more."""
        changed = [] if (self.root / PAGE).read_text(encoding="utf-8") == self.text else [PAGE]
        changed += [path for path, chart in self.charts.items() if not self._shows(path, chart)]
        return changed + self._superfluous()

    def write(self) -> None:
        """Writes the files that are out of date."""
        for path in self.out_of_date():
            if path in self._superfluous():
                (self.root / path).unlink()
                print(f"removed {path}")
                continue
            text = self.text if path == PAGE else self.charts[path].svg()
            (self.root / path).write_text(text, encoding="utf-8")
            print(f"wrote {path}")

    def _shows(self, path: Path, chart: Chart) -> bool:
        return (self.root / path).exists() and chart.digest in (self.root / path).read_text(encoding="utf-8")

    def _superfluous(self) -> list[Path]:
        present = [path.relative_to(self.root) for path in sorted((self.root / PICTURES).glob(f"{PREFIX}*.svg"))]
        return [path for path in present if path not in self.charts]


def _markdown(block: Block, chart: Chart | None, records: Records) -> str:
    paragraphs = [table.markdown(records) for table in block.tables]
    if chart:
        path = Path(os.path.relpath(block.picture, PAGE.parent)).as_posix()
        paragraphs.insert(0, [f"![{chart.title}. {chart.description}]({path})"])
    if block.texts:
        paragraphs.append(sentences(block.texts, records))
    return "\n\n".join("\n".join(lines) for lines in paragraphs) + "\n"


def _filled(page: str, parts: dict[str, str]) -> str:
    """The page with each part between its markers."""
    names = BLOCK.findall(page)
    if sorted(names) != sorted(parts):
        raise RecordError(f"{PAGE} has markers for {sorted(names)}, and there are {sorted(parts)}")

    def part(match: re.Match[str]) -> str:
        name = match.group(1)
        return f"<!-- figures {name} -->\n{parts[name]}<!-- end of figures -->\n"

    return BLOCK.sub(part, page)
