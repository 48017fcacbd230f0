"""The recipes: for each client what the table says of it, and what its pages are like."""

import re

from application import JupyterHub, PgAdmin, Synapse
from expectation import require
from recipe import ACCOUNT, REFUSED, SIGNED_IN, Recipe
from stage import USER


class DjangoRecipe(Recipe):
    """A library for Django, which has to find the account that has the e-mail address already."""

    kind = "library for Django"

    def known(self, person):
        super().known(person)
        require(person["account"] == ACCOUNT, f"signed in to the account {person['account']}")


class MozillaDjangoOIDC(DjangoRecipe):
    """mozilla-django-oidc."""

    name = package = "mozilla-django-oidc"
    settings = "mozilla_django_oidc.py"
    begin, callback = "/oidc/authenticate/", "/oidc/callback/"
    key = "the e-mail address from userinfo, which finds its account"


class SocialAuth(DjangoRecipe):
    """social-auth-core with social-auth-app-django."""

    name = package = "social-auth-core"
    settings = "social_auth.py"
    begin, callback = "/login/oidc/", "/complete/oidc/"
    key = "the e-mail address from userinfo, which finds its account"

    def request(self, browser):
        self.visit(browser, self.origin + "/")
        _, address = self.visit(browser, self.origin + self.begin, {"csrfmiddlewaretoken": browser.cookies["csrftoken"]})
        return address


class Allauth(DjangoRecipe):
    """django-allauth, which knows no nonce, and whose page to begin with is a form."""

    name = package = "django-allauth"
    settings = "django_allauth.py"
    begin, callback = "/accounts/oidc/signet/login/", "/accounts/oidc/signet/login/callback/"
    key = "the verified e-mail address, which finds its account"
    pkce = {"off": REFUSED, "on": SIGNED_IN}

    def checks(self):
        yield from super().checks()
        yield "an address that is not verified finds no account", self.unverified

    def unverified(self):
        self.start("on", "unverified")
        self.stage.administer("users set", ["--no-email-verified", "-m", "a test"], USER)
        try:
            _, person = self.enter("on")
            require(person.get("account") != ACCOUNT, "signed in to the account of an address that is not verified")
        finally:
            self.stage.administer("users set", ["--email-verified", "-m", "a test"], USER)

    def request(self, browser):
        answer, address = self.visit(browser, self.origin + self.begin)
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', answer.text)
        require(token, f"the page to begin with has no form: {self.running.log()}")
        _, address = self.visit(browser, address, {"csrfmiddlewaretoken": token.group(1)})
        return address


class FlaskAuthlib(Recipe):
    """authlib's client for Flask."""

    name, title, package = "flask-authlib", "authlib", "Authlib"
    settings = "flask_authlib.py"
    kind = "library for Flask"
    key = "the e-mail address in the ID token"


class FlaskPyoidc(Recipe):
    """Flask-pyoidc, which has no setting for PKCE."""

    name = "flask-pyoidc"
    package = "Flask-pyoidc"
    settings = "flask_pyoidc.py"
    kind = "library for Flask"
    pkce = {"off": SIGNED_IN}


class RequestsOAuthlib(Recipe):
    """requests-oauthlib, which knows no nonce: without PKCE nothing binds its code to the browser."""

    name = package = "requests-oauthlib"
    settings = "requests_oauthlib.py"
    pkce = {"off": REFUSED, "on": SIGNED_IN}


class FastAPISSO(Recipe):
    """fastapi-sso, which knows no nonce either."""

    name = package = "fastapi-sso"
    settings = "fastapi_sso.py"
    kind = "library for FastAPI"
    pkce = {"off": REFUSED, "on": SIGNED_IN}


class JupyterHubRecipe(Recipe):
    """JupyterHub with oauthenticator, which uses PKCE and knows no nonce."""

    name, package = "jupyterhub", "oauthenticator"
    settings = "jupyterhub_config.py"
    kind = "application (JupyterHub)"
    application = JupyterHub
    begin, callback = "/hub/oauth_login", "/hub/oauth_callback"
    pkce = {"on": SIGNED_IN, "off": REFUSED}

    def who(self, browser, last):
        answer, _ = self.visit(browser, self.origin + "/hub/home")
        name = re.search(r'user: "([^"]*)"', answer.text)
        return {"email": name.group(1)} if name and name.group(1) else {}


class PgAdminRecipe(Recipe):
    """pgAdmin 4, whose button to begin with is a form."""

    name, title, package, packages = "pgadmin", "pgAdmin 4", "pgadmin4", "pgadmin"
    settings = "pgadmin/config_local.py"
    kind = "application"
    application = PgAdmin
    begin, callback = "/login", "/oauth2/authorize"
    key = "the e-mail address in the ID token"

    def request(self, browser):
        answer, _ = self.visit(browser, self.origin + self.begin)
        token = re.search(r'"csrfToken": "([^"]+)"', answer.text.replace("&#34;", '"'))
        require(token, f"the page to begin with has no form: {answer.text[:2000]}")
        _, address = self.visit(browser, self.origin + "/authenticate/login", {
            "csrf_token": token.group(1), "oauth2_button": "signet"})
        return address

    def who(self, browser, last):
        answer, _ = self.visit(browser, self.origin + "/user_management/current_user.js")
        email = re.search(r"'email': '([^']+)'", answer.text)
        return {"email": email.group(1)} if email else {}


class SynapseRecipe(Recipe):
    """Matrix Synapse: its last page has a link that gives an app the token with which it signs in."""

    name, title, package, packages = "synapse", "Matrix Synapse", "matrix-synapse", "synapse"
    settings = "synapse.yaml"
    kind = "application"
    application = Synapse
    begin = "/_matrix/client/v3/login/sso/redirect/oidc-signet?redirectUrl=https://app.example/"
    callback = "/_synapse/client/oidc/callback"
    key = "its name and e-mail address from userinfo"
    pkce = {"on": SIGNED_IN, "off": SIGNED_IN}

    def who(self, browser, last):
        link = re.search(r'href="https://app\.example/\?loginToken=([^"&]+)"', last.text)
        if not link:
            return {}
        client = f"{self.origin}/_matrix/client/v3"
        login = browser.post(f"{client}/login", json={"type": "m.login.token", "token": link.group(1)}, timeout=30).json()
        require(login.get("user_id") == f"@{USER}:localhost", f"signed in as {login}")
        addresses = browser.get(
            f"{client}/account/3pid", headers={"Authorization": f"Bearer {login['access_token']}"}, timeout=30).json()
        return {"email": addresses["threepids"][0]["address"]} if addresses["threepids"] else {}


RECIPES = [
    MozillaDjangoOIDC, SocialAuth, Allauth, FlaskAuthlib, FlaskPyoidc, RequestsOAuthlib, FastAPISSO, JupyterHubRecipe,
    PgAdminRecipe, SynapseRecipe,
]
