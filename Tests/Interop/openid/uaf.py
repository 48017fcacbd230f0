"""A UAF relying party of another maker, which takes nothing from the phone that FIDO UAF 1.1 does not have."""

import base64
import hashlib
import http.server
import json
import pathlib
import secrets
import ssl
import sys
import threading

from cryptography.exceptions import InvalidSignature

from expectation import require

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from verify_assertions import Refused, authentication, registration, unpadded
from verify_assertions import require as demand

AAID = "F1D0#1001"
USER = "ulla"
TEXT = "Pay CHF 10 to the strict shop"
# FIDO UAF Protocol 1.1, 3.1 and 3.4 to 3.6; Application API and Transport Binding 1.1, 3.
HEADER = {"upv", "op", "appID", "serverData", "exts"}
RESPONSE = {"header", "fcParams", "assertions"}
FINAL_CHALLENGE = {"appID", "challenge", "facetID", "channelBinding"}
CHANNEL_BINDING = {"serverEndPoint", "tlsServerCertificate", "tlsUnique", "cid_pubkey"}
ASSERTION = {"assertionScheme", "assertion", "tcDisplayPNGCharacteristics", "exts"}
# Services, as the settings of the phone name them: the operation, and whether a request is asked for.
SERVICES = {
    "/nevisfido/uaf/1.1/request/registration/": ("Reg", True), "/nevisfido/uaf/1.1/registration/": ("Reg", False),
    "/auth/fidouaf": ("Auth", True), "/auth/fidouaf/authenticationresponse/": ("Auth", False),
}
GET_REQUEST, SEND_RESPONSE = {"op", "previousRequest", "context"}, {"uafResponse", "context"}


class UAF:
    """A phone of its own with an account at the strict relying party."""

    def __init__(self, stage):
        self.stage = stage
        self.party = Party(stage.authority)
        self.folder = str(stage.folder / "strict-phone")
        self.phone("init", [
            "--server", self.party.address, "--ca", str(stage.authority.file), "--name", "Strict", "--keys", "software"])

    def checks(self):
        """Names and functions of the checks, in their order."""
        return [
            ("what the standard does not have is refused", self.strict),
            ("a phone registers with nothing but what the standard has", self.register),
            ("it signs in", self.sign_in),
            ("it confirms a transaction, whose text is what was signed", self.confirm),
        ]

    def phone(self, command, arguments):
        """Runs a command of the phone; Failure says what the relying party has refused."""
        self.party.refused = None
        try:
            return self.stage.run("signet", [
                "device", command, "--device", self.folder, "--format", "json", *arguments])
        finally:
            require(self.party.refused is None, f"refused: {self.party.refused}")

    def strict(self):
        for words, members in [("fcParams", FINAL_CHALLENGE), ("header", HEADER)]:
            only(dict.fromkeys(members), members, words)
            try:
                only(dict.fromkeys(members | {"serverBinding"}), members, words)
            except Refused:
                continue
            require(False, f"a further member of {words} is taken")

    def register(self):
        self.phone("register", ["--user", USER, "--pin-file", self.stage.pin_file])
        require(len(self.party.keys) == 1, "nothing was registered")

    def sign_in(self):
        self.authenticate(1)

    def confirm(self):
        self.party.text = TEXT
        self.authenticate(2)

    def authenticate(self, count):
        """Signs in, as the relying party has seen it that many times then."""
        self.phone("authenticate", ["--user", USER, "--pin-file", self.stage.pin_file])
        require(self.party.signatures == count, "nothing was signed")

    def close(self):
        """Ends the relying party."""
        self.party.close()


def only(found, members, words):
    """Refuses members that the standard does not have."""
    demand(set(found) <= members, f"{words} has {', '.join(sorted(set(found) - members))}")


