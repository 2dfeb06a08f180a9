"""A venue in a file: every order id is filled once, at a fixed price. Every few orders, the hedger is killed before it
learns of the fill."""

from __future__ import annotations

import json
import os
import signal
from decimal import Decimal
from pathlib import Path

from venue import Fill, Order

PRICE = Decimal(2000)


class MockVenue:
    name = "mock"

    def __init__(self) -> None:
        self._path = Path(os.environ["MOCK_VENUE_ORDERS"])

    def trade(self, order: Order) -> Fill:
        lines = self._path.read_text().splitlines() if self._path.exists() else []
        known = {entry["id"]: Decimal(entry["quantity"]) for entry in map(json.loads, lines)}
        if order.id not in known:
            with self._path.open("a") as file:
                file.write(json.dumps({"id": order.id, "quantity": str(order.quantity)}) + "\n")
                file.flush()
                os.fsync(file.fileno())
            known[order.id] = order.quantity
            if len(known) % 3 == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        quantity = known[order.id]
        return Fill(quantity, -quantity * PRICE, Decimal("0.1"), 1_763_700_000_000)
