"""Requests that no client should send: random targets, methods, fields, framings and bodies around sound ones."""

import json
import random

UAF = "application/fido+uaf"
JSON = "application/json"
JWS = ("eyJhbGciOiJFUzI1NiIsImtpZCI6IjNiNGQifQ.eyJkaXNwYXRjaFRhcmdldElkIjoiM2I0ZCIsInJlcXVlc3RJZCI6InItMSIs"
       "ImNyZWF0aW9uVGltZUluRXBvY2hNaWxsaXMiOjE3Njk4NjA4MDAwMDB9." + "A" * 86)
ANSWER = json.dumps({"uafResponse": json.dumps([{
    "header": {"upv": {"major": 1, "minor": 1}, "op": "Auth", "serverData": "c2Vy", "appID": "https://127.0.0.1"},
    "fcParams": "e30", "assertions": [{"assertionScheme": "UAFV1TLV", "assertion": "Aj4EAAQ-AAA"}]}])})


def asked(operation):
    return json.dumps({"op": operation, "context": json.dumps({"username": "phone0"})})


ROUTES = [
    ("POST", "/nevisfido/uaf/1.1/request/registration", UAF, asked("Reg")),
    ("POST", "/nevisfido/uaf/1.1/request/authentication", UAF, asked("Auth")),
    ("POST", "/nevisfido/uaf/1.1/request/deregistration", UAF, asked("Dereg")),
    ("POST", "/nevisfido/uaf/1.1/registration", UAF, ANSWER.replace("Auth", "Reg")),
    ("POST", "/nevisfido/uaf/1.1/authentication", UAF, ANSWER),
    ("GET", "/nevisfido/uaf/1.1/facets", None, ""),
    ("POST", "/auth/fidouaf", JSON, '{"username":"phone0"}'),
    ("POST", "/auth/fidouaf/authenticationresponse", UAF, ANSWER),
    ("GET", "/.well-known/jwks.json", None, ""),
    ("POST", "/nevisfido/token/create/authentication", JSON, asked("Auth")),
    ("POST", "/nevisfido/token/dispatch/authentication", JSON, '{"dispatcher":"link","getUafRequest":%s}' % asked("Auth")),
    ("POST", "/nevisfido/token/redeem/authentication", JSON, '{"token":"0c2f0c2f-0c2f-0c2f-0c2f-0c2f0c2f0c2f"}'),
    ("POST", "/nevisfido/status", JSON, '{"sessionId":"77aa","waitMillis":0}'),
    ("POST", "/nevisfido/token/dispatch/targets", JSON, '{"username":"phone0","name":"p"}'),
    ("GET", "/nevisfido/token/dispatch/targets?username=phone0", None, ""),
    ("PATCH", "/nevisfido/token/dispatch/targets/3b4d", "application/jose", JWS),
    ("DELETE", "/nevisfido/token/dispatch/targets/3b4d", None, ""),
    ("GET", "/nevisfido/devices/credentials/d", None, ""),
    ("GET", "/nevisfido/devices/oob-operations/d", None, ""),
    ("GET", "/nevisfido/liveness", None, ""), ("GET", "/nevisfido/health", None, ""), ("GET", "/metrics", None, ""),
]
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PRI", "get", "G:T", "", "\x00"]
PIECES = ["/", "//", "?", "%", "%2F", "%00", ".", "..", "{}", "{id}", "*", "#", "&", "=", ":", "\\", "\xe9", "nevisfido",
          "_app", "uaf", "1.1", "request", "token", "dispatch", "targets", "auth", "pwd", "status", "", "https://a", "a" * 300]
FIELDS = ["Content-Type: text/plain", "Content-Type: application/json;charset=\"", "Accept: */*;q=0", "Accept: ;;,=",
          "Cookie: =;;a", "Authorization: Bearer", "Authorization: Bearer " + "a" * 2000, "Origin: null", "Host:",
          "Host: a\r\nHost: b", "traceparent: 00--", "Expect: 100-continue", "Connection: close", "Content-Encoding: gzip",
          "Connection: Upgrade\r\nUpgrade: h2c", "X: a\r\n folded", ": empty", "No-Colon", "X\x00: a", "X: \x00", "X : a",
          "Forwarded: for=\"[\"", "X-Forwarded-For: ,", "Device-Signature: ..", "X: " + "b" * 20_000] + ["X: c"] * 2
