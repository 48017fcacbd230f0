"""Console of administrators: search, person, lost phone, lock, invitation, findings, audit; what each role sees; no scripts."""
import re
import subprocess

from devices import opened
from phone import Phone

SETTINGS = """administration:
  port: 0
  tls: {{ certificate-file: admin.pem, private-key-file: admin.key }}
  people: {people}
reload: {{ interval: 1s }}
"""


def settings(**people):
    """Section of the configuration that gives people their roles."""
    return SETTINGS.format(people="{ " + ", ".join(f"{name}: {role}" for name, role in people.items()) + " }")


def start(stage):
    """Address of the console of a new server, in which hans is the help desk."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                    "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                    stage.folder / "admin.key", "-out", stage.folder / "admin.pem"], check=True, capture_output=True)
    (stage.folder / "admin.key").chmod(0o600)
    port = stage.start_server(settings(hans="help-desk"))["administrationPort"]
    stage.trust(port)
    for name in ("hans", "anna", "annabel"):
        stage.administer("users add", "-m", "a test", "--", name)
    return f"https://127.0.0.1:{port}/console"


def sign_in(laptop, phone, seconds=60):
    """Confirms the sign-in that the browser shows."""
    link = laptop.until(lambda: laptop.attribute("#link", "href"), "the sign-in")
    phone.open(link)
    phone.confirm()
    laptop.until(lambda: laptop.find("#continue") or laptop.find("header nav"), "the console or the way there", seconds)
    if laptop.find("#continue"):
        laptop.press("Continue")
    laptop.until(lambda: laptop.find("header nav"), "the console", seconds)


def search(laptop, text, person):
    """Looks for people and opens one of them."""
    laptop.fill("Beginning of a name", text)
    laptop.press("Search")
    laptop.until(lambda: laptop.find("ul.people a"), "people")
    laptop.press(person, within="ul.people")
    laptop.until_text(person, "h1")


def by_keyboard(report, laptop, console):
    """Locks and unlocks a person without a pointer."""
    laptop.open(console)
    laptop.tab_to("Beginning of a name")
    laptop.type("annab\n")
    laptop.until(lambda: laptop.find("ul.people a"), "people")
    laptop.tab_to("annabel")
    laptop.key("\n")
    laptop.until_text("annabel", "h1")
    for word, done in (("Lock the account", "is locked"), ("Unlock the account", "is unlocked")):
        laptop.tab_to(word)
        laptop.key("\n")
        laptop.tab_to("Why")
        laptop.type("ticket 4711\n")
        laptop.until_text(done, ".state")
    report.check("console: search, lock and unlock by the keyboard alone", "locked" not in laptop.text("h1"))


def lost_phone(report, stage, laptop):
    """Removes the lost phone of anna, and invites the next one by a code."""
    item = opened(laptop, "Old phone", "Lost or replaced?")
    item.find_element("css selector", "input[name=reason]").send_keys("Lost on the train, ticket 4711")
    report.look(laptop, "console, remove")
    report.picture(laptop, "console-remove", size=(800, 600), scale=1)
    item = laptop.until(lambda: laptop.find("ul.list > li"), "the phone")
    item.find_element("css selector", "button.danger").click()
    laptop.until_text("The phone is removed", ".state")
    report.check("console: removes a lost phone", "There is no phone" in laptop.text("main"))
    laptop.press("Invite a phone")
    laptop.find("#reason-invite").send_keys("New phone, ticket 4711")
    laptop.press("Show the code")
    laptop.until(lambda: laptop.find(".code img"), "the code")
    width = laptop.run("return document.querySelector('.code img').naturalWidth")
    report.check("console: the code of an invitation is a picture", width > 0)
    report.look(laptop, "console, invitation")
    report.picture(laptop, "console-invite", size=(800, 640), scale=1)
    laptop.press("Without a camera")
    link = laptop.text("pre.text")
    Phone(stage.browser("new"), stage.start_phone("new")).register(link)
    laptop.press("Back to")
    laptop.until(lambda: laptop.find("ul.list > li"), "the new phone")
    report.check("console: the invited phone is there", "1 key" in laptop.text("ul.list"))


def roles(report, stage, laptop, console, phone):
    """What hans sees in each role, from the next request on after the configuration was taken up."""
    def become(role):
        text = (stage.folder / "server.yml").read_text()
        people = "{ hans: " + role + " }" if role else "{ }"
        (stage.folder / "server.yml").write_text(re.sub(r"people: \{.*\}", f"people: {people}", text))

    def shows(words):
        laptop.open(console)
        return words in laptop.text("header") + laptop.text("h1")

    person = laptop.address.split("?")[0]
    become("viewer")
    laptop.until(lambda: shows("hans, viewer"), "the role of a viewer")
    laptop.open(person)
    report.check("console: a viewer sees a person and no form", laptop.text("h1") == "anna" and not laptop.find("main form"))
    laptop.open(f"{console}/audit")
    report.check("console: a viewer sees no audit", "Your role does not allow this" in laptop.text("main"))
    become("auditor")
    laptop.until(lambda: shows("hans, auditor"), "the role of an auditor")
    laptop.open(f"{console}/audit?user=anna")
    report.check("console: an auditor sees what the help desk did and why",
                 "ticket 4711" in laptop.text("table") and "hans" in laptop.text("table"), laptop.text("table"))
    report.look(laptop, "console, audit")
    laptop.open(person)
    report.check("console: an auditor changes nothing", not laptop.find("main form"))
    become("operator")
    laptop.until(lambda: shows("hans, operator"), "the role of an operator")
    laptop.open(person)
    report.check("console: an operator may change people", laptop.find("main form input[name=action][value=lock]"))
    become("")
    laptop.until(lambda: shows("No access"), "the end of the role")
    report.check("console: who is left out of administration.people has no access at the next request", True)
    report.look(laptop, "console, no access")
    laptop.press("Sign out")
    laptop.until_text("signed out", seconds=10)
    laptop.open(console)
    laptop.until(lambda: laptop.find("#link"), "a sign-in")
    report.check("console: after signing out it asks for a sign-in", True)
    become("help-desk")
    without_scripts(report, stage, console, phone)


def without_scripts(report, stage, console, phone):
    """A person is found and locked without JavaScript."""
    laptop = stage.browser("plain", scripts=False)
    laptop.open(console)
    sign_in(laptop, phone)
    laptop.until(lambda: (laptop.open(console), "help desk" in laptop.text("header"))[1], "the help desk")
    search(laptop, "annab", "annabel")
    laptop.press("Lock the account")
    laptop.find("#reason-lock").send_keys("ticket 4712")
    laptop.press("Lock")
    laptop.until_text("is locked", ".state")
    report.check("console: works without JavaScript", "locked" in laptop.text("h1"))


def everything(report, stage):
    """hans is the help desk, anna loses a phone."""
    console = start(stage)
    desk = Phone(stage.browser("desk"), stage.start_phone("desk"))
    desk.register(stage.invite("hans"))
    old = Phone(stage.browser("old"), stage.start_phone("old"))
    old.tab("Settings")
    old.browser.fill("Name of the phone", "Old phone")
    old.browser.press("Save")
    old.browser.until_text("new name", "#live")
    old.register(stage.invite("anna"))
    laptop = stage.browser("console")
    laptop.open(console)
    sign_in(laptop, desk)
    report.check("console: signs in with Signet itself", "hans, help desk" in laptop.text("header"), laptop.text("header"))
    report.check("console: the help desk has no audit", "Audit" not in laptop.text("header nav"))
    report.look(laptop, "console, search")
    laptop.fill("Beginning of a name", "ann")
    laptop.press("Search")
    laptop.until(lambda: laptop.find("ul.people a"), "people")
    report.look(laptop, "console, people")
    report.picture(laptop, "console-search", size=(800, 420), scale=1)
    search(laptop, "ann", "anna")
    report.look(laptop, "console, person")
    report.picture(laptop, "console-person", size=(800, 700), scale=1)
    by_keyboard(report, laptop, console)
    laptop.open(console)
    search(laptop, "anna", "anna")
    lost_phone(report, stage, laptop)
    person = laptop.address
    laptop.press("What is wrong now")
    laptop.until_text("What is wrong now", "h1")
    report.look(laptop, "console, findings")
    report.picture(laptop, "console-findings", size=(800, 560), scale=1)
    laptop.open(person)
    roles(report, stage, laptop, console, desk)
