"""Recomputes random quotes of a running service to the base unit.

    FIRMQUOTE_URL=... FIRMQUOTE_API_KEY=... python tests/service/recompute.py [--quotes 10000] [--seed 1]

Quotes are over all pools, pairs and directions, of sizes from the smallest trade to the whole reserve with uniform
logarithms, and of exact inputs and exact outputs. Refusals of sizes do not count. The program ends with
`N quotes recomputed`, or with status 1 at the first difference, which it names.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from firmquote import Client, PoolAsset, PoolData, PoolRequest, Quote, QuoteRequest
from firmquote.errors import QuoteProblem, RateLimited
from firmquote.verify import Outcome, check_quote
from service.environment import NotConfigured, key_settings

TIMES = (None, 15, 60, 120)
"""Validities of the quotes; `None` is the pool's default."""


@dataclass
class Recomputation:
    """Quotes of a service, and the pool data of their states."""

    client: Client
    records: dict[tuple[str, str, int | None], PoolData] = field(default_factory=dict)
    seconds: float = 0.0
    """Spent on computing alone."""
    refused: int = 0

    def check(self, request: QuoteRequest) -> str | None:
        """Requests a quote and recomputes it: what differs, or an empty text; `None` if it is refused."""
        try:
            quote = self._quote(request)
        except QuoteProblem:
            self.refused += 1
            return None
        record = self._record(request, quote)
        begin = time.perf_counter()
        report = check_quote(request, quote, record)
        self.seconds += time.perf_counter() - begin
        return "; ".join(str(check) for check in report if check.outcome is not Outcome.PASSED)

    def _quote(self, request: QuoteRequest) -> Quote:
        while True:
            try:
                return self.client.quote(request)
            except RateLimited as error:
                # The store is full of quotes that nobody signs; some expire.
                time.sleep(error.retry_after or 1.0)

    def _record(self, request: QuoteRequest, quote: Quote) -> PoolData:
        """The pool data of a state, requested once for each validity, whose fees they hold."""
        key = (quote.pool_address, quote.state_id, request.time_in_seconds)
        if key not in self.records:
            wanted = PoolRequest(request.chain_id, quote.pool_address, request.time_in_seconds, quote.state_id)
            (self.records[key],) = self.client.pools(wanted).pools
        return self.records[key]


def requests(client: Client, chance: random.Random) -> Iterator[QuoteRequest]:
    """Random requests without end."""
    traded = [(chain.chain_id, pool) for chain in client.chains().chains for pool in chain.pools]
    assets: dict[tuple[str, str], PoolAsset] = {}
    for chain_id, pool in traded:
        (record,) = client.pools(PoolRequest(chain_id, pool.address)).pools
        assets |= {(pool.address, asset.name): asset for asset in record.assets}
    while True:
        chain_id, pool = chance.choice(traded)
        names = list(chance.choice(pool.pairs))
        chance.shuffle(names)
        is_input = chance.random() < 0.5
        asset = assets[pool.address, names[0] if is_input else names[1]]
        if asset.balance is None or asset.price_in_usd is None:
            continue
        smallest = float(pool.smallest_trade_in_usd / asset.price_in_usd) * 10.0**asset.decimals
        # Floats decide which sizes are tried, and nothing about what is right.
        amount = max(1, int(smallest * 0.9 * (float(asset.balance) / smallest) ** chance.random()))
        yield QuoteRequest(
            chain_id,
            names[0],
            names[1],
            input_amount=amount if is_input else None,
            output_amount=None if is_input else amount,
            time_in_seconds=chance.choice(TIMES),
            pool_address=pool.address,
        )


def main() -> int:
    """Runs the program."""
    parser = argparse.ArgumentParser(description="Recomputes random quotes of a running service to the base unit.")
    parser.add_argument("--quotes", type=int, default=int(os.environ.get("FIRMQUOTE_QUOTES", "10000")))
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    arguments = parser.parse_args()
    try:
        settings = key_settings()
    except NotConfigured as missing:
        print(missing, file=sys.stderr)
        return 2
    done = 0
    with Client(settings) as client:
        recomputation = Recomputation(client)
        for request in requests(client, random.Random(arguments.seed)):
            if done == arguments.quotes:
                break
            difference = recomputation.check(request)
            if difference:
                print(f"seed {arguments.seed}: {request}: {difference}", file=sys.stderr)
                return 1
            done += difference is not None
    average = 1e3 * recomputation.seconds / max(done, 1)
    print(
        f"{average:.3f} ms each, {len(recomputation.records)} sets of pool data, "
        f"{recomputation.refused} sizes refused, seed {arguments.seed}",
        file=sys.stderr,
    )
    print(f"{done} quotes recomputed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
