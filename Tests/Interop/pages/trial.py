"""signet try as a person uses it by the keyboard alone: register, sign in, pay; then the attacks, and the loss of the phone."""
import json
import signal
import time

from devices import lose
from phone import PIN, Phone
from stage import free_port, line_with
from selenium.webdriver.common.keys import Keys

ATTACKS = ["Replay of an answer", "Other user's answer", "Changed amount", "Push bombing"]


def start(stage):
    """Starts signet try; its process, and the addresses of phone and shop."""
    process = stage.run([stage.programs / "signet", "try", "--no-open", "--shop-port", free_port(), "--phone-port",
                         free_port()], "try", {"TMPDIR": str(stage.folder)}, lines=True)
    phone = line_with(process, r"The phone:\s+(\S+)").group(1)
    return process, phone, line_with(process, r"The shop:\s+(\S+)").group(1)


def everything(report, stage):
    """The whole trial."""
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
    browser.until_text("is registered on this phone", "#live", 30)
    report.check("keyboard alone: registers a phone", True)

    laptop = laptop_of(stage, shop)
    sign_in(report, laptop, phone)
    report.look(laptop, "example shop with attacks")
    pay(report, laptop, phone)
    for name in ATTACKS:
        laptop.open(shop)
        laptop.press(name)
        laptop.until_text("Attack", "h2")
        said = laptop.text()
        report.check(f"signet try: {name}: refused", "Refused" in said and "ACCEPTED" not in said, said[:300])
    lose(phone)
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
    laptop.until_text("Hello anna", seconds=30)
    report.check("keyboard alone: one whole sign-in, on laptop and phone", True)


def pay(report, laptop, phone):
    """Pays with Tab and Enter."""
    laptop.tab_to("Buy the umbrella")
    laptop.key(Keys.ENTER)
    laptop.until(lambda: laptop.find("#link"), "the payment page")
    confirm(phone, laptop.attribute("#link", "href"))
    laptop.until_text("Paid:", seconds=30)
    report.check("keyboard alone: one whole payment", True)


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
    browser.until_text("Confirmed", "#live", 30)
