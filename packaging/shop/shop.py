"""Example shop for Signet: sign-in by code + PKCE, sign-in by CIBA, a payment with a receipt.

Python standard library only. Settings come from the environment: ISSUER, CLIENT_ID, CLIENT_SECRET_FILE, CA_FILE, PORT,
PHONE (address of the phone page beside), RECEIPTS (folder), READY_FILE. ATTACKS=1 shows the buttons of attacks.py.
"""
import base64, hashlib, html, http.server, json, os, secrets, ssl, sys, threading, time
import urllib.error, urllib.parse, urllib.request

ISSUER = os.environ["ISSUER"].rstrip("/")
CLIENT = os.environ.get("CLIENT_ID", "shop")
SECRET = open(os.environ["CLIENT_SECRET_FILE"], encoding="ascii").read().strip()
PHONE, RECEIPTS, ATTACKS = (os.environ.get(name, "") for name in ("PHONE", "RECEIPTS", "ATTACKS"))
TLS = ssl.create_default_context(cafile=os.environ.get("CA_FILE"))
CIBA = "urn:openid:params:grant-type:ciba"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
SESSIONS, LOCK, LIMIT = {}, threading.Lock(), 1000
HEAD = """<!doctype html><html lang=en><meta charset=utf-8>AGAIN<title>Example Shop</title><style>
html{color-scheme:light dark}body{font:1rem/1.5 system-ui;max-width:42rem;margin:2rem auto;padding:0 1rem}
button{font:inherit;padding:.5rem 1rem;margin:.2rem 0;color:CanvasText;background:Canvas;border:1px solid}a{color:inherit}
pre{white-space:pre-wrap;overflow-wrap:anywhere}</style><main><h1><a href=/>Example Shop</a></h1>"""

class Refused(Exception): pass  # answer of the provider that is no success: its `error` and description

def call(address, form=None, log=None):  # `log` receives the exchange with every secret masked
    request = urllib.request.Request(address, urllib.parse.urlencode(form).encode() if form else None)
    if form:
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        request.add_header("Authorization", "Basic " + basic)
    try:
        with urllib.request.urlopen(request, context=TLS, timeout=15) as answer:
            status, body = answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        status = error.code
        body = json.loads(error.read() or b"{}") if "json" in error.headers.get("Content-Type", "") else {}
    except OSError as error:
        raise Refused(f"no answer from the provider: {error}") from error
    if log is not None:
        log.append({"to": urllib.parse.urlparse(address).path, "form": masked(form or {}), "status": status,
                    "answer": masked(body)})
    if status >= 400:
        raise Refused(f"{body.get('error', status)}: {body.get('error_description', 'no reason given')}")
    return body
def masked(members):
    open_names = {"grant_type", "scope", "response_type", "redirect_uri", "client_id", "code_challenge_method", "error",
                  "error_description", "expires_in", "interval", "token_type", "login_hint", "binding_message",
                  "authorization_details", "member"}
    return {name: value if name in open_names else "…" for name, value in members.items()}

PROVIDER = call(ISSUER + "/.well-known/openid-configuration")

def claims_of(token, nonce=None):
    """Claims of an ID token; TLS of the token endpoint stands for its signature (OpenID Connect Core 1.0, 3.1.3.7)."""
    claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    if (claims["iss"], claims["aud"]) != (ISSUER, CLIENT) or claims["exp"] < time.time():
        raise Refused("the ID token is not for this shop, or it has expired")
    if nonce and claims.get("nonce") != nonce: raise Refused("the ID token answers another request")
    return claims
