"""The commands of docs/web/web-sites.md, taken from the page and run literally in an empty folder, lead to a site that signs in."""
import os
import re
import socket

from phone import Phone
from stage import ROOT, line_with

LIMIT, LINES, PORTS = 10, 40, (8443, 8080)


def commands():
    """Lines of the first shell listing of the page."""
    page = (ROOT / "docs/web/web-sites.md").read_text()
    return re.search(r"^```sh\n(.*?)^```$", page, re.M | re.S).group(1).splitlines()


def is_free(port):
    """Whether no program listens on a port of loopback."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def everything(report, stage):
    """Two terminals of their own for the last two commands, as the page says."""
    lines = commands()
    report.check(f"docs/web/web-sites.md: fewer than {LIMIT} commands", len(lines) < LIMIT, f"{len(lines)}")
    size = len((ROOT / "packaging/shop/site.py").read_text().splitlines())
    report.check(f"docs/web/web-sites.md: a site of {LINES} lines", size <= LINES, f"{size} lines")
    taken = [port for port in PORTS if not is_free(port)]
    if not report.check("docs/web/web-sites.md: its ports are free on this machine", not taken, str(taken)):
        return
    folder = stage.folder / "empty"
    folder.mkdir()
    environment = {"PATH": f"{stage.programs}:{os.environ['PATH']}", "SHARE": str(ROOT / "packaging")}

    def terminal(name):
        return stage.run(["bash"], f"terminal-{name}", environment, folder, lines=True)

    first, second, third = terminal("first"), terminal("second"), terminal("third")
    first.stdin.write("\n".join(lines[:-2]) + "\n")
    invitation = line_with(first, r"(signet://open\S+)").group(1)
    second.stdin.write(lines[-2] + "\n")
    address = line_with(second, r"The phone is at (\S+)").group(1)
    third.stdin.write(lines[-1] + "\n")
    stage.trust(PORTS[0])
    phone = Phone(stage.browser("documented-phone"), address)
    phone.register(invitation)

    laptop = stage.browser("documented-laptop")
    laptop.until(lambda: not is_free(PORTS[1]), "the site")
    laptop.open(f"http://localhost:{PORTS[1]}/")
    laptop.press("Sign in with the phone")
    laptop.until(lambda: laptop.find("#link"), "the sign-in page")
    phone.open(laptop.attribute("#link", "href"))
    phone.confirm()
    laptop.until_text("Hello anna!")
    report.check("docs/web/web-sites.md: followed literally from an empty folder, the site signs in with the phone page", True)
