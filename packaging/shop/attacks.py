"""Attacks on the provider that the example shop plays when ATTACKS=1; each has to fail, and says by which answer.

The shop is the attacker here: it has what a thief could have of a sign-in of its own. What it shows of the exchange is
masked.
"""
import json
import re
import secrets
import urllib.parse
import urllib.request

LABELS = {
    "replay": "Replay of an answer", "foreign": "Other user's answer", "amount": "Changed amount",
    "bombing": "Push bombing", "digits": "Wrong digits",
}


def play(shop, name, session):
    """Plays an attack by its name; returns a sentence about the outcome, and the exchange."""
    log = []
    attack = {"replay": replay, "foreign": foreign, "amount": amount, "bombing": bombing, "digits": digits}.get(name)
    words = attack(shop, session, log) if attack else "There is no such attack."
    return words, "\n".join(json.dumps(entry, ensure_ascii=False, indent=1) for entry in log)


def refused(shop, log, address, form):
    """Error of the provider; nil when it has accepted, which no attack may reach."""
    try:
        shop.call(address, form, log)
    except shop.Refused as error:
        return str(error)
    return None


def outcome(error):
    """Sentence about a single request of an attacker."""
    return f"Refused, as it has to be: {error}" if error else "ACCEPTED: this is a fault of the server, report it."


def replay(shop, session, log):
    """Takes a code a second time, as somebody would who has read it in a log."""
    spent = session.get("spent")
    if not spent:
        return "Sign in first: its answer is what is replayed."
    return outcome(refused(shop, log, shop.PROVIDER["token_endpoint"], spent))


def foreign(shop, session, log):
    """Brings a code that belongs to another browser: without the verifier of that browser (PKCE)."""
    spent = session.get("spent")
    if not spent:
        return "Sign in first: its answer is what is brought by another browser."
    form = dict(spent, code_verifier=secrets.token_urlsafe(32))
    return outcome(refused(shop, log, shop.PROVIDER["token_endpoint"], form))


def amount(shop, session, log):
    """Pushes a payment, then uses its reference with another text through the browser."""
    address = shop.begin(dict(session), "Pay CHF 1.00 to Example Shop", log)
    changed = json.dumps([{"type": "signet_confirmation", "text": "Pay CHF 9999.00 to Example Shop"}])
    address += "&" + urllib.parse.urlencode({"authorization_details": changed})
    try:
        with urllib.request.urlopen(address, context=shop.TLS, timeout=15) as answer:
            page = answer.read(1 << 20).decode(errors="replace")
            status = answer.status
    except OSError as error:
        status, page = getattr(error, "code", 0), ""
    log.append({"to": "/oauth2/authorize", "form": {"request_uri": "…", "authorization_details": changed},
                "status": status, "answer": {}})
    if "9999.00" in page:
        return "ACCEPTED: this is a fault of the server, report it."
    return f"Refused, as it has to be (HTTP {status}): the text comes from server to server, or not at all."


def bombing(shop, session, log):
    """Calls the phone of a person again and again, until one of them is confirmed out of tiredness."""
    name = session.get("name")
    if not name:
        return "Sign in first: the calls go to your own phone."
    calls = 0
    for calls in range(1, 21):
        form = {"scope": "openid", "login_hint": name, "binding_message": "please confirm"}
        error = refused(shop, log, shop.PROVIDER["backchannel_authentication_endpoint"], form)
        if error:
            return f"Refused at call {calls}: {error}"
    return f"{calls} calls went through: this is a fault of the server, report it."


def digits(shop, session, log):
    """A stranger begins a sign-in under the name of the person; whoever types other digits than their page shows ends it."""
    name, begun = session.get("name"), session.pop("stranger", None)
    if begun:
        return told(*begun, log)
    if not name:
        return "Sign in first: the stranger signs in under your name."
    browser = urllib.request.build_opener(
        urllib.request.HTTPSHandler(context=shop.TLS), urllib.request.HTTPCookieProcessor())
    with browser.open(shop.begin({}, log=log), timeout=15) as answer:
        address, page = answer.url, answer.read(1 << 20).decode()
    form = {"form_token": field(r'name="form_token" value="([^"]+)"', page), "action": "push", "username": name}
    with browser.open(address, urllib.parse.urlencode(form).encode(), timeout=15) as answer:
        page = answer.read(1 << 20).decode()
    log.append({"to": "/sign-in/…", "form": dict(form, form_token="…", username="…"), "status": answer.status, "answer": {}})
    session["stranger"] = browser, address
    shown = field(r'id="digits"[^>]*>([0-9]+)<', page)
    return (f"A stranger signs in under your name: their page shows {shown}, and your phone asks for digits. Type others there; "
            "then press the button again, to see what the stranger has got.")


def told(browser, address, log):
    """What the page of the stranger is told after the phone has answered."""
    status = address.partition("?")[0].replace("/sign-in/", "/sign-in-status/")
    with browser.open(status, timeout=15) as answer:
        state = json.load(answer)["state"]
    log.append({"to": "/sign-in-status/…", "form": {}, "status": answer.status, "answer": {"state": state}})
    if state in ("waiting", "shown"):
        return "The phone has not answered yet: the stranger has got nothing. Begin again."
    if state == "confirmed":
        return "ACCEPTED: the stranger is signed in. If other digits were typed, this is a fault of the server, report it."
    return outcome(f"the sign-in is {state}")


def field(pattern, page):
    """First match in a page; a question mark when there is none, such as for somebody who was asked too often."""
    found = re.search(pattern, page)
    return found.group(1) if found else "?"