def begin(session, text=None, log=None):
    """Address of the provider for a sign-in; with a text for a payment, which travels from server to server only."""
    verifier, state, nonce = (secrets.token_urlsafe(32) for _ in range(3))
    session["begun"] = {"verifier": verifier, "state": state, "nonce": nonce, "text": text}
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    form = {"response_type": "code", "client_id": CLIENT, "scope": "openid profile", "redirect_uri": CALLBACK, "state": state,
            "nonce": nonce, "code_challenge": challenge, "code_challenge_method": "S256"}
    if text:
        details = [{"type": "signet_confirmation", "text": text}]
        form |= {"authorization_details": json.dumps(details), "prompt": "login"}
    pushed = call(PROVIDER["pushed_authorization_request_endpoint"], form, log)
    query = {"client_id": CLIENT, "request_uri": pushed["request_uri"]}
    return PROVIDER["authorization_endpoint"] + "?" + urllib.parse.urlencode(query)
def finish(session, given, log=None):
    """Takes the answer of the provider: state, issuer, code, ID token, and the receipt of a payment."""
    begun = session.pop("begun", None)
    if not begun or given.get("state") != begun["state"] or given.get("iss") != ISSUER:
        raise Refused("this answer belongs to no request of this browser")
    if "code" not in given:
        raise Refused(given.get("error", "no code") + ": " + given.get("error_description", ""))
    form = {"grant_type": "authorization_code", "code": given["code"], "redirect_uri": CALLBACK,
            "code_verifier": begun["verifier"]}
    answer = call(PROVIDER["token_endpoint"], form, log)
    if ATTACKS: session["spent"] = form
    accept(session, answer, begun["nonce"], begun["text"])
def accept(session, answer, nonce=None, text=None):
    """Takes the tokens of a sign-in or payment, and keeps the receipt for `signet receipt verify`."""
    claims = claims_of(answer["id_token"], nonce)
    if session.get("user") not in (None, claims["sub"]): raise Refused("somebody else has confirmed")
    receipt = claims.get("signet_receipt")
    if text and not receipt: raise Refused("the payment came back without a receipt")
    session.update(user=claims["sub"], name=claims.get("preferred_username", claims["sub"]), acr=claims.get("acr"))
    if text: session["paid"] = text
    if receipt and RECEIPTS:
        with open(os.path.join(RECEIPTS, f"receipt-{secrets.token_hex(4)}.jws"), "w", encoding="ascii") as file:
            file.write(receipt)
def call_phone(session, name, log=None):
    """Signs in without a browser (CIBA, poll): the phone is called, and shows the words of this page."""
    words = f"{secrets.choice(['blue', 'green', 'red'])} {secrets.choice(['boat', 'house', 'tree'])}"
    answer = call(PROVIDER["backchannel_authentication_endpoint"],
                  {"scope": "openid profile", "login_hint": name, "binding_message": words}, log)
    session["ciba"] = {"id": answer["auth_req_id"], "interval": answer.get("interval", 5), "words": words}
def poll(session, log=None):
    """Asks once whether the phone has answered; true when it has."""
    try:
        form = {"grant_type": CIBA, "auth_req_id": session["ciba"]["id"]}
        accept(session, call(PROVIDER["token_endpoint"], form, log))
    except Refused as error:
        if str(error).startswith(("authorization_pending", "slow_down")):
            return False
        session.pop("ciba", None)
        raise
    session.pop("ciba")
    return True

