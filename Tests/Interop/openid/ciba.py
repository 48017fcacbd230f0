"""idpyoidc: sign-in on the phone alone (CIBA), by polls and by pings, and what a stock client sees of refusals."""

import http.server
import logging
import secrets
import ssl
import threading
import time

import requests
from cryptojwt.key_jar import KeyJar
from idpyoidc.client.oidc import RP, access_token
from idpyoidc.client.oidc.backchannel_authentication import BackChannelAuthentication
from idpyoidc.client.oidc.provider_info_discovery import ProviderInfoDiscovery
from idpyoidc.message import oidc
from idpyoidc.message.oidc import backchannel_authentication

from expectation import require
from stage import USER

GRANT = "urn:openid:params:grant-type:ciba"


class BackchannelToken(access_token.AccessToken):
    """Token service for the grant of CIBA, which idpyoidc has the message of; an ID token of it has no nonce."""

    msg_type = backchannel_authentication.TokenRequest
    response_cls = oidc.AccessTokenResponse
    service_name = "backchannel_token"

    def __init__(self, upstream_get, conf=None):
        super().__init__(upstream_get, conf=conf)
        self.pre_construct = []

    def update_service_context(self, resp, key="", **kwargs):
        """Keeps nothing: there is no state of a browser."""


class CIBA:
    """Sites that are written with idpyoidc: one that polls, one that is pinged."""

    def __init__(self, stage):
        logging.getLogger("idpyoidc").setLevel(logging.CRITICAL)  # it logs each refusal, which are checks here
        self.stage = stage
        self.receiver = Receiver(stage.authority)
        self.poller = self.client("idpyoidc-poll", ["--ciba", "poll"])
        self.pinged = self.client("idpyoidc-ping", ["--ciba", "ping", "--ciba-address", self.receiver.address])

    def checks(self):
        """Names and functions of the checks, in their order."""
        return [
            ("a request waits, the phone confirms its message, and a poll brings an ID token that idpyoidc verifies",
             self.poll),
            ("a request gives tokens once", self.once),
            ("polls without a pause are slowed down", self.slowed_down),
            ("a refusal on the phone is access_denied", self.denied),
            ("an unknown user is unknown_user_id", self.unknown_user),
            ("a ping tells of the confirmation, and the tokens are fetched then", self.ping),
        ]

    def client(self, name, options):
        """A client of idpyoidc that has read the document of discovery and the keys."""
        secret = self.stage.add_client(name, options)
        client = RP(
            keyjar=KeyJar(), httpc=self.stage.watched(requests.Session()).request,
            httpc_params={"verify": self.stage.ca_file, "timeout": 30},
            config={
                "client_id": name, "client_secret": secret, "issuer": self.stage.issuer,
                "preference": {"id_token_signed_response_alg": "RS256"},
                "redirect_uris": ["https://localhost/unused"],
            },
            services={
                "provider_info": {"class": ProviderInfoDiscovery},
                "begin": {"class": BackChannelAuthentication, "kwargs": {
                    "http_method": "POST", "default_authn_method": "client_secret_basic"}},
                "token": {"class": BackchannelToken},
            })
        client.get_context().issuer = self.stage.issuer
        client.keyjar.httpc_params = client.httpc_params
        client.do_request("provider_info")
        return client

    def begin(self, client, **arguments):
        """Begins a request for the user of the phone; what the provider answers."""
        return client.do_request("backchannel_authentication", request_args={
            "scope": ["openid"], "login_hint": USER, **arguments}, authn_method="client_secret_basic")

    def token(self, client, request):
        """Asks once for the tokens of a request."""
        return client.do_request("backchannel_token", request_args={
            "grant_type": GRANT, "auth_req_id": request["auth_req_id"]})

    def poll(self):
        request = self.begin(self.poller, binding_message="Green boat")
        require("auth_req_id" in request, f"not begun: {request}")
        waiting = self.token(self.poller, request)
        require(waiting.get("error") == "authorization_pending", f"instead of waiting: {waiting}")
        self.stage.approve()
        time.sleep(request["interval"] + 0.2)
        answer = self.token(self.poller, request)
        require("id_token" in answer, f"no tokens: {dict(answer)}")
        claims = answer["__verified_id_token"]
        require(claims["iss"] == self.stage.issuer and "idpyoidc-poll" in claims["aud"], "another issuer or audience")
        self.spent = request

    def once(self):
        time.sleep(self.spent["interval"] + 0.2)
        answer = self.token(self.poller, self.spent)
        require(answer.get("error") == "invalid_grant", f"a second answer: {dict(answer)}")

    def slowed_down(self):
        request = self.begin(self.poller)
        self.token(self.poller, request)
        answer = self.token(self.poller, request)
        require(answer.get("error") == "slow_down", f"instead of slow_down: {dict(answer)}")
        self.stage.approve()

    def denied(self):
        request = self.begin(self.poller, binding_message="Red tree")
        self.stage.deny()
        answer = self.token(self.poller, request)
        require(answer.get("error") == "access_denied", f"instead of access_denied: {dict(answer)}")

    def unknown_user(self):
        answer = self.begin(self.poller, login_hint="absent")
        require(answer.get("error") == "unknown_user_id", f"instead of unknown_user_id: {dict(answer)}")

    def ping(self):
        token = secrets.token_urlsafe(32)
        request = self.begin(self.pinged, client_notification_token=token)
        require("auth_req_id" in request, f"not begun: {request}")
        self.stage.approve()
        authorization, body = self.receiver.next()
        require(authorization == f"Bearer {token}", "the ping has another notification token")
        notice = backchannel_authentication.NotificationRequest().from_json(body)
        notice.verify()
        require(notice["auth_req_id"] == request["auth_req_id"], "the ping names another request")
        answer = self.token(self.pinged, request)
        require("id_token" in answer, f"no tokens: {dict(answer)}")

    def close(self):
        """Ends the receiver of pings."""
        self.receiver.close()


class Receiver:
    """Notification endpoint of a client over TLS."""

    def __init__(self, authority):
        self.notices, self.arrived = [], threading.Condition()
        chain, key = authority.issue("ciba")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(chain, key)
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Takes a notice and answers 204 (CIBA Core 1.0, 10.2)."""

            timeout = 10

            def do_POST(self):
                body = self.rfile.read(min(int(self.headers.get("Content-Length", "0")), 65_536)).decode()
                receiver.take(self.headers.get("Authorization"), body)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                """Notices hold tokens."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.address = f"https://127.0.0.1:{self.server.server_port}/notice"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, authorization, body):
        """Keeps a notice."""
        with self.arrived:
            self.notices.append((authorization, body))
            self.arrived.notify()

    def next(self):
        """The next notice: `Authorization` and body; throws Failure after 30 s."""
        with self.arrived:
            self.arrived.wait_for(lambda: self.notices, timeout=30)
            require(self.notices, "no ping came")
            return self.notices.pop(0)

    def close(self):
        """Ends the endpoint."""
        self.server.shutdown()
        self.server.server_close()
