"""Flask-pyoidc: sign-in at a Flask site."""

import os
import secrets

import flask
from flask import Flask, jsonify
from flask_pyoidc import OIDCAuthentication
from flask_pyoidc.provider_configuration import ClientMetadata, ProviderConfiguration
from flask_pyoidc.user_session import UninitialisedSession, UserSession

app = Flask(__name__)
app.config.update(SECRET_KEY=secrets.token_hex(32), OIDC_REDIRECT_URI=os.environ["ORIGIN"] + "/callback")

auth = OIDCAuthentication({"signet": ProviderConfiguration(
    issuer=os.environ["ISSUER"],
    client_metadata=ClientMetadata(os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"]),
    auth_request_params={"scope": ["openid", "profile", "email"]})}, app)


@app.get("/login")
@auth.oidc_auth("signet")
def login():
    return flask.redirect("/")


@app.get("/")
def who():
    try:
        return jsonify(UserSession(flask.session).userinfo)
    except UninitialisedSession:
        return jsonify({})
