"""fastapi-sso: sign-in at a FastAPI site. The library knows OAuth 2.0 and no ID tokens, so userinfo says who it is."""

import os
import secrets

from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse
from fastapi_sso.sso.base import OpenID
from fastapi_sso.sso.generic import create_provider
from starlette.middleware.sessions import SessionMiddleware

ISSUER = os.environ["ISSUER"]
app = FastAPI()
app.add_middleware(SessionMiddleware, secret_key=secrets.token_hex(32), https_only=True)

Signet = create_provider(
    name="signet", default_scope=["openid", "email", "profile"],
    discovery_document={
        "authorization_endpoint": f"{ISSUER}/oauth2/authorize", "token_endpoint": f"{ISSUER}/oauth2/token",
        "userinfo_endpoint": f"{ISSUER}/oauth2/userinfo"},
    response_convertor=lambda user, _: OpenID(id=user["sub"], email=user.get("email"), display_name=user.get("name")))
Signet.uses_pkce = os.environ["PKCE"] == "on"
sso = Signet(os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"], os.environ["ORIGIN"] + "/callback")


@app.get("/login")
async def login():
    async with sso:
        return await sso.get_login_redirect()


@app.get("/callback")
async def callback(request: Request):
    async with sso:
        user = await sso.verify_and_process(request)
    request.session["user"] = user.model_dump()
    return RedirectResponse("/")


@app.get("/")
async def who(request: Request):
    return request.session.get("user", {})
