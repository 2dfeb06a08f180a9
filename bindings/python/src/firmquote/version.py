"""The version of this package, the version of the API that it follows, and whether a service is compatible."""

from __future__ import annotations

import re
from dataclasses import dataclass

__version__ = "0.1.0"
"""The version of this package."""

API_VERSION = "0.1.0"
"""The version of the service, `info.version` of its OpenAPI document, whose API this package follows."""

_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)([-+][0-9A-Za-z.+-]*)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Compatibility:
    """How the version of a service relates to the one that this package follows."""

    server_version: str
    """The version of the service, as it says."""
    api_version: str
    """The version that this package follows."""
    is_compatible: bool
    """Whether this package is made for that service."""

    def __str__(self) -> str:
        verdict = "compatible" if self.is_compatible else "not compatible"
        return f"the service is {self.server_version}, this client follows {self.api_version}: {verdict}"


def compare_versions(server_version: str, api_version: str = API_VERSION) -> Compatibility:
    """Compares versions: the same major version is compatible; of 0.x the same minor version, or one later.

    A version that cannot be read is not compatible.
    """
    server, followed = _parse(server_version), _parse(api_version)
    if server is None or followed is None or server[0] != followed[0]:
        is_compatible = False
    elif followed[0] == 0:
        is_compatible = server[1] - followed[1] in (0, 1)
    else:
        is_compatible = True
    return Compatibility(server_version, api_version, is_compatible)


def _parse(text: str) -> tuple[int, int] | None:
    found = _VERSION.fullmatch(text)
    return (int(found[1]), int(found[2])) if found else None
