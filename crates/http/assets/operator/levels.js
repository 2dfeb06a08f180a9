// Price levels: the books that streams read, how old and how far from their end they are, and the promises that were broken.

import { element, show, table } from "./dom.js";
import { age, shortened } from "./numbers.js";

const container = document.getElementById("levels");
const COLUMNS = [["Book"], ["Pool"], ["Streams", true], ["Promise"], ["Inputs' age", true], ["Valid for", true], ["State"]];

// Shows the levels of an overview.
export function showLevels({ streams, breaches, store_failures: storeFailures, books }) {
  show(container,
    element("p", {}, `${streams} open ${streams === 1 ? "stream" : "streams"}. `,
      promises(breaches),
      storeFailures === 0 ? null : element("span", { class: "bad" }, ` Failures of the store: ${storeFailures}.`)),
    books.length === 0
      ? element("p", { class: "faint" }, "No stream reads a book on this replica.")
      : table("Books that streams read", COLUMNS, books.map(row)));
}

// How many promises of firm levels were broken since the start, and why.
function promises(breaches) {
  const broken = breaches.filter((one) => one.count > 0);
  if (broken.length === 0) return element("span", { class: "good" }, "No promise was broken since the start.");
  const words = broken.map((one) => `${one.reason.replaceAll("_", " ")}: ${one.count}`).join(", ");
  return element("span", { class: "bad" }, `Promises broken since the start: ${words}.`);
}

function row(book) {
  const milliseconds = (value) => (value === null ? "none" : age(value));
  return [
    `${book.input_asset} → ${book.output_asset}`,
    element("code", { title: `${book.chain_id}:${book.pool_address}` }, shortened(book.pool_address)),
    String(book.streams),
    book.firm === null ? "none" : book.firm ? "firm" : "indicative",
    milliseconds(book.age_ms),
    milliseconds(book.valid_for_ms),
    state(book),
  ];
}

function state({ firm, withdrawn }) {
  if (withdrawn !== null) return element("span", { class: "bad" }, `withdrawn: ${withdrawn.replaceAll("_", " ")}`);
  return firm === null ? "not published yet" : element("span", { class: "good" }, "live");
}
