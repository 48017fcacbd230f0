#!/usr/bin/python3
"""Verifies FIDO UAF 1.1 assertions of real exchanges, without any code of Signet.

    verify_assertions.py DIR...

Reads every exchange that a test kept whole below the folders (`--record` of the product masks assertions). Each registration is checked with the key it brings, each
authentication with the key of its registration: structure, key identifier, bound challenge, transaction, signature.
The last line is JSON: {"ok": true, "registrations": [...], "authentications": [...]}, each entry with AAID and
algorithm. Exit code 0 only if there was something to verify and all of it was right.
"""

import base64
import hashlib
import json
import sys
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils

# FIDO UAF Registry of Predefined Values 1.1, section 2.
REGISTRATION, AUTHENTICATION = 0x3E01, 0x3E02
REGISTRATION_DATA, SIGNED_DATA, SURROGATE = 0x3E03, 0x3E04, 0x3E08
SIGNATURE, KEY_ID, CHALLENGE_HASH, AAID, PUBLIC_KEY = 0x2E06, 0x2E09, 0x2E0A, 0x2E0B, 0x2E0C
COUNTERS, INFO, NONCE, TRANSACTION_HASH = 0x2E0D, 0x2E0E, 0x2E0F, 0x2E10
P256_RAW, P256_DER, RSA_PKCS1_RAW, RSA_PKCS1_DER = 0x0001, 0x0002, 0x0008, 0x0009
EC_POINT, EC_DER, RSA_RAW, RSA_DER = 0x0100, 0x0101, 0x0102, 0x0103


class Refused(Exception):
    """Something is not as the specification wants it."""


def require(condition, message):
    if not condition:
        raise Refused(message)


def unpadded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def number(octets):
    return int.from_bytes(octets, "little")


def tlv(octets):
    """The elements of a sequence, in order: (tag, value, whole encoding)."""
    elements, position = [], 0
    while position < len(octets):
        require(position + 4 <= len(octets), "a TLV header is cut")
        end = position + 4 + number(octets[position + 2:position + 4])
        require(end <= len(octets), "a TLV value is cut")
        elements.append((number(octets[position:position + 2]), octets[position + 4:end], octets[position:end]))
        position = end
    return elements


def fields(octets, *tags):
    """The values of a sequence that has exactly these tags in this order."""
    elements = tlv(octets)
    require([tag for tag, _, _ in elements] == list(tags), "the elements are not the specification's")
    return [value for _, value, _ in elements]


def public_key(key_format, octets):
    if key_format == EC_POINT:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), octets)
    if key_format == EC_DER:
        key = serialization.load_der_public_key(octets)
        require(isinstance(key.curve, ec.SECP256R1), "the key is on another curve")
        return key
    if key_format == RSA_RAW:
        return rsa.RSAPublicNumbers(
            int.from_bytes(octets[256:], "big"), int.from_bytes(octets[:256], "big")).public_key()
    require(key_format == RSA_DER, f"key format {key_format:#x} is unknown")
    # RSAPublicKey of PKCS#1; PEM of that form is what the library reads.
    text = base64.encodebytes(octets).decode()
    return serialization.load_pem_public_key(
        f"-----BEGIN RSA PUBLIC KEY-----\n{text}-----END RSA PUBLIC KEY-----\n".encode())


def octet_string(octets):
    """The content of a DER OCTET STRING."""
    require(len(octets) > 2 and octets[0] == 0x04, "the signature is no OCTET STRING")
    if octets[1] < 0x80:
        start, length = 2, octets[1]
    else:
        start = 2 + (octets[1] & 0x7F)
        length = int.from_bytes(octets[2:start], "big")
    require(start + length == len(octets), "the OCTET STRING has another length")
    return octets[start:]


