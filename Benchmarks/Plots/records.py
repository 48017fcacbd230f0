"""Recorded runs of benchmarks, a file for each: what script/bench printed, with command, commit and date around it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FIGURE_FIELDS = {"name", "value", "unit", "ratio", "base"}
MACHINE_FIELDS = {"cores", "processor", "system"}
RUN_FIELDS = {"command", "commit", "date", "machine", "figures"}
PATTERNS = {
    "command": re.compile(r"(?:SIGNET_BENCHMARK_[A-Z_]+=[a-z0-9,.]+ )*script/bench [a-z-]+(?: [a-z0-9,.-]+)*"),
    "name": re.compile(r"[a-z0-9-]+"),
    "base": re.compile(r"[a-z0-9 -]+"),
    "unit": re.compile(r"[A-Za-z0-9%/-]+"),
    "commit": re.compile(r"[0-9a-f]{7,40}(?: with changes)?|unknown"),
    "date": re.compile(r"\d{4}-\d{2}-\d{2}"),
    # No path and no name of a host: what a processor and a system are called.
    "processor": re.compile(r"[\w(). @+-]{1,80}"),
    "system": re.compile(r"[\w(). +-]{1,40}(?:/Linux[\w(). +-]{0,40})?"),
}

# A run of parts of a benchmark, by an option or by sizes that are named; seconds alone leave it whole.
PARTIAL = re.compile(r" --only |SIGNET_BENCHMARK_(?!SECONDS=)")


class RecordError(Exception):
    """What was given is not what a run of a benchmark prints, or a record that was changed by hand."""


@dataclass(frozen=True)
class Run:
    """Run of a benchmark, without its figures."""

    benchmark: str
    command: str
    commit: str
    date: str
    machine: str
    disk_wait: float | None


@dataclass(frozen=True)
class Figure:
    """Measured value, with the run that it comes from."""

    value: float
    ratio: float | None
    run: Run


class Records:
    """Figures of all recorded runs, by `BENCHMARK/NAME`."""

    def __init__(self, folder: Path) -> None:
        self.figures: dict[str, Figure] = {}
        for path in sorted(folder.glob("*.json")):
            for run in read_runs(path):
                self._add(path.stem, run)

    def get(self, reference: str) -> Figure | None:
        """Figure of a reference; None when it is not measured yet."""
        return self.figures.get(reference)

    def _add(self, benchmark: str, run: dict[str, Any]) -> None:
        machine = run["machine"]
        cores = "1 core" if machine["cores"] == 1 else f"{machine['cores']} cores"
        description = f"{machine['processor']}, {cores}, {machine['system']}"
        wait = next((figure["value"] for figure in run["figures"] if figure["name"] == "disk-sync-p50"), None)
        source = Run(benchmark, run["command"], run["commit"], run["date"], description, wait)
        for figure in run["figures"]:
            self.figures[f"{benchmark}/{figure['name']}"] = Figure(figure["value"], figure["ratio"], source)


def read_runs(path: Path) -> list[dict[str, Any]]:
    """Runs in a file; none when there is no file."""
    if not path.exists():
        return []
    document = _parsed(path.read_text(encoding="utf-8"), path.name)
    _expect(isinstance(document, dict) and set(document) == {"runs"}, f"{path.name}: no list of runs")
    for run in document["runs"]:
        _check_run(run, path.name)
    return list(document["runs"])


def take(folder: Path, name: str, output: str, *, command: str, commit: str, date: str) -> Path:
    """Puts the last line of what a benchmark printed into the file of its name.

    A run of parts takes the place of the same figures alone; any other run the place of all figures.
    """
    _expect(re.fullmatch(r"[a-z-]+", name) is not None, f"{name!r} is no benchmark")
    lines = output.strip().splitlines()
    _expect(bool(lines), "the benchmark printed nothing")
    printed = _parsed(lines[-1], "the last line")
    _expect(isinstance(printed, dict) and set(printed) == {"figures", "machine"}, "not what --format json prints")
    run = {"command": command, "commit": commit, "date": date, **printed}
    _check_run(run, name)
    path = folder / f"{name}.json"
    earlier = read_runs(path) if PARTIAL.search(command) else []
    _write(path, [*_without(earlier, {figure["name"] for figure in run["figures"]}), run])
    return path


def _without(runs: list[dict[str, Any]], names: set[str]) -> list[dict[str, Any]]:
    """Runs without the figures of these names; a run that has nothing but a wait for the disk is left out."""
    left: list[dict[str, Any]] = []
    for run in runs:
        figures = [figure for figure in run["figures"] if figure["name"] not in names - {"disk-sync-p50"}]
        if any(figure["name"] != "disk-sync-p50" for figure in figures):
            left.append({**run, "figures": figures})
    return left


def _write(path: Path, runs: list[dict[str, Any]]) -> None:
    """Writes a file with a figure on each line, so that a change of it can be read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = [_text(run) for run in runs]
    path.write_text('{"runs": [\n' + ",\n".join(texts) + "\n]}\n", encoding="utf-8")


def _text(run: dict[str, Any]) -> str:
    head = ", ".join(f'"{field}": {json.dumps(run[field])}' for field in ("command", "commit", "date", "machine"))
    figures = ",\n".join(json.dumps(figure) for figure in run["figures"])
    return "{" + head + ', "figures": [\n' + figures + "\n]}"


def _check_run(run: Any, place: str) -> None:
    _expect(isinstance(run, dict) and set(run) == RUN_FIELDS, f"{place}: a run has {', '.join(sorted(RUN_FIELDS))}")
    for name in ("command", "commit", "date"):
        _check_text(run, name, place)
    _expect(
        isinstance(run["machine"], dict) and set(run["machine"]) == MACHINE_FIELDS, f"{place}: fields of the machine"
    )
    cores = run["machine"]["cores"]
    _expect(isinstance(cores, int) and cores > 0, f"{place}: {cores!r} cores")
    for name in ("processor", "system"):
        _check_text(run["machine"], name, place)
    _expect(isinstance(run["figures"], list) and bool(run["figures"]), f"{place}: no figures")
    for figure in run["figures"]:
        _check_figure(figure, place)
    names = [figure["name"] for figure in run["figures"]]
    twice = sorted({name for name in names if names.count(name) > 1})
    _expect(not twice, f"{place}: two figures have the name {', '.join(twice)}")


def _check_figure(figure: Any, place: str) -> None:
    _expect(isinstance(figure, dict) and set(figure) == FIGURE_FIELDS, f"{place}: fields of a figure: {figure}")
    for name in ("name", "unit"):
        _check_text(figure, name, place)
    _expect(_is_number(figure["value"]), f"{place}: value of {figure['name']}")
    _expect(figure["ratio"] is None or _is_number(figure["ratio"]), f"{place}: ratio of {figure['name']}")
    if figure["base"] is not None:
        _check_text(figure, "base", place)
    _expect((figure["ratio"] is None) == (figure["base"] is None), f"{place}: base of {figure['name']}")


def _check_text(fields: dict[str, Any], name: str, place: str) -> None:
    text = fields[name]
    _expect(isinstance(text, str) and PATTERNS[name].fullmatch(text) is not None, f"{place}: {name} {text!r}")


def _is_number(value: Any) -> bool:
    # A number that is not finite is no JSON; Python reads it nevertheless.
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e12


def _parsed(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordError(f"{place}: no JSON ({error})") from error


def _expect(holds: bool, complaint: str) -> None:
    if not holds:
        raise RecordError(complaint)
