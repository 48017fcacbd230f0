"""Passkeys in virtual authenticators: registered after a sign-in with the phone, refused beside it, used after it, renamed, removed."""
import json
import sqlite3
import subprocess

from selenium.webdriver.common.keys import Keys

import devices
import sign_in
from authenticator import Authenticator, without_offers
from phone import Phone

SETTINGS = "\n  passkeys: { enabled: true, synced: true }"
ADD, USE, NAME = "Add a passkey", "Sign in with a passkey", "User name (may stay empty)"
ADDED = "The passkey is added"
REFUSED, WEAKER, UNUSED = "This passkey does not let you in", "only that one lets you in", "No passkey was used"


def my_devices(laptop, stage):
    """Opens the page of the devices."""
    laptop.open(f"{stage.issuer}/my-devices")


def database(stage, statement):
    """Changes the database of the server."""
    with sqlite3.connect(stage.folder / "data/signet.sqlite", timeout=30) as connection:
        connection.execute(statement)


def add(laptop, name, says):
    """Adds a passkey with this name, and waits for what the page says."""
    laptop.fill("Name of the new passkey", name)
    laptop.press(ADD)
    if says == ADDED:
        laptop.until(lambda: devices.entry(laptop, name), f"the passkey {name!r}")
    laptop.until_text(says, "main")


def registered(report, stage, laptop, phone):
    """Registration on the page of the devices, with each kind of authenticator; returns the one in the laptop."""
    my_devices(laptop, stage)
    report.check("passkeys: a browser without an authenticator shows its sign-in page", not laptop.text("#passkey-state"))
    devices.sign_in(laptop, phone)
    own = Authenticator(laptop)
    database(stage, "UPDATE provider_sessions SET authenticated_at = authenticated_at - 121000")
    laptop.fill("Name of the new passkey", "Laptop")
    laptop.press(ADD)
    devices.sign_in(laptop, phone)
    report.check("passkeys: a sign-in of two minutes ago adds none, and leads to a fresh one", "Laptop" not in laptop.text("main"))
    own.verify(False)
    add(laptop, "Laptop", UNUSED)
    report.check("passkeys: none is added when the person is not verified", not own.passkeys)
    own.verify(True)
    add(laptop, "Laptop", ADDED)
    entry = devices.entry(laptop, "Laptop").text
    report.check("passkeys: the page lists name, kind, date and use", "stays on its device" in entry and "not used yet" in entry, entry)
    add(laptop, "Again", "There is a passkey of yours here already")
    report.check("passkeys: one authenticator gets no second passkey", len(own.passkeys) == 1)
    own_passkey = own.passkeys[0]
    own.remove()
    for kind, says in (({"verifies": False}, UNUSED), ({"resident": False}, UNUSED), ({}, ADDED)):
        key = Authenticator(laptop, "usb", **kind)
        add(laptop, "Key", says)
        report.check(f"passkeys: a key {kind or 'with both'}: {says}", bool(devices.entry(laptop, "Key")) == (not kind))
        key.remove()
    cloud = Authenticator(laptop, synced=True)
    add(laptop, "Cloud", ADDED)
    report.check("passkeys: a synced one is told", "may be on several devices" in devices.entry(laptop, "Cloud").text)
    cloud.remove()
    report.look(laptop, "my devices with passkeys")
    own = Authenticator(laptop)
    own.put(own_passkey)
    return own


def changed(report, stage, laptop, phone):
    """Renames one, and removes the key after a fresh sign-in."""
    devices.renamed(report, laptop, "Key", "Blue key", "The passkey has its new name")
    database(stage, "UPDATE provider_sessions SET authenticated_at = authenticated_at - 121000")
    for name, is_fresh in (("Blue key", False), ("Blue key", True), ("Cloud", True)):
        devices.opened(laptop, name, "Lost or replaced?").find_element("css selector", "button.danger").click()
        if is_fresh:
            laptop.until(lambda gone=name: devices.entry(laptop, gone) is None, "a list without it")
            laptop.until_text("The passkey is removed", ".state")
        else:
            laptop.until(lambda: laptop.find("#link"), "a fresh sign-in")
            devices.sign_in(laptop, phone)
        report.check(f"passkeys: {name} is removed after a fresh sign-in" if is_fresh else "passkeys: an old sign-in removes none",
                     (devices.entry(laptop, name) is None) == is_fresh)


def tried(laptop, shop, says, name=""):
    """Begins at the shop, presses the button, and waits for what the page says, or for the shop."""
    sign_in.leave(laptop, shop)
    sign_in.begin(laptop, shop)
    if name:
        laptop.fill(NAME, name)
    laptop.press(USE)
    laptop.until_text(says)


def weaker(report, stage, laptop, phone, shop):
    """Refused while the phone is registered, and while the wait after it goes on."""
    sign_in.leave(laptop, shop)
    sign_in.begin(laptop, shop)
    report.look(laptop, "sign-in page with passkeys")
    tried(laptop, shop, WEAKER)
    report.check("passkeys: refused beside a phone, and the page says so", "Hello" not in laptop.text())
    report.look(laptop, "sign-in page, passkey refused")
    laptop.press("Deutsch", within="footer")
    laptop.until_text("Mit einem Passkey anmelden")
    tried(laptop, shop, WEAKER, "anna")
    report.check("passkeys: refused by name, too", "Hello" not in laptop.text())
    my_devices(laptop, stage)
    devices.sign_in(laptop, phone)
    name = laptop.text("ul.list h2")
    advice = devices.opened(laptop, name, "Lost or replaced?").text
    report.check("passkeys: the page says that they wait after the last phone", "only after a waiting time" in advice, advice)
    devices.entry(laptop, name).find_element("css selector", "button.danger").click()
    laptop.until_text("The device is removed", ".state")
    tried(laptop, shop, WEAKER)
    report.check("passkeys: refused while the wait after the phone goes on", "Hello" not in laptop.text())
    database(stage, "UPDATE removed_methods SET removed_at = 0")


