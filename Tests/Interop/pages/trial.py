"""signet try as a person uses it by the keyboard alone: register, sign in, pay; then the attacks, and the loss of the phone."""
import json
import re
import signal
import time
from urllib.parse import quote, urlsplit

from devices import lose
from phone import PIN, Phone
from sign_in import begin, leave
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
    hand_over(report, laptop, phone, shop)
    wrong_digits(report, laptop, phone, shop)
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
            browser.until(lambda: "hands over" not in browser.text("#screen"), "the screen without the link")
            report.check("signet try: a link that is left is forgotten", laptop.text("#state") == "Waiting for your phone",
                         laptop.text("#state"))
    browser.until(lambda: phone.heading != "Paste a link", "the request of the link")
    phone.confirm()
    laptop.until_text("Hello anna", seconds=30)
    report.check("signet try: a link that is handed over by a page beside signs in", True)


def wrong_digits(report, laptop, phone, shop):
    """A stranger begins under the name of the person; other digits than theirs end the sign-in, and theirs would let them in."""
    said, exchange = strange_sign_in(laptop, phone, shop, 1)
    report.check("signet try: Wrong digits: refused", "Refused, as it has to be" in said, said[:300])
    report.check("signet try: Wrong digits: what is shown of the exchange is masked",
                 "anna" not in exchange and "form_token" in exchange, exchange)
    said, _ = strange_sign_in(laptop, phone, shop, 0)
    report.check("signet try: Wrong digits: the right ones are told apart", "ACCEPTED" in said, said[:300])


def strange_sign_in(laptop, phone, shop, distance):
    """Begins the attack, types digits at a distance from those shown, and returns the outcome and the exchange of the begin."""
    laptop.open(shop)
    laptop.press("Wrong digits")
    laptop.until_text("their page shows", seconds=30)
    exchange, shown = laptop.text("pre"), re.search(r"shows ([0-9]+),", laptop.text()).group(1)
    phone.take_pending()
    phone.asked("Your PIN", digits=str((int(shown) + distance) % 10 ** len(shown)).zfill(len(shown)))
    phone.enter(phone.pin)
    phone.browser.until_text("Confirmed" if distance == 0 else "did not work", "#live", 30)
    laptop.open(shop)
    laptop.press("Wrong digits")
    laptop.until_text("Attack", "h2")
    return laptop.text(), exchange


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
