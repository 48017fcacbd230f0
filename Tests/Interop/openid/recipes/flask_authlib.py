"""authlib: sign-in at a Flask site."""

import os
import secrets

from authlib.integrations.flask_client import OAuth
from flask import Flask, jsonify, redirect, session, url_for

app = Flask(__name__)
app.secret_key = secrets.token_bytes(32)

client_kwargs = {"scope": "openid email profile"}
if os.environ["PKCE"] == "on":
    client_kwargs["code_challenge_method"] = "S256"
oauth = OAuth(app)
oauth.register(
    "signet", client_id=os.environ["CLIENT_ID"], client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=os.environ["ISSUER"] + "/.well-known/openid-configuration", client_kwargs=client_kwargs)


@app.get("/login")
def login():
    return oauth.signet.authorize_redirect(url_for("callback", _external=True))


@app.get("/callback")
def callback():
    session["user"] = oauth.signet.authorize_access_token()["userinfo"]
    return redirect("/")


@app.get("/")
def who():
    return jsonify(session.get("user", {}))
