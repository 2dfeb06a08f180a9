"""The tables of a simulated day are read by pyarrow, Polars and DuckDB; the programs of docs/tape.md give what the report
has."""

import json
import math
import os
import pathlib
import re
import sys
import unittest

import duckdb
import polars
import pyarrow

# Of the configuration of the day.
BASE_FEE_BPS = 5
PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "tape.md"


def report(by):
    return json.loads(pathlib.Path(f"{by}.json").read_text())["rows"]


class Tape(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The directory of the day, and of its reports.
        os.chdir(os.environ["TAPE_FOLDER"])
        cls.results = {"__name__": "page"}
        for program in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
            exec(compile(program, str(PAGE), "exec"), cls.results)

    def test_every_table_is_read(self):
        for name in ["prices", "requests", "states", "configurations"]:
            table = self.results["read"](name)
            self.assertEqual(table.schema.field("time").type, pyarrow.timestamp("us", tz="UTC"))
            count = polars.scan_ipc(f"tape/*/{name}-*.arrow").select(polars.len()).collect().item()
            self.assertEqual(count, table.num_rows)
            self.assertEqual(duckdb.sql("FROM \"table\"").count("*").fetchall(), [(count,)])
            self.assertGreater(count, 0)
        states = self.results["read"]("states").to_pylist()
        self.assertEqual([asset["symbol"] for asset in states[0]["assets"]], ["ETH", "USDC"])
        prices = self.results["prices"].to_pylist()
        self.assertTrue(all(float(row["price"]) == row["price_float"] for row in prices))

    def test_the_hit_rate_by_size_is_that_of_the_report(self):
        rows = self.results["hit_rate"].rows(named=True)
        computed = {row["decade"]: (row["quoted"], row["signed"]) for row in rows}
        expected = {}
        for row in report("size"):
            if row["quoted"]:
                decade = int(re.match(r"1e(\d+) to", row["size"])[1])
                expected[decade] = (row["quoted"], row["signed"])
                self.assertEqual(row["hit_percent"], f"{row['signed'] * 10_000 // row['quoted'] / 100:.2f}")
        self.assertGreater(len(expected), 1)
        self.assertEqual(computed, expected)

    def test_the_mark_out_by_pair_is_that_of_the_report(self):
        expected = {row["pair"]: float(row["markout_60s_usd"]) for row in report("pair") if row["executed"]}
        computed = dict(self.results["mark_outs"])
        self.assertEqual(computed.keys(), expected.keys())
        for pair, mark_out in expected.items():
            self.assertAlmostEqual(computed[pair], mark_out, places=6)

    def test_options_are_those_of_the_report(self):
        """Computed again from the ledger and the prices, by the definitions of docs/report.md."""
        prices = {}
        for row in self.results["prices"].to_pylist():
            if row["source"] is None and row["price"] is not None:
                prices.setdefault(row["symbol"], {})[int(row["observed_at"].timestamp())] = row["price_float"]
        symbols = {row["quote_id"]: (row["input"], row["output"]) for row in self.results["requests"].to_pylist() if row["input"]}
        entries = [json.loads(line) for line in pathlib.Path("ledger.jsonl").read_text().splitlines()]
        signed = {entry["quote_id"]: entry for entry in entries if entry["event"] == "signed"}
        ends = {entry["quote_id"]: entry for entry in entries if entry["event"] != "signed"}
        given = paid = used = not_taken = 0.0
        missing = 0
        for quote_id, swap in signed.items():
            (one, other), end = symbols[quote_id], ends.get(quote_id)
            tokens = [float(swap[side]["amount"]) / 10 ** swap[side]["decimals"] for side in ("input", "output")]
            quoted = [float(swap[side]["price_usd"]) for side in ("input", "output")]

            def worth(second, amounts):
                return amounts[0] * prices[one][second] - amounts[1] * prices[other][second]

            at = swap["signed_at_us"] // 1_000_000
            is_settled = end is not None and end["event"] == "settled"
            until = end["block_timestamp"] if is_settled else swap["expires_at"]
            rates = [prices[one].get(at - 60 * minute, 0) / prices[other].get(at - 60 * minute, 1) for minute in range(61)]
            returns = [math.log(later / earlier) for later, earlier in zip(rates, rates[1:]) if later and earlier]
            if len(returns) < 30:
                missing += 1
            else:
                volatility = math.sqrt(sum(value**2 for value in returns) / len(returns) / 60)
                given += 0.4 * volatility * math.sqrt(until - at) * tokens[0] * quoted[0]
            if is_settled:
                paid += tokens[0] * quoted[0] * (float(swap["fee_in_basis_points"]) - BASE_FEE_BPS) / 10_000
                edge = tokens[0] * quoted[0] - tokens[1] * quoted[1]
                used += max(0.0, edge - worth(until, tokens))
            elif end is not None and until in prices[one]:
                not_taken += max(0.0, -worth(until, tokens))
        total = json.loads(pathlib.Path("size.json").read_text())["total"]
        self.assertEqual(total["options_missing"], missing)
        for name, value in [("given", given), ("paid", paid), ("used", used), ("not_taken", not_taken)]:
            self.assertGreater(value, 0, name)
            self.assertAlmostEqual(float(total[f"options_{name}_usd"]), value, places=4, msg=name)


if __name__ == "__main__":
    print(f"pyarrow {pyarrow.__version__}, polars {polars.__version__}, duckdb {duckdb.__version__}", file=sys.stderr)
    unittest.main()
