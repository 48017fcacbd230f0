"""Checks of a run: one line each, and a look at a page with axe in both schemes and at narrow widths."""
import json
import threading
import traceback
from pathlib import Path

import axe_playwright_python
from axe_selenium_python import Axe

PICTURE_LIMIT = 150 * 1024
# The rules of a recent axe-core: those that axe_selenium_python brings along are older than the schemes of colours.
RULES = Path(axe_playwright_python.__file__).with_name("axe.min.js")
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(browser):
    """Findings of axe on the page as it is, one line each; contrast is held to 7:1 (WCAG 2.2, 1.4.6)."""
    axe = Axe(browser.driver, str(RULES))
    axe.inject()
    options = {"runOnly": WCAG, "resultTypes": ["violations"],
               "rules": {"color-contrast-enhanced": {"enabled": True}, "target-size": {"enabled": True}}}
    results = axe.run(options=json.dumps(options))
    return [f"{finding['id']}: {finding['help']} ({'; '.join(' '.join(map(str, node['target'])) for node in finding['nodes'])})"
            for finding in results["violations"]]


class Report:
    """Lines of the checks, from several threads; `pictures` is the folder for screenshots, None for none."""

    def __init__(self, pictures=None):
        self.pictures = Path(pictures) if pictures else None
        self.failures, self.count = 0, 0
        self._lock = threading.Lock()

    def check(self, name, holds, detail=""):
        """Prints a check with its outcome; returns whether it holds."""
        with self._lock:
            self.count += 1
            self.failures += 0 if holds else 1
            print(f"{'ok  ' if holds else 'FAIL'} {name}" + ("" if holds or not detail else f": {detail}"), flush=True)
        return bool(holds)

    def part(self, name, work, *arguments):
        """Runs a part; one that does not come to its end is a failure, with the reason."""
        try:
            work(*arguments)
        except Exception as error:  # whatever it is, the other parts go on
            place = traceback.extract_tb(error.__traceback__)[1:] or traceback.extract_tb(error.__traceback__)
            where = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(place[:3]))
            self.check(f"{name}: comes to its end", False, f"{type(error).__name__}: {error} ({where})")

    def look(self, browser, name, widths=(320, 640)):
        """Judges the page as it is: axe in light and dark, no sideways scrolling at 320 px and at a zoom of 200 %."""
        for scheme in ("dark", "light"):
            browser.scheme(scheme)
            found = violations(browser)
            self.check(f"{name}: axe finds nothing, {scheme}", not found, " | ".join(found))
        for width in widths:
            browser.size(width, 800)
            self.check(f"{name}: fits {width} px", browser.overflow == 0, f"{browser.overflow} px too wide")
        found = violations(browser)
        self.check(f"{name}: axe finds nothing, {widths[-1]} px", not found, " | ".join(found))
        browser.size(1000, 800)
        words = ("Content Security Policy", "Uncaught", "Refused to", "MIME type")
        refused = [line for line in browser.complaints() if any(word in line for word in words)]
        self.check(f"{name}: the browser refuses nothing of it", not refused, " | ".join(refused))

    def picture(self, browser, name, selector=None, margin=16, size=(1000, 800), scale=1.5):
        """Keeps a screenshot for the documentation, when a folder was named."""
        if self.pictures is None:
            return
        self.pictures.mkdir(parents=True, exist_ok=True)
        browser.size(*size)
        path = self.pictures / f"{name}.png"
        browser.picture(path, selector, margin, scale)
        browser.size(1000, 800)
        octets = path.stat().st_size
        self.check(f"picture {name}.png: below {PICTURE_LIMIT // 1024} KiB", octets < PICTURE_LIMIT, f"{octets} octets")
