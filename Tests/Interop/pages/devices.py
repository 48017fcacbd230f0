"""My devices: list, rename, removal of a lost phone, history; the older phone is told of a new one."""
from phone import Phone


def sign_in(laptop, phone):
    """Signs in at the page of the server itself, where it asks for it."""
    laptop.until(lambda: laptop.find("#link") or "My devices" in laptop.text("h1"), "the sign-in or the devices")
    link = laptop.attribute("#link", "href")
    if link:
        phone.open(link)
        phone.confirm()
        laptop.until_text("My devices", "h1")


def entry(laptop, name):
    """Entry of a device in the list."""
    return next((item for item in laptop.all("ul.list > li") if name in item.text), None)


def opened(laptop, name, summary):
    """Opens a part of the entry of a device."""
    item = laptop.until(lambda: entry(laptop, name), f"the device {name!r}")
    next(part for part in item.find_elements("css selector", "summary") if part.text.startswith(summary)).click()
    return item


def renamed(report, laptop, old, new, says="The device has its new name"):
    """Gives a device another name."""
    item = opened(laptop, old, "Rename")
    field = item.find_element("css selector", "input[name=name]")
    field.clear()
    field.send_keys(new)
    next(button for button in item.find_elements("css selector", "button") if button.text == "Save").click()
    laptop.until_text(says, ".state")
    report.check("my devices: renames", entry(laptop, new) is not None)


def everything(report, stage, phone):
    """`phone` is the first phone of anna; a second one comes, is announced, renamed, lost and removed."""
    laptop = stage.browser("devices")
    laptop.open(f"{stage.issuer}/my-devices")
    sign_in(laptop, phone)
    before = len(laptop.all("ul.list > li"))
    report.check("my devices: asks for a sign-in, then lists the device", before == 1, f"{before} devices")
    renamed(report, laptop, laptop.text("ul.list h2"), "Anna’s phone")

    second = Phone(stage.browser("second"), stage.start_phone("second"))
    second.tab("Settings")
    second.browser.fill("Name of the phone", "Tablet")
    second.browser.press("Save")
    second.browser.until_text("new name", "#live")
    second.register(stage.invite("anna"))
    laptop.open(f"{stage.issuer}/my-devices")
    laptop.until(lambda: entry(laptop, "Tablet"), "the second device")
    laptop.until_text("Device added", "table")
    report.look(laptop, "my devices")
    report.picture(laptop, "my-devices", "main > section", size=(800, 760), scale=1)
    # A report of a code counts against no user: the code names no user, and the report is not signed.
    report.check("my devices: the history names the sign-ins, what was confirmed and what was declined",
                 all(word in laptop.text("table") for word in ("Signed in", "Text confirmed", "Declined or failed")),
                 laptop.text("table"))

    second.lose()
    report.check("phone page: a lost phone has nothing left", True)
    report.look(second.browser, "phone page, lost")
    remove(report, stage, laptop, phone)


def remove(report, stage, laptop, phone):
    """Removes the lost phone by a fresh confirmation of the other one; without it nothing is removed."""
    opened(laptop, "Tablet", "Lost or replaced?").find_element("css selector", "button.danger").click()
    laptop.until(lambda: laptop.find("#link") or laptop.find(".state"), "a confirmation or an answer")
    if laptop.find("#link"):
        sign_in(laptop, phone)
        opened(laptop, "Tablet", "Lost or replaced?").find_element("css selector", "button.danger").click()
    laptop.until_text("The device is removed", ".state")
    report.check("my devices: removes a lost phone that another one has confirmed", entry(laptop, "Tablet") is None)
    laptop.open(f"{stage.issuer}/my-devices")
    laptop.until(lambda: laptop.find("#link"), "a new sign-in")
    report.check("my devices: all sign-ins have ended with it", True)
