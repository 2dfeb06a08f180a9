// What is signed and neither executed nor expired: for each token the share of its reserve that may leave, a mark at the
// limit, the amounts in words.

import { drawn, element } from "./dom.js";
import { amount, percent } from "./numbers.js";

// How wide the mark is, in per cent of the bar.
const MARK = 0.6;

export function book(pool) {
  const count = pool.outstanding_swaps === 1 ? "1 swap" : `${pool.outstanding_swaps} swaps`;
  const limit = pool.max_outstanding_share;
  return element("figure", { class: "composition book" },
    element("figcaption", {}, `Outstanding: ${count}, ${age(pool.book_age_ms)}${limit === null ? "" : ", with a mark at the limit"}`),
    element("ul", {}, pool.assets.map((asset) => bar(asset, limit))));
}

function age(milliseconds) {
  return milliseconds === null ? "never read" : `read ${(milliseconds / 1_000).toFixed(1)} s ago`;
}

function bar(asset, limit) {
  const share = asset.outstanding_share;
  return element("li", { "data-key": asset.name },
    element("span", { class: "name" }, asset.name),
    element("span", { class: "share" }, percent(share)),
    drawn("svg", { class: "bar", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
      drawn("rect", { class: "track", x: 0, y: 2, width: 100, height: 8 }),
      share === null ? null : drawn("rect", { class: "held", x: 0, y: 2, width: Math.min(100, 100 * share), height: 8 }),
      limit === null ? null : drawn("rect", { class: "target", x: 100 * limit - MARK / 2, y: 0, width: MARK, height: 12 })),
    element("span", { class: "words" },
      `may leave ${amount(asset.outstanding_outflow, asset.decimals)}, may come ${amount(asset.outstanding_inflow, asset.decimals)}`));
}
