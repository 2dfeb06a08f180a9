"""Where hedges are traded. A venue fills each order id at most once, whatever is repeated."""

from __future__ import annotations

import importlib
import os
import time
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol


@dataclass(frozen=True)
class Order:
    """A market order. `quantity` is of the first asset of `market`: bought if positive, sold if negative."""

    id: str
    market: str
    quantity: Decimal


@dataclass(frozen=True)
class Fill:
    """What became of an order: `base` and `quote` changed by these amounts, in whole units."""

    base: Decimal
    quote: Decimal
    fee_usd: Decimal
    executed_at_ms: int


class Venue(Protocol):
    """A venue that hedges are traded on."""

    name: str

    def trade(self, order: Order) -> Fill:
        """Executes `order`, or returns its fill if an order of its id was executed before.

        Raises any exception when it is not known whether it was: the same order is then traded again.
        """
        ...


class CcxtVenue:
    """An exchange of ccxt that takes client order ids and rejects those that it has."""

    def __init__(self, name: str) -> None:
        import ccxt

        self.name = name
        keys = {"apiKey": os.environ["FIRMQUOTE_VENUE_KEY"], "secret": os.environ["FIRMQUOTE_VENUE_SECRET"]}
        self._exchange = getattr(ccxt, name)({**keys, "enableRateLimit": True})
        self._duplicate = ccxt.DuplicateOrderId

    def trade(self, order: Order) -> Fill:
        side = "buy" if order.quantity > 0 else "sell"
        parameters = {"clientOrderId": order.id}
        try:
            self._exchange.create_order(order.market, "market", side, float(abs(order.quantity)), None, parameters)
        except self._duplicate:
            pass
        while True:
            found = self._exchange.fetch_order(None, order.market, {"origClientOrderId": order.id, **parameters})
            if found["status"] in ("closed", "canceled", "expired", "rejected"):
                return _fill(found, Decimal(1 if side == "buy" else -1))
            time.sleep(0.2)


def _fill(found: dict[str, Any], sign: Decimal) -> Fill:
    filled, cost = Decimal(str(found["filled"] or 0)), Decimal(str(found["cost"] or 0))
    fee = found.get("fee") or {}
    in_dollars = str(fee.get("currency", "")).startswith("USD")
    fee_usd = Decimal(str(fee.get("cost") or 0)) if in_dollars else Decimal(0)
    return Fill(sign * filled, -sign * cost, fee_usd, int(found["timestamp"] or time.time() * 1000))


def open_venue(name: str) -> Venue:
    """Returns the venue `name`: an exchange of ccxt, or `module:Class` for one of your own."""
    if ":" not in name:
        return CcxtVenue(name)
    module, of_class = name.split(":", 1)
    venue: Venue = getattr(importlib.import_module(module), of_class)()
    return venue
