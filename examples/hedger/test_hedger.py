"""Tests of the parts of the hedger: python3 -m unittest."""

from __future__ import annotations

import tempfile
import unittest
from decimal import Decimal
from pathlib import Path
from typing import Any

from hedger import ConfirmedBlocks, HedgedAsset
from journal import Journal
from venue import Fill, Order, fill_of

ETH = {"symbol": "ETH", "market": "ETH/USDC", "target": "100", "band": "0.5", "lot": "0.1"}


def position(block: int, confirmations: int = 2) -> dict[str, Any]:
    return {"block_number": block, "confirmations": confirmations}


def order(quantity: str) -> Order:
    return Order("1", "ETH/USDC", Decimal(quantity), 1)


class HedgerTest(unittest.TestCase):
    def test_the_least_that_all_positions_ask_for_is_traded_in_lots(self) -> None:
        asset = HedgedAsset.read(ETH)
        for balances, hedged, expected in [
            (["101.25"], "0", "-1.2"),
            (["101.25"], "-1.2", "0"),
            (["98.75", "97"], "0", "1.2"),
            (["103", "101.25"], "0", "-1.2"),
            (["103", "99"], "0", "0"),
            (["103", "100.5"], "0", "0"),
        ]:
            quantity = asset.quantity([Decimal(balance) for balance in balances], Decimal(hedged))
            self.assertEqual(quantity, Decimal(expected), balances)
        with self.assertRaises(SystemExit):
            HedgedAsset.read({**ETH, "symbol": "WETH"})

    def test_positions_that_are_not_confirmed_or_behind_are_not_acted_on(self) -> None:
        blocks = ConfirmedBlocks(100)
        numbers = [[known["block_number"] for known in blocks.add(position(block))] for block in (101, 103, 104, 99)]
        self.assertEqual(numbers, [[], [101, 103], [101, 103, 104], []])

    def test_fills_have_the_decimals_that_the_service_takes(self) -> None:
        found = {"filled": 1.5, "cost": 3120.79005, "timestamp": 7}
        fee = {"currency": "USDC", "cost": 3.1207900499999996}
        self.assertEqual(fill_of({**found, "fee": fee}, order("-1.5")).fee_usd, Decimal("3.12079005"))
        rebate = fill_of({**found, "fees": [{"currency": "USDT", "cost": -0.1}]}, order("-1.5"))
        self.assertEqual(rebate.fee_usd, 0)
        bought = fill_of({**found, "fee": {"currency": "ETH", "cost": 0.0015}}, order("1.5"))
        self.assertEqual((bought.base, bought.quote), (Decimal("1.4985"), Decimal("-3120.79005")))

    def test_a_torn_line_is_dropped_and_ids_differ_by_journal(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "journal"
            journal = Journal(path, "1:0x1")
            first = Order(journal.next_id(), "ETH/USDC", Decimal("-1.5"), 7)
            journal.add_order(first)
            with self.assertRaises(SystemExit):
                Journal(path, "1:0x1")
            del journal
            with path.open("a") as file:
                file.write('{"fill": "')
            journal = Journal(path, "1:0x1")
            self.assertEqual((journal.unfilled(), journal.last_block()), ([first], 7))
            journal.add_fill(first, Fill(Decimal("-1.5"), Decimal(3000), Decimal(0), 7))
            self.assertEqual((journal.unfilled(), journal.unreported()), ([], [first]))
            self.assertEqual(journal.position("ETH"), Decimal("-1.5"))
            del journal
            with self.assertRaises(SystemExit):
                Journal(path, "1:0x2")
            journal = Journal(path, "1:0x1")
            self.assertNotEqual(journal.next_id(), Journal(Path(directory) / "other", "1:0x1").next_id())
