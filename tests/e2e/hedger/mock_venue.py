"""A venue in a file, which executes an id again if it is asked to, as many exchanges do.

Every few orders the hedger is killed before it sends one, or before it learns of the fill.
"""

from __future__ import annotations

import json
import os
import signal
from decimal import Decimal
from pathlib import Path

from venue import Fill, Order

PRICE = Decimal(2000)


class MockVenue:
    """A venue that fills every order at once."""

    name = "mock"

    def __init__(self) -> None:
        self._path = Path(os.environ["MOCK_VENUE_ORDERS"])

    def trade(self, order: Order, may_be_sent: bool) -> Fill:
        """Fills an order, unless it is asked for one that it has."""
        lines = self._path.read_text().splitlines() if self._path.exists() else []
        known = {entry["id"]: Decimal(entry["quantity"]) for entry in map(json.loads, lines)}
        if not (may_be_sent and order.id in known):
            if not may_be_sent and len(known) % 4 == 1:
                os.kill(os.getpid(), signal.SIGKILL)
            with self._path.open("a") as file:
                file.write(json.dumps({"id": order.id, "quantity": str(order.quantity)}) + "\n")
                file.flush()
                os.fsync(file.fileno())
            if len(known) % 3 == 2:
                os.kill(os.getpid(), signal.SIGKILL)
        return Fill(order.quantity, -order.quantity * PRICE, Decimal("0.1"), 1_763_700_000_000)
