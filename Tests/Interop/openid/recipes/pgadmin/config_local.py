"""pgAdmin 4: what goes into config_local.py. The e-mail address is the name of the user."""

import os

ISSUER = os.environ["ISSUER"]

AUTHENTICATION_SOURCES = ["oauth2", "internal"]
OAUTH2_AUTO_CREATE_USER = True
OAUTH2_CONFIG = [{
    "OAUTH2_NAME": "signet",
    "OAUTH2_DISPLAY_NAME": "Signet",
    "OAUTH2_CLIENT_ID": os.environ["CLIENT_ID"],
    "OAUTH2_CLIENT_SECRET": os.environ["CLIENT_SECRET"],
    "OAUTH2_SERVER_METADATA_URL": f"{ISSUER}/.well-known/openid-configuration",
    "OAUTH2_AUTHORIZATION_URL": f"{ISSUER}/oauth2/authorize",
    "OAUTH2_TOKEN_URL": f"{ISSUER}/oauth2/token",
    "OAUTH2_API_BASE_URL": f"{ISSUER}/oauth2/",
    "OAUTH2_USERINFO_ENDPOINT": "userinfo",
    "OAUTH2_SCOPE": "openid email profile",
    "OAUTH2_USERNAME_CLAIM": "email",
}]

if os.environ["PKCE"] == "on":
    OAUTH2_CONFIG[0].update(OAUTH2_CHALLENGE_METHOD="S256", OAUTH2_RESPONSE_TYPE="code")
