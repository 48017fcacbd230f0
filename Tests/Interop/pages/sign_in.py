"""Sign-in page: QR code, live status, push with digits, renewal, another browser, languages, and without JavaScript."""
import time

import rotation
from phone import Phone

HEAR = """
window.heard = [];
new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) => heard.push(node.textContent))))
  .observe(document.getElementById("live"), { childList: true });
"""
SIGN_IN = "Sign in with the phone"
REFRESH = 5  # seconds between two refreshes of a page without its script


def begin(laptop, shop):
    """Goes from the shop to the sign-in page, and returns the link beside the code."""
    laptop.open(shop)
    laptop.press(SIGN_IN)
    laptop.until(lambda: laptop.find("#link"), "the sign-in page with its link")
    return laptop.attribute("#link", "href")


def leave(laptop, shop):
    """Ends the session of the shop, and the browser's session at the server."""
    laptop.open(shop)
    if laptop.text().find("Sign out") >= 0:
        laptop.press("Sign out")
        laptop.until_text(SIGN_IN)
    laptop.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})


def by_code(report, stage, laptop, phone, shop):
    """The code of the page is scanned as a picture; the page follows without a reload and goes on by itself."""
    begin(laptop, shop)
    report.check("sign-in page: says at which site the person will be signed in",
                 "Example Shop" in laptop.text("h1 + p") and shop.rstrip("/") in laptop.text("h1 + p"))
    report.look(laptop, "sign-in page")
    report.picture(laptop, "sign-in-page", size=(560, 760))
    laptop.run("window.isSamePage = true")
    phone.scan(rotation.picture(stage, laptop))
    phone.asked("You are asked to confirm", "Is that yours?")
    report.check("sign-in page: its code can be scanned as a picture", True)
    laptop.until_text("Your phone shows the request", "#state")
    report.check("sign-in page: follows the phone without a reload", laptop.run("return window.isSamePage === true"))
    report.look(phone.browser, "phone page, request")
    phone.confirm()
    laptop.until_text("Hello anna")
    report.check("sign-in page: goes on by itself when the phone has confirmed", laptop.address.startswith(shop))
    leave(laptop, shop)


def ask_by_push(laptop, name):
    """Sends a push by user name, and returns the digits."""
    laptop.press("Send a message to my phone instead")
    laptop.fill("User name", name)
    laptop.press("Send")
    return laptop.until(lambda: laptop.text("#digits"), "digits", 10).replace(" ", "")


def by_push(report, laptop, phone, shop):
    """A push by user name shows digits, which the phone asks for."""
    begin(laptop, shop)
    laptop.press("Send a message to my phone instead")
    laptop.until(lambda: laptop.find("#username"), "the field for the user name")
    report.look(laptop, "page of the user name")
    laptop.fill("User name", "anna")
    laptop.press("Send")
    digits = laptop.until(lambda: laptop.text("#digits"), "digits", 10).replace(" ", "")
    report.look(laptop, "sign-in page with digits")
    report.picture(laptop, "sign-in-digits", size=(560, 760))
    phone.take_pending()
    phone.asked("Digits of the other screen")
    report.look(phone.browser, "phone page, digits")
    phone.confirm(digits=digits)
    laptop.until_text("Hello anna")
    report.check("sign-in page: a push with digits signs in", True)
    leave(laptop, shop)


def typed_text(report, laptop, phone, shop):
    """A push message comes while a person types on the phone page: text and focus stay, and it is told once."""
    browser = phone.browser
    phone.tab("Start")
    browser.fill("Link or text of a code", "signet://op")
    browser.run(HEAR)
    begin(laptop, shop)
    ask_by_push(laptop, "anna")
    browser.until_text("Requests that wait: 1", "#live")
    browser.type("en?x")
    report.check("phone page: what is being typed stays when a push message comes, with the focus",
                 browser.run("return document.activeElement.value") == "signet://open?x", browser.focused)
    report.check("phone page: the push message stands among what waits", phone.heading == "Pending")
    heard = browser.run("return window.heard")
    report.check("phone page: a screen reader is told of the push message once",
                 heard.count("Requests that wait: 1") == 1, str(heard))
    phone.take_pending()
    phone.refuse()
    leave(laptop, shop)


