"""A site that signs people in with Signet by a stock OpenID library, authlib (of Debian: python3-authlib, python3-requests)."""
import html, http.server, json, os, secrets, urllib.parse
from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt
from authlib.jose.errors import JoseError
from authlib.oidc.core import CodeIDToken
ISSUER, CLIENT, PORT = os.environ["ISSUER"].rstrip("/"), os.environ.get("CLIENT_ID", "library"), os.environ.get("PORT", "8081")
SECRET, CALLBACK = open(os.environ["CLIENT_SECRET_FILE"]).read().strip(), f"http://localhost:{PORT}/callback"
CA_FILE, BEGUN, SIGNED_IN = os.environ.get("CA_FILE"), {}, {}
def session():
    made = OAuth2Session(CLIENT, SECRET, scope="openid profile", redirect_uri=CALLBACK, code_challenge_method="S256")
    # A bundle that the environment names would take the place of this file.
    if CA_FILE: made.trust_env, made.verify = False, CA_FILE
    return made
def fetch(address): return session().get(address, withhold_token=True, timeout=10).json()
PROVIDER = fetch(ISSUER + "/.well-known/openid-configuration")
class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path, cookie = self.path.partition("?")[0], self.headers.get("Cookie", "").partition("site=")[2][:43]
        if path == "/sign-in":
            cookie, verifier, nonce = secrets.token_urlsafe(32), generate_token(48), generate_token(32)
            place, state = session().create_authorization_url(
                PROVIDER["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
            BEGUN[cookie] = state, verifier, nonce
            return self.answer(303, cookie, place)
        if path == "/callback":
            try: user = self.signed_in(*BEGUN.pop(cookie))
            except (KeyError, OAuthError, JoseError):
                return self.answer(400, cookie, "This sign-in was not begun here, or it was refused.")
            SIGNED_IN[cookie := secrets.token_urlsafe(32)] = user
            return self.answer(303, cookie, "/")
        self.answer(200, cookie, f"Hello {html.escape(SIGNED_IN.get(cookie, 'stranger'))}!")
    def signed_in(self, state, verifier, nonce):
        if urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query).get("iss") != [ISSUER]: raise KeyError("iss")
        token = session().fetch_token(
            PROVIDER["token_endpoint"], authorization_response=self.path, state=state, code_verifier=verifier)
        claims = jwt.decode(
            token["id_token"], JsonWebKey.import_key_set(fetch(PROVIDER["jwks_uri"])), claims_cls=CodeIDToken,
            claims_options={"iss": {"essential": True, "value": ISSUER}}, claims_params={"client_id": CLIENT, "nonce": nonce})
        claims.validate(leeway=60)
        return claims.get("preferred_username", claims["sub"])
    def answer(self, status, cookie, content):
        self.send_response(status)
        self.send_header("Set-Cookie", f"site={cookie}; Path=/; HttpOnly; SameSite=Lax")
        self.send_header("Location" if status == 303 else "Content-Type", content if status == 303 else "text/html; charset=utf-8")
        self.end_headers()
        if status != 303: self.wfile.write(f"<title>Site</title><p>{content} <a href=/sign-in>Sign in with the phone</a>".encode())
    log_message = lambda *_: None  # addresses hold codes
server = http.server.ThreadingHTTPServer(("127.0.0.1", int(PORT)), Site)
if os.environ.get("READY_FILE"):
    with open(os.environ["READY_FILE"] + ".new", "w", encoding="ascii") as file: json.dump({"port": int(PORT)}, file)
    os.replace(os.environ["READY_FILE"] + ".new", os.environ["READY_FILE"])
server.serve_forever()
