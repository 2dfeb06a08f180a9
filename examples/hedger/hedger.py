"""Keeps what a pool holds of each asset at its target, together with trades on another venue.

python hedger.py hedger.toml              # says what it would trade
python hedger.py hedger.toml --live       # trades
"""

from __future__ import annotations

import argparse
import os
import tomllib
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal, getcontext
from pathlib import Path
from typing import Any

from journal import Journal
from service import Service
from venue import Order, Venue, open_venue


@dataclass(frozen=True)
class HedgedAsset:
    """What is kept of an asset, in whole units."""

    symbol: str
    market: str
    target: Decimal
    band: Decimal
    lot: Decimal

    @classmethod
    def read(cls, table: dict[str, str]) -> HedgedAsset:
        numbers = {name: Decimal(table[name]) for name in ("target", "band", "lot")}
        return cls(table["symbol"], table["market"], **numbers)

    def quantity(self, balance: Decimal, hedged: Decimal) -> Decimal:
        """Returns what to buy, or with a minus to sell, so that balance and hedges are at the target; 0 within the band."""
        excess = balance - self.target + hedged
        if abs(excess) <= self.band:
            return Decimal(0)
        lots = (abs(excess) / self.lot).to_integral_value(ROUND_DOWN)
        return -lots * self.lot if excess > 0 else lots * self.lot


class ConfirmedBlocks:
    """The newest position that enough blocks are built on. Blocks that a reorganization replaced are dropped."""

    def __init__(self) -> None:
        self._by_block: dict[int, dict[str, Any]] = {}

    def add(self, position: dict[str, Any]) -> dict[str, Any] | None:
        newest: int = position["block_number"]
        kept = {number: known for number, known in self._by_block.items() if number < newest}
        self._by_block = {**kept, newest: position}
        confirmed = [number for number in self._by_block if number <= newest - position["confirmations"]]
        if not confirmed:
            return None
        for number in [number for number in self._by_block if number < max(confirmed)]:
            del self._by_block[number]
        return self._by_block[max(confirmed)]


class Hedger:
    """Trades what each position asks for, one order after the other."""

    def __init__(self, service: Service, venue: Venue | None, journal: Journal, assets: list[HedgedAsset]) -> None:
        self._service, self._venue, self._journal, self._assets = service, venue, journal, assets

    def run(self, chain_id: int, pool: str) -> None:
        """Hedges until the process ends."""
        self._complete()
        blocks = ConfirmedBlocks()
        for position in self._service.positions(chain_id, pool):
            confirmed = blocks.add(position)
            if confirmed is not None:
                for asset in self._assets:
                    self._hedge(asset, _balance(confirmed, asset.symbol), confirmed["block_number"])

    def _hedge(self, asset: HedgedAsset, balance: Decimal, block: int) -> None:
        quantity = asset.quantity(balance, self._journal.position(asset.symbol))
        if quantity == 0:
            return
        verb = "buy" if quantity > 0 else "sell"
        if self._venue is None:
            print(f"block {block}: would {verb} {abs(quantity)} {asset.symbol}", flush=True)
            return
        print(f"block {block}: {verb} {abs(quantity)} {asset.symbol}", flush=True)
        self._journal.add_order(Order(self._journal.next_id(), asset.market, quantity))
        self._complete()

    def _complete(self) -> None:
        """Trades and reports what is in the journal and not done: also what an earlier process began."""
        if self._venue is None:
            return
        for order in self._journal.unfilled():
            self._journal.add_fill(order, self._venue.trade(order))
        for order in self._journal.unreported():
            hedge = self._report_of(order, self._venue.name)
            if hedge is not None:
                self._service.report(hedge)
            self._journal.add_report(order)

    def _report_of(self, order: Order, venue: str) -> dict[str, Any] | None:
        fill = self._journal.fills[order.id]
        base, quote = order.market.split("/")
        if fill.base == 0 or fill.quote == 0:
            return None
        sold, bought = ((base, fill.base), (quote, fill.quote))[:: 1 if fill.base < 0 else -1]
        return {
            "hedge_id": f"{venue}-{order.id}",
            "venue": venue,
            "sold_asset_symbol": sold[0],
            "sold_quantity": format(abs(sold[1]), "f"),
            "bought_asset_symbol": bought[0],
            "bought_quantity": format(abs(bought[1]), "f"),
            "fee_usd": format(fill.fee_usd, "f"),
            "executed_at": fill.executed_at_ms,
        }


def _balance(position: dict[str, Any], symbol: str) -> Decimal:
    """Returns what the pool holds of an asset, in whole units."""
    asset = next(asset for asset in position["assets"] if asset["symbol"] == symbol)
    return Decimal(asset["balance"]).scaleb(-asset["decimals"])


def main() -> None:
    """Reads the configuration and hedges."""
    # Enough for the balance of any token, exactly.
    getcontext().prec = 80
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path)
    parser.add_argument("--live", action="store_true", help="trade; without it, only say what would be traded")
    parser.add_argument("--journal", type=Path, default=Path("hedger.journal"))
    arguments = parser.parse_args()
    config = tomllib.loads(arguments.config.read_text())
    service = Service(config["service"]["admin"], os.environ["FIRMQUOTE_ADMIN_TOKEN"])
    venue = open_venue(config["venue"]["name"]) if arguments.live else None
    assets = [HedgedAsset.read(table) for table in config["asset"]]
    Hedger(service, venue, Journal(arguments.journal), assets).run(
        config["pool"]["chain_id"], config["pool"]["address"]
    )


if __name__ == "__main__":
    main()
