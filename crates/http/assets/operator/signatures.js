// What each client asks for and gets, and what was signed last, for the holder of the token.

import { demandToken, forgetToken, isTokenConfigured, knownToken } from "./access.js";
import { Refusal, ask } from "./api.js";
import { element, show, table } from "./dom.js";
import { amount, percent, shortened, usd } from "./numbers.js";

const container = document.getElementById("signatures");
const COLUMNS =
  [["Signed (UTC)"], ["Client"], ["Given", true], ["Received", true], ["Worth", true], ["Destination"], ["Pool"], ["Good until (UTC)"], ["Quote"]];

// Asks for the signatures and shows them, or how to get to see them.
export async function refreshSignatures() {
  const token = knownToken();
  if (token === null) return invite();
  try {
    const answer = await ask("signatures/recent", { token });
    // Forgotten meanwhile: whoever looks now need not be its holder.
    if (knownToken() === token) list(answer);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (knownToken() !== token) return;
    if (error.status === 401 || error.status === 403) forgetToken();
    show(container, element("p", { class: "problem" }, error.message));
  }
}

function invite() {
  const words = isTokenConfigured()
    ? "They show the trades of your clients, so they need the admin token."
    : "They need an admin token, and none is configured.";
  show(container, element("p", {}, `${words} `,
    element("button", { type: "button", "data-action": "show" }, isTokenConfigured() ? "Show them" : "How to make one")));
}

const USAGE =
  [["Client"], ["Pair"], ["Requests", true], ["Errors", true], ["Signed", true], ["Settled", true], ["Lapsed", true], ["Volume", true]];

function list({ remembered, signatures, clients }) {
  const about = `The last ${remembered} of this replica since it started, at most. The ledger is the full record: firmquote ledger tail.`;
  show(container,
    clients.length === 0 ? null : table("Clients and pairs since the start of this replica", USAGE, clients.map(usage)),
    element("p", { class: "faint" }, about),
    signatures.length === 0 ? element("p", {}, "Nothing was signed yet.") : table("Recent signatures", COLUMNS, signatures.map(row)));
}

function usage(one) {
  const pair = one.input_asset === null && one.output_asset === null ? "not known"
    : `${one.input_asset ?? "not listed"} → ${one.output_asset ?? "not listed"}`;
  const errors = one.errors === 0 ? "0" : `${one.errors} (${percent(one.errors / one.requests)})`;
  const ended = one.settled + one.lapsed;
  const part = (count) => (ended === 0 ? String(count) : `${count} (${percent(count / ended)})`);
  return [
    one.client ?? "without credentials", pair, String(one.requests), errors, String(one.signatures), part(one.settled),
    part(one.lapsed), usd(one.value_in_usd),
  ];
}

function row(one) {
  return [
    one.signed_at.slice(0, 19),
    one.client ?? "without credentials",
    leg(one.input_amount, one.input_asset),
    leg(one.output_amount, one.output_asset),
    usd(one.input_value_in_usd),
    element("code", { title: one.destination_address }, shortened(one.destination_address)),
    element("code", { title: `${one.chain_id}:${one.pool_address}` }, shortened(one.pool_address)),
    new Date(1_000 * one.good_until).toISOString().slice(11, 19),
    element("code", { title: one.quote_id }, one.quote_id.slice(0, 8)),
  ];
}

function leg(baseUnits, asset) {
  return `${amount(baseUnits, asset.decimals)} ${asset.name ?? shortened(asset.address)}`;
}

container.addEventListener("click", (event) => {
  if (event.target.closest("button[data-action=show]") !== null) demandToken();
});
