"""requests-oauth2client: tokens that are bound to a key of the client (DPoP, RFC 9449)."""

import requests
from requests_oauth2client import DPoPKey, OAuth2Client
from requests_oauth2client.exceptions import InvalidGrant, OAuth2Error

from expectation import require
from stage import SignInPage

REDIRECT = "http://localhost:8080/back"


class BoundTokens:
    """A site, and an application without a secret, that are written with requests-oauth2client."""

    def __init__(self, stage):
        self.stage = stage
        self.session = stage.watched(requests.Session())
        secret = stage.add_client("dpop-site", ["--redirect", REDIRECT, "--refresh", "--require-dpop"])
        self.site = self.client("dpop-site", client_secret=secret)
        stage.administer("client add", ["-m", "a test", "--name", "The app", "--public", "--redirect", REDIRECT, "--refresh"], "dpop-app")
        self.application = self.client("dpop-app")
        self.browser = stage.browser()

    def client(self, name, **proof):
        return OAuth2Client.from_discovery_document(
            self.stage.metadata(), self.stage.issuer, client_id=name, redirect_uri=REDIRECT, session=self.session, **proof)

    def checks(self):
        """Names and functions of the checks, in their order."""
        return [
            ("a code with dpop_jkt gives a token that is bound to the key", self.bound),
            ("userinfo takes it with a proof of the key, and not as a bearer token", self.user_information),
            ("introspection names the key", self.introspection),
            ("a client that is registered so gets no token without a proof", self.required),
            ("the refresh token of an application needs the same key", self.refresh),
        ]

    def tokens(self, client, **settings):
        """Signs in and exchanges the code."""
        request = client.authorization_request(scope="openid profile offline_access", **settings)
        page = SignInPage(self.browser, self.stage.issuer, str(request))
        if not page.end:
            self.stage.scan(page.picture())
        return client.authorization_code(request.validate_callback(page.end or page.finish()), validate=False)

    def bound(self):
        self.token = self.tokens(self.site, dpop=True)
        require(self.token.token_type == "DPoP", f"a token of the type {self.token.token_type}")

    def user_information(self):
        address = self.site.userinfo_endpoint
        user = self.session.get(address, auth=self.token, timeout=30)
        require(user.json().get("preferred_username") == "anna", "another user")
        stolen = self.session.get(
            address, headers={"Authorization": f"Bearer {self.token.access_token}"}, timeout=30)
        require(stolen.status_code == 401, f"a stolen token was answered with {stolen.status_code}")

    def introspection(self):
        state = self.site.introspect_token(self.token.access_token)
        require(state["cnf"]["jkt"] == self.token.dpop_key.dpop_jkt, "another key")

    def required(self):
        try:
            self.tokens(self.site, dpop=False)
        except OAuth2Error as error:
            require(error.error == "invalid_dpop_proof", f"refused with {error.error}")
        else:
            require(False, "taken without a proof")

    def refresh(self):
        token = self.tokens(self.application, dpop=True)
        data = {"grant_type": "refresh_token", "refresh_token": token.refresh_token}
        try:
            self.application.token_request(data, dpop_key=DPoPKey.generate())
        except InvalidGrant:
            pass
        else:
            require(False, "another key was taken")
        again = self.application.refresh_token(token)
        require(again.token_type == "DPoP", f"a token of the type {again.token_type}")
