"""A way back without a phone: codes, the wait, the invitation, and its end by a phone."""
import sqlite3

import devices
from phone import Phone


def make_codes(report, stage, laptop, phone):
    """Codes of anna, which the page shows once after a fresh confirmation."""
    laptop.open(f"{stage.issuer}/my-devices")
    devices.sign_in(laptop, phone)
    laptop.press("Make new codes")
    laptop.until(lambda: laptop.find(".codes") or laptop.find("#link"), "the codes or a confirmation")
    if not laptop.find(".codes"):
        devices.sign_in(laptop, phone)
        laptop.press("Make new codes")
        laptop.until(lambda: laptop.find(".codes"), "the codes")
    codes = [item.text for item in laptop.all(".codes code")]
    report.check("recovery codes: eight, shown once", len(set(codes)) == 8, f"{codes}")
    report.look(laptop, "recovery codes")
    laptop.press("My devices")
    laptop.until_text("Codes left: 8")
    return codes


def begin(browser, stage, code):
    """Enters name and code."""
    browser.open(f"{stage.issuer}/recover")
    browser.fill("User name", "anna")
    browser.fill("Recovery code", code)
    browser.press("Begin the wait")


def pass_time(stage):
    """Ends all waits, as a day would."""
    with sqlite3.connect(stage.folder / "data/signet.sqlite", timeout=30) as database:
        database.execute("UPDATE recoveries SET opens_at = begun_at")


def everything(report, stage, phone):
    """`phone` is a phone of anna; the person without one has browsers of their own, the first of which runs no scripts."""
    laptop = stage.browser("owner")
    codes = make_codes(report, stage, laptop, phone)
    plain = stage.browser("recovery-plain", scripts=False)
    begin(plain, stage, "AAAA-BBBB-CCCC-DDDD")
    plain.until_text("User name or code is wrong", ".state")
    begin(plain, stage, codes[0])
    plain.until_text("The waiting time has begun")
    report.check("recovery: the wait shows no phone and no form", not plain.all("form"))
    laptop.open(f"{stage.issuer}/my-devices")
    laptop.until_text("A new phone was asked for", ".state")
    report.look(laptop, "my devices, recovery")
    laptop.press("This was not me")
    laptop.until_text("It is ended", ".state")
    plain.open(f"{stage.issuer}/recover")
    plain.until_text("This recovery is over", ".state")
    report.check("recovery: a phone's owner ends it", True)
    invited(report, stage, laptop, phone)


def invited(report, stage, laptop, phone):
    """Goes on to the new phone, and looks at each page on the way."""
    codes = make_codes(report, stage, laptop, phone)
    person = stage.browser("person")
    begin(person, stage, "AAAA-BBBB-CCCC-DDDD")
    person.until_text("User name or code is wrong", ".state")
    report.look(person, "recovery, refused")
    begin(person, stage, codes[0].lower().replace("-", " "))
    person.until_text("The waiting time has begun")
    report.look(person, "recovery, waiting")
    pass_time(stage)
    person.open(f"{stage.issuer}/recover")
    person.press("Show a code for my new phone")
    person.until(lambda: person.find("svg[role=img]"), "the code")
    report.look(person, "recovery, open")
    new = Phone(stage.browser("new-phone"), stage.start_phone("new-phone"))
    new.register(person.attribute("#link", "href"))
    person.open(f"{stage.issuer}/recover")
    person.until_text("you have a new phone", ".state")
    report.check("recovery: a new phone is registered, and the page is over", True)
    laptop.open(f"{stage.issuer}/my-devices")
    laptop.until_text("Recovery without a phone begun", "table")
    report.check("recovery: the history of the user names it", True)
