"""Attacks on the provider that the example shop plays when ATTACKS=1.

Each plays the honest request first and shows that it passes, and then the attack, which differs in one thing: so its refusal has
one reason. An attack is a generator. It yields what it needs from the person: an address for the browser, after which it gets the
form for the code that came back, or a sentence, after which the person presses "Go on". It returns why the attack has to fail.
"""
import json
import re
import urllib.error
import urllib.parse
import urllib.request

import pages


class Unplayable(Exception):
    """Reason for which an attack cannot be played now."""


class Trial:
    """Requests of an attack with their answers, and what they prove."""

    def __init__(self, shop, session, title):
        self.shop, self.session, self.title, self.steps = shop, session, title, []
        self.honest_passed, self.attack_passed = False, None

    def honest(self, words, passed, answer):
        """Notes the honest request."""
        self.honest_passed = passed
        self.steps.append(("Honest:", words, f"{'Passed' if passed else 'Refused'}: {answer}"))

    def attack(self, words, passed, answer, failed="Refused"):
        """Notes the attack."""
        self.attack_passed = passed
        self.steps.append(("Attack:", words, f"{'ACCEPTED' if passed else failed}: {answer}"))

    def exchange(self, form):
        """Whether the provider gives tokens for a code, and its answer."""
        try:
            claims = self.shop.claims_of(self.shop.call(self.shop.PROVIDER["token_endpoint"], form)["id_token"])
        except self.shop.Refused as error:
            return False, str(error)
        return True, f"an ID token for {claims.get('preferred_username', claims['sub'])}"

    @property
    def verdict(self):
        """Whether it went as it has to, and the sentence."""
        if not self.honest_passed: return False, "Nothing is proved: the honest request was refused as well."
        if self.attack_passed is None: return False, "Nothing is proved: the attack was not played."
        if self.attack_passed: return False, "The attack was ACCEPTED: this is a fault of the server, report it."
        return True, "The honest request passed, and the attack failed."

    def page(self, reason="", goes_on=None):
        """The page of the attack."""
        return pages.attack(self.title, self.steps, self.verdict, reason, goes_on)


def go_on(shop, session, form=None, name=None):
    """Begins the attack with a name, or goes on with the one that waits; an address for the browser, or else a page."""
    attacks = {"replay": replay, "stolen": stolen, "amount": amount, "digits": digits, "bombing": bombing}
    if name in attacks and "user" in session:
        trial = Trial(shop, session, pages.ATTACKS[name])
        session["attack"] = trial, attacks[name](trial)
    trial, play = session.pop("attack", (None, None))
    if not trial: return None, pages.notice("No attack is being played: choose one in the shop, after you have signed in.")
    try:
        wanted = play.send(form)
    except StopIteration as end:
        return None, trial.page(end.value)
    except Unplayable as error:
        return None, pages.notice(f"This cannot be played now: {error}")
    session["attack"] = trial, play
    return (wanted, None) if wanted.startswith("https:") else (None, trial.page(goes_on=wanted))


def sign_in(trial):
    """Address for a sign-in of this browser, whose code the attack gets."""
    return trial.shop.begin(trial.session)


def replay(trial):
    """Takes a code a second time."""
    form = yield sign_in(trial)
    trial.honest("the code of a sign-in of yours", *trial.exchange(form))
    trial.attack("the same request once more, octet for octet, by a thief who has read it in a log", *trial.exchange(form))
    return "A code is good once."


def stolen(trial):
    """Brings a fresh code with the verifier of another browser (PKCE)."""
    own = yield sign_in(trial)
    trial.honest("a fresh code, with the verifier of the browser that began this sign-in", *trial.exchange(own))
    other = yield sign_in(trial)
    form = dict(other, code_verifier=own["code_verifier"])
    trial.attack("a fresh code, with the verifier of another browser", *trial.exchange(form))
    return "A code belongs to the browser that began: its verifier never leaves the shop, and the request holds only a hash of it (PKCE)."


