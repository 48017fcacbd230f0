"""Attacks on the provider that the example shop plays when ATTACKS=1; each has to fail, and says by which answer.

The shop is the attacker here: it has what a thief could have of a sign-in of its own. What it shows of the exchange is
masked.
"""
import json
import secrets

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
    import urllib.parse
    import urllib.request
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
    """Begins a call; the person types other digits on the phone than the page shows, and nothing is granted."""
    name = session.get("name")
    if not name:
        return "Sign in first: the call goes to your own phone."
    shop.call_phone(session, name, log)
    return "The phone is called. Type wrong digits there, or refuse where the words differ: the shop is never told yes."

