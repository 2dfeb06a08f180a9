// Price levels: the streamed books, their age and remaining validity, and the breaches of firm levels.

import { element, render, table } from "./dom.js";
import { age, shortened } from "./numbers.js";

const container = document.getElementById("levels");
const COLUMNS = [["Book"], ["Pool"], ["Streams", true], ["Kind"], ["Input age", true], ["Valid for", true], ["State"]];

// Shows the levels of an overview.
export function showLevels({ streams, breaches, store_failures: storeFailures, books }) {
  render(container,
    element("p", {}, `${streams} open ${streams === 1 ? "stream" : "streams"}. `,
      breachSummary(breaches),
      storeFailures === 0 ? null : element("span", { class: "bad" }, ` Store failures: ${storeFailures}.`)),
    books.length === 0
      ? element("p", { class: "faint" }, "No book is streamed on this replica.")
      : table("Streamed books", COLUMNS, books.map(row)));
}

// The number of breaches of firm levels since the start, by reason.
function breachSummary(breaches) {
  const counted = breaches.filter((breach) => breach.count > 0);
  if (counted.length === 0) return element("span", { class: "good" }, "No firm level was breached since the start.");
  const text = counted.map((breach) => `${breach.reason.replaceAll("_", " ")}: ${breach.count}`).join(", ");
  return element("span", { class: "bad" }, `Breaches of firm levels since the start: ${text}.`);
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