def refusals(report, stage, laptop, phone, shop):
    """Denials and reports are shown; another browser gets nothing; a way on remains."""
    for word, said in (("Refuse", "You declined"), ("That was not me", "Reported")):
        link = begin(laptop, shop)
        phone.open(link)
        phone.refuse(word)
        laptop.until_text(said, "#state")
        report.check(f"sign-in page: says that the phone answered {word!r}", True)
    report.look(laptop, "sign-in page, reported")
    laptop.press("Try again with a new code")
    laptop.until(lambda: laptop.find("#link"), "a new code")
    report.check("sign-in page: begins again after a refusal", True)
    address = laptop.address
    other = stage.browser("other")
    other.open(address)
    report.check("sign-in page: another browser is not shown it",
                 "There is no such sign-in in this browser" in other.text() and other.find("#code") is None)
    report.look(other, "refusal page")
    other.open(f"{stage.issuer}/oauth2/authorize?response_type=code&client_id=absent&redirect_uri=https://evil.example/")
    report.check("refusal page: leads nowhere for a client that is not registered",
                 other.address.startswith(stage.issuer) and not other.all("main a"), other.address)
    laptop.press("Cancel and go back")
    laptop.until(lambda: laptop.address.startswith(shop), "the way back to the site")
    report.check("sign-in page: the way back leads to the site", "access_denied" in laptop.text(), laptop.text()[:200])
    leave(laptop, shop)


def languages(report, laptop, shop):
    """The page speaks four languages, and keeps the one that was chosen."""
    begin(laptop, shop)
    titles = {"Deutsch": ("de", "Mit dem Telefon anmelden"), "Français": ("fr", "Se connecter avec le téléphone"),
              "Italiano": ("it", "Accedi con il telefono"), "English": ("en", "Sign in with your phone")}
    for name, (code, title) in titles.items():
        laptop.press(name, within="footer")
        laptop.until_text(title, "h1")
        report.check(f"sign-in page: {name}", laptop.attribute("html", "lang") == code and laptop.overflow == 0)
    laptop.press("Deutsch", within="footer")
    laptop.until_text("Mit dem Telefon anmelden", "h1")
    laptop.press("Stattdessen eine Nachricht")
    laptop.fill("Benutzername", "absent")
    laptop.press("Senden")
    laptop.until_text("ist eine Nachricht unterwegs")
    report.check("sign-in page: a form keeps the language", laptop.attribute("html", "lang") == "de")
    laptop.size(320, 800)
    report.check("sign-in page: German fits 320 px", laptop.overflow == 0, f"{laptop.overflow} px too wide")
    laptop.size(1000, 800)
    leave(laptop, shop)


def number_of(laptop):
    """Number of the code on a page that waits for the phone; 0 in every other state."""
    if laptop.text("#state") != rotation.WAITING:
        return 0
    return int((laptop.attribute("#code", "src") or "=0").rpartition("=")[2])


def without_scripts(report, stage, phone, shop):
    """Everything works without JavaScript: the page refreshes, and a button leads on."""
    laptop = stage.browser("plain", scripts=False)
    begin(laptop, shop)
    numbers = [laptop.until(lambda: number_of(laptop) == wanted and wanted, f"code {wanted}", 40) for wanted in (1, 2, 3)]
    report.check("without JavaScript: the page renews its code by refresh", numbers == [1, 2, 3])
    link = laptop.attribute("#link", "href")
    phone.open(link)
    phone.confirm()
    laptop.until(lambda: laptop.find("#continue"), "the button that leads on", 15)
    report.check("without JavaScript: the refresh shows that the phone has confirmed", True)
    laptop.press("Continue")
    laptop.until_text("Hello anna", seconds=20)
    report.check("without JavaScript: the button leads back, signed in", True)
    leave(laptop, shop)
    begin(laptop, shop)
    laptop.press("Send a message to my phone instead")
    laptop.fill("User name", "ann")
    time.sleep(REFRESH + 2)
    laptop.find("#username").send_keys("a")
    report.check("without JavaScript: a name that is typed slowly is not lost by a refresh",
                 laptop.attribute("#username", "value") == "anna", laptop.attribute("#username", "value"))
    laptop.press("Send")
    digits = laptop.until(lambda: laptop.text("#digits"), "digits", 10).replace(" ", "")
    phone.take_pending()
    phone.confirm(digits=digits)
    laptop.until(lambda: laptop.find("#continue"), "the button that leads on", 15)
    report.check("without JavaScript: a push with digits is confirmed", True)


