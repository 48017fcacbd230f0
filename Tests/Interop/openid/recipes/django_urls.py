"""Paths of the Django site around a recipe."""

from django.conf import settings
from django.urls import include, path

from recipes.django_site import who

urlpatterns = [path("", who), *(path(prefix, include(module)) for prefix, module in settings.SIGN_IN_PATHS.items())]
