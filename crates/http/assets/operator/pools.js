// The pools: their state, composition, prices, fees, and the switch of each.

import { demandToken, forgetToken, knownToken } from "./access.js";
import { Refusal, ask } from "./api.js";
import { composition } from "./composition.js";
import { element, show, table } from "./dom.js";
import { decimal, shortened, usd } from "./numbers.js";
import { prices, problems, reserves, sources } from "./prices.js";

const container = document.getElementById("pools");
const notice = document.getElementById("notice");

let arePausesShared = false;
let refresh = () => {};

// Shows the pools of an overview; `again` has it asked for once more.
export function showPools(overview, again) {
  arePausesShared = overview.pauses_shared;
  refresh = again;
  show(container, overview.pools.map(pool));
}

function pool(pool) {
  const title = `pool-${pool.chain_id}-${pool.pool_address}`;
  return element("section", { class: "pool", "data-key": title, "aria-labelledby": title },
    element("div", { class: "head" },
      element("h2", { id: title }, `${pool.name} ${pool.version} on chain ${pool.chain_id}`),
      state(pool),
      switchOf(pool)),
    element("p", { class: "facts" },
      element("span", { class: "worth" }, usd(pool.value_in_usd)),
      element("span", {}, "pool ", address(pool.pool_address)),
      element("span", {}, "signed by ", address(pool.signer_address)),
      element("span", {}, `k ${pool.k}, ${pool.good_until}`)),
    problems(pool),
    element("div", { class: "columns" }, composition(pool), prices(pool), reserves(pool), fees(pool)),
    sources(pool));
}

function address(full) {
  return element("code", { title: full, "aria-label": full }, shortened(full));
}

// Whether it quotes, as a word and a colour.
function state({ paused, swaps_enabled: isEnabled }) {
  const [kind, word] = paused === null ? ["bad", "Paused or not is not known: not quoting"]
    : paused ? ["bad", "Paused"]
    : isEnabled ? ["good", "Open"] : ["bad", "Swaps disabled in the file"];
  return element("strong", { class: `state ${kind}` }, word);
}

// While it is not known whether the pool is paused, pausing is what does no harm.
function switchOf({ paused, chain_id: chain, pool_address: at, name }) {
  const action = paused === true ? "resume" : "pause";
  const label = `${paused === true ? "Resume" : "Pause"} ${name} on chain ${chain}`;
  return element("button",
    { type: "button", class: paused === true ? null : "warn", "data-action": action, "data-chain": chain, "data-pool": at, "aria-label": label },
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

async function set(button) {
  const { action, chain, pool: at } = button.dataset;
  const token = await demandToken();
  if (token === null) return;
  button.setAttribute("aria-busy", "true");
  try {
    const { shared } = await ask(`pools/${at}/${action}?chain_id=${chain}`, { method: "POST", token });
    notice.textContent = said(action, shared);
  } catch (error) {
    if (error instanceof Refusal && error.status === 403 && knownToken() !== null) forgetToken();
    const why = error instanceof Refusal ? error.message : "the service did not answer";
    const doubt = action === "pause" ? " The pause may hold in this process only: ask every replica." : "";
    notice.textContent = `The pool may not be ${action}d: ${why}.${doubt}`;
  } finally {
    button.removeAttribute("aria-busy");
  }
  refresh();
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
  if (button !== null && !button.hasAttribute("aria-busy")) set(button);
});
