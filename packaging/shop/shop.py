"""Example shop for Signet: sign-in by code + PKCE, sign-in by CIBA, a payment with a receipt.

Python standard library only. Settings come from the environment: ISSUER, CLIENT_ID, CLIENT_SECRET_FILE, CA_FILE, PORT,
PHONE (address of the phone page beside), PERSON (who tries it), RECEIPTS (folder), SIGNET (program that verifies receipts),
READY_FILE. ATTACKS=1 shows the buttons of attacks.py. What people see is in pages.py.
"""
import base64, hashlib, http.server, json, os, secrets, ssl, subprocess, sys, threading, time
import urllib.error, urllib.parse, urllib.request
import pages

ISSUER = os.environ["ISSUER"].rstrip("/")
CLIENT = os.environ.get("CLIENT_ID", "shop")
SECRET = open(os.environ["CLIENT_SECRET_FILE"], encoding="ascii").read().strip()
RECEIPTS, SIGNET, ATTACKS = (os.environ.get(name, "") for name in ("RECEIPTS", "SIGNET", "ATTACKS"))
TLS = ssl.create_default_context(cafile=os.environ.get("CA_FILE"))
CIBA = "urn:openid:params:grant-type:ciba"
POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"
SESSIONS, LOCK, LIMIT = {}, threading.Lock(), 1000

class Refused(Exception):
    """Answer of the provider that is no success: its `error` and description."""

def call(address, form=None):
    """JSON of the provider; a form is posted, with the secret of the shop."""
    request = urllib.request.Request(address, urllib.parse.urlencode(form).encode() if form else None)
    if form:
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        request.add_header("Authorization", "Basic " + basic)
    try:
        with urllib.request.urlopen(request, context=TLS, timeout=15) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        body = json.loads(error.read() or b"{}") if "json" in error.headers.get("Content-Type", "") else {}
        reasons = [str(body.get("error", f"HTTP {error.code}")), body.get("error_description")]
        if error.headers.get("Retry-After"): reasons.append(f"again in {error.headers['Retry-After']} s")
        raise Refused(": ".join(filter(None, reasons))) from error
    except OSError as error:
        raise Refused(f"no answer from the provider: {error}") from error

PROVIDER = call(ISSUER + "/.well-known/openid-configuration")

def style():
    """Style of the provider's pages, so that the shop looks like them; its own alone where there is none."""
    try:
        with urllib.request.urlopen(ISSUER + "/assets/signet.css", context=TLS, timeout=15) as answer:
            return answer.read(1 << 17) + pages.STYLE.encode()
    except OSError:
        return pages.STYLE.encode()

def claims_of(token, nonce=None):
    """Claims of an ID token; TLS of the token endpoint stands for its signature (OpenID Connect Core 1.0, 3.1.3.7)."""
    claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    if (claims["iss"], claims["aud"]) != (ISSUER, CLIENT) or claims["exp"] < time.time():
        raise Refused("the ID token is not for this shop, or it has expired")
    if nonce and claims.get("nonce") != nonce: raise Refused("the ID token answers another request")
    return claims
def begin(session, text=None):
    """Address of the provider for a sign-in; with a text for a payment, which travels from server to server only."""
    verifier, state, nonce = (secrets.token_urlsafe(32) for _ in range(3))
    session["begun"] = {"verifier": verifier, "state": state, "nonce": nonce, "text": text}
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    form = {"response_type": "code", "client_id": CLIENT, "scope": "openid profile", "redirect_uri": CALLBACK, "state": state,
            "nonce": nonce, "code_challenge": challenge, "code_challenge_method": "S256"}
    if text:
        details = [{"type": "signet_confirmation", "text": text}]
        form |= {"authorization_details": json.dumps(details), "prompt": "login"}
    pushed = call(PROVIDER["pushed_authorization_request_endpoint"], form)
    query = {"client_id": CLIENT, "request_uri": pushed["request_uri"]}
    return PROVIDER["authorization_endpoint"] + "?" + urllib.parse.urlencode(query)
def answered(session, given):
    """Takes the answer of the provider in the address: compares state and issuer; the form for the code, and what began."""
    begun = session.pop("begun", None)
    if not begun or given.get("state") != begun["state"] or given.get("iss") != ISSUER:
        raise Refused("this answer belongs to no request of this browser")
    if "code" not in given:
        raise Refused(given.get("error", "no code") + ": " + given.get("error_description", ""))
    return {"grant_type": "authorization_code", "code": given["code"], "redirect_uri": CALLBACK,
            "code_verifier": begun["verifier"]}, begun
def accept(session, answer, nonce=None, text=None):
    """Takes the tokens of a sign-in or payment, and keeps the receipt."""
    claims = claims_of(answer["id_token"], nonce)
    if session.get("user") not in (None, claims["sub"]): raise Refused("another person has confirmed")
    receipt = claims.get("signet_receipt")
    if text and not receipt: raise Refused("the payment came back without a receipt")
    session.update(user=claims["sub"], name=claims.get("preferred_username", claims["sub"]))
    file = kept(receipt) if receipt and RECEIPTS else None
    if text: session.update(paid=text, receipt=verified(file) if file else None)
