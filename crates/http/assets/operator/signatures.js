// Usage of each client and recent signatures, for the holder of the admin token.

import { currentToken, forgetToken, isTokenConfigured, requestToken } from "./access.js";
import { ResponseError, fetchJson } from "./api.js";
import { element, render, table } from "./dom.js";
import { amount, percent, shortened, usd } from "./numbers.js";

const container = document.getElementById("signatures");
const SIGNATURE_COLUMNS =
  [["Signed (UTC)"], ["Client"], ["Input", true], ["Output", true], ["Value", true], ["Destination"], ["Pool"], ["Good until (UTC)"], ["Quote"]];

// Fetches and shows the signatures, or how to view them.
export async function refreshSignatures() {
  const token = currentToken();
  if (token === null) return showTokenPrompt();
  try {
    const body = await fetchJson("signatures/recent", { token });
    // Forgotten in the meantime: the viewer may no longer be its holder.
    if (currentToken() === token) showSignatures(body);
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    if (currentToken() !== token) return;
    if (error.status === 401 || error.status === 403) forgetToken();
    render(container, element("p", { class: "problem" }, error.message));
  }
}

function showTokenPrompt() {
  const text = isTokenConfigured()
    ? "They show your clients' trades, so the admin token is required."
    : "The admin token is required, and none is configured.";
  render(container, element("p", {}, `${text} `,
    element("button", { type: "button", "data-action": "show" }, isTokenConfigured() ? "Show" : "How to create one")));
}

const USAGE_COLUMNS =
  [["Client"], ["Pair"], ["Requests", true], ["Errors", true], ["Signed", true], ["Settled", true], ["Lapsed", true], ["Volume", true]];

function showSignatures({ remembered, signatures, clients }) {
  const note = `Up to the last ${remembered} of this replica since it started. The ledger is the full record: firmquote ledger tail.`;
  render(container,
    clients.length === 0 ? null : table("Clients and pairs since this replica started", USAGE_COLUMNS, clients.map(usageRow)),
    element("p", { class: "faint" }, note),
    signatures.length === 0 ? element("p", {}, "No signatures yet.") : table("Recent signatures", SIGNATURE_COLUMNS, signatures.map(signatureRow)));
}

function usageRow(usage) {
  const pair = usage.input_asset === null && usage.output_asset === null ? "unknown"
    : `${usage.input_asset ?? "not listed"} → ${usage.output_asset ?? "not listed"}`;
  const errors = usage.errors === 0 ? "0" : `${usage.errors} (${percent(usage.errors / usage.requests)})`;
  const ended = usage.settled + usage.lapsed;
  const ofEnded = (count) => (ended === 0 ? String(count) : `${count} (${percent(count / ended)})`);
  return [
    usage.client ?? "without credentials", pair, String(usage.requests), errors, String(usage.signatures), ofEnded(usage.settled),
    ofEnded(usage.lapsed), usd(usage.value_in_usd),
  ];
}

function signatureRow(signature) {
  return [
    signature.signed_at.slice(0, 19),
    signature.client ?? "without credentials",
    leg(signature.input_amount, signature.input_asset),
    leg(signature.output_amount, signature.output_asset),
    usd(signature.input_value_in_usd),
    element("code", { title: signature.destination_address }, shortened(signature.destination_address)),
    element("code", { title: `${signature.chain_id}:${signature.pool_address}` }, shortened(signature.pool_address)),
    new Date(1_000 * signature.good_until).toISOString().slice(11, 19),
    element("code", { title: signature.quote_id }, signature.quote_id.slice(0, 8)),
  ];
}

function leg(baseUnits, asset) {
  return `${amount(baseUnits, asset.decimals)} ${asset.name ?? shortened(asset.address)}`;
}

container.addEventListener("click", (event) => {
  if (event.target.closest("button[data-action=show]") !== null) requestToken();
});
