"""The settings of a client: service, credential, limits and retries. Nothing is sent when they are made."""

from __future__ import annotations

import base64
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from firmquote.client.meta import ResponseMeta, is_request_id
from firmquote.errors import InvalidSettings

DEFAULT_TIMEOUT = 10.0
"""Seconds from the start of a request to the last byte of its response."""

DEFAULT_CONNECT_TIMEOUT = 2.0
"""Seconds for a connection with its TLS handshake."""

DEFAULT_MAX_RESPONSE_BYTES = 1 << 20
"""The largest response that is read."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and when a request that is safe to repeat is sent again.

    The pause before attempt n + 1 is between half and all of `first_pause * 2^(n - 1)`, at most `max_pause`, and never
    shorter than `Retry-After`. Where `Retry-After` is longer than `max_retry_after` the error is raised at once.
    """

    attempts: int = 4
    """How often a request is sent at most; 1 turns retries off."""
    first_pause: float = 0.2
    """Seconds."""
    max_pause: float = 5.0
    """Seconds."""
    max_retry_after: float = 10.0
    """Seconds."""

    def __post_init__(self) -> None:
        if self.attempts < 1 or self.first_pause < 0 or self.max_pause < 0 or self.max_retry_after < 0:
            raise InvalidSettings("a retry policy has at least one attempt and no negative times")


NO_RETRIES = RetryPolicy(attempts=1)
"""Every request is sent once."""


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """The settings of a client. Every field but `base_url` has a default.

    The credential decides the version of the API: version 2 with an API key, version 1 with Basic or without.

    Raises:
        InvalidSettings: a URL, a credential or a limit that no client can be made of.
    """

    base_url: str
    """`https://` or `http://`, a host, and optionally a port and a path. Over `http` the credential can be read in
    transit: only for the same machine and for private networks."""
    api_key: str | None = field(default=None, repr=False)
    """An API key: every operation of version 2."""
    basic: tuple[str, str] | None = field(default=None, repr=False)
    """User name and password of HTTP Basic, which the service deprecates: version 1."""
    base_url_v2: str | None = None
    """The base URL of version 2, if the operator serves it elsewhere."""
    api_version: int | None = None
    """1 or 2, if it is not to follow from the credential. Version 1 takes an API key too, except for pool data."""
    timeout: float = DEFAULT_TIMEOUT
    """Seconds from the start of a request to the last byte of its response, for each attempt."""
    connect_timeout: float = DEFAULT_CONNECT_TIMEOUT
    """Seconds for a connection with its TLS handshake."""
    max_response_bytes: int = DEFAULT_MAX_RESPONSE_BYTES
    """The largest response that is read."""
    retries: RetryPolicy = field(default_factory=RetryPolicy)
    """When requests that are safe to repeat are sent again; `NO_RETRIES` turns it off."""
    request_id: str | None = None
    """The id to send with each request, for the service's log, instead of a new one each time."""
    ssl_context: ssl.SSLContext | None = None
    """Whom to trust, instead of the authorities that httpx trusts."""
    on_response: Callable[[ResponseMeta], None] | None = None
    """Called after each response, also of a refusal and of an attempt that is retried."""

    def __post_init__(self) -> None:
        for url in (self.base_url, self.base_url_v2):
            if url is not None and not _is_base_url(url):
                raise InvalidSettings(
                    "a base URL is http:// or https:// with a host and an optional port and path, without user, "
                    "query and fragment"
                )
        if self.api_key is not None and self.basic is not None:
            raise InvalidSettings("api_key and basic exclude each other")
        if self.api_version not in (None, 1, 2) or (self.version == 2 and self.api_key is None):
            raise InvalidSettings("api_version is 1, or 2 with an API key")
        if self.api_key is not None and not _is_header_text(self.api_key):
            raise InvalidSettings("the API key has characters that no header can carry, or none at all")
        if self.basic and (":" in self.basic[0] or not all(part.isprintable() for part in self.basic)):
            raise InvalidSettings("a user name has no colon, and neither it nor a password has control characters")
        if min(self.timeout, self.connect_timeout) <= 0 or self.max_response_bytes < 1:
            raise InvalidSettings("timeouts and max_response_bytes are above zero")
        if self.request_id is not None and not is_request_id(self.request_id):
            raise InvalidSettings("a request id is 1 to 64 characters of A-Z a-z 0-9 . _ -")

    @property
    def version(self) -> int:
        """The version of the API that operations with both versions use."""
        return self.api_version or (1 if self.api_key is None else 2)

    def base(self, version: int) -> str:
        """The base URL of a version, without a slash at its end."""
        url = self.base_url_v2 if version == 2 and self.base_url_v2 else self.base_url
        return url.rstrip("/")

    def credential_header(self) -> tuple[str, str] | None:
        """The header field that carries the credential."""
        if self.api_key is not None:
            return ("x-api-key", self.api_key)
        if self.basic is not None:
            return ("authorization", f"Basic {self._encoded_basic()}")
        return None

    def secrets(self) -> tuple[str, ...]:
        """The texts that no response may contain."""
        if self.api_key is not None:
            return (self.api_key,)
        return (self.basic[1], self._encoded_basic()) if self.basic else ()

    def _encoded_basic(self) -> str:
        user, password = self.basic or ("", "")
        return base64.b64encode(f"{user}:{password}".encode()).decode()


def _is_base_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return False
    is_plain = not any(mark in text for mark in "@?#") and text.isascii() and text.isprintable() and " " not in text
    return is_plain and parts.scheme in ("http", "https") and bool(parts.hostname) and port != 0


def _is_header_text(text: str) -> bool:
    return bool(text) and text.isascii() and text.isprintable() and text == text.strip()
