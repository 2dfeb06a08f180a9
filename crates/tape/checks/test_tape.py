"""The tables of a simulated day are read by pyarrow, Polars and DuckDB; the programs of docs/tape.md give what the report
has."""

import json
import os
import pathlib
import re
import sys
import unittest

import duckdb
import polars
import pyarrow

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


if __name__ == "__main__":
    print(f"pyarrow {pyarrow.__version__}, polars {polars.__version__}, duckdb {duckdb.__version__}", file=sys.stderr)
    unittest.main()