def amount(trial):
    """Pushes a payment, and changes its text on the way through the browser."""
    yield from ()  # nothing is needed from the person
    changed = json.dumps([{"type": "signet_confirmation", "text": "Pay CHF 9999.00 to Example Shop"}])
    shown = []
    for extra in ("", "&" + urllib.parse.urlencode({"authorization_details": changed})):
        page = Visitor(trial.shop).open(trial.shop.begin({}, "Pay CHF 1.00 to Example Shop") + extra)
        shown.append(field(r'<pre class="text"[^>]*>\s*([^<]*?)\s*</pre>', page) or "no text")
    trial.honest("a payment of CHF 1.00, pushed by the shop, and opened in a browser",
                 shown[0] == "Pay CHF 1.00 to Example Shop", f"the page asks for “{shown[0]}”")
    trial.attack("the same, and the browser adds authorization_details with CHF 9999.00 to the address",
                 "9999" in shown[1], f"the page asks for “{shown[1]}”", "Without effect")
    return "The text comes from server to server. What passes through the browser is not read."


def digits(trial):
    """Answers the request of a stranger with the digits of one's own page."""
    own = Visitor(trial.shop)
    shown = own.call_phone(trial.session["name"])
    yield from answered(own, f"Your own page shows {shown}. Look at your phone, under Pending: type {shown} there, and confirm.")
    trial.honest(f"you begin a sign-in, and type the digits of your page ({shown})", own.state == "confirmed", f"the sign-in is {own.state}")
    if own.state != "confirmed": return "Begin again, and type the digits that are shown."
    stranger = Visitor(trial.shop)
    theirs = stranger.call_phone(trial.session["name"])
    wrong = shown if shown != theirs else str((int(shown) + 1) % 10 ** len(shown)).zfill(len(shown))
    yield from answered(stranger, f"Now a stranger has begun a sign-in under your name. You do not see their page. Your phone asks again: "
                                  f"type {wrong}, which is not what their page shows.")
    trial.attack(f"a stranger begins a sign-in under your name, and you type other digits than their page shows ({wrong})",
                 stranger.state == "confirmed", f"the sign-in of the stranger is {stranger.state}")
    return "The phone's answer counts for the one page whose digits were typed, and the stranger's page is not in front of you."


def answered(visitor, words):
    """Waits until the phone has answered the sign-in of a visitor."""
    yield words
    while visitor.ask() in ("waiting", "shown"):
        yield f"The phone has not answered yet. {words}"


def bombing(trial):
    """Calls a phone again and again, until its owner confirms out of tiredness."""
    form = {"scope": "openid", "login_hint": trial.session["name"], "binding_message": "please confirm"}

    def call():
        try:
            trial.shop.call(trial.shop.PROVIDER["backchannel_authentication_endpoint"], form)
        except trial.shop.Refused as error:
            return False, str(error)
        return True, "the phone is called"

    trial.honest("the shop calls your phone", *call())
    if not trial.honest_passed: return "Answer what waits on your phone, or wait a minute, and begin again."
    count, went, answer = 1, True, ""
    while went and count < 20:
        went, answer = call()
        count += 1
    trial.attack(f"the same call again and again (call {count})", went, answer)
    yield "Your phone shows one call, under Pending: refuse it there, so that it can be called again. Then go on."
    return "A phone is asked one thing at a time, and a few times at most while its owner confirms nothing."


class Visitor:
    """A browser of its own, without scripts, that keeps cookies."""

    def __init__(self, shop):
        self.shop, self.address, self.state = shop, "", "not begun"
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=shop.TLS), urllib.request.HTTPCookieProcessor())

    def open(self, address, form=None):
        """Page at an address, after all redirects."""
        try:
            with self.opener.open(address, urllib.parse.urlencode(form).encode() if form else None, timeout=15) as answer:
                self.address = answer.url
                return answer.read(1 << 20).decode(errors="replace")
        except urllib.error.HTTPError as error:
            return error.read(1 << 20).decode(errors="replace")
        except OSError as error:
            raise Unplayable(f"the server does not answer ({error})") from error

    def call_phone(self, name):
        """Begins a sign-in that calls the phone of a person; the digits that the page shows."""
        page = self.open(self.shop.begin({}))
        form = {"form_token": field(r'name="form_token" value="([^"]+)"', page) or "", "action": "push", "username": name}
        shown = field(r'id="digits"[^>]*>([0-9]+)<', self.open(self.address, form))
        if not shown: raise Unplayable("the server shows no digits: answer what waits on your phone, or wait a minute")
        return shown

    def ask(self):
        """State of the sign-in, as its page is told."""
        status = self.address.partition("?")[0].replace("/sign-in/", "/sign-in-status/")
        self.state = json.loads(self.open(status)).get("state", "over")
        return self.state


def field(pattern, page):
    """First match in a page; None without one."""
    found = re.search(pattern, page)
    return found.group(1) if found else None
