"""Writes what docs/operate/performance.md says in figures: its tables, and the pictures docs/images/performance-*.svg.

  script/bench plots                     writes them from the records of runs in docs/figures
  script/bench plots --check             says what is out of date; exit code 1 if anything is
  script/bench plots --take NAME FILE    puts the last line of FILE, which script/bench NAME --format json printed, into
                                         docs/figures/NAME.json, and writes everything; "script/bench NAME --record" does
                                         it by itself

A figure that is not recorded stands there as not measured yet. --command and --commit say where the run of --take comes
from; the commit may be "unknown".
"""

from __future__ import annotations

import argparse
import datetime
import sys
from pathlib import Path

import records
from blocks import BLOCKS
from page import FIGURES, Page

ROOT = Path(__file__).resolve().parents[2]


def options() -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(
        prog="script/bench plots", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing, say what is out of date")
    parser.add_argument("--take", nargs=2, metavar=("NAME", "FILE"), help="record a run of the benchmark NAME")
    parser.add_argument("--command", help='how the run was started, such as "script/bench scale --only goodput"')
    parser.add_argument("--commit", default="unknown", help="commit of the run")
    return parser.parse_args()


def take(chosen: argparse.Namespace) -> None:
    """Records a run."""
    name, file = chosen.take
    records.take(
        ROOT / FIGURES,
        name,
        Path(file).read_text(encoding="utf-8"),
        command=chosen.command or f"script/bench {name}",
        commit=chosen.commit,
        date=datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
    )


def main() -> int:
    """Takes, writes or compares."""
    chosen = options()
    try:
        if chosen.take:
            take(chosen)
        page = Page(ROOT, BLOCKS)
        if not chosen.check:
            page.write()
            return 0
    except ModuleNotFoundError as error:
        print(f"plots: {error.name} is missing; script/bootstrap installs python3-matplotlib", file=sys.stderr)
        return 1
    except (records.RecordError, OSError) as error:
        print(f"plots: {error}", file=sys.stderr)
        return 64
    stale = page.out_of_date()
    for path in stale:
        print(f"plots: {path} is out of date; script/bench plots writes it", file=sys.stderr)
    return 1 if stale else 0


sys.exit(main())