def payment(report, laptop, phone, shop):
    """The text of a payment is the same on page and phone."""
    laptop.open(shop)
    if "Hello anna" not in laptop.text():
        link = begin(laptop, shop)
        phone.open(link)
        phone.confirm()
        laptop.until_text("Hello anna")
    report.look(laptop, "example shop")
    laptop.press("Buy the umbrella")
    laptop.until_text("You are asked to confirm")
    text = laptop.text("pre.text")
    report.look(laptop, "payment page")
    report.picture(laptop, "payment-page", size=(560, 900), scale=1.25)
    phone.open(laptop.attribute("#link", "href"))
    phone.asked("You are asked to confirm")
    report.check("payment: page and phone show the same text",
                 text == phone.browser.text(".text") and "49.90" in text, f"{text!r}, {phone.browser.text('.text')!r}")
    report.look(phone.browser, "phone page, payment")
    report.picture(phone.browser, "phone-page", selector=".phone", size=(480, 760))
    phone.confirm()
    laptop.until_text("Paid:")
    report.check("payment: the shop is told with a receipt", "49.90" in laptop.text())


def logout(report, stage, laptop):
    """The provider asks before it ends the session of the browser."""
    laptop.open(f"{stage.issuer}/oauth2/logout")
    laptop.until_text("Sign out?")
    report.look(laptop, "logout page")
    laptop.press("Sign out")
    laptop.until_text("You are signed out")
    report.check("logout page: ends the session by a form", True)


def first_phone(report, stage):
    """Registration of the first phone, with all that can go wrong on the way."""
    stage.administer("users add", "-m", "a test", "--", "anna")
    browser = stage.browser("phone")
    phone = Phone(browser, stage.start_phone("phone"))
    report.look(browser, "phone page, start")
    phone.open("this is no link")
    browser.until_text("no link and no code", "#live")
    report.check("phone page: refuses what is no link", True)
    phone.open(stage.invite("anna"))
    phone.asked("Which way of confirming?")
    report.look(browser, "phone page, choice of the authenticator")
    phone.asked("Choose a PIN")
    report.look(browser, "phone page, new PIN")
    phone.enter("482915", "482916")
    browser.until_text("not the same", "#live")
    report.check("phone page: compares the new PIN with its repetition", phone.heading == "Choose a PIN")
    phone.enter("123456", "123456")
    browser.until(lambda: browser.text(".error"), "the refusal of a common PIN")
    report.check("phone page: refuses a common PIN and asks again", phone.heading == "Choose a PIN")
    phone.enter(phone.pin, phone.pin)
    browser.until_text("is registered on this phone", "#live")
    report.check("phone page: registers", "anna" in browser.text("#screen"))
    return phone


def everything(report, stage):
    """The whole part; returns the phone of anna, for the parts after it."""
    phone = first_phone(report, stage)
    shop = stage.start_shop()
    laptop = stage.browser("laptop")
    report.part("sign-in by code", by_code, report, stage, laptop, phone, shop)
    report.part("rotation of the code", rotation.everything, report, stage, laptop, phone, shop, leave)
    report.part("sign-in by push", by_push, report, laptop, phone, shop)
    report.part("typed text", typed_text, report, laptop, phone, shop)
    report.part("refusals", refusals, report, stage, laptop, phone, shop)
    report.part("languages", languages, report, laptop, shop)
    report.part("without JavaScript", without_scripts, report, stage, phone, shop)
    report.part("payment", payment, report, laptop, phone, shop)
    report.part("logout", logout, report, stage, laptop)
    return phone
