"""Swaps against replicas that somebody stops and starts meanwhile.

    FIRMQUOTE_URLS=http://a,http://b FIRMQUOTE_API_KEY=... python tests/service/replicas.py COUNT

Makes COUNT exchanges of a quote and its signature, 8 at a time. Whatever fails and may be retried is sent to the next
replica, with the same quote id and the same terms, until it is answered; where another quote is called for, another is
made. Every signature is requested once more from another replica and has to be the same. Prints a line of JSON for
each finished swap and `{"done":COUNT}` at the end; any other outcome ends the program with status 1.

FIRMQUOTE_DEADLINE is the number of seconds for everything, 600 by default. FIRMQUOTE_USD is the value of each swap in
US dollars, 1 by default.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parents[1]))

from firmquote import (
    NO_RETRIES,
    AsyncClient,
    ClientSettings,
    FirmquoteError,
    PoolRequest,
    Quote,
    QuoteRequest,
    Requote,
    Retry,
    SignedSwap,
    SwapTerms,
)
from service.environment import NotConfigured, variable

T = TypeVar("T")
CONCURRENCY = 8
TIMEOUT = 3.0
"""Seconds for one attempt at one replica."""
FIRST_PAUSE, MAX_PAUSE = 0.05, 1.0
"""Seconds between attempts, doubling."""
MAX_RETRY_AFTER = 2.0
"""Seconds for which `Retry-After` is waited once every replica was tried."""


class OutOfTime(RuntimeError):
    """The deadline has passed."""


class BrokenPromise(RuntimeError):
    """A signature is another one, or is no longer known while it is valid."""


@dataclass
class Replicas:
    """The replicas, and the time that is left."""

    clients: list[AsyncClient]
    deadline: float
    """By the monotonic clock."""
    expired: int = 0
    """Swaps that expired before their signature could be requested again."""

    async def until_answered(self, use: Callable[[AsyncClient], Awaitable[T]], first: int) -> tuple[T, int, int]:
        """Tries one replica after another, from the one at `first`.

        Returns:
            The answer, the number of attempts, and the position of the replica that answered.

        Raises:
            FirmquoteError: an error that is not to be retried.
            OutOfTime: the deadline has passed.
        """
        for attempt in itertools.count(1):
            at = (first + attempt - 1) % len(self.clients)
            try:
                return await use(self.clients[at]), attempt, at
            except FirmquoteError as error:
                if not isinstance(error.reaction, Retry):
                    raise
                left = self.deadline - time.monotonic()
                if left <= 0:
                    raise OutOfTime(f"no answer in time, at last: {error}") from error
                rounds = (attempt - 1) // len(self.clients)
                pause = min(FIRST_PAUSE * 2.0 ** min(rounds, 10), MAX_PAUSE) * random.uniform(0.5, 1.0)
                # `Retry-After` is the latest time at which a store that came back is complete; often it is sooner.
                after = min(error.reaction.after or 0.0, MAX_RETRY_AFTER) if rounds else 0.0
            await asyncio.sleep(min(max(pause, after), left))
        raise AssertionError("the count has no end")


async def exchange(replicas: Replicas, request: QuoteRequest, terms: SwapTerms, first: int) -> dict[str, object]:
    """Makes one swap: the members of its line."""
    fresh: Quote | None = None
    attempts = 0
    while True:
        if fresh is not None:
            quote = fresh
        else:
            quote, tries, first = await replicas.until_answered(lambda client: client.quote(request), first)
            attempts += tries

        def sign(client: AsyncClient, quote: Quote = quote) -> Awaitable[SignedSwap]:
            return client.sign_quote(quote, terms)

        try:
            swap, tries, at = await replicas.until_answered(sign, first)
        except FirmquoteError as error:
            attempts += 1
            if not isinstance(error.reaction, Requote):
                raise
            fresh = error.fresh_quote
            if time.monotonic() >= replicas.deadline:
                raise OutOfTime(f"no quote was signed in time, at last: {error}") from error
            await asyncio.sleep(FIRST_PAUSE)
            continue
        break
    again = await sign_again(replicas, quote, sign, at + 1)
    if again is not None and (again.signature, again.good_until) != (swap.signature, swap.good_until):
        raise BrokenPromise(f"quote {quote.id} has two signatures: {swap.signature} and {again.signature}")
    parts = swap.signature
    return {
        "quote_id": quote.id,
        "destination": swap.destination_address,
        "signature": f"{parts.r}{parts.s[2:]}{parts.v:02x}",
        "attempts": attempts + tries,
    }


async def sign_again(
    replicas: Replicas, quote: Quote, sign: Callable[[AsyncClient], Awaitable[SignedSwap]], first: int
) -> SignedSwap | None:
    """Requests the signature once more; `None` if the swap expired before any replica answered."""
    try:
        return (await replicas.until_answered(sign, first))[0]
    except FirmquoteError as error:
        if time.time() <= quote.good_until:
            raise BrokenPromise(f"the signature of quote {quote.id} is refused: {error}") from error
        replicas.expired += 1
        return None


async def plan(replicas: Replicas, usd: Decimal, count: int) -> list[tuple[QuoteRequest, SwapTerms]]:
    """Swaps of about that value over all pairs of the first pool, in both directions, no two of them equal."""
    chains, _, at = await replicas.until_answered(lambda client: client.chains(), 0)
    chain = chains.chains[0]
    pools, _, _ = await replicas.until_answered(
        lambda client: client.pools(PoolRequest(chain.chain_id, chain.pools[0].address)), at
    )
    record = pools.pools[0]
    units = {
        asset.name: int(usd / asset.price_in_usd * 10**asset.decimals) for asset in record.assets if asset.price_in_usd
    }
    directions = [names for pair in record.pairs for names in (pair.assets, pair.assets[::-1])]
    swaps = []
    for number, names in zip(range(count), itertools.cycle(directions), strict=False):
        request = QuoteRequest(chain.chain_id, *names, units[names[0]] + number, pool_address=record.pool.address)
        swaps.append((request, SwapTerms(f"0x{random.getrandbits(159) + 1:040x}", transmit=True)))
    return swaps


def line(members: dict[str, object]) -> str:
    """A line of JSON without blanks."""
    return json.dumps(members, separators=(",", ":"))


async def run(urls: list[str], key: str, count: int, seconds: float, usd: Decimal) -> None:
    """Makes the swaps, and prints their lines."""
    settings = [ClientSettings(url, api_key=key, timeout=TIMEOUT, retries=NO_RETRIES) for url in urls]
    replicas = Replicas([AsyncClient(each) for each in settings], time.monotonic() + seconds)
    try:
        waiting = iter(list(enumerate(await plan(replicas, usd, count))))

        async def work() -> None:
            for number, (request, terms) in waiting:
                print(line(await exchange(replicas, request, terms, number)), flush=True)

        workers = [asyncio.ensure_future(work()) for _ in range(CONCURRENCY)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
    finally:
        for client in replicas.clients:
            await client.close()
    if replicas.expired:
        print(f"{replicas.expired} swaps expired before they could be signed again", file=sys.stderr)
    print(line({"done": count}), flush=True)


def main() -> int:
    """Runs the program."""
    try:
        urls = variable("FIRMQUOTE_URLS", "the base URLs of the replicas, with commas between them").split(",")
        key = variable("FIRMQUOTE_API_KEY", "an API key that every replica accepts")
        count = int(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("FIRMQUOTE_SWAPS", "100"))
        seconds = float(os.environ.get("FIRMQUOTE_DEADLINE", "600"))
        usd = Decimal(os.environ.get("FIRMQUOTE_USD", "1"))
    except (NotConfigured, ArithmeticError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    try:
        asyncio.run(run(urls, key, count, seconds, usd))
    except (FirmquoteError, OutOfTime, BrokenPromise) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
