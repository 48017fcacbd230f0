#!/usr/bin/python3
"""Verifies the signed result of a succeeded operation with jwcrypto, as docs/web/back-ends.md shows it.

    verify_result.py ISSUER AUDIENCE NOW < INPUT

The input is JSON: {"result": TOKEN, "keys": JWK SET}. Prints the claims as one line of JSON; exit code 1 when the result
does not hold. NOW are seconds since 1970.
"""

import json
import sys

from jwcrypto import jwk, jws


def verified_result(token, key_set, issuer, audience, now):
    """The claims of a result, or an exception."""
    signed = jws.JWS()
    signed.allowed_algs = ["ES256"]
    signed.deserialize(token)
    header = signed.jose_header
    if header.get("typ") != "signet-result+jwt":
        raise ValueError("not a result")
    signed.verify(jwk.JWKSet.from_json(key_set).get_key(header["kid"]))
    claims = json.loads(signed.payload)
    if claims["ver"] != 1 or claims["iss"] != issuer or claims["aud"] != audience:
        raise ValueError("a result of another version, server or system")
    if not claims["iat"] - 60 <= now < claims["exp"]:
        raise ValueError("too old, or a clock is wrong")
    return claims


if __name__ == "__main__":
    question = json.load(sys.stdin)
    try:
        claims = verified_result(
            question["result"], json.dumps(question["keys"]), sys.argv[1], sys.argv[2], int(sys.argv[3]))
    except Exception as error:
        sys.exit(f"refused: {error!r}")
    print(json.dumps(claims))
