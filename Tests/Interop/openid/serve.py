"""Serves the site of a recipe over TLS: serve.py MODULE

The environment says the rest: PORT, CERTIFICATE and KEY, and for the recipe ISSUER, CLIENT_ID, CLIENT_SECRET, ORIGIN and PKCE.
A recipe without a site of its own is the settings of a Django site, in which ACCOUNT with the address EMAIL exists already.
"""

import importlib
import os
import sys


def django_site(module):
    """A Django site with the settings of a recipe, a new database and one account."""
    os.environ["DJANGO_SETTINGS_MODULE"] = module
    from django.core.management import call_command
    from django.core.wsgi import get_wsgi_application
    site = get_wsgi_application()
    call_command("migrate", verbosity=0)
    from django.contrib.auth import get_user_model
    get_user_model().objects.create_user(os.environ["ACCOUNT"], os.environ["EMAIL"])
    return site


def main():
    """Serves until it is ended."""
    port, certificate, key = int(os.environ["PORT"]), os.environ["CERTIFICATE"], os.environ["KEY"]
    site = getattr(importlib.import_module(sys.argv[1]), "app", None) or django_site(sys.argv[1])
    if type(site).__name__ == "FastAPI":
        import uvicorn
        uvicorn.run(site, host="127.0.0.1", port=port, ssl_certfile=certificate, ssl_keyfile=key, log_level="warning")
    else:
        from werkzeug.serving import run_simple
        run_simple("127.0.0.1", port, site, threaded=True, ssl_context=(certificate, key))


main()
