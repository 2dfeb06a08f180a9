"""The tables of a tape are read by pyarrow, Polars and DuckDB, with the programs of docs/tape.md."""

import os
import pathlib
import re
import sys
import unittest

import duckdb
import polars
import pyarrow

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "tape.md"


class Tape(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The directory in which the sample was written to `tape/a`.
        os.chdir(os.environ["TAPE_FOLDER"])
        cls.results = {"__name__": "page"}
        for program in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
            # DuckDB finds the table of the first program, not the frame of the second.
            names = {**cls.results, "prices": cls.results["table"]} if "duckdb" in program else cls.results
            exec(compile(program, str(PAGE), "exec"), names)
            cls.results.update(names)
            cls.results.setdefault("table", names.get("prices"))

    def test_pyarrow_reads_every_row_and_type(self):
        table = self.results["table"]
        self.assertEqual((table.num_rows, len(self.results["files"])), (7200, 6))
        self.assertEqual(table.schema.field("time").type, pyarrow.timestamp("us", tz="UTC"))
        self.assertEqual(table.column("price")[0].as_py(), "2000")
        self.assertEqual(table.column("price_float")[2].as_py(), 2000.01)
        self.assertIsNone(table.column("source")[0].as_py())
        [gaps] = pathlib.Path("tape").rglob("gaps-*.arrow")
        gap = pyarrow.ipc.open_file(gaps).read_all().to_pylist()[0]
        self.assertEqual((gap["table"], gap["rows"]), ("prices", 2))

    def test_polars_groups_by_day(self):
        rows = self.results["daily"].rows()
        self.assertEqual([(row[0], str(row[1]), row[2], row[3]) for row in rows], [
            ("ETH", "2026-11-20", 2000.0, 2017.98),
            ("ETH", "2026-11-21", 2018.0, 2035.98),
        ])

    def test_duckdb_counts_what_was_rejected(self):
        self.assertEqual(sorted(self.results["rejected"], key=str), [
            ("ETH", "binance", "old", 36),
            ("ETH", None, "old", 36),
        ])


if __name__ == "__main__":
    print(f"pyarrow {pyarrow.__version__}, polars {polars.__version__}, duckdb {duckdb.__version__}", file=sys.stderr)
    unittest.main()
