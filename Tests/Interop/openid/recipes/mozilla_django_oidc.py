"""mozilla-django-oidc: what goes into the settings of a Django site. It finds the account by the e-mail address."""

import os

from recipes.django_site import *

ISSUER = os.environ["ISSUER"]

INSTALLED_APPS += ["mozilla_django_oidc"]
AUTHENTICATION_BACKENDS = ["mozilla_django_oidc.auth.OIDCAuthenticationBackend"]
SIGN_IN_PATHS = {"oidc/": "mozilla_django_oidc.urls"}  # path("oidc/", include("mozilla_django_oidc.urls"))

OIDC_RP_CLIENT_ID = os.environ["CLIENT_ID"]
OIDC_RP_CLIENT_SECRET = os.environ["CLIENT_SECRET"]
OIDC_RP_SIGN_ALGO = "RS256"
OIDC_OP_JWKS_ENDPOINT = f"{ISSUER}/oauth2/jwks"
OIDC_OP_AUTHORIZATION_ENDPOINT = f"{ISSUER}/oauth2/authorize"
OIDC_OP_TOKEN_ENDPOINT = f"{ISSUER}/oauth2/token"
OIDC_OP_USER_ENDPOINT = f"{ISSUER}/oauth2/userinfo"

if os.environ["PKCE"] == "on":
    OIDC_USE_PKCE = True