def kept(receipt):
    """File with a receipt."""
    path = os.path.join(RECEIPTS, f"receipt-{secrets.token_hex(4)}.jws")
    with open(path, "w", encoding="ascii") as file: file.write(receipt)
    return path
def verified(file):
    """What `signet receipt verify` says of a receipt, with its command; the shop keeps the keys beside its receipts."""
    if not SIGNET: return {"file": file}
    keys = os.path.join(RECEIPTS, "keys.json")
    with open(keys, "w", encoding="utf-8") as kept_keys:
        json.dump(call(ISSUER + "/.well-known/signet-receipt-keys.json"), kept_keys)
    command = [SIGNET, "receipt", "verify", file, "--keys", keys]
    said = subprocess.run(command + ["--format", "json"], capture_output=True, timeout=60, check=False).stdout
    return {"file": file, "command": command, "answer": json.loads(said or b"{}")}
def call_phone(session, name):
    """Signs in without a browser (CIBA, poll): the phone is called, and shows the words of this page."""
    words = f"{secrets.choice(['blue', 'green', 'red'])} {secrets.choice(['boat', 'house', 'tree'])}"
    answer = call(PROVIDER["backchannel_authentication_endpoint"],
                  {"scope": "openid profile", "login_hint": name, "binding_message": words})
    session["ciba"] = {"id": answer["auth_req_id"], "interval": answer.get("interval", 5), "words": words}
def poll(session):
    """Asks once whether the phone has answered; true when it has."""
    try:
        accept(session, call(PROVIDER["token_endpoint"], {"grant_type": CIBA, "auth_req_id": session["ciba"]["id"]}))
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
        if path == "/style.css":
            return self.reply(200, LOOK, **{"Content-Type": "text/css; charset=utf-8"})
        if path == "/callback":
            form, begun = answered(session, given)
            if "attack" in session: return self.attack(session, form)
            accept(session, call(PROVIDER["token_endpoint"], form), begun["nonce"], begun["text"])
            return self.redirect("/")
        if path == "/wait" and "ciba" in session:
            if poll(session): return self.redirect("/")
            return self.page(session, pages.waiting(session["ciba"]["words"]), refresh=session["ciba"]["interval"])
        if path == "/": return self.page(session, pages.home(session, ATTACKS))
        self.page(session, pages.notice("There is no such page."), status=404)
    def do_POST(self):
        session = self.session()
        length = self.headers.get("Content-Length", "")
        size = int(length) if length.isascii() and length.isdigit() else -1
        body = self.rfile.read(size).decode(errors="replace") if 0 <= size <= 4096 else ""
        form = dict(urllib.parse.parse_qsl(body))
        if not secrets.compare_digest(form.get("form", "").encode(), session["form"].encode()):
            return self.page(session, pages.notice("This form is not of this shop."), status=403)
        self.guarded(lambda: self.post(session, form))
    def post(self, session, form):
        action = form.get("action")
        if action != "go-on": session.pop("attack", None)
        if action == "sign-in":
            return self.redirect(begin(session))
        if action == "call":
            call_phone(session, form.get("name", "")[:128])
            return self.redirect("/wait")
        if action == "pay" and "user" in session:
            return self.redirect(begin(session, f"Pay {pages.PRICE} to Example Shop"))
        if action in ("attack", "go-on") and ATTACKS:
            return self.attack(session, name=form.get("name", ""))
        session.clear()
        session["form"] = secrets.token_urlsafe(32)
        self.redirect("/")
    def attack(self, session, form=None, name=None):  # begins one, or goes on with what the browser has brought
        import attacks
        address, content = attacks.go_on(sys.modules[__name__], session, form, name)
        self.redirect(address) if address else self.page(session, content)
    def guarded(self, body):
        try:
            body()
        except Refused as error:
            self.page(self.session(), pages.notice(f"Refused: {error}"), status=400)
    def redirect(self, address):
        self.reply(303, b"", Location=address)
    def page(self, session, content, refresh=None, status=200):
        text = pages.document(content, refresh).replace("FORM", session["form"])
        self.reply(status, text.encode(), **{"Content-Type": "text/html; charset=utf-8"})
    def reply(self, status, body, **fields):
        self.send_response(status)
        self.send_header("Set-Cookie", f"shop={self.cookie}; Path=/; HttpOnly; SameSite=Lax")
        fields |= {"Content-Security-Policy": POLICY, "Content-Length": str(len(body))}
        for name, value in fields.items(): self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_): pass  # addresses of answers hold codes

if __name__ == "__main__":
    LOOK = style()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Shop)
    CALLBACK = f"http://localhost:{server.server_port}/callback"
    if os.environ.get("READY_FILE"):
        with open(os.environ["READY_FILE"] + ".new", "w", encoding="ascii") as file:
            json.dump({"port": server.server_port}, file)
        os.replace(os.environ["READY_FILE"] + ".new", os.environ["READY_FILE"])
    server.serve_forever()
