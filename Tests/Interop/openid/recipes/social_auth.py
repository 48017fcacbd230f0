"""social-auth-app-django: what goes into the settings of a Django site that finds the account by the e-mail address."""

import os

from recipes.django_site import *

INSTALLED_APPS += ["social_django"]
AUTHENTICATION_BACKENDS = ["social_core.backends.open_id_connect.OpenIdConnectAuth"]
SIGN_IN_PATHS = {"": "social_django.urls"}  # path("", include("social_django.urls", namespace="social"))

SOCIAL_AUTH_OIDC_OIDC_ENDPOINT = os.environ["ISSUER"]
SOCIAL_AUTH_OIDC_KEY = os.environ["CLIENT_ID"]
SOCIAL_AUTH_OIDC_SECRET = os.environ["CLIENT_SECRET"]
SOCIAL_AUTH_PIPELINE = [
    "social_core.pipeline.social_auth.social_details",
    "social_core.pipeline.social_auth.social_uid",
    "social_core.pipeline.social_auth.auth_allowed",
    "social_core.pipeline.social_auth.social_user",
    "social_core.pipeline.user.get_username",
    "social_core.pipeline.social_auth.associate_by_email",
    "social_core.pipeline.user.create_user",
    "social_core.pipeline.social_auth.associate_user",
    "social_core.pipeline.social_auth.load_extra_data",
    "social_core.pipeline.user.user_details",
]

if os.environ["PKCE"] == "on":
    SOCIAL_AUTH_OIDC_USE_PKCE = True