class Party:
    """The relying party, over TLS: one user, one model, requests in memory."""

    def __init__(self, authority):
        self.keys, self.asked, self.signatures, self.text, self.refused = {}, {}, 0, None, None
        chain, key = authority.issue("strict")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(chain, key)
        party = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Answers in the transport binding of UAF."""

            timeout = 10

            def do_GET(self):
                found = self.path.endswith("/facets")
                self.say(200 if found else 404, party.facets() if found else {}, "application/fido.trusted-apps+json")

            def do_POST(self):
                body = self.rfile.read(min(int(self.headers.get("Content-Length", "0")), 65_536))
                answer = party.answer(self.path, self.headers, body)
                self.say(200 if answer else 404, answer or {}, "application/fido+uaf;charset=UTF-8")

            def say(self, status, answer, kind):
                """Sends JSON."""
                body = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                """The checks say what matters."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.address = f"https://127.0.0.1:{self.server.server_port}"
        self.app_id = f"{self.address}/facets"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        """Ends the server."""
        self.server.shutdown()
        self.server.server_close()

    def facets(self):
        """The applications that may use the AppID (FIDO AppID and Facets 1.1, 3.1.2)."""
        return {"trustedFacets": [{"version": {"major": 1, "minor": 1}, "ids": ["ios:bundle-id:org.signet.demo"]}]}

    def answer(self, path, fields, body):
        """The answer to a question for a request or to a response; none for other services."""
        try:
            foreign = [name for name in fields if name.lower().startswith("signet-")]
            demand(not foreign, f"the request has {', '.join(foreign)}")
            if path not in SERVICES:
                return None
            kind, is_question = SERVICES[path]
            if is_question:
                return self.request(kind, json.loads(body))
            self.take(kind, json.loads(body))
            return {"statusCode": 1200}
        except (Refused, InvalidSignature, KeyError, ValueError) as problem:
            self.refused = f"{path}: {problem}"
            return {"statusCode": 1498, "description": str(problem)}

    def request(self, kind, question):
        """Makes a request (FIDO UAF Protocol 1.1, 3.4.1 and 3.5.1)."""
        only(question, GET_REQUEST, "GetUAFRequest")
        header = {
            "upv": {"major": 1, "minor": 1}, "op": kind, "appID": self.app_id, "serverData": secrets.token_urlsafe(16)}
        request = {"header": header, "challenge": secrets.token_urlsafe(32)}
        if kind == "Reg":
            request |= {"username": USER, "policy": {"accepted": [[{"aaid": [AAID]}]]}}
        else:
            request["policy"] = {"accepted": [
                [{"aaid": [aaid], "keyIDs": [base64.urlsafe_b64encode(key).decode().rstrip("=")]}] for aaid, key in self.keys]}
            if self.text:
                content = base64.urlsafe_b64encode(self.text.encode()).decode().rstrip("=")
                request["transaction"] = [{"contentType": "text/plain", "content": content}]
        self.asked[header["serverData"]] = request
        return {"statusCode": 1200, "uafRequest": json.dumps([request]), "op": kind, "lifetimeMillis": 60_000}

    def take(self, kind, sent):
        """Judges a response (FIDO UAF Protocol 1.1, 3.4.6.5 and 3.5.7.5)."""
        only(sent, SEND_RESPONSE, "SendUAFResponse")
        (response,) = json.loads(sent["uafResponse"])
        only(response, RESPONSE, "the response")
        only(response["header"], HEADER, "the header")
        asked = self.asked.pop(response["header"]["serverData"])
        demand(response["header"] == asked["header"] and asked["header"]["op"] == kind, "the header is another one")
        parameters = json.loads(unpadded(response["fcParams"]))
        only(parameters, FINAL_CHALLENGE, "fcParams")
        only(parameters["channelBinding"], CHANNEL_BINDING, "channelBinding")
        demand(parameters["appID"] == self.app_id and parameters["challenge"] == asked["challenge"], "another request is answered")
        demand(parameters["facetID"] in self.facets()["trustedFacets"][0]["ids"], "another application answers")
        (entry,) = response["assertions"]
        only(entry, ASSERTION, "the assertion")
        demand(entry["assertionScheme"] == "UAFV1TLV", "the scheme is unknown")
        self.verify(kind, asked, unpadded(entry["assertion"]), hashlib.sha256(response["fcParams"].encode()).digest())

    def verify(self, kind, asked, assertion, challenge):
        """Verifies the assertion; keeps its key, or finds it."""
        if kind == "Reg":
            aaid, key_id, algorithm, key = registration(assertion, challenge)
            demand(aaid == AAID, "another model registers")
            self.keys[aaid, key_id] = algorithm, key
            return
        shown = asked.get("transaction")
        authentication(assertion, challenge, unpadded(shown[0]["content"]) if shown else None, self.keys)
        self.signatures += 1
