"""Pages for people in a real Chromium, against the real programs: run.py PROGRAMS [PART ...] [--screenshots DIR].

One line for each check; exit code 0 only when all hold.
"""
import argparse
import sys
import threading
from pathlib import Path

# Browser and phone are the ones of "signet try --check".
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "packaging/try"))

import answer
import console
import devices
import documents
import element
import lockout
import passkeys
import recovery
import sign_in
import trial
import worker
from report import Report
from stage import Stage

PARTS = ["pages", "passkeys", "console", "lockout", "worker", "try", "documents"]


def pages(report, programs):
    """Sign-in page, my devices and the element, with one server and the phones of anna."""
    with Stage(programs) as stage:
        stage.start_server()
        phone = sign_in.everything(report, stage)
        report.part("form_post", answer.everything, report, stage, phone)
        report.part("signet-web.js", element.everything, report, stage, phone)
        report.part("my devices", devices.everything, report, stage, phone)
        report.part("recovery", recovery.everything, report, stage, phone)


def alone(part, needs_server=False):
    """A part with a stage of its own."""
    def work(report, programs):
        with Stage(programs) as stage:
            if needs_server:
                stage.start_server()
            part(report, stage)
    return work


def main():
    """Runs the parts; the lockout, which waits for minutes, beside the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--screenshots", metavar="DIR")
    given = parser.parse_intermixed_args()
    wanted = given.parts or PARTS
    unknown = set(wanted) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    report = Report(given.screenshots)
    works = {"pages": pages, "passkeys": alone(passkeys.everything), "console": alone(console.everything), "lockout": alone(lockout.everything, needs_server=True),
             "worker": alone(worker.everything, needs_server=True), "try": alone(trial.everything),
             "documents": alone(documents.everything)}
    beside = None
    if "lockout" in wanted:
        beside = threading.Thread(target=report.part, args=("lockout", works["lockout"], report, given.programs))
        beside.start()
    for name in wanted:
        if name != "lockout":
            report.part(name, works[name], report, given.programs)
    if beside:
        beside.join()
    print(f"{report.count} checks, {report.failures} failed")
    return 1 if report.failures or not report.count else 0


if __name__ == "__main__":
    sys.exit(main())
