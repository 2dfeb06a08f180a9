// The pools: their state, composition, prices, fees, and the switch of each.

import { demandToken, forgetToken, knownToken } from "./access.js";
import { Refusal, ask } from "./api.js";
import { book } from "./book.js";
import { composition } from "./composition.js";
import { confirmed } from "./confirmation.js";
import { element, show, table } from "./dom.js";
import { decimal, shortened, usd } from "./numbers.js";
import { prices, problems, reserves, sources } from "./prices.js";

const container = document.getElementById("pools");
const notice = document.getElementById("notice");

// The pools whose switch is under way, by chain and address. Kept here and not in the buttons: those are drawn anew.
const underWay = new Set();

let arePausesShared = false;
let refresh = () => {};
let shown = null;

// Shows the pools of an overview; `again` has it asked for once more.
export function showPools(overview, again) {
  arePausesShared = overview.pauses_shared;
  refresh = again;
  shown = overview;
  show(container, overview.pools.map((one) => pool(one, state(one, overview.ready))));
}

// Shows that nothing is known of the state of the pools any more.
export function doubtPools() {
  if (shown !== null) show(container, shown.pools.map((one) => pool(one, ["bad", "Unknown"])));
}

// What a pool is called: by its signing domain, and by its chain.
export function title({ name, version, chain_name: chain }) {
  return `${name} ${version} on ${chain}`;
}

function pool(pool, [kind, word]) {
  const id = `pool-${pool.chain_id}-${pool.pool_address}`;
  return element("section", { class: "pool", "data-key": id, "aria-labelledby": id },
    element("div", { class: "head" },
      element("h2", { id }, title(pool)),
      element("strong", { class: `state ${kind}` }, word),
      switchOf(pool)),
    element("p", { class: "facts" },
      element("span", { class: "worth" }, usd(pool.value_in_usd)),
      element("span", {}, "pool ", address(pool.pool_address)),
      element("span", {}, "signed by ", address(pool.signer_address)),
      element("span", {}, `k ${pool.k}, ${pool.good_until}`)),
    problems(pool),
    element("div", { class: "columns" }, composition(pool), book(pool), prices(pool), reserves(pool), fees(pool)),
    sources(pool));
}

function address(full) {
  return element("code", { title: full, "aria-label": full }, shortened(full));
}

// Whether it quotes, as a colour and a word.
function state({ paused, swaps_enabled: isEnabled, assets, pairs }, isReady) {
  if (paused === null) return ["bad", "Paused or not is not known: not quoting"];
  if (paused) return ["bad", "Paused"];
  if (!isEnabled) return ["bad", "Swaps disabled in the file"];
  const trusted = assets.filter((asset) => asset.price.distrust === null && asset.reserve.distrust === null);
  const names = new Set(trusted.map((asset) => asset.name));
  const quoted = pairs.filter((pair) => pair.assets.every((name) => names.has(name))).length;
  if (!isReady || quoted === 0) return ["bad", "Not quoting"];
  return quoted === pairs.length ? ["good", "Open"] : ["bad", `${quoted} of ${pairs.length} pairs open`];
}

// While it is not known whether the pool is paused, pausing is what does no harm.
function switchOf({ paused, chain_id: chain, chain_name: chainName, pool_address: at, name }) {
  const action = paused === true ? "resume" : "pause";
  const label = `${paused === true ? "Resume" : "Pause"} ${name} on ${chainName}`;
  const isBusy = underWay.has(keyOf(chain, at));
  return element("button",
    { type: "button", class: paused === true ? null : "warn", "data-action": action, "data-chain": chain, "data-pool": at,
      "data-name": `${name} on ${chainName}`, "aria-label": label, "aria-busy": isBusy ? "true" : null },
    paused === true ? "Resume" : "Pause");
}

function fees({ pairs, time_in_seconds: time }) {
  const rows = pairs.map((pair) => [
    pair.assets.join(" / "),
    `${decimal(pair.fee_in_basis_points)} bp`,
    `${decimal(100 * pair.annual_volatility)} %`,
    pair.volatility_estimated ? "estimated" : "configured",
  ]);
  return table(`Fees for ${time} s`, [["Pair"], ["Fee", true], ["Volatility", true], ["Taken from"]], rows);
}

function keyOf(chain, at) {
  return `${chain}-${at}`;
}

// Does what the button said when it was pressed; while that is under way, pressing it does nothing.
async function press(button) {
  const { action, chain, pool: at, name } = button.dataset;
  const key = keyOf(chain, at);
  if (underWay.has(key)) return;
  underWay.add(key);
  button.setAttribute("aria-busy", "true");
  try {
    if (action === "pause" || await confirmed(`Let ${name} quote and sign again?`, "Resume")) await set(action, chain, at);
  } finally {
    underWay.delete(key);
    button.removeAttribute("aria-busy");
  }
  refresh();
}

async function set(action, chain, at) {
  const token = await demandToken();
  if (token === null) return;
  try {
    const { shared } = await ask(`pools/${at}/${action}?chain_id=${chain}`, { method: "POST", token });
    notice.textContent = said(action, shared);
  } catch (error) {
    if (error instanceof Refusal && error.status === 403 && knownToken() === token) forgetToken();
    const why = error instanceof Refusal ? error.message : "the service did not answer";
    const doubt = action === "pause" ? " The pause may hold in this process only: ask every replica." : "";
    notice.textContent = `The pool may not be ${action}d: ${why}.${doubt}`;
  }
}

function said(action, isShared) {
  if (action === "resume") return "The pool goes on.";
  const reach = isShared || arePausesShared
    ? "On every replica within a second, and it outlives restarts."
    : "In this process only, and gone when it ends: write swaps_enabled = false into the file as well.";
  return `The pool is paused. ${reach} Signatures that left stay valid until their good_until.`;
}

container.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-action]");
  // The later clicks of a double click mean the button as it was at the first, and it may have turned into its opposite.
  if (button !== null && event.detail <= 1) press(button);
});