def check_signature(key, algorithm, signature, message):
    if algorithm in (P256_RAW, P256_DER):
        if algorithm == P256_RAW:
            require(len(signature) == 64, "a raw signature has 64 bytes")
            signature = utils.encode_dss_signature(
                int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
        key.verify(signature, message, ec.ECDSA(hashes.SHA256()))
    else:
        require(algorithm in (RSA_PKCS1_RAW, RSA_PKCS1_DER), f"algorithm {algorithm:#x} is unknown")
        if algorithm == RSA_PKCS1_DER:
            signature = octet_string(signature)
        require(key.key_size == 2048, "the RSA key has another size")
        key.verify(signature, message, padding.PKCS1v15(), hashes.SHA256())


def verify(key, algorithm, signature, message):
    """Verifies, and makes sure that one wrong bit would have been noticed."""
    try:
        check_signature(key, algorithm, signature, message)
    except InvalidSignature:
        raise Refused("the signature is wrong") from None
    changed = bytes([message[0] ^ 1]) + message[1:]
    try:
        check_signature(key, algorithm, signature, changed)
    except InvalidSignature:
        return
    raise Refused("the signature also fits changed data")


def registration(assertion, challenge_hash):
    data, attestation = split(assertion, REGISTRATION, REGISTRATION_DATA, SURROGATE)
    aaid, info, bound, key_id, counters, encoded_key = fields(
        data[4:], AAID, INFO, CHALLENGE_HASH, KEY_ID, COUNTERS, PUBLIC_KEY)
    (signature,) = fields(attestation[4:], SIGNATURE)
    require(len(info) == 7 and info[2] == 0x01, "the assertion information is not a registration's")
    require(bound == challenge_hash, "the registration is bound to another challenge")
    require(len(key_id) == 32, "the KeyID is not 32 bytes long")
    require(counters == bytes(8), "the counters are not zero")
    algorithm, key_format = number(info[3:5]), number(info[5:7])
    key = public_key(key_format, encoded_key)
    verify(key, algorithm, signature, data)
    return aaid.decode(), key_id, algorithm, key


def authentication(assertion, challenge_hash, transaction, keys):
    data, encoded_signature = split(assertion, AUTHENTICATION, SIGNED_DATA, SIGNATURE)
    aaid, info, nonce, bound, shown, key_id, counters = fields(
        data[4:], AAID, INFO, NONCE, CHALLENGE_HASH, TRANSACTION_HASH, KEY_ID, COUNTERS)
    require(bound == challenge_hash, "the authentication is bound to another challenge")
    require(len(nonce) >= 8 and any(nonce), "there is no nonce")
    require(counters == bytes(4), "the counter is not zero")
    mode = 0x01 if transaction is None else 0x02
    require(len(info) == 5 and info[2] == mode, "the mode does not fit the request")
    expected = b"" if transaction is None else hashlib.sha256(transaction).digest()
    require(shown == expected, "another transaction was signed")
    require((aaid.decode(), key_id) in keys, "the key was never registered")
    algorithm, key = keys[aaid.decode(), key_id]
    require(algorithm == number(info[3:5]), "the algorithm changed after registration")
    verify(key, algorithm, encoded_signature[4:], data)
    return aaid.decode(), algorithm


def split(assertion, outer, first, second):
    """The encodings of the two parts of an assertion."""
    elements = tlv(assertion)
    require([tag for tag, _, _ in elements] == [outer], "the assertion is of another kind")
    parts = tlv(elements[0][1])
    require([tag for tag, _, _ in parts] == [first, second], "the assertion has other parts")
    return parts[0][2], parts[1][2]


def body(path):
    try:
        return json.loads(path.read_text().split("\n\n", 1)[1])
    except (IndexError, ValueError):
        return {}


def exchanges(folder):
    """(request of the server, answer of the phone, path) of each ceremony below a folder, in order."""
    for directory in sorted({path.parent for path in Path(folder).rglob("*-request.http")}):
        asked = None
        for path in sorted(directory.glob("*.http")):
            message = body(path)
            if path.name.endswith("-response.http") and "uafRequest" in message:
                asked = json.loads(message["uafRequest"])[0]
            if path.name.endswith("-request.http") and "uafResponse" in message and asked:
                answered = json.loads(message["uafResponse"])[0]
                accepted = body(path.with_name(path.name.replace("request", "response"))).get("statusCode") == 1200
                if answered["assertions"] and accepted:
                    yield asked, answered, path


def main(folders):
    keys, registrations, authentications = {}, [], []
    ceremonies = [ceremony for folder in folders for ceremony in exchanges(folder)]
    for operation in ("Reg", "Auth"):
        for asked, answered, path in ceremonies:
            if answered["header"]["op"] != operation:
                continue
            try:
                parameters = json.loads(unpadded(answered["fcParams"]))
                require(parameters["challenge"] == asked["challenge"], "another challenge was answered")
                require(parameters["appID"] == asked["header"]["appID"], "another application was answered")
                challenge_hash = hashlib.sha256(answered["fcParams"].encode()).digest()
                (entry,) = answered["assertions"]
                require(entry["assertionScheme"] == "UAFV1TLV", "the scheme is unknown")
                assertion = unpadded(entry["assertion"])
                if operation == "Reg":
                    aaid, key_id, algorithm, key = registration(assertion, challenge_hash)
                    keys[aaid, key_id] = algorithm, key
                    registrations.append({"aaid": aaid, "algorithm": algorithm})
                else:
                    shown = asked.get("transaction")
                    transaction = unpadded(shown[0]["content"]) if shown else None
                    aaid, algorithm = authentication(assertion, challenge_hash, transaction, keys)
                    authentications.append({"aaid": aaid, "algorithm": algorithm})
            except (Refused, KeyError, ValueError) as problem:
                print(f"{path}: {problem}", file=sys.stderr)
                print(json.dumps({"ok": False}))
                return 1
    ok = bool(registrations or authentications)
    print(json.dumps({"ok": ok, "registrations": registrations, "authentications": authentications}))
    return 0 if ok else 1


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(main(sys.argv[1:]))
