// What executed swaps earned on a day, or in the last 24 hours, for the holder of the admin token.

import { currentToken, forgetToken, isTokenConfigured, requestToken } from "./access.js";
import { ResponseError, fetchJson } from "./api.js";
import { element, render, table } from "./dom.js";
import { usd } from "./numbers.js";

// The service computes a report at most once a minute.
const REFRESH_MS = 60_000;
// A report reads the records of a day.
const TIMEOUT_MS = 60_000;
const COLUMNS = [
  ["Client"], ["Pair"], ["Requested", true], ["Hit rate", true], ["Signed", true], ["Executed", true], ["Volume", true], ["Edge", true],
  ["Mark-out", true], ["in bps", true], ["95 % interval", true],
];
const container = document.getElementById("money");
const form = document.getElementById("money-form");

// What is shown: the day, and when it was fetched.
let shown = null;

// Fetches and shows the report, unless the shown one is recent, or how to view it.
export async function refreshMoney() {
  const token = currentToken();
  if (token === null) {
    shown = null;
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
    if (currentToken() !== token) return;
    if (error.status === 401 || error.status === 403) forgetToken();
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

function showReport({ from, to, notes, rows: all, total }) {
  // The pair of a refused signature is not known.
  const rows = all.filter(({ requested, signed, executed }) => requested + signed + executed > 0);
  const period = `${minutes(from)} to ${minutes(to)} UTC`;
  const lines = rows.length === 0 ? [] : [...rows.map(row), row({ ...total, client: "all", pair: "" })];
  const explanation = "Edge: what swaps were worth at the prices of their quotes. Mark-out: 60 s after their blocks, with its interval from twelve "
    + "blocks of ten minutes on. For every digit: firmquote report.";
  render(container,
    notes.length === 0 ? null : element("ul", { class: "problems" }, notes.map((note) => element("li", {}, note))),
    rows.length === 0 ? element("p", {}, `No request and no swap, ${period}.`) : table(`By client and pair, ${period}`, COLUMNS, lines),
    element("p", { class: "faint" }, explanation));
}

function row(earnings) {
  const { client, pair, requested, hit_percent: hits, signed, executed } = earnings;
  const { markout_bps: bps, markout_interval_bps: interval, markout_missing: missing } = earnings;
  const money = (text) => (executed === 0 ? "" : usd(Number(text)));
  return [
    client ?? "without credentials", pair, String(requested), hits === null ? "" : `${hits} %`, String(signed), String(executed),
    money(earnings.executed_usd), money(earnings.edge_usd), missing === executed ? "" : money(earnings.markout_usd), bps ?? "",
    interval === null ? "" : `${interval[0]} to ${interval[1]}`,
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
