#!/usr/bin/python3
"""Reads tokens that Signet made and makes tokens for Signet to read, with jwcrypto, without any code of Signet.

    jose_exchange.py < QUESTION > ANSWER

The question is JSON: {"open": [{"id", "token", "key", "plaintext"}], "verify": [{"id", "token", "key", "plaintext"}],
"thumbprints": [{"key", "thumbprint"}], "seal": [{"id", "alg", "enc", "key", "plaintext", ...}],
"sign": [{"id", "alg", "plaintext"}]}. Keys are JSON Web Keys or {"pem": PEM}, private ones where something is opened;
plaintexts are in hexadecimal; "apu", "apv" and "kid" of a token to seal are taken into its header.

The answer is one line of JSON: {"ok": true, "read": NUMBER, "sealed": {ID: TOKEN}, "signed": {ID: {"token", "key"}}}.
Exit code 0 only if there was something to read and all of it was right.
"""

import json
import sys

from jwcrypto import jwe, jwk, jws
from jwcrypto.common import json_encode

# RS256 and ES256 are on by default; of the encryptions only those that Signet may make are allowed when reading.
AGREEMENTS = ["ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A256KW", "RSA-OAEP-256"]
CIPHERS = ["A128GCM", "A256GCM", "A128CBC-HS256", "A256CBC-HS512"]


class Refused(Exception):
    """A token is not as Signet said."""


def require(condition, message):
    if not condition:
        raise Refused(message)


def key_of(entry):
    if "pem" in entry["key"]:
        return jwk.JWK.from_pem(entry["key"]["pem"].encode())
    return jwk.JWK(**entry["key"])


def open_token(entry):
    token = jwe.JWE(algs=AGREEMENTS + CIPHERS)
    token.deserialize(entry["token"], key_of(entry))
    require(token.payload == bytes.fromhex(entry["plaintext"]), f"{entry['id']}: another plaintext")
    require("zip" not in token.jose_header, f"{entry['id']}: compressed")


def verify_token(entry):
    token = jws.JWS()
    token.allowed_algs = ["ES256", "RS256"]
    token.deserialize(entry["token"], key_of(entry))
    require(token.payload == bytes.fromhex(entry["plaintext"]), f"{entry['id']}: another payload")


def seal(entry):
    header = {name: entry[name] for name in ("alg", "enc", "apu", "apv", "kid") if name in entry}
    token = jwe.JWE(bytes.fromhex(entry["plaintext"]), json_encode(header), algs=AGREEMENTS + CIPHERS)
    token.add_recipient(key_of(entry))
    return token.serialize(compact=True)


def sign(entry):
    if entry["alg"] == "ES256":
        key = jwk.JWK.generate(kty="EC", crv="P-256")
    else:
        key = jwk.JWK.generate(kty="RSA", size=2048)
    token = jws.JWS(bytes.fromhex(entry["plaintext"]))
    token.add_signature(key, None, json_encode({"alg": entry["alg"]}))
    return {"token": token.serialize(compact=True), "key": json.loads(key.export_public())}


def main(question):
    read = 0
    try:
        for entry in question["open"]:
            open_token(entry)
            read += 1
        for entry in question["verify"]:
            verify_token(entry)
            read += 1
        for entry in question["thumbprints"]:
            require(key_of(entry).thumbprint() == entry["thumbprint"], "another thumbprint")
            read += 1
        sealed = {entry["id"]: seal(entry) for entry in question["seal"]}
        signed = {entry["id"]: sign(entry) for entry in question["sign"]}
    except (Refused, jwe.InvalidJWEData, jws.InvalidJWSSignature, jws.InvalidJWSObject, KeyError, ValueError) as problem:
        print(f"{type(problem).__name__}: {problem}", file=sys.stderr)
        print(json.dumps({"ok": False}))
        return 1
    print(json.dumps({"ok": read > 0, "read": read, "sealed": sealed, "signed": signed}))
    return 0 if read > 0 else 1


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(main(json.load(sys.stdin)))
