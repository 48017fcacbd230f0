"""What people see of the example shop: one product, the receipt of its payment in words, and attacks with their outcome."""
import html, os, shlex, time

PHONE, PERSON = os.environ.get("PHONE", ""), os.environ.get("PERSON", "")
PRICE = "CHF 49.90"
# Beside the style of the provider's pages, which the shop takes over.
STYLE = """
.product { display: grid; grid-template-columns: minmax(6rem, 9rem) 1fr; gap: 1.25rem; align-items: center; }
.product svg { width: 100%; height: auto; color: var(--mark); }
.price { font-size: 1.5rem; font-weight: 700; }
.proof { padding-inline-start: 1.25rem; }
.proof li { margin-bottom: .75rem; }
.proof p { margin: 0; }
.facts { margin-bottom: .75rem; }
code { overflow-wrap: anywhere; }
form { margin-bottom: .75rem; }
"""
UMBRELLA = """<svg viewBox="0 0 120 120" role=img aria-label="A black umbrella" fill=none stroke=currentColor stroke-width=5
stroke-linecap=round stroke-linejoin=round><path fill=currentColor d="M10 62a50 50 0 0 1 100 0c-6-7-19-7-25 0-6-8-19-8-25
0-6-8-19-8-25 0-6-7-19-7-25 0z"/><path d="M60 62v36a10 10 0 0 1-20 0M60 12V6"/></svg>"""
FINDINGS = {"serverSignature": "the signature of the server", "text": "the text", "challenge": "the request",
            "assertion": "the signature of the phone", "audit": "the audit"}
ATTACKS = {"replay": "Replay of an answer", "stolen": "Answer in another browser", "amount": "Changed amount",
           "digits": "Wrong digits", "bombing": "Push bombing"}


def document(content, refresh=None):
    """A whole page, asked for again after some seconds where something is waited for."""
    again = f'<meta http-equiv=refresh content={int(refresh)}>' if refresh else ""
    return ("<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width, initial-scale=1'>"
            f"{again}<title>Example Shop</title><link rel=stylesheet href=/style.css><body class=wide>"
            f"<header><a href=/>Example Shop</a></header><main>{content}</main>")


def section(title, *parts, level=2):
    """A card of a page."""
    return f"<section><h{level}>{html.escape(title)}</h{level}>{''.join(parts)}</section>"


def words(text):
    """A paragraph."""
    return f"<p>{html.escape(text)}"


def button(action, label, extra="", style=""):
    """A form with one button; FORM becomes the token of the session."""
    hidden = f"<input type=hidden name=form value=FORM><input type=hidden name=action value={action}>"
    return f"<form method=post action=/>{hidden}{extra}<button class='{style}'>{html.escape(label)}</button></form>"


def notice(text):
    """A page that says one thing."""
    return f"<section><h1>Example Shop</h1><p role=alert class='state bad'>{html.escape(text)}<p><a href=/>Back to the shop</a></section>"


def waiting(binding):
    """A page that waits for the phone, which shows the same words."""
    return section("Look at your phone", f"<p>It shows <strong>{html.escape(binding)}</strong>: confirm there, under Pending.",
                   "<p class='state waiting'>Waiting for your phone", level=1)


def home(session, has_attacks):
    """The product, and what can be done with it."""
    name = html.escape(session.get("name", ""))
    product = ("<div class=product>" + UMBRELLA + "<div><h1>Umbrella</h1>"
               f"<p class=price>{PRICE}<p>Black, 110 cm wide, opens at the press of a button. It fits into a bag.</div></div>")
    if "user" in session:
        parts = [f"<section>{product}<p>Hello {name}.", button("pay", "Buy the umbrella", style="first"),
                 button("sign-out", "Sign out"), "</section>"]
        if "paid" in session: parts.append(receipt(session))
    else:
        field = ("<label for=name>Name</label><input type=text id=name name=name required maxlength=128 autocomplete=username "
                 f"value='{html.escape(PERSON)}'> ")
        parts = [f"<section>{product}", button("sign-in", "Sign in with the phone", style="first"), "</section>", guide(),
                 section("Without a page of the server", words("The shop calls your phone, which shows the words of this page."),
                         button("call", "Call my phone", field))]
    return "".join(parts) + (attacks(session) if has_attacks else "")


def guide():
    """What to do, for a person in a trial."""
    if not PHONE: return ""
    return section(
        f"You are {PERSON}", f"<p>Your phone is <a href='{html.escape(PHONE)}' target=_blank>the page beside</a>; register there first."
        "<ol><li>Press “Sign in with the phone”. The browser warns of the certificate, which the server of this trial has made "
        "itself: go on. The page shows a code."
        "<li>Press “Open the app on this device”, which leads to the phone page. Or copy the address of that button, or save the "
        "picture of the code, and give it to the phone page."
        "<li>Confirm there, and come back.</ol>")


def receipt(session):
    """The receipt of the payment in words, as it was verified."""
    kept = session.get("receipt") or {}
    paid = f"<p class='state good'>Paid: {html.escape(PRICE)}"
    if "answer" not in kept:
        where = words(f"It is kept in {kept['file']}.") if kept else words("It came with the answer of the server.")
        return section("Receipt", paid, where, words("“signet receipt verify” checks it, without the server."))
    result = kept["answer"].get("result")
    if not result:
        reason = kept["answer"].get("error", {}).get("message", "signet receipt verify gave no answer")
        return section("Receipt", paid, f"<p role=alert class='state bad'>The receipt does not hold: {html.escape(reason)}")
    moment = time.strftime("%-d %B %Y, %H:%M:%S", time.localtime(result["confirmedAt"]))
    holds = ", ".join(FINDINGS.get(finding, finding) for finding in result["findings"])
    facts = {"Signed text": result["text"], "Signed by": f"the phone of {result['username']}", "Time": moment,
             "Key": f"{result['aaid']}, protection: {result['protection']}", "Verified": f"{holds}: all hold"}
    rows = "".join(f"<dt>{label}<dd>{html.escape(str(value))}" for label, value in facts.items())
    return section("Receipt", paid, f"<dl class=facts id=receipt>{rows}</dl>",
                   words("This was checked without the server. Do it yourself, years later, in the folder of the two files:"),
                   f"<p><code>{html.escape(shlex.join(os.path.basename(word) for word in kept['command']))}</code>",
                   f"<details><summary>The folder</summary><p><code>{html.escape(os.path.dirname(kept['file']))}</code></details>")


def attacks(session):
    """Buttons of the attacks, for those who are signed in."""
    if "user" not in session:
        return section("Attacks", words("Sign in first. Then play attacks on the server: each shows the honest request, then the attack."))
    buttons = [button("attack", label, f"<input type=hidden name=name value={name}>") for name, label in ATTACKS.items()]
    return section("Play an attack", words("Each sends the honest request first, then the attack, which differs in one thing."), *buttons)


def attack(title, steps, verdict, reason, goes_on=None):
    """What an attack has come to: its requests with their answers, the verdict, and why; or what the person has to do."""
    listed = "".join(f"<li><p><strong>{kind}</strong> {html.escape(asked)}<p>{html.escape(answer)}" for kind, asked, answer in steps)
    parts = [f"<ol class=proof id=proof>{listed}</ol>" if steps else ""]
    if goes_on: parts += [words(goes_on), button("go-on", "Go on", style="first")]
    else: parts += [f"<p class='state {'good' if verdict[0] else 'bad'}' id=verdict>{html.escape(verdict[1])}", words(reason)]
    return section(title, *parts, "<p><a href=/>Back to the shop</a>", level=1)
