"""Plays a trial in a headless Chromium, as a person does by hand: "signet try --check" starts it beside shop and phone.

One line for each step; exit code 0 when every step has gone as it has to, 1 when one has not, 3 without Chromium or selenium.
Settings come from the environment: SHOP, PHONE (address that lets in once), ISSUER, PERSON, PROFILE (folder for the browser),
IS_REGISTERED and LOSES_PHONE (empty for no).
"""
import base64
import os
import signal
import ssl
import sys
import urllib.parse

try:
    from browser import Browser, Missing, key_hash
except ImportError:
    sys.exit(3)
from phone import Phone

SHOP, ISSUER, PERSON = (os.environ[name] for name in ("SHOP", "ISSUER", "PERSON"))
CODE = """
const done = arguments[arguments.length - 1], reader = new FileReader();
reader.onload = () => done(reader.result.split(",")[1]);
fetch(document.getElementById("code").src).then((answer) => answer.blob()).then((blob) => reader.readAsDataURL(blob));
"""
APP, CONFIRMED = "Open the app on this device", "Confirmed"


class Failed(Exception):
    """A step that has not gone as it has to."""


def step(words):
    """Tells of a step that has gone as it has to."""
    print(f"ok   {words}", flush=True)


def need(condition, words, seen):
    """Ends the trial unless a condition holds."""
    if not condition: raise Failed(f"{words}; seen: {seen}")


class Person:
    """A person with one browser, in which the phone has one tab and the shop another."""

    def __init__(self, browser):
        self.browser, self.windows = browser, browser.driver.switch_to
        self.phone = Phone(browser, os.environ["PHONE"])
        self.phone_tab = browser.driver.current_window_handle
        self.windows.new_window("tab")
        self.shop_tab = browser.driver.current_window_handle
        browser.open(SHOP)

    def at_phone(self):
        """Goes to the tab of the phone."""
        self.windows.window(self.phone_tab)
        return self.phone

    def at_shop(self):
        """Goes to the tab of the shop."""
        self.windows.window(self.shop_tab)
        return self.browser

    def press(self, wanted):
        """Presses a button of the shop, on its first page."""
        self.at_shop().open(SHOP)
        self.browser.press(wanted)

    def open_app(self):
        """Opens the link of the sign-in page, which leads to the phone page in a new tab, and confirms there."""
        self.browser.until(lambda: self.browser.find("#link"), "the sign-in page with its button")
        before = set(self.browser.driver.window_handles)
        self.browser.press(APP)
        new = self.browser.until(lambda: set(self.browser.driver.window_handles) - before, "the tab that the button opens").pop()
        self.windows.window(new)
        self.browser.until_text("A page beside hands over", "#screen")
        self.browser.press("Open", within="#screen")
        self.phone.confirm()
        self.browser.driver.close()
        self.at_shop()

    def sign_out(self):
        """Signs out at the shop and at the server, so that the next sign-in asks the phone again."""
        self.press("Sign out")
        self.browser.until_text("Sign in with the phone")
        self.browser.open(f"{ISSUER}/oauth2/logout")
        self.browser.until_text("Sign out?")
        self.browser.press("Sign out")
        self.browser.until_text("You are signed out")

    def is_greeted(self):
        """Waits until the shop says hello."""
        self.at_shop().until_text(f"Hello {PERSON}")


def shows_the_way(person):
    """The shop says who one is and what it sells."""
    person.at_shop().until_text(f"You are {PERSON}")
    said = person.browser.text()
    need("Umbrella" in said and "CHF 49.90" in said, "the shop shows its product with a price", said[:300])
    step("the shop shows a product with its price, and says who you are")


def register(person):
    """Registers by the invitation that waits, or finds the account of the first trial."""
    phone = person.at_phone()
    if os.environ["IS_REGISTERED"]:
        need(PERSON in person.browser.text("#screen"), "the phone has its account", person.browser.text("#screen")[:300])
        return step("the phone has the account that it was given in an earlier trial")
    person.browser.press("Show", within="#screen")
    phone.asked("Choose a PIN")
    phone.enter(phone.pin, phone.pin)
    person.browser.until_text("is registered on this phone", "#live")
    return step("the invitation waits on the phone, and registers it")


def refuses_broken_link(person):
    """Opens the page for links with an escape that is none; the phone says that this is no link."""
    phone = person.at_phone().browser
    phone.open(phone.driver.execute_script("return location.origin") + "/open#%")
    phone.until_text("A page beside hands over", "#screen")
    phone.press("Open", within="#screen")
    phone.until_text("That is no link", "#live")
    step("a broken link is told as such")


def by_button(person):
    """Signs in by the button of the sign-in page."""
    person.press("Sign in with the phone")
    person.open_app()
    person.is_greeted()
    step("“Open the app on this device” leads to the phone page, and signs in")


def pays(person):
    """Pays, and reads the receipt."""
    person.press("Buy the umbrella")
    person.browser.until_text("Pay CHF 49.90 to Example Shop", "pre.text")
    person.open_app()
    person.browser.until_text("Paid: CHF 49.90")
    said = person.browser.text("#receipt")
    need("Pay CHF 49.90 to Example Shop" in said and f"the phone of {PERSON}" in said and "all hold" in said,
         "the shop shows the receipt, which was verified", said or person.browser.text()[:400])
    step("the phone confirms a payment, and the shop shows its receipt, verified")