# Every one of these has to be refused, and nothing behind it answered: proxies and servers read them differently.
AMBIGUOUS = [
    ["Content-Length: 2", "Transfer-Encoding: chunked"], ["Content-Length: 2", "Content-Length: 3"],
    ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], ["Transfer-Encoding: cow"],
    ["Transfer-Encoding: gzip, chunked"], ["Transfer-Encoding: chunked, chunked"], ["Content-Length: +2"],
    ["Content-Length: -2"], ["Content-Length: 2 2"], ["Content-Length: 99999999999999999999999"],
]
CHUNKS = [b"2\r\n{}\r\n0\r\n\r\n", b"2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n", b"-1\r\n{}\r\n0\r\n\r\n", b"zz\r\n{}\r\n",
          b"2\n{}\n0\n\n", b"FFFFFFFFFFFFFFFFF\r\n{}\r\n", b"8000000000000000\r\n{}", b"2\r\n{}0\r\n\r\n", b"2\r\n{}",
          b"0\r\n" + b"X: y\r\n" * 3000 + b"\r\n", b"10000\r\n" + b" " * 65_536 + b"\r\n0\r\n\r\n"]
SECOND = b"GET /nevisfido/uaf/1.1/facets HTTP/1.1\r\nHost: a\r\n\r\n"


class Shape:
    """Octets of one connection: what is sent, how often a request begins in it, and what must not come back."""

    def __init__(self, octets, count=1, is_ambiguous=False):
        self.octets, self.count, self.is_ambiguous = octets, count, is_ambiguous


def head(method, target, fields, version="HTTP/1.1", end="\r\n"):
    return (end.join([f"{method} {target} {version}", "Host: a"] + fields) + end * 2).encode("latin-1")


def sound(draw):
    method, target, kind, body = draw.choice(ROUTES)
    fields = [f"Content-Type: {kind}", f"Accept: {UAF}, */*"] if kind else []
    if body or method == "POST":
        fields.append(f"Content-Length: {len(body)}")
    return method, target, fields, body.encode()


def mutated(draw):
    """A sound request with one or more places spoiled."""
    method, target, fields, body = sound(draw)
    for _ in range(draw.randint(1, 3)):
        kind = draw.randrange(7)
        if kind == 0:
            target = "".join(draw.choice(PIECES) for _ in range(draw.randint(0, 8)))
        elif kind == 1:
            method = draw.choice(METHODS)
        elif kind == 2:
            fields.insert(draw.randint(0, len(fields)), draw.choice(FIELDS))
        elif kind == 3 and fields:
            fields.pop(draw.randrange(len(fields)))
        elif kind == 4 and body:
            spoiled = bytearray(body)
            spoiled[draw.randrange(len(spoiled))] = draw.randrange(256)
            body = bytes(spoiled)
        elif kind == 5:
            body = body[: draw.randint(0, len(body))]
        else:
            body = draw.choice([b"[" * 2000, b'{"a":1e999}', b'"\\ud800"', b"\xff\xfe", b"{}", b"null", b" " * 70_000])
            fields = [field for field in fields if not field.startswith("Content-Length")]
            fields.append(f"Content-Length: {len(body)}")
    octets = head(method, target, fields, draw.choice(["HTTP/1.1"] * 8 + ["HTTP/1.0", "HTTP/2.0", "HTTP/9", ""]),
                  draw.choice(["\r\n"] * 12 + ["\n"]))
    return Shape(octets + body)


def chunked(draw):
    _, target, _, _ = sound(draw)
    fields = [f"Content-Type: {draw.choice([UAF, JSON])}", "Transfer-Encoding: chunked"]
    return Shape(head("POST", target, fields) + draw.choice(CHUNKS))


def ambiguous(draw):
    _, target, _, _ = sound(draw)
    fields = [f"Content-Type: {draw.choice([UAF, JSON])}"] + draw.choice(AMBIGUOUS)
    return Shape(head("POST", target, fields) + b"2\r\n{}\r\n0\r\n\r\n" + SECOND, 2, is_ambiguous=True)


def pipelined(draw):
    count = draw.randint(2, 16)
    parts = []
    for _ in range(count):
        method, target, fields, body = sound(draw)
        parts.append(head(method, target, fields) + body)
    return Shape(b"".join(parts), count)


def noise(draw):
    return Shape(draw.randbytes(draw.randint(1, 400)) + draw.choice([b"", b"\r\n\r\n"]))


KINDS = [(mutated, 50), (pipelined, 20), (chunked, 12), (ambiguous, 10), (noise, 3)]


def shape(draw: random.Random):
    """One connection's worth of octets."""
    makers, weights = zip(*KINDS)
    return draw.choices(makers, weights)[0](draw)
