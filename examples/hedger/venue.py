"""Where hedges are traded."""

from __future__ import annotations

import importlib
import os
import sys
import time
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_UP, Decimal
from typing import Any, Protocol

# How long an order may take to show up at the venue after it was sent.
ARRIVAL_SECONDS = 5.0
POLL_SECONDS = 0.2


@dataclass(frozen=True)
class Order:
    """A market order. `quantity` is of the first asset of `market`: bought if positive, sold if negative."""

    id: str
    market: str
    quantity: Decimal
    # The confirmed block that asked for it.
    block: int


@dataclass(frozen=True)
class Fill:
    """What became of an order: `base` and `quote` changed by these amounts, in whole units; both 0 if it was rejected."""

    base: Decimal
    quote: Decimal
    fee_usd: Decimal
    executed_at_ms: int


class Venue(Protocol):
    """A venue that hedges are traded on."""

    name: str

    def trade(self, order: Order, may_be_sent: bool) -> Fill:
        """Executes `order`, or if it `may_be_sent` already and was, returns its fill.

        Raises any exception while it is not known whether it was executed: it is then called again, with `may_be_sent`.
        """
        ...


class CcxtVenue:
    """An exchange of ccxt that finds orders by their client order ids.

    No exchange is relied on to reject a repeated id: many accept that of an order that is filled.
    """

    def __init__(self, name: str) -> None:
        import ccxt

        self.name = name
        keys = {"apiKey": os.environ["FIRMQUOTE_VENUE_KEY"], "secret": os.environ["FIRMQUOTE_VENUE_SECRET"]}
        self._exchange = getattr(ccxt, name)({**keys, "enableRateLimit": True})
        self._not_found = ccxt.OrderNotFound
        self._rejections = (ccxt.InsufficientFunds, ccxt.InvalidOrder, ccxt.BadRequest)

    def trade(self, order: Order, may_be_sent: bool) -> Fill:
        if may_be_sent:
            time.sleep(ARRIVAL_SECONDS)
            found = self._find(order)
            if found is not None:
                return self._completed(order, found)
        side = "buy" if order.quantity > 0 else "sell"
        try:
            parameters = {"clientOrderId": order.id}
            self._exchange.create_order(order.market, "market", side, float(abs(order.quantity)), None, parameters)
        except self._rejections as error:
            print(f"{self.name} rejects {order}: {error}", file=sys.stderr)
            return Fill(Decimal(0), Decimal(0), Decimal(0), int(time.time() * 1000))
        return self._completed(order, self._find(order))

    def _find(self, order: Order) -> dict[str, Any] | None:
        try:
            parameters = {"origClientOrderId": order.id, "clientOrderId": order.id}
            found: dict[str, Any] = self._exchange.fetch_order(None, order.market, parameters)
        except self._not_found:
            return None
        return found

    def _completed(self, order: Order, found: dict[str, Any] | None) -> Fill:
        while found is None or found["status"] not in ("closed", "canceled", "expired", "rejected"):
            time.sleep(POLL_SECONDS)
            found = self._find(order)
        return fill_of(found, order)


def fill_of(found: dict[str, Any], order: Order) -> Fill:
    """Returns the fill of an order as ccxt describes it. A commission in the base asset is part of what was received."""
    sign = Decimal(1 if order.quantity > 0 else -1)
    base, quote = sign * number(found["filled"]), -sign * number(found["cost"])
    fee_usd = Decimal(0)
    for fee in found.get("fees") or [found.get("fee") or {}]:
        currency, cost = str(fee.get("currency")), number(fee.get("cost"))
        if currency == order.market.split("/")[0]:
            base -= cost
        elif currency.startswith("USD"):
            fee_usd += cost
    return Fill(
        base.quantize(Decimal(1).scaleb(-18), ROUND_DOWN),
        quote.quantize(Decimal(1).scaleb(-18), ROUND_DOWN),
        max(fee_usd, Decimal(0)).quantize(Decimal(1).scaleb(-8), ROUND_UP),
        int(found["timestamp"] or time.time() * 1000),
    )


def number(value: float | str | None) -> Decimal:
    """Returns a number of ccxt, which may be missing."""
    return Decimal(str(value or 0))


def open_venue(name: str) -> Venue:
    """Returns the venue `name`: an exchange of ccxt, or `module:Class` for one of your own."""
    if ":" not in name:
        return CcxtVenue(name)
    module, of_class = name.split(":", 1)
    venue: Venue = getattr(importlib.import_module(module), of_class)()
    return venue