class Shop(http.server.BaseHTTPRequestHandler):  # every post carries the token of its form
    timeout = 15
    def session(self):
        cookie = self.headers.get("Cookie", "").partition("shop=")[2][:43]
        with LOCK:
            if cookie not in SESSIONS:
                while len(SESSIONS) >= LIMIT:
                    SESSIONS.pop(next(iter(SESSIONS)))
                cookie = secrets.token_urlsafe(32)
                SESSIONS[cookie] = {"form": secrets.token_urlsafe(32)}
        self.cookie = cookie
        return SESSIONS[cookie]
    def do_GET(self):
        session, (path, _, query) = self.session(), self.path.partition("?")
        self.guarded(lambda: self.get(session, path, dict(urllib.parse.parse_qsl(query))))
    def get(self, session, path, given):
        if path == "/callback":
            finish(session, given)
            return self.redirect("/")
        if path == "/wait" and "ciba" in session:
            if poll(session): return self.redirect("/")
            words = f"<p>The phone shows <strong>{session['ciba']['words']}</strong>: confirm there."
            return self.page(session, words, refresh=session["ciba"]["interval"])
        self.page(session, *([home(session)] if path == "/" else ["<p>There is no such page.", None, 404]))
    def do_POST(self):
        session = self.session()
        length = self.headers.get("Content-Length", "")
        size = int(length) if length.isascii() and length.isdigit() else -1
        body = self.rfile.read(size).decode(errors="replace") if 0 <= size <= 4096 else ""
        form = dict(urllib.parse.parse_qsl(body))
        if not secrets.compare_digest(form.get("form", "").encode(), session["form"].encode()):
            return self.page(session, "<p>This form is not of this shop.", status=403)
        self.guarded(lambda: self.post(session, form))
    def post(self, session, form):
        action = form.get("action")
        if action == "sign-in":
            return self.redirect(begin(session))
        if action == "call":
            call_phone(session, form.get("name", "")[:128])
            return self.redirect("/wait")
        if action == "pay" and "user" in session:
            return self.redirect(begin(session, f"Pay CHF {form.get('amount', '49.90')[:12]} to Example Shop"))
        if action == "attack" and ATTACKS:
            import attacks
            words, exchange = attacks.play(sys.modules[__name__], form.get("name", ""), session)
            return self.page(session, f"<h2>Attack</h2><p>{html.escape(words)}<pre>{html.escape(exchange)}</pre>")
        session.clear()
        session["form"] = secrets.token_urlsafe(32)
        self.redirect("/")
    def guarded(self, body):
        try:
            body()
        except Refused as error:
            self.page(self.session(), f"<p role=alert>Refused: {html.escape(str(error))}", status=400)
    def redirect(self, address):
        self.reply(303, b"", Location=address)
    def page(self, session, content, refresh=None, status=200):
        again = f'<meta http-equiv=refresh content={int(refresh)}>' if refresh else ""
        text = HEAD.replace("AGAIN", again) + content.replace("FORM", session["form"])
        self.reply(status, text.encode(), **{"Content-Type": "text/html; charset=utf-8"})
    def reply(self, status, body, **fields):
        self.send_response(status)
        self.send_header("Set-Cookie", f"shop={self.cookie}; Path=/; HttpOnly; SameSite=Lax")
        fields |= {"Content-Security-Policy": POLICY, "Content-Length": str(len(body))}
        for name, value in fields.items(): self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_): pass  # addresses of answers hold codes
def button(action, label, extra=""):
    hidden = f"<input type=hidden name=form value=FORM><input type=hidden name=action value={action}>"
    return f"<form method=post action=/>{hidden}{extra}<button>{label}</button></form>"
def home(session):
    if "user" not in session:
        name = '<label>Name <input name=name required maxlength=128></label> '
        parts = [button("sign-in", "Sign in with the phone"), button("call", "Call my phone", name)]
    else:
        paid = f"<p>Paid: {html.escape(session['paid'])}" if "paid" in session else ""
        amount = '<label>CHF <input name=amount value=49.90 size=8></label> '
        parts = [f"<p>Hello {html.escape(session['name'])}.{paid}", button("pay", "Buy the umbrella", amount),
                 button("sign-out", "Sign out")]
    if ATTACKS:
        import attacks
        parts += ["<h2>Play an attack</h2>"]
        parts += [button("attack", label, f"<input type=hidden name=name value={name}>")
                  for name, label in attacks.LABELS.items()]
    phone = f'<p>The phone is <a href="{html.escape(PHONE)}">beside</a>.' if PHONE else ""
    return "".join(parts) + phone

if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Shop)
    CALLBACK = f"http://localhost:{os.environ.get('CALLBACK_PORT', server.server_port)}/callback"
    if os.environ.get("READY_FILE"):
        with open(os.environ["READY_FILE"] + ".new", "w", encoding="ascii") as file:
            json.dump({"port": server.server_port}, file)
        os.replace(os.environ["READY_FILE"] + ".new", os.environ["READY_FILE"])
    server.serve_forever()
