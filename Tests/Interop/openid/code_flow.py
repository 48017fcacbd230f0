#!/usr/bin/python3
"""Signs in by authorization code, PKCE and refresh with authlib, a client library that shares no line with Signet.

    code_flow.py ISSUER CA_FILE CODE_FILE < INPUT

The input is JSON: {"client": ID, "secret": SECRET, "redirect": ADDRESS}. The script is client and browser at once: it
opens the sign-in page, writes its QR code to CODE_FILE as PNG, prints {"waiting": "phone"} on a line, and goes on when a
phone has confirmed. At the end it prints the claims of the ID token, the answer of userinfo and whether a refresh and its
replay did what they have to, as one line of JSON; exit code 1 when something does not hold.
"""

import json
import re
import sys
import time
from urllib.parse import parse_qs, urlsplit

from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, JsonWebToken
import requests

WAIT_SECONDS = 60


def sign_in(browser, issuer, address, code_file):
    """The address to which the provider sends the browser back."""
    answer = browser.get(address, allow_redirects=False)
    if answer.status_code != 303:
        raise ValueError(f"authorization answered {answer.status_code}")
    page = issuer + answer.headers["Location"]
    session = page.rsplit("/", 1)[1]
    act(browser, issuer, page, "code")
    status = browser.get(f"{issuer}/sign-in-status/{session}").json()
    picture = browser.get(f"{issuer}/sign-in-code/{session}", params={"round": status.get("round", 1)})
    picture.raise_for_status()
    with open(code_file, "wb") as file:
        file.write(picture.content)
    print(json.dumps({"waiting": "phone"}), flush=True)
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        state = browser.get(f"{issuer}/sign-in-status/{session}", params={"known": "waiting", "wait": 5}).json()
        if state.get("state") == "confirmed":
            return act(browser, issuer, page, "finish").headers["Location"]
        time.sleep(0.2)
    raise ValueError("no phone has confirmed")


def act(browser, issuer, page, action):
    """Sends the form of the page."""
    html = browser.get(page).text
    token = re.search(r'name="form_token"\s+value="([^"]+)"', html)
    if token is None:
        raise ValueError("the page has no form")
    fields = {"action": action, "form_token": token.group(1)}
    answer = browser.post(page, data=fields, headers={"Origin": issuer}, allow_redirects=False)
    if answer.status_code != 303:
        raise ValueError(f"{action} answered {answer.status_code}")
    return answer


def require(condition, what):
    if not condition:
        raise ValueError(what)


def main():
    issuer, authorities, code_file = sys.argv[1:4]
    settings = json.load(sys.stdin)
    metadata = requests.get(f"{issuer}/.well-known/openid-configuration", verify=authorities).json()
    require(metadata["issuer"] == issuer, "another issuer")
    client = OAuth2Session(
        settings["client"], settings["secret"], scope="openid profile offline_access",
        redirect_uri=settings["redirect"], code_challenge_method="S256",
        token_endpoint_auth_method="client_secret_basic")
    client.verify = authorities
    verifier, nonce = generate_token(48), generate_token(32)
    address, state = client.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce)

    browser = requests.Session()
    browser.verify = authorities
    back = sign_in(browser, issuer, address, code_file)
    require(back.startswith(settings["redirect"] + "?"), "sent back to another address")
    require(parse_qs(urlsplit(back).query)["iss"] == [issuer], "mixed up")
    tokens = client.fetch_token(
        metadata["token_endpoint"], authorization_response=back, state=state, code_verifier=verifier)

    keys = JsonWebKey.import_key_set(requests.get(metadata["jwks_uri"], verify=authorities).json())
    claims = JsonWebToken(["ES256", "RS256"]).decode(tokens["id_token"], keys)
    claims.validate()
    require(claims["iss"] == issuer and claims["aud"] == settings["client"], "another issuer or audience")
    require(claims["nonce"] == nonce, "another nonce")
    user = client.get(metadata["userinfo_endpoint"]).json()
    require(user["sub"] == claims["sub"], "another user")

    old = tokens["refresh_token"]
    fresh = client.refresh_token(metadata["token_endpoint"], refresh_token=old)
    require(fresh["refresh_token"] != old, "the refresh token was not rotated")
    try:
        client.refresh_token(metadata["token_endpoint"], refresh_token=old)
    except OAuthError as error:
        require(error.error == "invalid_grant", f"a replay answered {error.error}")
    else:
        raise ValueError("a refresh token was taken twice")
    print(json.dumps({"claims": dict(claims), "user": user, "refreshed": True, "replayRefused": True}))


if __name__ == "__main__":
    try:
        main()
    except Exception as error:
        sys.exit(f"refused: {error!r}")
