// The pools: state, composition, prices, fees, and the buttons to pause and resume them.

import { currentToken, forgetToken, requestToken } from "./access.js";
import { ResponseError, fetchJson } from "./api.js";
import { book } from "./book.js";
import { composition } from "./composition.js";
import { confirmAction } from "./confirmation.js";
import { element, render, table } from "./dom.js";
import { age, decimal, shortened, usd } from "./numbers.js";
import { prices, problems, reserves, sources } from "./prices.js";

const container = document.getElementById("pools");
const notice = document.getElementById("notice");

// Pools with a pending pause or resume request, by chain and address. Not stored in the buttons, which are redrawn.
const pendingPools = new Set();

let arePausesShared = false;
let refresh = () => {};
let shown = null;

// Shows the pools of an overview; `onChange` refreshes it after a pool was paused or resumed.
export function showPools(overview, onChange) {
  arePausesShared = overview.pauses_shared;
  refresh = onChange;
  shown = overview;
  render(container, overview.pools.map((pool) => section(pool, state(pool, overview.ready))));
}

// Shows the state of every pool as unknown.
export function markPoolsStale() {
  if (shown !== null) render(container, shown.pools.map((pool) => section(pool, ["bad", "Unknown"])));
}

// The title of a pool: its signing domain and its chain.
function title({ name, version, chain_name: chain }) {
  return `${name} ${version} on ${chain}`;
}

function section(pool, [kind, text]) {
  const id = `pool-${pool.chain_id}-${pool.pool_address}`;
  return element("section", { class: "pool", "data-key": id, "aria-labelledby": id },
    element("div", { class: "head" },
      element("h2", { id }, title(pool)),
      element("strong", { class: `state ${kind}` }, text),
      toggleButton(pool)),
    element("p", { class: "facts" },
      element("span", { class: "value" }, usd(pool.value_in_usd)),
      element("span", {}, "pool ", address(pool.pool_address)),
      element("span", {}, "signer ", address(pool.signer_address)),
      element("span", {}, `k ${pool.k}, ${pool.good_until}`)),
    trips(pool),
    problems(pool),
    element("div", { class: "columns" }, composition(pool), book(pool), prices(pool), reserves(pool), fees(pool)),
    sources(pool));
}

function address(full) {
  return element("code", { title: full, "aria-label": full }, shortened(full));
}

// The state of a pool, as a color and a text.
function state({ paused, breakers, swaps_enabled: isEnabled, assets, pairs }, isReady) {
  if (paused === null) return ["bad", "Pause state unknown, not quoting"];
  if (paused) return ["bad", breakers.some(pausesPool) ? "Paused by a breaker" : "Paused"];
  const stopped = breakers.filter((breaker) => breaker.step === "pause").map((breaker) => breaker.token);
  if (stopped.length > 0) return ["bad", `A breaker stopped swaps that pay out ${stopped.join(", ")}`];
  if (!isEnabled) return ["bad", "Swaps disabled in the configuration"];
  const trusted = assets.filter((asset) => asset.price.distrust === null && asset.reserve.distrust === null);
  const names = new Set(trusted.map((asset) => asset.name));
  const quoted = pairs.filter((pair) => pair.assets.every((name) => names.has(name))).length;
  if (!isReady || quoted === 0) return ["bad", "Not quoting"];
  return quoted === pairs.length ? ["good", "Open"] : ["bad", `${quoted} of ${pairs.length} pairs open`];
}

// What the breakers of a pool have done.
function trips({ breakers }) {
  return breakers.length === 0 ? null : element("ul", { class: "problems" }, breakers.map((breaker) =>
    element("li", {}, `Breaker ${breaker.breaker}: ${effect(breaker)} ${age(breaker.age_ms)} ago: ${breaker.figures}`)));
}

function effect({ step, token }) {
  if (step === "widen") return "fees raised";
  return token === null ? "paused" : `swaps that pay out ${token} stopped`;
}

function pausesPool({ step, token }) {
  return step === "pause" && token === null;
}

// While the pause state is unknown, the button pauses: that is the safe action.
function toggleButton({ paused, breakers, chain_id: chain, chain_name: chainName, pool_address: at, name }) {
  const isTripped = breakers.some((breaker) => breaker.step === "pause");
  const isStopped = paused === true || isTripped && paused === false;
  const action = isStopped ? "resume" : "pause";
  const label = `${isStopped ? "Resume" : "Pause"} ${name} on ${chainName}`;
  const isBusy = pendingPools.has(keyOf(chain, at));
  return element("button",
    { type: "button", class: isStopped ? null : "warn", "data-action": action, "data-chain": chain, "data-pool": at,
      "data-name": `${name} on ${chainName}`, "data-tripped": String(isTripped), "aria-label": label,
      "aria-busy": isBusy ? "true" : null },
    isStopped ? "Resume" : "Pause");
}

function fees({ pairs, time_in_seconds: time }) {
  const rows = pairs.map((pair) => [
    pair.assets.join(" / "),
    `${decimal(pair.fee_in_basis_points)} bp`,
    `${decimal(100 * pair.annual_volatility)} %`,
    pair.volatility_estimated ? "estimated" : "configured",
    pair.best_improvement_bps === null ? "unknown" : `${decimal(pair.best_improvement_bps.toFixed(2))} bp`,
  ]);
  const columns = [["Pair"], ["Fee", true], ["Volatility", true], ["Source"], ["Best quote, over the prices", true]];
  return table(`Fees at ${time} s`, columns, rows);
}

function keyOf(chain, at) {
  return `${chain}-${at}`;
}

// Performs the action that the button showed when clicked; while that is pending, further clicks are ignored.
async function toggle(button) {
  const { action, chain, pool: at, name } = button.dataset;
  const isTripped = button.dataset.tripped === "true";
  const key = keyOf(chain, at);
  if (pendingPools.has(key)) return;
  pendingPools.add(key);
  button.setAttribute("aria-busy", "true");
  try {
    const reason = action === "pause" ? "" : await confirmAction(`Resume quoting and signing of ${name}?`, "Resume", isTripped);
    if (reason !== null) await send(action, chain, at, reason);
  } finally {
    pendingPools.delete(key);
    button.removeAttribute("aria-busy");
  }
  refresh();
}

async function send(action, chain, at, reason) {
  const token = await requestToken();
  if (token === null) return;
  try {
    const because = reason === "" ? "" : `&reason=${encodeURIComponent(reason)}`;
    const { shared } = await fetchJson(`pools/${at}/${action}?chain_id=${chain}${because}`, { method: "POST", token });
    notice.textContent = resultMessage(action, shared);
  } catch (error) {
    if (error instanceof ResponseError && error.status === 403 && currentToken() === token) forgetToken();
    const reason = error instanceof ResponseError ? error.message : "the service did not respond";
    const advice = action === "pause" ? " The pause may apply to this process only: check every replica." : "";
    notice.textContent = `${action === "pause" ? "Pausing" : "Resuming"} may have failed: ${reason}.${advice}`;
  }
}

function resultMessage(action, isShared) {
  if (action === "resume") return "The pool was resumed.";
  const scope = isShared || arePausesShared
    ? "The pause reaches every replica within a second and survives restarts."
    : "The pause applies to this process only and ends with it: also set swaps_enabled = false in the configuration file.";
  return `The pool is paused. ${scope} Signatures already issued stay valid until their good_until.`;
}

container.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-action]");
  // Later clicks of a double click are ignored: the button may show the opposite action by then.
  if (button !== null && event.detail <= 1) toggle(button);
});
