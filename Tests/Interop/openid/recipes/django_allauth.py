"""django-allauth: what goes into the settings of a Django site that finds the account by the verified e-mail address."""

import os

from recipes.django_site import *

INSTALLED_APPS += ["allauth", "allauth.account", "allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]
MIDDLEWARE += ["allauth.account.middleware.AccountMiddleware"]
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend", "allauth.account.auth_backends.AuthenticationBackend"]
SIGN_IN_PATHS = {"accounts/": "allauth.urls"}  # path("accounts/", include("allauth.urls"))

SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "APPS": [{
            "provider_id": "signet",
            "name": "Signet",
            "client_id": os.environ["CLIENT_ID"],
            "secret": os.environ["CLIENT_SECRET"],
            "settings": {"server_url": os.environ["ISSUER"]},
        }],
        "OAUTH_PKCE_ENABLED": os.environ["PKCE"] == "on",
        "EMAIL_AUTHENTICATION": True,
    },
}
