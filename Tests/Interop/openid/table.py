"""The table of clients in docs/web/web-sites.md, which a run writes that has tried them all."""

import pathlib
import re
import subprocess

from expectation import require

SOURCES = pathlib.Path(__file__).parent
DOCUMENT = SOURCES.parents[2] / "docs/web/web-sites.md"
BEGIN, END = "<!-- script/interop --table -->\n", "<!-- end of the table -->\n"
HEAD = """\
| client | version | kind | settings | PKCE off | PKCE on | what is checked |
| --- | --- | --- | --- | --- | --- | --- |
"""
# The clients whose checks are more than a recipe: what the table says of them.
OTHERS = {
    "authlib": (
        "authlib", "Authlib", "library", "code_flow.py", "", "signs in",
        "QR code, a known browser, userinfo, refresh and its replay, revocation"),
    "idpyoidc": (
        "idpyoidc", "idpyoidc", "library", "ciba.py", "", "", "CIBA by polls and pings, refusals"),
    "apache": (
        "mod_auth_openidc", "libapache2-mod-auth-openidc", "module of Apache", "recipes/mod_auth_openidc.conf", "signs in (default)",
        "signs in", "`REMOTE_USER` is the e-mail address; back-channel logout"),
}


def version(package, packages=None):
    """Version of a package by the list that it is installed from, or by Debian."""
    if package.startswith("lib"):
        return subprocess.run(
            ["dpkg-query", "--show", "--showformat=${Version}", package], capture_output=True, text=True, check=True).stdout
    name = f"requirements-{packages}.txt" if packages else "requirements.txt"
    found = re.search(
        rf"^{package.replace('-', '[-_]')}==(.+)$", (SOURCES / name).read_text(encoding="utf-8"), re.MULTILINE | re.IGNORECASE)
    require(found, f"{name} has no {package}")
    return found.group(1)


def row(cells):
    """A row of the table; empty cells are dashes."""
    return "| " + " | ".join(cell or "–" for cell in cells) + " |\n"


def link(name):
    """Link to a file of the tests."""
    return f"[`{name.split('/', 1)[-1]}`](../../Tests/Interop/openid/{name})"


def write(recipes):
    """Writes the table between its marks."""
    rows = HEAD
    for recipe in recipes:
        rows += row([
            recipe.title or recipe.package, version(recipe.package, recipe.packages), recipe.kind,
            link(f"recipes/{recipe.settings}"), *(recipe.outcome(state) for state in ("off", "on")), f"{recipe.key}"])
    for title, package, kind, settings, off, on, checked in OTHERS.values():
        rows += row([title, version(package), kind, link(settings), off, on, checked])
    text = DOCUMENT.read_text(encoding="utf-8")
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    DOCUMENT.write_text(text[:begin] + "\n" + rows + "\n" + text[end:], encoding="utf-8")
