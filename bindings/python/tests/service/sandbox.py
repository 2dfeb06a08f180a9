"""Passes the checklist of a sandbox (docs/sandbox.md of the service) with this client.

    FIRMQUOTE_URL=... FIRMQUOTE_API_KEY=... python tests/service/sandbox.py

Each fault is forced by a schedule, and the reaction of the error says what to do. Prints the points, and ends with
status 1 unless all of them are passed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))

from firmquote import (
    NO_RETRIES,
    Client,
    Disconnected,
    FirmquoteError,
    Levels,
    LevelsRequest,
    PoolRequest,
    Quote,
    QuoteRequest,
    Reaction,
    Requote,
    Retry,
    SignedSwap,
    SwapTerms,
)
from firmquote.verify import VerificationFailed, check_swap
from service.environment import key_settings, variable

CHAIN_ID = 31337
REQUEST = QuoteRequest(CHAIN_ID, "ETH", "USDC", input_amount=10**17)
TERMS = SwapTerms("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", transmit=True, calldata=True)


class Taker:
    """A taker of a sandbox."""

    def __init__(self, client: Client) -> None:
        """Uses a client that repeats nothing by itself."""
        self.client = client
        headers = {"x-api-key": variable("FIRMQUOTE_API_KEY", "an API key of the sandbox")}
        self.sandbox = httpx.Client(base_url=client.settings.base_url, headers=headers)

    def swap(self) -> None:
        """Quotes, signs, sends, and follows the status until the swap is settled."""
        quote = self.client.quote(REQUEST)
        self.send(self.verified(quote))
        while (state := self.client.quote_status(quote.id).state) != "settled":
            if state == "lapsed":
                raise AssertionError("the swap has lapsed")
            time.sleep(0.1)

    def conflict(self) -> None:
        """Signs the fresh quote of a conflict."""
        quote = self.client.quote(REQUEST)
        error = self.refusal("conflict", lambda: self.client.sign_quote(quote, TERMS), Requote)
        fresh = getattr(error, "fresh_quote", None)
        assert isinstance(fresh, Quote)
        self.verified(fresh)

    def expired(self) -> None:
        """Requests another quote for one that has expired."""
        quote = self.client.quote(REQUEST)
        self.refusal("expired", lambda: self.client.sign_quote(quote, TERMS), Requote)
        self.verified(self.client.quote(REQUEST))

    def lost_answer(self) -> None:
        """Repeats a signature request whose response was lost."""
        quote = self.client.quote(REQUEST)
        self.refusal("lost-answer", lambda: self.client.sign_quote(quote, TERMS), Retry)
        self.verified(quote)

    def cut(self) -> None:
        """Repeats a request whose connection was cut."""
        self.refusal("cut", lambda: self.client.quote(REQUEST), Retry)
        self.client.quote(REQUEST)

    def rate_limit(self) -> None:
        """Waits as long as the service asks for."""
        error = self.refusal("rate-limited=1", lambda: self.client.quote(REQUEST), Retry)
        assert isinstance(error.reaction, Retry)
        assert error.reaction.after is not None
        time.sleep(error.reaction.after)
        self.client.quote(REQUEST)

    def forged(self) -> None:
        """Sends no signature by another key."""
        quote = self.client.quote(REQUEST)
        self.schedule("forged")
        swap = self.client.sign_quote(quote, TERMS)
        self.schedule()
        try:
            self.verify(swap, quote)
        except VerificationFailed:
            pass
        else:
            raise AssertionError("the forged signature was not noticed")
        self.send(self.verified(self.client.quote(REQUEST)))

    def gap(self) -> None:
        """Leaves a stream in which a message is missing."""
        self.schedule("gap")
        with self.levels() as levels:
            for change in levels:
                if isinstance(change, Disconnected):
                    break
        self.schedule()

    def withdrawal(self) -> None:
        """Names no levels that were withdrawn."""
        self.schedule("withdraw")
        was_live = is_withdrawn = False
        with self.levels() as levels:
            for _ in levels:
                live = list(levels.books())
                if live and is_withdrawn:
                    break
                was_live = was_live or bool(live)
                is_withdrawn = was_live and not live
        self.schedule()
        # Whether these levels are kept does not matter: they are not the withdrawn ones.
        with contextlib.suppress(FirmquoteError):
            self.client.quote(dataclasses.replace(REQUEST, levels_id=live[0].levels_id))

    def report(self) -> int:
        """Prints the checklist; the status of the program."""
        points = self.json("GET", "/sandbox/session")["checklist"]
        for point in points:
            print(f"{point['state']:7} {point['point']}")
        return 0 if all(point["state"] == "passed" for point in points) else 1

    def levels(self) -> Levels:
        """The levels of the pair."""
        return self.client.follow_levels(LevelsRequest(CHAIN_ID, [("ETH", "USDC")]))

    def refusal(self, fault: str, call: Callable[[], object], reaction: type[Reaction]) -> FirmquoteError:
        """Forces a fault for one call, which has to fail with an error of that reaction."""
        self.schedule(fault)
        try:
            call()
        except FirmquoteError as error:
            if not isinstance(error.reaction, reaction):
                raise AssertionError(f"{fault}: {error}") from error
            return error
        finally:
            self.schedule()
        raise AssertionError(f"{fault} was not noticed")

    def verified(self, quote: Quote) -> SignedSwap:
        """Has a quote signed and checks the signature."""
        swap = self.client.sign_quote(quote, TERMS)
        self.verify(swap, quote)
        return swap

    def verify(self, swap: SignedSwap, quote: Quote) -> None:
        """Checks a signature against the pool data."""
        request = PoolRequest(CHAIN_ID, quote.pool_address, quote.time_in_seconds, quote.state_id)
        pool = self.client.pools(request).pools[0]
        signer = pool.pool.signer_address
        check_swap(REQUEST, quote, TERMS, swap, pool, signer=signer).require()

    def send(self, swap: SignedSwap) -> None:
        """Sends the transaction of a signed swap."""
        transaction = {"to": swap.service_exchange_address, "data": swap.calldata}
        assert self.json("POST", "/sandbox/transactions", transaction)["status"] == "accepted"

    def schedule(self, *faults: str) -> None:
        """From now on each request that a fault applies to gets it."""
        self.json("PUT", "/sandbox/schedule", [{"fault": fault, "every": 1} for fault in faults])

    def json(self, method: str, path: str, body: object = None) -> Any:
        """A request to the sandbox itself."""
        response = self.sandbox.request(method, path, json=body).raise_for_status()
        return response.json() if response.content else None


def main() -> int:
    """Passes every point."""
    with Client(dataclasses.replace(key_settings(), retries=NO_RETRIES)) as client:
        taker = Taker(client)
        taker.swap()
        taker.conflict()
        taker.expired()
        taker.lost_answer()
        taker.cut()
        taker.rate_limit()
        taker.forged()
        taker.gap()
        taker.withdrawal()
        return taker.report()


if __name__ == "__main__":
    sys.exit(main())
