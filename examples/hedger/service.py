"""The operator's interface of the service: the stream of positions, and the reports of hedges."""

from __future__ import annotations

import itertools
import json
import sys
import time
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

# Longer than the silence between two comments of the stream.
TIMEOUT_SECONDS = 15
RETRY_SECONDS = 1.0
# What a replica that fails, or is killed, may cause.
FAILURES = (OSError, HTTPException, ValueError)


class Service:
    """The replicas of a service, which all tell the same."""

    def __init__(self, admin: list[str], token: str) -> None:
        self._replicas = [url.rstrip("/") for url in admin]
        self._headers = {"authorization": f"Bearer {token}"}

    def positions(self, chain_id: int, pool: str) -> Iterator[dict[str, Any]]:
        """Yields each position of a pool, from the newest one on; follows another replica when one fails."""
        query = urlencode({"kinds": "position", "pool_address": pool})
        for replica in itertools.cycle(self._replicas):
            try:
                request = Request(f"{replica}/events?{query}", headers=self._headers)
                with urlopen(request, timeout=TIMEOUT_SECONDS) as stream:
                    has_position = False
                    for line in stream:
                        if line.startswith(b":") and not has_position:
                            has_position = True
                            print(
                                f"{replica}: no position of pool {chain_id}:{pool}, is it read from a chain?",
                                file=sys.stderr,
                            )
                        position = json.loads(line[5:]) if line.startswith(b"data:") else {}
                        # Another chain may have a pool of the same address.
                        if position.get("chain_id") == chain_id:
                            has_position = True
                            yield position
            except FAILURES as error:
                refuse_credentials(error)
                print(f"{replica}: {described(error)}", file=sys.stderr)
            time.sleep(RETRY_SECONDS)

    def report(self, hedge: dict[str, Any]) -> bool:
        """Reports a hedge to the first replica that records it. Returns whether one did."""
        headers = {**self._headers, "content-type": "application/json"}
        for replica in self._replicas:
            request = Request(f"{replica}/hedges", json.dumps(hedge).encode(), headers, method="PUT")
            try:
                with urlopen(request, timeout=TIMEOUT_SECONDS):
                    return True
            except FAILURES as error:
                refuse_credentials(error)
                print(f"{replica} does not record {hedge}: {described(error)}", file=sys.stderr)
        return False

    def check_hedger(self) -> None:
        """Ends the hedger if its token may not report hedges: an empty report is refused for that before anything else."""
        for replica in self._replicas:
            headers = {**self._headers, "content-type": "application/json"}
            try:
                with urlopen(Request(f"{replica}/hedges", b"{}", headers, method="PUT"), timeout=TIMEOUT_SECONDS):
                    return
            except FAILURES as error:
                refuse_credentials(error)


def described(error: Exception) -> str:
    """Returns what an error says, with the answer of the service if it is one."""
    return f"{error}: {error.read().decode()}" if isinstance(error, HTTPError) else str(error)


def refuse_credentials(error: Exception) -> None:
    """Ends the hedger if its token is refused: trying again would not help."""
    if isinstance(error, HTTPError) and error.code in (401, 403):
        raise SystemExit(f"the service refuses the token: {error.read().decode()}") from error
