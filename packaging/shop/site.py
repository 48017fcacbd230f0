"""A site that signs people in with Signet, in 40 lines: Python standard library only, settings from the environment."""
import base64, hashlib, html, http.server, json, os, secrets, ssl, time, urllib.parse, urllib.request
ISSUER, CLIENT, PORT = os.environ["ISSUER"].rstrip("/"), os.environ.get("CLIENT_ID", "site"), os.environ.get("PORT", "8080")
SECRET, CALLBACK = open(os.environ["CLIENT_SECRET_FILE"]).read().strip(), f"http://localhost:{PORT}/callback"
TLS, BEGUN, SIGNED_IN = ssl.create_default_context(cafile=os.environ.get("CA_FILE")), {}, {}
def fetch(address, form=None):
    request = urllib.request.Request(address, form and urllib.parse.urlencode(form).encode())
    if form: request.add_header("Authorization", "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode())
    with urllib.request.urlopen(request, context=TLS, timeout=10) as answer: return json.load(answer)
PROVIDER = fetch(ISSUER + "/.well-known/openid-configuration")
class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path, _, query = self.path.partition("?")
        cookie = self.headers.get("Cookie", "").partition("site=")[2][:43] or secrets.token_urlsafe(32)
        if path == "/sign-in":
            BEGUN[cookie] = verifier, state, nonce = [secrets.token_urlsafe(32) for _ in range(3)]
            challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
            return self.answer(303, cookie, PROVIDER["authorization_endpoint"] + "?" + urllib.parse.urlencode(dict(
                client_id=CLIENT, response_type="code", scope="openid profile", redirect_uri=CALLBACK, state=state, nonce=nonce,
                code_challenge=challenge, code_challenge_method="S256")))
        if path == "/callback":
            given, (verifier, state, nonce) = dict(urllib.parse.parse_qsl(query)), BEGUN.pop(cookie, (None, None, None))
            if not state or given.get("state") != state or given.get("iss") != ISSUER or "code" not in given:
                return self.answer(400, cookie, "This sign-in was not begun here, or it was refused.")
            form = dict(grant_type="authorization_code", code=given["code"], redirect_uri=CALLBACK, code_verifier=verifier)
            token = fetch(PROVIDER["token_endpoint"], form)["id_token"]
            claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))  # came over TLS (OIDC Core 3.1.3.7)
            if (claims["iss"], claims["aud"], claims["nonce"]) != (ISSUER, CLIENT, nonce) or claims["exp"] < time.time():
                return self.answer(400, cookie, "The ID token is not for this sign-in.")
            SIGNED_IN[cookie := secrets.token_urlsafe(32)] = claims.get("preferred_username", claims["sub"])
            return self.answer(303, cookie, "/")
        self.answer(200, cookie, f"Hello {html.escape(SIGNED_IN.get(cookie, 'stranger'))}!")
    def answer(self, status, cookie, content):
        self.send_response(status)
        self.send_header("Set-Cookie", f"site={cookie}; Path=/; HttpOnly; SameSite=Lax")
        self.send_header("Location" if status == 303 else "Content-Type", content if status == 303 else "text/html; charset=utf-8")
        self.end_headers()
        if status != 303: self.wfile.write(f"<title>Site</title><p>{content} <a href=/sign-in>Sign in with the phone</a>".encode())
    log_message = lambda *_: None  # addresses hold codes
http.server.ThreadingHTTPServer(("127.0.0.1", int(PORT)), Site).serve_forever()
