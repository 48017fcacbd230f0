"""The contract of refusals: each route, asked in each wrong way, answers as the OpenAPI document says."""

import socket
import ssl

import requests

from document import METHODS
from expectation import Failure, require
from stage import CONTRACT

# A body that each reader of its kind refuses.
MALFORMED = {"application/x-www-form-urlencoded": "name=%ZZ&name=1&name=2"}
LONGEST = 64 * 1024


class Refusals:
    """Requests that are wrong, to every route."""

    def __init__(self, stage):
        self.stage = stage
        self.client = requests.Session()
        self.client.verify, self.client.trust_env = stage.ca_file, False
        self.document = stage.document

    def checks(self):
        """Names and functions of the checks, in their order."""
        return [
            ("the server shows the document of its sources", self.shown),
            ("another method is answered with 405 and the methods that there are", self.other_method),
            ("an answer in a form that is not accepted is 406", self.not_accepted),
            ("a body of another type is answered with 415", self.other_type),
            ("a malformed body is refused", self.malformed),
            ("a body that is too long is answered with 413", self.too_long),
            ("no route that needs a key, a cookie or a signature serves without", self.without_proof),
            ("a key that is none opens nothing", self.wrong_proof),
            ("a path that is none is answered with 404", self.unknown_path),
            ("wrong heads and framing are answered with 400, 431 and 501", self.heads),
            ("a request that does not arrive is answered with 408", self.late),
        ]

    def shown(self):
        shown = self.client.get(f"{self.stage.issuer}/openapi.yaml", timeout=30).text
        require(shown == CONTRACT.read_text(encoding="utf-8"), "another document is shown")

    # Every route

    def each(self, ask, wanted=None, among=lambda operation: True):
        """Asks every route and judges the answers; throws Failure with all that do not fit."""
        faults, count = [], 0
        for operation in self.document.operations:
            if not among(operation):
                continue
            count += 1
            try:
                answer = ask(operation)
                operation.judge(answer)
                if wanted:
                    require(wanted(answer.status_code), f"{operation}: answered with {answer.status_code}")
            except Failure as fault:
                faults.append(str(fault))
        require(count, "no route was asked")
        require(not faults, f"{len(faults)} of {count} routes: " + "; ".join(faults))

    def send(self, operation, method=None, body=None, kind=None, **headers):
        """Sends a request to a route; redirects are not followed."""
        base = self.stage.management if operation.is_managed else self.stage.issuer
        if body is None and operation.body_type and method is None:
            body, kind = b"", operation.body_type
        if kind:
            headers["Content-Type"] = kind
        return self.client.request(
            method or operation.method.upper(), base + operation.address, data=body, headers=headers,
            allow_redirects=False, timeout=60)

    def other_method(self):
        taken = {}
        for operation in self.document.operations:
            taken.setdefault(operation.path, set()).add(operation.method)

        def ask(operation):
            other = next(method for method in reversed(METHODS) if method not in taken[operation.path])
            answer = self.send(operation, method=other.upper())
            allowed = {name.strip().lower() for name in answer.headers.get("Allow", "").split(",")}
            require(taken[operation.path] <= allowed, f"{operation}: Allow says {answer.headers.get('Allow')}")
            return answer
        self.each(ask, lambda status: status == 405)

    def not_accepted(self):
        self.each(lambda operation: self.send(operation, Accept="image/x-none"), lambda status: status in (401, 406))

    def other_type(self):
        self.each(
            lambda operation: self.send(operation, body=b"x", kind="text/x-none"), lambda status: status == 415,
            among=lambda operation: operation.body_type)

    def malformed(self):
        def ask(operation):
            body = MALFORMED.get(operation.body_type, '{"op":')
            return self.send(operation, body=body.encode(), kind=operation.body_type)
        # UAF says in a body of status 200 what is wrong (UAF Application API and Transport Binding, statusCode).
        self.each(
            ask, lambda status: 400 <= status < 500 or status == 200, among=lambda operation: operation.body_type)

    def too_long(self):
        self.each(
            lambda operation: self.send(operation, body=b" " * (LONGEST + 1), kind=operation.body_type),
            lambda status: status == 413, among=lambda operation: operation.body_type)

    def without_proof(self):
        self.each(self.send, lambda status: 400 <= status < 500, among=lambda operation: operation.needs_proof)

    def wrong_proof(self):
        fields = {"Authorization": "Bearer " + "A" * 43, "Signet-Access-Key": "A" * 43,
                  "Cookie": "; ".join(f"__Host-signet{name}={'A' * 43}" for name in ("", "-browser", "-provider"))}
        self.each(
            lambda operation: self.send(operation, **fields), lambda status: 400 <= status < 500,
            among=lambda operation: operation.needs_proof)

    # Requests of any route

    def unknown_path(self):
        answer = self.client.get(f"{self.stage.issuer}/there/is/none", timeout=30)
        require(answer.status_code == 404, f"answered with {answer.status_code}")
        self.document.judge("GET /there/is/none", answer.text, {"$ref": "#/components/schemas/Error"})

    def heads(self):
        first = f"GET /openapi.yaml HTTP/1.1\r\nHost: 127.0.0.1:{self.stage.port}\r\n"
        post = first.replace("GET /openapi.yaml", "POST /oauth2/token")
        for status, head in [
            (400, first + "Content-Length: many\r\n\r\n"),
            (431, first + "X-Long: " + "a" * 70_000 + "\r\n\r\n"),
            (501, post + "Transfer-Encoding: gzip, chunked\r\n\r\n"),
        ]:
            answer = self.raw(head)
            require(answer.startswith(f"HTTP/1.1 {status} "), f"{status} was expected: {answer[:100]}")

    def late(self):
        head = (f"POST /oauth2/token HTTP/1.1\r\nHost: 127.0.0.1:{self.stage.port}\r\nContent-Length: 100\r\n"
                "Content-Type: application/x-www-form-urlencoded\r\n\r\ngrant_type=")
        answer = self.raw(head)
        require(answer.startswith("HTTP/1.1 408 "), f"answered with {answer[:100] or 'nothing'}")

    def raw(self, text):
        """Answer to octets on a connection of their own, until the server closes it or 60 s are over."""
        context = ssl.create_default_context(cafile=self.stage.ca_file)
        with socket.create_connection(("127.0.0.1", self.stage.port), timeout=60) as plain:
            with context.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
                answer = b""
                try:
                    connection.sendall(text.encode())
                    while b"\r\n\r\n" not in answer and (part := connection.recv(65_536)):
                        answer += part
                except (ConnectionError, ssl.SSLEOFError):
                    pass
                return answer.decode("latin-1")
