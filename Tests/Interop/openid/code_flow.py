"""authlib: sign-in by authorization code and PKCE, userinfo, refresh, and what a stock client sees of refusals."""

from urllib.parse import parse_qs, urlsplit

from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.jwk import KeySet

from expectation import require
from stage import SignInPage

CLIENT = "authlib"
REDIRECT = "http://localhost:8080/back"


class CodeFlow:
    """A site that is written with authlib, and the browser of its visitor."""

    def __init__(self, stage):
        self.stage = stage
        self.metadata = stage.metadata()
        secret = stage.add_client(CLIENT, ["--redirect", REDIRECT, "--refresh"])
        self.session = OAuth2Session(
            CLIENT, secret, scope="openid profile offline_access", redirect_uri=REDIRECT, code_challenge_method="S256",
            token_endpoint_auth_method="client_secret_basic")
        stage.watched(self.session)
        self.browser = stage.browser()

    def checks(self):
        """Names and functions of the checks, in their order."""
        return [
            ("a code with PKCE, by the QR code of the page, gives an ID token that authlib verifies", self.sign_in),
            ("the browser that is known gets its next code without the phone", self.sign_in_again),
            ("another verifier than the one of the request is refused", self.other_verifier),
            ("userinfo names the same user", self.user_information),
            ("a refresh token is exchanged for another one", self.refresh),
            ("a refresh whose answer was lost gives the same refresh token again", self.retry),
            ("a refresh token that comes again after its successor ends the grant", self.replay),
            ("a revoked token is one no more", self.revoke),
        ]

    def begin(self, **parameters):
        """Address of a new request; its verifier, nonce and state are kept."""
        self.verifier, self.nonce = generate_token(48), generate_token(32)
        address, self.state = self.session.create_authorization_url(
            self.metadata["authorization_endpoint"], code_verifier=self.verifier, nonce=self.nonce, **parameters)
        return address

    def exchange(self, back, verifier=None):
        """Exchanges the code of the address to which the browser was sent back."""
        require(back.startswith(REDIRECT + "?"), "sent back to another address")
        require(parse_qs(urlsplit(back).query)["iss"] == [self.stage.issuer], "mixed up: another iss")
        return self.session.fetch_token(
            self.metadata["token_endpoint"], authorization_response=back, state=self.state,
            code_verifier=verifier or self.verifier)

    def verified(self, token):
        """Claims of an ID token, by the keys that the server shows."""
        answer = self.browser.get(self.metadata["jwks_uri"], timeout=30)
        claims = jwt.decode(token, KeySet.import_key_set(answer.json()), algorithms=["RS256"]).claims
        jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": self.stage.issuer}, aud={"essential": True, "value": CLIENT},
            exp={"essential": True}, nonce={"essential": True, "value": self.nonce}).validate(claims)
        return claims

    def sign_in(self):
        page = SignInPage(self.browser, self.stage.issuer, self.begin())
        self.stage.scan(page.picture())
        self.tokens = self.exchange(page.finish())
        self.claims = self.verified(self.tokens["id_token"])

    def sign_in_again(self):
        page = SignInPage(self.browser, self.stage.issuer, self.begin())
        require(page.end, "the page was shown once more")
        claims = self.verified(self.exchange(page.end)["id_token"])
        require(claims["sub"] == self.claims["sub"], "another user")
        require(claims["auth_time"] == self.claims["auth_time"], "another time of authentication")

    def other_verifier(self):
        page = SignInPage(self.browser, self.stage.issuer, self.begin())
        refused("invalid_grant", lambda: self.exchange(page.end, verifier=generate_token(48)))

    def user_information(self):
        self.session.token = self.tokens
        user = self.session.get(self.metadata["userinfo_endpoint"], timeout=30).json()
        require(user["sub"] == self.claims["sub"], "another user")
        require(user["preferred_username"] == "anna", "another name")

    def refresh(self):
        self.former = self.tokens["refresh_token"]
        self.tokens = self.session.refresh_token(self.metadata["token_endpoint"], refresh_token=self.former)
        require(self.tokens["refresh_token"] != self.former, "the refresh token was not rotated")

    def retry(self):
        tokens = self.session.refresh_token(self.metadata["token_endpoint"], refresh_token=self.former)
        require(tokens["refresh_token"] == self.tokens["refresh_token"], "another refresh token than the lost one")

    def replay(self):
        end = self.metadata["token_endpoint"]
        latest = self.session.refresh_token(end, refresh_token=self.tokens["refresh_token"])["refresh_token"]
        refused("invalid_grant", lambda: self.session.refresh_token(end, refresh_token=self.former))
        refused("invalid_grant", lambda: self.session.refresh_token(end, refresh_token=latest))

    def revoke(self):
        page = SignInPage(self.browser, self.stage.issuer, self.begin())
        tokens = self.exchange(page.end)
        answer = self.session.revoke_token(self.metadata["revocation_endpoint"], token=tokens["refresh_token"])
        require(answer.status_code == 200, f"revocation answered {answer.status_code}")
        refused("invalid_grant", lambda: self.session.refresh_token(
            self.metadata["token_endpoint"], refresh_token=tokens["refresh_token"]))


def refused(code, action):
    """Throws Failure unless the action is refused with an error of that name."""
    try:
        action()
    except OAuthError as error:
        require(error.error == code, f"refused with {error.error} instead of {code}")
    else:
        require(False, f"taken instead of refused with {code}")
