"""A small Django site around a recipe: its settings as `startproject` makes them, and a page that says who is signed in."""

import os
import pathlib
import secrets

from django.http import JsonResponse
from django.middleware.csrf import get_token

SECRET_KEY = secrets.token_urlsafe(32)
ALLOWED_HOSTS = ["localhost"]
ROOT_URLCONF = "recipes.django_urls"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": pathlib.Path(os.getcwd()) / "site.sqlite3"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = [
    "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages"]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware", "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware", "django.contrib.messages.middleware.MessageMiddleware"]
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
    "OPTIONS": {"context_processors": [
        "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
        "django.contrib.messages.context_processors.messages"]}}]
LOGIN_REDIRECT_URL = "/"


def who(request):
    """Account and e-mail address of the person who is signed in, or nothing; the token of forms comes as a cookie."""
    get_token(request)
    user = request.user
    return JsonResponse({"account": user.username, "email": user.email} if user.is_authenticated else {})
