"""Phone with one P-256 key: registers it and signs in over TLS, from a source address of its own (FIDO UAF 1.1)."""

import asyncio
import base64
import hashlib
import json
import os
import struct
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

AAID = b"FFFF#2101"
FACET = "ios:bundle-id:org.signet.demo"
ROOT = "/nevisfido/uaf/1.1"
UAF = "application/fido+uaf"


class Refused(Exception):
    """An answer that is no success."""


def base64url(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def tlv(tag, *values):
    value = b"".join(values)
    return struct.pack("<HH", tag, len(value)) + value


class Connection:
    """One TLS connection, which carries one exchange after the other."""

    def __init__(self, reader, writer, host):
        self.reader, self.writer, self.host = reader, writer, host

    @classmethod
    async def open(cls, server, source):
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", server.port, ssl=server.trust, server_hostname="127.0.0.1", local_addr=(source, 0))
        return cls(reader, writer, f"127.0.0.1:{server.port}")

    async def post(self, path, body):
        head = (f"POST {path} HTTP/1.1\r\nHost: {self.host}\r\nContent-Type: {UAF};charset=utf-8\r\n"
                f"Accept: {UAF}\r\nContent-Length: {len(body)}\r\n\r\n")
        self.writer.write(head.encode() + body)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        status = int(answer[9:12])
        length = next((int(line[15:]) for line in answer.lower().split(b"\r\n")
                       if line.startswith(b"content-length:")), 0)
        body = await self.reader.readexactly(length)
        if status != 200:
            raise Refused(f"{path}: HTTP {status}")
        return json.loads(body)

    def close(self):
        self.writer.close()


class Phone:
    """A registered key of one user; each sign-in takes a connection of its own."""

    def __init__(self, server, user, source, patience=10):
        self.server, self.user, self.source, self.patience = server, user, source, patience
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.key_id = os.urandom(32)
        self.counter = 1

    async def register(self):
        await asyncio.wait_for(self._register(), self.patience)

    async def sign_in(self):
        """Signs in; returns the seconds it took, handshake included."""
        start = time.monotonic()
        await asyncio.wait_for(self._sign_in(), self.patience)
        return time.monotonic() - start

    async def _register(self):
        connection = await Connection.open(self.server, self.source)
        try:
            request = await self._request(connection, "Reg", "registration")
            public = self.key.public_key().public_bytes(
                serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
            params, digest = self._parameters(request)
            data = tlv(0x3E03, tlv(0x2E0B, AAID), tlv(0x2E0E, struct.pack("<HBHH", 1, 1, 2, 0x101)),
                       tlv(0x2E0A, digest), tlv(0x2E09, self.key_id), tlv(0x2E0D, struct.pack("<II", 1, 1)),
                       tlv(0x2E0C, public))
            assertion = tlv(0x3E01, data, tlv(0x3E08, tlv(0x2E06, self._signature(data))))
            await self._answer(connection, f"{ROOT}/registration", request, params, assertion)
        finally:
            connection.close()

    async def _sign_in(self):
        connection = await Connection.open(self.server, self.source)
        try:
            request = await self._request(connection, "Auth", "authentication")
            self.counter += 1
            params, digest = self._parameters(request)
            data = tlv(0x3E04, tlv(0x2E0B, AAID), tlv(0x2E0E, struct.pack("<HBH", 1, 1, 2)),
                       tlv(0x2E0F, os.urandom(32)), tlv(0x2E0A, digest), tlv(0x2E10), tlv(0x2E09, self.key_id),
                       tlv(0x2E0D, struct.pack("<I", self.counter)))
            assertion = tlv(0x3E02, data, tlv(0x2E06, self._signature(data)))
            await self._answer(connection, f"{ROOT}/authentication", request, params, assertion)
        finally:
            connection.close()

    async def _request(self, connection, operation, name):
        asked = {"op": operation, "context": json.dumps({"username": self.user})}
        answer = await connection.post(f"{ROOT}/request/{name}", json.dumps(asked).encode())
        if answer["statusCode"] != 1200:
            raise Refused(f"request of {name}: UAF {answer['statusCode']}")
        return json.loads(answer["uafRequest"])[0]

    async def _answer(self, connection, path, request, params, assertion):
        entry = {"assertionScheme": "UAFV1TLV", "assertion": base64url(assertion)}
        message = [{"header": request["header"], "fcParams": params, "assertions": [entry]}]
        answer = await connection.post(path, json.dumps({"uafResponse": json.dumps(message)}).encode())
        if answer["statusCode"] != 1200:
            raise Refused(f"{path}: UAF {answer['statusCode']}")

    def _parameters(self, request):
        params = base64url(json.dumps({
            "appID": request["header"]["appID"], "challenge": request["challenge"], "channelBinding": {},
            "facetID": FACET,
        }).encode())
        return params, hashlib.sha256(params.encode()).digest()

    def _signature(self, data):
        return self.key.sign(data, ec.ECDSA(hashes.SHA256()))
