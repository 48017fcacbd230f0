"""Plays the person of "signet demo passkeys", in a headless Chromium with a virtual authenticator.

A line for each step: "ok", its name and what was seen, or "FAIL", its name and the reason; exit code 3 without Chromium or selenium.
Settings come from the environment: SHOP, ISSUER, PERSON, PROFILE (folder for the browser), DATABASE (of the server), and the phone:
SIGNET (program), DEVICE (its folder) and PIN_FILE.
"""
import os
import signal
import sqlite3
import ssl
import subprocess
import sys
import urllib.parse

try:
    from browser import Browser, Missing, key_hash
except ImportError:
    sys.exit(3)
from authenticator import Authenticator, without_offers

SHOP, ISSUER, PERSON, PROFILE = (os.environ[name] for name in ("SHOP", "ISSUER", "PERSON", "PROFILE"))
DAY = 86_400_000  # milliseconds, the wait of a server that is not told another one
STRONGER_ONLY = "only that one lets you in"


def confirm(browser):
    """Confirms on the phone what the page shows."""
    link = os.path.join(PROFILE, "link")
    with open(link, "w", encoding="ascii", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.write(browser.until(lambda: browser.attribute("#link", "href"), "a page with a link for the phone"))
    command = [os.environ["SIGNET"], "device", "open", link, "--device", os.environ["DEVICE"], "--pin-file", os.environ["PIN_FILE"]]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if outcome.returncode:
        raise Missing(f"the phone did not confirm: {outcome.stdout[-300:]} {outcome.stderr[-300:]}")


def devices(browser):
    """Opens the page of the devices."""
    browser.open(f"{ISSUER}/my-devices")


def remove(browser, name, says):
    """Removes a device or a passkey of the page."""
    browser.until(lambda: name in browser.text("main"), f"{name!r} on the page")
    entry = next(item for item in browser.all("ul.list > li") if name in item.text)
    next(part for part in entry.find_elements("css selector", "summary") if part.text.startswith("Lost")).click()
    entry.find_element("css selector", "button.danger").click()
    browser.until_text(says, ".state")


def use(browser, says):
    """Signs in at the shop with the passkey, as far as that goes."""
    browser.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    browser.open(SHOP)
    browser.press("Sign in with the phone")
    browser.press("Sign in with a passkey")
    browser.until_text(says)
    if ("Hello" in says) != (f"Hello {PERSON}" in browser.text()):
        raise Missing(f"the shop knows another state than {says!r}")


def by_phone(browser):
    """Signs in at the page of the devices, with the phone."""
    devices(browser)
    confirm(browser)
    browser.until_text("My devices", "h1")
    return "The page of the devices lists the phone and no passkey."


def registered(browser):
    """Adds a passkey, with the sign-in of before."""
    Authenticator(browser)
    browser.fill("Name of the new passkey", "Laptop")
    browser.press("Add a passkey")
    browser.until_text("The passkey is added", ".state")
    return "The laptop has verified her and keeps the key; the page says that it stays there."


def beside_phone(browser):
    """Is refused while the phone is registered."""
    use(browser, STRONGER_ONLY)
    return "The answer was right, and is refused: the account has a phone, which proves more."


def without_phone(browser):
    """Removes the phone, which confirms it."""
    devices(browser)
    confirm(browser)
    browser.until_text("My devices", "h1")
    remove(browser, f"{PERSON}'s phone", "The device is removed")
    return "The phone has confirmed its own removal; all sign-ins have ended."


def waits(browser):
    """Is refused during the wait."""
    use(browser, STRONGER_ONLY)
    return "Refused still: a thief who takes the phone off gets nothing by it for a day, and the person is told."


def after_wait(browser):
    """Lets in after a day, by which the removal is moved back in the database."""
    with sqlite3.connect(os.environ["DATABASE"], timeout=30) as database:
        database.execute("UPDATE removed_methods SET removed_at = removed_at - ?", (DAY,))
    use(browser, f"Hello {PERSON}")
    return "The shop says hello (the story has moved the removal back by a day in the database)."


def removed(browser):
    """Removes the passkey, which lets in no more."""
    devices(browser)
    browser.until_text("My devices", "h1")
    remove(browser, "Laptop", "The passkey is removed")
    use(browser, "This passkey does not let you in")
    return "The laptop still offers it, and the server refuses it."


STEPS = {"signed-in-by-phone": by_phone, "passkey-registered": registered, "passkey-refused": beside_phone,
         "phone-removed": without_phone, "passkey-waits": waits, "signed-in-by-passkey": after_wait, "passkey-removed": removed}


def main():
    """Exit code of the person."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    place = urllib.parse.urlsplit(ISSUER)
    key = key_hash(ssl.get_server_certificate((place.hostname, place.port)))
    try:
        browser = Browser(os.path.join(PROFILE, "profile"), keys=[key])
    except Missing:
        return 3
    try:
        without_offers(browser)
        for name, play in STEPS.items():
            try:
                print("ok", name, play(browser), flush=True)
            except Missing as error:
                print("FAIL", name, " ".join(str(error).split()), flush=True)
                return 1
    finally:
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
