"""JupyterHub with oauthenticator: what goes into jupyterhub_config.py. The e-mail address is the name of the user."""

import os

ISSUER = os.environ["ISSUER"]

c = get_config()
c.JupyterHub.authenticator_class = "generic-oauth"
c.GenericOAuthenticator.client_id = os.environ["CLIENT_ID"]
c.GenericOAuthenticator.client_secret = os.environ["CLIENT_SECRET"]
c.GenericOAuthenticator.oauth_callback_url = os.environ["ORIGIN"] + "/hub/oauth_callback"
c.GenericOAuthenticator.authorize_url = f"{ISSUER}/oauth2/authorize"
c.GenericOAuthenticator.token_url = f"{ISSUER}/oauth2/token"
c.GenericOAuthenticator.userdata_url = f"{ISSUER}/oauth2/userinfo"
c.GenericOAuthenticator.scope = ["openid", "email", "profile"]
c.GenericOAuthenticator.username_claim = "email"
c.GenericOAuthenticator.allow_all = True

if os.environ["PKCE"] == "off":
    c.GenericOAuthenticator.enable_pkce = False