def by_picture(person):
    """Signs in by the picture of the code."""
    person.sign_out()
    person.press("Sign in with the phone")
    person.browser.until(lambda: person.browser.find("#code"), "the sign-in page with its code")
    picture = os.path.join(os.environ["PROFILE"], "code.png")
    with open(picture, "wb") as file:
        file.write(base64.b64decode(person.browser.driver.execute_async_script(CODE)))
    person.at_phone().scan(picture)
    person.phone.confirm()
    person.is_greeted()
    step("the picture of the code, given to the phone page, signs in")


def by_link(person):
    """Signs in by the link of the button, copied into the phone page."""
    person.sign_out()
    person.press("Sign in with the phone")
    person.browser.until(lambda: person.browser.find("#link"), "the sign-in page with its button")
    link = person.browser.attribute("#link", "href")
    person.at_phone().open(link)
    person.phone.confirm()
    person.is_greeted()
    step("the link of the button, copied into the phone page, signs in")


def by_call(person):
    """Signs in by a call of the shop (CIBA)."""
    person.sign_out()
    person.press("Call my phone")
    person.browser.until_text("Waiting for your phone")
    person.at_phone().take_pending()
    person.phone.confirm()
    person.is_greeted()
    step("a call of the shop reaches the phone by a push message, and signs in")


def by_push(person):
    """Signs in by a push message with digits."""
    person.press("Sign out")
    person.press("Sign in with the phone")
    person.browser.press("Send a message to my phone instead")
    person.browser.fill("User name", PERSON)
    person.browser.press("Send")
    digits = person.browser.until(lambda: person.browser.text("#digits"), "the digits of the page").replace(" ", "")
    person.at_phone().take_pending()
    person.phone.confirm(digits=digits)
    person.is_greeted()
    step("a push message with digits signs in")


def has_failed(person, label):
    """Reads the page of an attack: the honest request has passed, and the attack has failed."""
    person.at_shop().until_text("attack failed", "#verdict")
    steps = [item.text for item in person.browser.all("#proof li")]
    need(len(steps) == 2 and steps[0].startswith("Honest:") and "Passed" in steps[0] and steps[1].startswith("Attack:")
         and "ACCEPTED" not in steps[1], f"{label}: the honest request first, then the attack", " | ".join(steps))
    step(f"{label}: {steps[1].splitlines()[-1]}")


def attacks_alone(person):
    """Attacks that need nothing from the person."""
    for label in ("Replay of an answer", "Answer in another browser", "Changed amount"):
        person.press(label)
        has_failed(person, label)


def wrong_digits(person):
    """Types what the page says: the right digits first, then others than the stranger's."""
    person.press("Wrong digits")
    for said, outcome in (("Your own page shows", CONFIRMED), ("Now a stranger has begun", "did not work")):
        person.at_shop().until_text(said)
        digits = person.browser.text("main").rpartition("type ")[2].partition(" ")[0].strip(",")
        person.at_phone().take_pending()
        person.phone.asked("Your PIN", digits=digits)
        person.phone.enter(person.phone.pin)
        person.browser.until_text(outcome, "#live")
        person.at_shop().press("Go on")
    has_failed(person, "Wrong digits")


def bombing(person):
    """Refuses the one call that gets through, so that the phone can be called again."""
    person.press("Push bombing")
    person.browser.until_text("refuse it there")
    person.at_phone().take_pending()
    person.phone.refuse()
    person.at_shop().press("Go on")
    has_failed(person, "Push bombing")


def loses(person):
    """Loses the phone."""
    person.at_phone().lose()
    step("the phone is lost, with everything on it")


def leaves(person):
    """Signs out at the shop alone."""
    person.press("Sign out")
    person.browser.until_text("Sign in with the phone")


def play(person):
    """The whole trial; a later one in its folder has no more than two of the five pushes by name that pages may send in five minutes."""
    if os.environ["IS_REGISTERED"]:
        parts = [shows_the_way, register, refuses_broken_link, by_button, by_call, leaves, by_button, pays]
    else:
        parts = [shows_the_way, register, refuses_broken_link, by_button, pays, by_picture, by_link, by_call, by_push]
    parts += [attacks_alone, wrong_digits, bombing]
    for part in parts + ([loses] if os.environ["LOSES_PHONE"] else []):
        part(person)


def main():
    """Exit code of the trial."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    place = urllib.parse.urlsplit(ISSUER)
    key = key_hash(ssl.get_server_certificate((place.hostname, place.port)))
    try:
        browser = Browser(os.path.join(os.environ["PROFILE"], "profile"), keys=[key])
    except Missing:
        return 3
    try:
        play(Person(browser))
    except (Failed, Missing) as error:
        print(f"FAIL {error}", flush=True)
        print(error, file=sys.stderr)
        return 1
    finally:
        browser.close()
    print("Every step went well.", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
