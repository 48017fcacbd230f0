"""A person with a phone in the browser: what they read and press on the page of signet phone."""
from selenium.webdriver.common.keys import Keys

from browser import Missing

PIN = "482915"
QUESTIONS = {"You are asked to confirm", "Is that yours?", "Which way of confirming?", "Digits of the other screen", "Choose a PIN",
             "Your PIN"}


class Phone:
    """One phone; its screens are told apart by their headings."""

    def __init__(self, browser, address, pin=PIN):
        self.browser, self.pin = browser, pin
        browser.open(address)
        browser.until_text("Accounts")

    @property
    def heading(self):
        """Heading of the screen."""
        return self.browser.text("#screen h2")

    @property
    def notice(self):
        """What the phone tells."""
        return self.browser.text("#live")

    def tab(self, name):
        """Goes to one of the four screens."""
        self.browser.press(name, within="#tabs")

    def open(self, link):
        """Pastes a link."""
        self.tab("Start")
        self.browser.fill("Link or text of a code", link)
        self.browser.press("Open", within="#screen form")

    def scan(self, picture):
        """Hands over a picture of a QR code."""
        self.tab("Start")
        self.browser.fill("Picture with a QR code", str(picture))
        self.browser.press("Scan")

    def take_pending(self, seconds=20):
        """Opens what waits, such as a push message."""
        self.tab("Pending")
        self.browser.until(lambda: self.browser.find("#screen li button"), "something that waits", seconds)
        self.browser.press("Show", within="#screen")

    def asked(self, *headings, digits=None):
        """Goes on to a question with one of these headings, and accepts on the way what has to be accepted."""
        for _ in range(8):
            before = self.browser.until(lambda: self.heading if self.heading in QUESTIONS else "", f"the question {headings}")
            if before in headings:
                return before
            self._accept(before, digits)
            self.browser.until(lambda was=before: self.heading in QUESTIONS - {was}, f"the question after {before!r}")
        raise Missing(f"the phone never asks {headings}")

    def _accept(self, heading, digits):
        if heading in ("You are asked to confirm", "Is that yours?"):
            self.browser.find("#screen button:not(.second):not(.danger)").click()
        elif heading == "Which way of confirming?":
            self.browser.press("PIN")
        elif heading == "Digits of the other screen" and digits:
            self.browser.fill("Digits", digits)
            self.browser.press("OK")
        else:
            raise Missing(f"an unexpected question: {heading}; {self.notice}")

    def enter(self, pin, again=None):
        """Types a PIN."""
        self.browser.fill("PIN", pin)
        if again is not None:
            self.browser.fill("The same again", again)
        self.browser.press("OK")

    def register(self, link):
        """Registers by an invitation, with a PIN."""
        self.open(link)
        self.asked("Choose a PIN")
        self.enter(self.pin, self.pin)
        self.browser.until_text("is registered on this phone", "#live")

    def confirm(self, digits=None):
        """Confirms what is asked, with the PIN."""
        self.asked("Your PIN", digits=digits)
        self.enter(self.pin)
        self.browser.until_text("Confirmed", "#live")

    def refuse(self, word="Refuse"):
        """Refuses what is asked."""
        self.asked("You are asked to confirm", "Is that yours?", "Which way of confirming?", "Digits of the other screen")
        self.browser.press(word)
        self.browser.until_text("Refused", "#live")

    def lose(self):
        """Loses the phone, after being asked twice."""
        self.tab("Settings")
        self.browser.press("Lose this phone")
        self.browser.press("Yes, do it")
        self.browser.until_text("This phone is gone")

    # By the keyboard alone

    def key_in(self, *steps):
        """Takes steps by the keyboard: ("go", label) tabs there and presses Enter, ("type", text) types and presses Enter."""
        for kind, text in steps:
            if kind == "go":
                self.browser.tab_to(text)
                self.browser.key(Keys.ENTER)
            else:
                self.browser.type(text)
                self.browser.key(Keys.ENTER)
