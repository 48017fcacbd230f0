"""signet try: the whole by "signet try --check", twice in one folder; then by the keyboard alone, and a link that is handed over."""
import json
import signal
import subprocess
import time
from urllib.parse import quote, urlsplit

from phone import PIN, Phone
from sign_in import begin, leave
from stage import free_port, line_with
from selenium.webdriver.common.keys import Keys


def start(stage):
    """Starts signet try; its process, and the addresses of phone and shop."""
    process = stage.run([stage.programs / "signet", "try", "--shop-port", free_port(), "--phone-port",
                         free_port()], "try", {"TMPDIR": str(stage.folder)}, lines=True)
    phone = line_with(process, r"The phone: (\S+)").group(1)
    return process, phone, line_with(process, r"The shop:  (\S+)").group(1)


def played(report, stage, name):
    """What "signet try --check" plays, in a folder that the next call goes on with; each of its steps is a check."""
    ports = ["--shop-port", free_port(), "--phone-port", free_port()] if name == "first" else []
    command = [stage.programs / "signet", "try", "--check", "--folder", stage.folder / "kept", *ports]
    outcome = subprocess.run([str(part) for part in command], cwd=stage.folder, capture_output=True, text=True, timeout=400,
                             check=False)
    for line in outcome.stdout.splitlines()[:-1]:
        report.check(f"signet try --check, {name} time: {line[5:]}", line.startswith("ok "), outcome.stderr[-400:])
    report.check(f"signet try --check, {name} time: exit code 0", outcome.returncode == 0, outcome.stderr[-400:])


def everything(report, stage):
    """The whole trial."""
    played(report, stage, "first")
    played(report, stage, "second")
    process, address, shop = start(stage)
    phone = Phone(stage.browser("trial-phone"), address)
    browser = phone.browser
    browser.until_text("Requests that wait: 1", "#live")
    report.check("signet try: the invitation waits on the phone", True)
    browser.run("document.activeElement.blur()")
    phone.key_in(("go", "Show"))
    phone.asked("Which way of confirming?")
    phone.key_in(("go", "PIN"))
    browser.until(lambda: phone.heading == "Choose a PIN", "the question for a new PIN")
    browser.type(PIN + Keys.TAB + PIN + Keys.ENTER)
    browser.until_text("is registered on this phone", "#live")
    report.check("keyboard alone: registers a phone", True)

    laptop = laptop_of(stage, shop)
    sign_in(report, laptop, phone)
    report.look(laptop, "example shop with attacks")
    pay(report, laptop, phone)
    report.look(laptop, "example shop with a receipt")
    report.picture(laptop, "shop-receipt", size=(700, 900), scale=1)
    hand_over(report, laptop, phone, shop)
    laptop.press("Changed amount")
    laptop.until_text("attack failed", "#verdict")
    report.look(laptop, "example shop, outcome of an attack")
    report.picture(laptop, "shop-attack", size=(700, 600), scale=1)
    phone.lose()
    process.send_signal(signal.SIGINT)
    process.wait(30)
    end = time.monotonic() + 10
    left = None
    while time.monotonic() < end and (left := list(stage.folder.glob("signet-try-*"))):
        time.sleep(0.2)
    report.check("signet try: Ctrl-C leaves nothing behind", not left, str(left))


def laptop_of(stage, shop):
    """A browser that trusts the server of the trial."""
    ready = next(stage.folder.glob("signet-try-*/server/ready.json"))
    stage.trust(json.loads(ready.read_text())["port"])
    laptop = stage.browser("trial-laptop")
    laptop.open(shop)
    return laptop


def sign_in(report, laptop, phone):
    """Signs in with Tab and Enter on both sides; typed are the link and the PIN."""
    laptop.tab_to("Sign in with the phone")
    laptop.key(Keys.ENTER)
    laptop.until(lambda: laptop.find("#link"), "the sign-in page")
    for label in ("Skip to content", "Open the app on this device", "Send a message to my phone instead",
                  "Cancel and go back"):
        laptop.tab_to(label)
        report.check(f"keyboard alone: Tab reaches {label!r}, and the focus is seen",
                     laptop.run("return getComputedStyle(document.activeElement).outlineStyle") != "none")
    confirm(phone, laptop.attribute("#link", "href"))
    laptop.until_text("Hello anna")
    report.check("keyboard alone: one whole sign-in, on laptop and phone", True)


def pay(report, laptop, phone):
    """Pays with Tab and Enter."""
    laptop.tab_to("Buy the umbrella")
    laptop.key(Keys.ENTER)
    laptop.until(lambda: laptop.find("#link"), "the payment page")
    confirm(phone, laptop.attribute("#link", "href"))
    laptop.until_text("Paid:")
    report.check("keyboard alone: one whole payment", True)


def hand_over(report, laptop, phone, shop):
    """A page beside leads to the phone page with the link in the fragment; the person decides there."""
    browser = phone.browser
    leave(laptop, shop)
    link = begin(laptop, shop)
    address = urlsplit(browser.address)._replace(path="/open", query="", fragment=quote(link, safe="")).geturl()
    for word in ("Leave it", "Open"):
        browser.open(address)
        browser.until_text("A page beside hands over", "#screen")
        report.check(f"signet try: a link that is handed over begins nothing by itself, before {word!r}",
                     "dispatchTokenResponse" not in browser.address and phone.heading == "Paste a link", browser.address)
        browser.press(word, within="#screen")
        if word == "Leave it":
            browser.until(lambda: "Accounts" in (shown := browser.text("#screen")) and "hands over" not in shown,
                          "the accounts, and no link")
            report.check("signet try: a link that is left is forgotten", laptop.text("#state") == "Waiting for your phone",
                         laptop.text("#state"))
    phone.confirm()
    laptop.until_text("Hello anna")
    report.check("signet try: a link that is handed over by a page beside signs in", True)


def confirm(phone, link):
    """Confirms on the phone by the keyboard."""
    browser = phone.browser
    browser.run("document.activeElement.blur()")
    phone.key_in(("go", "Start"))
    browser.tab_to("Link or text of a code")
    phone.key_in(("type", link))
    heading = browser.until(lambda: phone.heading if phone.heading in ("You are asked to confirm", "Is that yours?") else "",
                            "the request")
    phone.key_in(("go", "Confirm" if heading == "You are asked to confirm" else "Go on"))
    browser.until(lambda: phone.heading == "Your PIN", "the question for the PIN")
    phone.key_in(("type", PIN))
    browser.until_text("Confirmed", "#live")
