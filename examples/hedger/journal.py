"""The orders of a hedger, each written before it is sent and again with its fill, so that a killed hedger goes on."""

from __future__ import annotations

import json
import os
from decimal import Decimal
from pathlib import Path
from typing import Any, TextIO

from venue import Fill, Order


class Journal:
    """An append-only file: one JSON object a line, synced before a method returns."""

    def __init__(self, path: Path) -> None:
        self.orders: dict[str, Order] = {}
        self.fills: dict[str, Fill] = {}
        self._reported: set[str] = set()
        text = path.read_text() if path.exists() else ""
        # A line that was being written when the hedger was killed was not acted on.
        complete = text[: text.rfind("\n") + 1]
        for line in complete.splitlines():
            self._apply(json.loads(line))
        self._file: TextIO = path.open("a+")
        self._file.truncate(len(complete.encode()))

    def next_id(self) -> str:
        """Returns the id of the next order."""
        return f"hedge-{len(self.orders) + 1}"

    def unfilled(self) -> list[Order]:
        """Returns the orders that may have been sent, and whose fills are not known."""
        return [order for id, order in self.orders.items() if id not in self.fills]

    def unreported(self) -> list[Order]:
        """Returns the filled orders that the service may not know yet."""
        return [self.orders[id] for id in self.fills if id not in self._reported]

    def position(self, asset: str) -> Decimal:
        """Returns what all fills changed of an asset."""
        total = Decimal(0)
        for id, fill in self.fills.items():
            base, quote = self.orders[id].market.split("/")
            total += fill.base if base == asset else Decimal(0)
            total += fill.quote if quote == asset else Decimal(0)
        return total

    def add_order(self, order: Order) -> None:
        """Writes an order, before it is sent."""
        self._write({"order": order.id, "market": order.market, "quantity": str(order.quantity)})

    def add_fill(self, order: Order, fill: Fill) -> None:
        """Writes the fill of an order."""
        amounts = {"base": str(fill.base), "quote": str(fill.quote), "fee_usd": str(fill.fee_usd)}
        self._write({"fill": order.id, **amounts, "executed_at_ms": fill.executed_at_ms})

    def add_report(self, order: Order) -> None:
        """Writes that the service has the hedge."""
        self._write({"reported": order.id})

    def _write(self, entry: dict[str, Any]) -> None:
        self._file.write(json.dumps(entry) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._apply(entry)

    def _apply(self, entry: dict[str, Any]) -> None:
        if "order" in entry:
            self.orders[entry["order"]] = Order(entry["order"], entry["market"], Decimal(entry["quantity"]))
        elif "fill" in entry:
            base, quote, fee_usd = (Decimal(entry[name]) for name in ("base", "quote", "fee_usd"))
            self.fills[entry["fill"]] = Fill(base, quote, fee_usd, entry["executed_at_ms"])
        else:
            self._reported.add(entry["reported"])
