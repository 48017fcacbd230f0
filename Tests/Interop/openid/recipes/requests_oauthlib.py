"""requests-oauthlib: sign-in at a Flask site. The library knows OAuth 2.0 and no ID tokens, so userinfo says who it is."""

import os
import secrets

from flask import Flask, jsonify, redirect, request, session
from requests_oauthlib import OAuth2Session

ISSUER, CLIENT, CALLBACK = os.environ["ISSUER"], os.environ["CLIENT_ID"], os.environ["ORIGIN"] + "/callback"
app = Flask(__name__)
app.secret_key = secrets.token_bytes(32)
BEGUN = {}  # sessions of OAuth by their state; a site of several processes keeps state and verifier in its database

OPTIONS = {"pkce": "S256"} if os.environ["PKCE"] == "on" else {}


@app.get("/login")
def login():
    oauth = OAuth2Session(CLIENT, scope=["openid", "email", "profile"], redirect_uri=CALLBACK, **OPTIONS)
    address, session["state"] = oauth.authorization_url(f"{ISSUER}/oauth2/authorize")
    BEGUN[session["state"]] = oauth
    return redirect(address)


@app.get("/callback")
def callback():
    oauth = BEGUN.pop(session.pop("state", None), None)
    if not oauth:
        return "This sign-in was not begun here.", 400
    oauth.fetch_token(
        f"{ISSUER}/oauth2/token", client_secret=os.environ["CLIENT_SECRET"], authorization_response=request.url)
    session["user"] = oauth.get(f"{ISSUER}/oauth2/userinfo").json()
    return redirect("/")


@app.get("/")
def who():
    return jsonify(session.get("user", {}))