def used(report, laptop, own, shop, allow_offers):
    """By button, by name, by the keyboard and by the browser's offer; returns when the browser offers no more."""
    for way, name in (("button", ""), ("name", "anna")):
        tried(laptop, shop, "Hello anna", name)
        report.check(f"passkeys: signs in by {way}", laptop.address.startswith(shop))
    sign_in.leave(laptop, shop)
    sign_in.begin(laptop, shop)
    laptop.tab_to(NAME)
    laptop.key(Keys.TAB)
    report.check("passkeys: the button follows the field by the keyboard", laptop.focused == USE, laptop.focused)
    laptop.key(Keys.ENTER)
    laptop.until_text("Hello anna")
    report.check("passkeys: signs in by the keyboard", True)
    for name in ("absent", "anna"):
        kept = own.passkeys[0]
        own.clear()
        tried(laptop, shop, UNUSED, name)
        own.put(kept)
        report.check(f"passkeys: for {name} without one here the page says that none was used", True)
    allow_offers()
    sign_in.leave(laptop, shop)
    laptop.open(shop)
    laptop.press(sign_in.SIGN_IN)
    laptop.until_text("Hello anna")
    report.check("passkeys: signs in by the browser's offer (conditional mediation)", True)
    return without_offers(laptop)


def hostile(report, laptop, own, shop):
    """Answers that do not hold: cancelled, without verification, with another signature, and of a clone."""
    own.verify(False)
    tried(laptop, shop, UNUSED)
    report.check("passkeys: cancelled, the page says that none was used", "Hello" not in laptop.text())
    own.verify(True)
    for bits in ({"isBogusSignature": True}, {"isBadUV": True}, {"isBadUP": True}):
        own.spoil(**bits)
        tried(laptop, shop, REFUSED)
        report.check(f"passkeys: refused with {next(iter(bits))}", "Hello" not in laptop.text())
    own.spoil()
    original = own.passkeys[0]
    tried(laptop, shop, "Hello anna")
    own.clear()
    own.put(original, signCount=1)
    tried(laptop, shop, REFUSED)
    report.check("passkeys: a clone, whose counter goes back, is refused", "Hello" not in laptop.text())
    own.clear()
    own.put(original, signCount=original["signCount"] + 100)
    tried(laptop, shop, "Hello anna")
    report.check("passkeys: the original still signs in", True)


def phones_only(report, stage, laptop):
    """A client that asks for a phone gets no passkey, and a browser without scripts is offered none."""
    sign_in.leave(laptop, f"{stage.issuer}/")
    laptop.open(f"{stage.issuer}/oauth2/authorize?response_type=code&client_id=my-devices&redirect_uri={stage.issuer}/my-devices"
                f"&scope=openid&state=x&code_challenge={'A' * 43}&code_challenge_method=S256&acr_values=urn:signet:acr:key")
    laptop.until(lambda: laptop.find("#link"), "the sign-in page")
    report.check("passkeys: a client that asks for a phone has no such form", laptop.find("#passkey") is None)
    plain = stage.browser("no-scripts", scripts=False)
    my_devices(plain, stage)
    plain.until(lambda: plain.find("#link"), "the sign-in page")
    report.check("passkeys: without JavaScript there is no such button", USE not in plain.text() and plain.find("#passkey"))


def ended(report, stage, laptop, shop):
    """Signs in at the page of the devices with the passkey, and removes it: it lets in no more."""
    sign_in.leave(laptop, shop)
    my_devices(laptop, stage)
    laptop.press(USE)
    laptop.until_text("My devices", "h1")
    entry = devices.entry(laptop, "Laptop").text
    report.check("passkeys: the page has the last use", "last used on" in entry, entry)
    laptop.until_text("Passkey added", "table")
    devices.opened(laptop, "Laptop", "Lost or replaced?").find_element("css selector", "button.danger").click()
    laptop.until_text("The passkey is removed", ".state")
    my_devices(laptop, stage)
    laptop.until(lambda: laptop.find("#link"), "a new sign-in")
    report.check("passkeys: with a passkey the sign-ins end that it has made", True)
    tried(laptop, shop, REFUSED)
    report.check("passkeys: a removed one is refused", "Hello" not in laptop.text())


def story(report, stage):
    """The story of the terminal."""
    outcome = subprocess.run([str(stage.programs / "signet"), "demo", "passkeys", "--format", "json"], capture_output=True, text=True,
                             cwd=stage.folder, timeout=600, check=False)
    steps = json.loads(outcome.stdout)["steps"]
    report.check("passkeys: signet demo passkeys plays its eight steps", outcome.returncode == 0 and len(steps) == 8, outcome.stdout)


def everything(report, stage):
    """The whole part; passkeys need a host with a name."""
    stage.start_server(openid=SETTINGS, host="localhost")
    stage.administer("users add", "-m", "a test", "--", "anna")
    phone = Phone(stage.browser("phone"), stage.start_phone("phone"))
    phone.register(stage.invite("anna"))
    shop = stage.start_shop()
    laptop = stage.browser("laptop")
    allow_offers = without_offers(laptop)
    own = registered(report, stage, laptop, phone)
    changed(report, stage, laptop, phone)
    weaker(report, stage, laptop, phone, shop)
    used(report, laptop, own, shop, allow_offers)
    hostile(report, laptop, own, shop)
    phones_only(report, stage, laptop)
    ended(report, stage, laptop, shop)
    story(report, stage)
