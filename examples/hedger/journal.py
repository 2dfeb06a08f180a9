"""The orders of a hedger, each written before it is sent and again with its fill, so that a killed hedger goes on."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from decimal import Decimal
from pathlib import Path
from typing import Any, TextIO

from venue import Fill, Order


class Journal:
    """An append-only file: one JSON object a line, synced before a method returns. One process has it at a time."""

    def __init__(self, path: Path, pool: str) -> None:
        self.orders: dict[str, Order] = {}
        self.fills: dict[str, Fill] = {}
        self._reported: set[str] = set()
        # Part of every id: other hedgers of the same service and venue have other journals.
        self._name = ""
        self._pool = pool
        try:
            self._file: TextIO = path.open("a+")
        except OSError as error:
            raise SystemExit(f"{path}: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise SystemExit(f"{path}: another hedger has it") from error
        text = path.read_text()
        # A line that was being written when the hedger was killed was not acted on.
        complete = text[: text.rfind("\n") + 1]
        for line in complete.splitlines():
            self._apply(json.loads(line))
        self._file.truncate(len(complete.encode()))
        if not self._name:
            self._write({"journal": secrets.token_hex(4), "pool": pool})
        if self._pool != pool:
            raise SystemExit(f"{path}: the journal of pool {self._pool}, not of {pool}")

    def next_id(self) -> str:
        """Returns the id of the next order."""
        return f"{self._name}-{len(self.orders) + 1}"

    def last_block(self) -> int:
        """Returns the newest block that asked for an order."""
        return max((order.block for order in self.orders.values()), default=0)

    def unfilled(self) -> list[Order]:
        """Returns the orders that may have been sent, and whose fills are not known."""
        return [order for id, order in self.orders.items() if id not in self.fills]

    def unreported(self) -> list[Order]:
        """Returns the filled orders that the service may not know yet."""
        return [self.orders[id] for id in self.fills if id not in self._reported]

    def position(self, asset: str) -> Decimal:
        """Returns what all fills changed of the first asset of markets."""
        fills = (fill for id, fill in self.fills.items() if self.orders[id].market.split("/")[0] == asset)
        return sum((fill.base for fill in fills), Decimal(0))

    def add_order(self, order: Order) -> None:
        """Writes an order, before it is sent."""
        quantity = format(order.quantity, "f")
        self._write({"order": order.id, "market": order.market, "quantity": quantity, "block": order.block})

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
        if "journal" in entry:
            self._name, self._pool = entry["journal"], entry["pool"]
        elif "order" in entry:
            id, quantity = entry["order"], Decimal(entry["quantity"])
            self.orders[id] = Order(id, entry["market"], quantity, entry["block"])
        elif "fill" in entry:
            base, quote, fee_usd = (Decimal(entry[name]) for name in ("base", "quote", "fee_usd"))
            self.fills[entry["fill"]] = Fill(base, quote, fee_usd, entry["executed_at_ms"])
        else:
            self._reported.add(entry["reported"])
