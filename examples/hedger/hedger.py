"""Keeps what a pool holds of each asset at its target, together with trades on another venue.

python hedger.py hedger.toml              # says what it would trade
python hedger.py hedger.toml --live       # trades
"""

from __future__ import annotations

import argparse
import os
import tomllib
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal, InvalidOperation, getcontext
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
        if table["market"].split("/")[0] != table["symbol"]:
            raise SystemExit(f"market {table['market']} does not trade {table['symbol']} for another asset")
        try:
            numbers = {name: Decimal(table[name]) for name in ("target", "band", "lot")}
        except (InvalidOperation, TypeError) as error:
            raise SystemExit(f"target, band and lot of {table['symbol']} have to be numbers in quotes") from error
        if numbers["band"] < 0 or numbers["lot"] <= 0:
            raise SystemExit(f"band of {table['symbol']} has to be 0 or more, lot above 0")
        return cls(table["symbol"], table["market"], **numbers)

    def quantity(self, balances: list[Decimal], hedged: Decimal) -> Decimal:
        """Returns what to buy, or with a minus to sell, so that balance and hedges are at the target.

        The least that all of `balances` ask for, in lots; 0 if they differ in direction, or one is within the band.
        """
        excesses = [balance - self.target + hedged for balance in balances]
        least = min(excesses, key=abs)
        if any((excess > 0) != (least > 0) for excess in excesses) or abs(least) <= self.band:
            return Decimal(0)
        lots = (abs(least) / self.lot).to_integral_value(ROUND_DOWN)
        return -lots * self.lot if least > 0 else lots * self.lot


class ConfirmedBlocks:
    """The newest position with enough blocks behind it, and those of the blocks behind it.

    A reorganization may have replaced any block that was read, without a later one of the same number: what is done
    has to be right for all of them. Positions older than what was acted on, as of a replica that is behind, are dropped.
    """

    def __init__(self, last_block: int) -> None:
        self._acted_on = last_block
        self._by_block: dict[int, dict[str, Any]] = {}

    def add(self, position: dict[str, Any]) -> list[dict[str, Any]]:
        """Returns the confirmed position and the newer ones; nothing before there is one."""
        newest: int = position["block_number"]
        kept = {number: known for number, known in self._by_block.items() if number < newest}
        self._by_block = {**kept, newest: position}
        confirmed = [number for number in self._by_block if number <= newest - position["confirmations"]]
        if not confirmed or max(confirmed) < self._acted_on:
            return []
        self._acted_on = max(confirmed)
        self._by_block = {number: known for number, known in self._by_block.items() if number >= self._acted_on}
        return list(self._by_block.values())


class Hedger:
    """Trades what positions ask for, one order after the other."""

    def __init__(self, service: Service, venue: Venue | None, journal: Journal, assets: list[HedgedAsset]) -> None:
        self._service, self._venue, self._journal, self._assets = service, venue, journal, assets

    def run(self, chain_id: int, pool: str) -> None:
        """Hedges until the process ends."""
        if self._venue is not None:
            self._service.check_hedger()
            # What an earlier process began.
            for order in self._journal.unfilled():
                self._journal.add_fill(order, self._venue.trade(order, may_be_sent=True))
        blocks = ConfirmedBlocks(self._journal.last_block())
        for position in self._service.positions(chain_id, pool):
            positions = blocks.add(position)
            if positions:
                for asset in self._assets:
                    self._hedge(asset, positions)
            self._report()

    def _hedge(self, asset: HedgedAsset, positions: list[dict[str, Any]]) -> None:
        balances = [balance(position, asset.symbol) for position in positions]
        quantity = asset.quantity(balances, self._journal.position(asset.symbol))
        if quantity == 0:
            return
        block, verb = positions[0]["block_number"], "buy" if quantity > 0 else "sell"
        would = "would " if self._venue is None else ""
        print(f"block {block}: {would}{verb} {abs(quantity)} {asset.symbol}", flush=True)
        if self._venue is not None:
            order = Order(self._journal.next_id(), asset.market, quantity, block)
            self._journal.add_order(order)
            # An exception ends the process: the next one asks the venue whether the order was executed.
            self._journal.add_fill(order, self._venue.trade(order, may_be_sent=False))

    def _report(self) -> None:
        """Reports the fills that the service does not have, until one is not recorded: later positions try again."""
        if self._venue is None:
            return
        for order in self._journal.unreported():
            fill = self._journal.fills[order.id]
            if fill.base != 0 and fill.quote != 0 and not self._service.report(self._hedge_of(order)):
                return
            self._journal.add_report(order)

    def _hedge_of(self, order: Order) -> dict[str, Any]:
        fill, venue = self._journal.fills[order.id], self._venue.name if self._venue is not None else "none"
        base, quote = order.market.split("/")
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


def balance(position: dict[str, Any], symbol: str) -> Decimal:
    """Returns what the pool holds of an asset, in whole units."""
    for asset in position["assets"]:
        if asset["symbol"] == symbol:
            return Decimal(asset["balance"]).scaleb(-asset["decimals"])
    raise SystemExit(f"the pool has no {symbol}")


def main() -> None:
    """Reads the configuration and hedges."""
    # Enough for the balance of any token, exactly.
    getcontext().prec = 80
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path)
    parser.add_argument("--live", action="store_true", help="trade; without it, only say what would be traded")
    parser.add_argument("--journal", type=Path, help="what was hedged; default: beside the configuration, as *.journal")
    arguments = parser.parse_args()
    config = tomllib.loads(arguments.config.read_text())
    if "FIRMQUOTE_ADMIN_TOKEN" not in os.environ:
        raise SystemExit("no token: set FIRMQUOTE_ADMIN_TOKEN")
    service = Service(config["service"]["admin"], os.environ["FIRMQUOTE_ADMIN_TOKEN"])
    venue = open_venue(config["venue"]["name"]) if arguments.live else None
    assets = [HedgedAsset.read(table) for table in config["asset"]]
    chain_id, pool = config["pool"]["chain_id"], config["pool"]["address"]
    journal = Journal(arguments.journal or arguments.config.with_suffix(".journal"), f"{chain_id}:{pool}")
    Hedger(service, venue, journal, assets).run(chain_id, pool)


if __name__ == "__main__":
    main()
