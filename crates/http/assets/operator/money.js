// What executed swaps earned on a day, or in the last 24 hours, for the holder of the admin token.

import { currentToken, forgetToken, isTokenConfigured, requestToken } from "./access.js";
import { ResponseError, fetchJson } from "./api.js";
import { lineChart } from "./chart.js";
import { element, render, table } from "./dom.js";
import { brief, decimal, usd } from "./numbers.js";
import { scale } from "./scale.js";

// The service computes a report at most once a minute.
const REFRESH_MS = 60_000;
// A report reads the records of a day.
const TIMEOUT_MS = 60_000;
const COLUMNS = [
  ["Client"], ["Pair"], ["Requested", true], ["Hit rate", true], ["Signed", true], ["Executed", true], ["Volume", true], ["Edge", true],
  ["Mark-out", true], ["in bps", true], ["95 % interval", true], ["Options given", true],
];
const POOL_COLUMNS = [
  ["Pool"], ["Value at first", true], ["Price moves", true], ["Against holding", true], ["Deposits", true], ["Unexplained", true], ["Unobserved", true], ["Value at last", true],
];
const container = document.getElementById("money");
const chartsPlace = document.getElementById("money-charts");
// The chart of each pool that was shown.
const charts = new Map();
const form = document.getElementById("money-form");

// What is shown: the day, and when it was fetched.
let shown = null;

// Fetches and shows the report, unless the shown one is recent, or how to view it.
export async function refreshMoney() {
  const token = currentToken();
  if (token === null) {
    shown = null;
    chartsPlace.replaceChildren();
    return showTokenPrompt();
  }
  const day = form.elements.day.value;
  if (shown !== null && shown.day === day && Date.now() - shown.at < REFRESH_MS) return;
  shown = { day, at: Date.now() };
  try {
    const body = await fetchJson(day === "" ? "earnings" : `earnings?day=${encodeURIComponent(day)}`, { token, timeout: TIMEOUT_MS });
    // Forgotten, or another day, in the meantime.
    if (currentToken() === token && form.elements.day.value === day) showReport(body);
  } catch (error) {
    shown = null;
    if (!(error instanceof ResponseError)) throw error;
    if (currentToken() !== token || form.elements.day.value !== day) return;
    if (error.status === 401 || error.status === 403) forgetToken();
    chartsPlace.replaceChildren();
    render(container, element("p", { class: "problem" }, error.message));
  }
}

function showTokenPrompt() {
  const text = isTokenConfigured()
    ? "It shows what your clients traded, so the admin token is required."
    : "The admin token is required, and none is configured.";
  render(container, element("p", {}, `${text} `,
    element("button", { type: "button", "data-action": "show" }, isTokenConfigured() ? "Show" : "How to create one")));
}

function showReport({ from, to, notes, rows: all, total, informed, pools }) {
  // The pair of a refused signature is not known.
  const rows = all.filter(({ requested, signed, executed }) => requested + signed + executed > 0);
  const period = `${minutes(from)} to ${minutes(to)} UTC`;
  const lines = rows.length === 0 ? [] : [...rows.map(row), row({ ...total, client: "all", pair: "" })];
  const explanation = "Edge: what swaps were worth at the prices of their quotes. Mark-out: 60 s after their blocks, with its interval from twelve "
    + "blocks of ten minutes on. Options given: what the signatures are worth, at the volatility of the hour before. For every digit: firmquote report.";
  render(container,
    notes.length === 0 ? null : element("ul", { class: "problems" }, notes.map((note) => element("li", {}, note))),
    rows.length === 0 ? element("p", {}, `No request and no swap, ${period}.`) : table(`By client and pair, ${period}`, COLUMNS, lines),
    informed.length === 0 ? null : element("p", {}, element("strong", {}, "Informed: "),
      `${informed.map((client) => client || "without credentials").join(", ")}. Their swaps lose value within a minute by more than chance.`),
    pools.length === 0 ? null : table("Pools from their first to their last block", POOL_COLUMNS, pools.map(poolRow)),
    element("p", { class: "faint" }, explanation));
  showCharts(from, pools);
}

function poolRow(pool) {
  const { start_usd: start, price_moves_usd: moves, trading_usd: trading, deposits_usd: deposits, unexplained_usd: unexplained } = pool;
  const { unobserved_usd: unobserved, end_usd: end } = pool;
  const blocks = `${pool.blocks} blocks, ${minutes(pool.from)} to ${minutes(pool.to)} UTC`;
  return [element("code", { title: blocks }, pool.pool), ...[start, moves, trading, deposits, unexplained, unobserved, end].map((text) => usd(Number(text)))];
}

// Draws the result of each pool against holding what it held, by hour.
function showCharts(from, pools) {
  const start = Date.parse(`${from.slice(0, 19).replace(" ", "T")}Z`) / 1_000;
  const drawn = pools.filter(({ trading }) => trading.length > 1);
  for (const { pool } of drawn) if (!charts.has(pool)) charts.set(pool, lineChart(`Against holding: ${pool}`));
  chartsPlace.replaceChildren(...drawn.map(({ pool }) => charts.get(pool).figure));
  for (const { pool, trading } of drawn) {
    const hours = trading.map(([seconds]) => (seconds - start) / 3_600);
    const values = trading.map(([, text]) => Number(text));
    charts.get(pool).draw({
      x: scale(hours, { title: `hours since ${minutes(from)} UTC`, format: brief }),
      y: scale(values, { format: (value) => `$${brief(value)}` }),
      series: [{ name: "swaps in less swaps out, at the last prices", values }],
      describe: (index) => `after ${decimal(hours[index], 1)} h: ${usd(values[index])}`,
    });
  }
}

function row(earnings) {
  const { client, pair, requested, hit_percent: hits, signed, executed } = earnings;
  const { markout_bps: bps, markout_interval_bps: interval, markout_missing: missing } = earnings;
  const money = (text) => (executed === 0 ? "" : usd(Number(text)));
  return [
    client ?? "without credentials", pair, String(requested), hits === null ? "" : `${hits} %`, String(signed), String(executed),
    money(earnings.executed_usd), money(earnings.edge_usd), missing === executed ? "" : money(earnings.markout_usd), bps ?? "",
    interval === null ? "" : `${interval[0]} to ${interval[1]}`, signed === 0 ? "" : usd(Number(earnings.options_given_usd)),
  ];
}

function minutes(time) {
  return time.slice(0, 16);
}

container.addEventListener("click", (event) => {
  if (event.target.closest("button[data-action=show]") !== null) requestToken();
});
form.addEventListener("submit", (event) => event.preventDefault());

// Calls `onFailure` if the report of another day cannot be shown.
export function watchDay(onFailure) {
  form.elements.day.addEventListener("change", () => refreshMoney().catch(onFailure));
}
