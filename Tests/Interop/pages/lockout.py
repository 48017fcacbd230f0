"""Lockout of a PIN in real time: the cool-down runs down on the page, nothing is taken meanwhile, the last entry locks."""
import re
import time

from phone import PIN, Phone

WRONG = "739164"
COOL_DOWNS = [0, 0, 60, 180]


def everything(report, stage):
    """A user of their own, so that the other parts go on meanwhile."""
    stage.administer("users add", "-m", "a test", "--", "ben")
    phone = Phone(stage.browser("lockout"), stage.start_phone("lockout", push=False))
    browser = phone.browser
    phone.register(stage.invite("ben"))
    phone.tab("Stored")
    browser.until_text("What is stored, and where")
    report.look(browser, "phone page, stored")
    report.check("phone page: says where keys and counters are", "Files, encrypted with the PIN" in browser.text("#screen"))
    change(report, phone)
    phone.tab("Settings")
    report.look(browser, "phone page, settings")
    browser.press("Change PIN")
    for count, cool_down in enumerate(COOL_DOWNS, start=1):
        wrong(phone)
        browser.until_text(f"Attempts left: {len(COOL_DOWNS) + 1 - count}", "#screen")
        if cool_down:
            wait(report, phone, cool_down)
    wrong(phone)
    browser.until_text("locked", "#live")
    report.check("phone page: after the last wrong PIN the key is locked, and the page says what to do",
                 "register again" in phone.notice)
    report.look(browser, "phone page, locked")
    report.check("phone page: the account of a locked key can be removed, so that it can be registered again",
                 goes_on(phone), browser.text("#screen")[:200])


def goes_on(phone):
    """Whether the account of the locked key can be removed."""
    phone.tab("Settings")
    phone.browser.press("Remove ben")
    phone.browser.press("Yes, do it")
    phone.browser.until_text("removed", "#live")
    phone.tab("Start")
    return "No account is registered" in phone.browser.text("#screen")


def wrong(phone):
    """Types a wrong PIN as the old one, and a new one."""
    browser = phone.browser
    browser.until(lambda: phone.heading == "PIN until now", "the question for the old PIN")
    phone.enter(WRONG)
    browser.until(lambda: phone.heading == "Choose a PIN", "the question for the new PIN")
    phone.enter("583026", "583026")
    browser.until(lambda: phone.heading == "PIN until now" or "locked" in phone.notice, "the outcome")


def change(report, phone):
    """Changes the PIN, and changes it back."""
    for old, new in ((PIN, "583026"), ("583026", PIN)):
        phone.tab("Settings")
        phone.browser.press("Change PIN")
        phone.browser.until(lambda: phone.heading == "PIN until now", "the question for the old PIN")
        phone.enter(old)
        phone.browser.until(lambda: phone.heading == "Choose a PIN", "the question for the new PIN")
        phone.enter(new, new)
        phone.browser.until_text("Changed", "#live")
    report.check("phone page: changes the PIN", True)


def seconds_in(count):
    """Seconds that a count says; 0 when there is none."""
    found = re.search(r"\d+", count)
    return int(found.group()) if found else 0


def wait(report, phone, seconds):
    """Watches a cool-down."""
    browser = phone.browser
    began = time.monotonic()
    first = browser.until(lambda: browser.text(".count"), "the count of the cool-down")
    report.check(f"phone page: no entry is taken during the cool-down of {seconds} s",
                 browser.attribute("#screen input", "disabled") is not None, first)
    if seconds == COOL_DOWNS[2]:
        report.look(browser, "phone page, cool-down")
        report.picture(browser, "phone-cool-down", selector=".phone", size=(480, 760))
    left = browser.until(lambda: 0 < seconds_in(browser.text(".count")) < seconds_in(first), "a lower count")
    report.check("phone page: the cool-down runs down", left)
    browser.until(lambda: (field := browser.find("#screen input")) and field.is_enabled(), "the end of the cool-down", seconds + 30)
    report.check(f"phone page: the cool-down of {seconds} s was waited for", time.monotonic() - began > seconds - 10)
