"""A recipe: settings that a reader copies, tried by a sign-in from the first page to the name that the application shows."""

import os
import pathlib
from functools import partial
from urllib.parse import parse_qs, urljoin, urlsplit

from application import Site
from expectation import require
from stage import EMAIL, SignInPage

ACCOUNT = "number-seven"  # the account that a Django site has already, and that only the e-mail address leads to
SIGNED_IN, REFUSED = "signs in", "refused: without a nonce"
COOKIE = 4096  # octets of name and value that browsers keep


class Recipe:
    """One client with PKCE off and on, and the browsers of its visitors."""

    name = None  # in requests, and for script/interop
    title = None  # in the table; absent: the package
    package = None  # whose version the table names
    packages = "libraries"  # which list of requirements it is installed from
    application = Site
    settings = None  # file of the recipe in the folder recipes
    kind = "library"
    begin = "/login"
    callback = "/callback"
    key = "the e-mail address from userinfo"  # how the application knows the person
    pkce = {"off": SIGNED_IN, "on": SIGNED_IN}  # what comes of each; the first is the default, and absent what has no setting

    def __init__(self, stage):
        self.stage = stage
        self.folder = pathlib.Path(os.environ["SIGNET_INTEROP_PACKAGES"] + f"-{self.packages}")
        self.running = None

    def checks(self):
        """Names and functions of the checks, in their order."""
        for state, wanted in self.pkce.items():
            if wanted == REFUSED:
                yield f"PKCE {state}, and no nonce: refused, with the field that helps", partial(self.refused, state)
            else:
                yield f"PKCE {state}: the application knows the person by {self.key}", partial(self.signed_in, state)
                yield f"PKCE {state}: an answer is worth nothing in another browser", self.stolen

    @classmethod
    def outcome(cls, state):
        """What the table says of PKCE off or on."""
        default = " (default)" if state == next(iter(cls.pkce)) else ""
        return cls.pkce[state] + default if state in cls.pkce else "no setting"

    def close(self):
        """Ends the application."""
        if self.running:
            self.running.stop()
            self.running = None

    # The application

    def start(self, pkce, label=None):
        """Starts the application, without accounts but the one there was, with a new client."""
        self.close()
        self.running = self.application(self.stage, self.folder, self.settings, pkce)
        self.origin = self.running.origin
        client = f"{self.name}-{label or pkce}"
        secret = self.stage.add_client(client, ["--redirect", self.origin + self.callback])
        self.running.start(client, secret, ACCOUNT, EMAIL)

    def visit(self, browser, address, form=None):
        """Walks through the application; its last answer, and the address at which it came or to which it sends away."""
        for _ in range(10):
            method = "GET" if form is None else "POST"
            answer = browser.request(
                method, address, data=form, headers={"Referer": address}, allow_redirects=False, timeout=60)
            for cookie in answer.raw.headers.getlist("Set-Cookie"):
                size = len(cookie.split(";")[0])
                require(size <= COOKIE, f"a browser drops the cookie {cookie.split('=')[0]}: it has {size} octets")
            if answer.status_code not in (301, 302, 303, 307, 308):
                return answer, address
            form, address = None, urljoin(address, answer.headers["Location"])
            if not address.startswith(self.origin + "/"):
                return None, address
        require(False, f"{address} leads in a circle")

    def request(self, browser):
        """Begins a sign-in; the address of the authorization request."""
        answer, address = self.visit(browser, self.origin + self.begin)
        require(answer is None, f"no request but {answer is not None and answer.status_code}: {self.running.log()}")
        return address

    def who(self, browser, last):
        """What the application says of the person (member email) after the last answer; empty when there is none."""
        answer, _ = self.visit(browser, self.origin + "/")
        require(answer is not None and answer.status_code == 200, f"the first page does not come: {self.running.log()}")
        return answer.json()

    def known(self, person):
        """Throws Failure unless the application says who is signed in."""
        require(person.get("email") == EMAIL, f"the application says {person} instead of {EMAIL}: {self.running.log()}")

    # Checks

    def asked(self, browser):
        """Page of the server for a new request, and what was asked."""
        address = self.request(browser)
        require(address.startswith(self.stage.issuer + "/"), f"sent to another provider: {address}")
        return SignInPage(browser, self.stage.issuer, address), parse_qs(urlsplit(address).query)

    def signed_in(self, pkce):
        self.start(pkce)
        self.browser, person = self.enter(pkce)
        self.known(person)

    def enter(self, pkce):
        """Signs in with a new browser; the browser, and what the application says of the person."""
        browser = self.stage.browser()
        page, fields = self.asked(browser)
        require(("code_challenge" in fields) == (pkce == "on"), f"PKCE is not {pkce}: {sorted(fields)}")
        require(not page.end, f"sent back at once: {parse_qs(urlsplit(page.end or '').query)}")
        self.stage.confirm(page.link())
        last, _ = self.visit(browser, page.finish())
        return browser, self.who(browser, last)

    def stolen(self):
        """The browser that the server knows gets another code, which then comes from a stranger."""
        victim, thief = self.stage.browser(), self.stage.browser()
        for cookie in self.browser.cookies:
            if cookie.domain == "127.0.0.1":
                victim.cookies.set_cookie(cookie)
        page, _ = self.asked(victim)
        require(page.end and "code=" in page.end, "the server does not know its browser")
        last, _ = self.visit(thief, page.end)
        require(not self.who(thief, last), "a stranger is signed in")

    def refused(self, pkce):
        self.start(pkce)
        page, fields = self.asked(self.stage.browser())
        require("code_challenge" not in fields and "nonce" not in fields, f"asked with {sorted(fields)}")
        refusal = parse_qs(urlsplit(page.end or "").query)
        require(refusal.get("error") == ["invalid_request"], f"not refused: {refusal}")
        require("PKCE" in refusal["error_description"][0], f"no help: {refusal}")
