"""Draws the plots of docs/economics.md: `scripts/plot-economics`."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({
    "svg.hashsalt": "firmquote",
    "svg.fonttype": "none",
    "font.size": 9,
    "figure.figsize": (7, 2.8),
    "axes.grid": True,
    "grid.alpha": 0.3,
    "axes.spines.top": False,
    "axes.spines.right": False,
})
from matplotlib import pyplot

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
FOLDER = pathlib.Path(__file__).resolve().parent
POOL = (FOLDER / "pool.toml").read_text()
CLIENTS = {"uninformed": "tab:blue", "informed": "tab:red", "rebalancing": "tab:orange"}
DAYS = 3


def firmquote(*arguments, folder):
    return subprocess.run([PROGRAM, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def configuration(folder, **values):
    """Writes the configuration of the sample day with other values."""
    text = POOL
    for key, value in values.items():
        text, count = re.subn(rf"^{key} = .*$", f"{key} = {value}", text, flags=re.MULTILINE)
        assert count == 1, key
    (folder / "pool.toml").write_text(text)


def simulated(*options, days=DAYS, **values):
    """Returns the lines of the days, and the report by client."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        configuration(folder, **values)
        lines = firmquote("simulate", "--config", "pool.toml", "--days", str(days), "--output", ".", *options, folder=folder)
        arguments = ["--ledger", "ledger.jsonl", "--config", "pool.toml", "--by", "client", "--format", "json"]
        rows = json.loads(firmquote("report", "tape", *arguments, folder=folder))["rows"]
        return lines, {row["client"]: row for row in rows}


def save(figure, name):
    figure.tight_layout()
    figure.savefig(FOLDER / f"{name}.svg", metadata={"Date": None})


def interval(axes, points, rows, label):
    """Draws mark-outs with their intervals."""
    known = [(point, row) for point, row in zip(points, rows) if row.get("markout_60s_bps_low")]
    values = [float(row["markout_60s_bps"]) for _, row in known]
    low = [value - float(row["markout_60s_bps_low"]) for value, (_, row) in zip(values, known)]
    high = [float(row["markout_60s_bps_high"]) - value for value, (_, row) in zip(values, known)]
    axes.errorbar([point for point, _ in known], values, yerr=[low, high], label=label, color=CLIENTS[label], capsize=2)


def base_fee():
    fees = range(1, 13)
    figure, axes = pyplot.subplots()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        configuration(folder)
        firmquote("simulate", "--config", "pool.toml", "--output", ".", folder=folder)
        columns = {"(a) the same fills": [], "(b) those that accept it": [], "(d) hit curve, or (a)": []}
        for fee in fees:
            configuration(folder, base_fee_bps=fee)
            arguments = ["--ledger", "ledger.jsonl", "--config", "pool.toml", "--format", "json"]
            rows = json.loads(firmquote("backtest", "tape", *arguments, folder=folder))
            expected = [row["expected_usd"][0] if row["expected_usd"] else float(row["same_usd"]) for row in rows]
            sums = [sum(float(row["same_usd"]) for row in rows), sum(float(row["accepted_usd"]) for row in rows), sum(expected)]
            for column, value in zip(columns.values(), sums):
                column.append(value)
        for label, values in columns.items():
            axes.plot(fees, values, marker=".", label=label)
    trading = [re.findall(r"trading (-?[\d.]+) USD", simulated(days=7, base_fee_bps=fee)[0]) for fee in fees]
    axes.plot(fees, [sum(map(float, days)) / len(days) for days in trading], "k--", label="simulated, a day of seven")
    axes.set(xlabel="base_fee_bps (the day was recorded at 5)", ylabel="US dollars a day")
    axes.legend()
    save(figure, "base-fee")


def pool_constant():
    constants = [0, 0.01, 0.03, 0.06, 0.1, 0.2, 0.4, 0.7]
    results = [simulated(k=k) for k in constants]
    figure, (left, right) = pyplot.subplots(1, 2)
    for client, color in CLIENTS.items():
        values = [float(rows.get(client, {}).get("markout_60s_usd") or 0) / DAYS for _, rows in results]
        left.plot(constants, values, marker=".", label=client, color=color)
    left.set(xlabel="k", ylabel="mark-out at 60 s, US dollars a day")
    left.legend()
    shares = [[int(share) for share in re.findall(r"ETH (\d+) %", lines)] for lines, _ in results]
    right.plot(constants, [max(abs(share - 50) for share in days) for days in shares], marker=".")
    right.set(xlabel="k", ylabel="furthest of ETH from its half,\nat the end of a day, in %")
    save(figure, "k")


def volatility():
    volatilities = [0.2, 0.4, 0.6, 0.8, 1.2, 1.6]
    results = [simulated(annual_volatility=value)[1] for value in volatilities]
    figure, (left, right) = pyplot.subplots(1, 2)
    for client, color in CLIENTS.items():
        rows = [rows.get(client, {}) for rows in results]
        interval(left, volatilities, rows, client)
        right.plot(volatilities, [float(row.get("executed_usd", 0)) / DAYS for row in rows], marker=".", color=color)
    left.set(xlabel="annual_volatility", ylabel="mark-out at 60 s, bps")
    left.legend()
    right.set(xlabel="annual_volatility", ylabel="executed, US dollars a day", yscale="log")
    save(figure, "volatility")


for plot in [base_fee, pool_constant, volatility]:
    plot()
