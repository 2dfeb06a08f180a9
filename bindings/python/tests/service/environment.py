"""Where the service under test is. Tests of this folder fail with a clear message if nobody says so."""

from __future__ import annotations

import os

from firmquote import ClientSettings


class NotConfigured(RuntimeError):
    """A variable of the environment is not set."""


def variable(name: str, meaning: str) -> str:
    """The value of a variable."""
    value = os.environ.get(name, "")
    if not value:
        raise NotConfigured(f"set {name}: {meaning}")
    return value


def url() -> str:
    """The base URL of the service."""
    return variable("FIRMQUOTE_URL", "the base URL of a running service, such as http://127.0.0.1:8080")


def key_settings() -> ClientSettings:
    """Settings with the API key: version 2."""
    return ClientSettings(url(), api_key=variable("FIRMQUOTE_API_KEY", "an API key of the service"))


def basic_settings() -> ClientSettings:
    """Settings with Basic credentials: version 1."""
    user, _, password = variable("FIRMQUOTE_BASIC", "user:password of Basic, as the demo prints it").partition(":")
    return ClientSettings(url(), basic=(user, password))
