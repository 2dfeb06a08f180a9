// Outstanding swaps, signed and neither executed nor expired: for each token the share of its reserve that they may pay
// out, with a mark at the limit, and the amounts in words.

import { element, svgElement } from "./dom.js";
import { amount, percent } from "./numbers.js";

// Width of the mark, in percent of the bar.
const MARK_WIDTH = 0.6;

export function book(pool) {
  const count = pool.outstanding_swaps === 1 ? "1 swap" : `${pool.outstanding_swaps} swaps`;
  const limit = pool.max_outstanding_share;
  return element("figure", { class: "composition book" },
    element("figcaption", {}, `Outstanding: ${count}, ${age(pool.book_age_ms)}${limit === null ? "" : "; the mark is the limit"}`),
    element("ul", {}, pool.assets.map((asset) => bar(asset, limit))));
}

function age(milliseconds) {
  return milliseconds === null ? "not read yet" : `read ${(milliseconds / 1_000).toFixed(1)} s ago`;
}

function bar(asset, limit) {
  const share = asset.outstanding_share;
  return element("li", { "data-key": asset.name },
    element("span", { class: "name" }, asset.name),
    element("span", { class: "share" }, percent(share)),
    svgElement("svg", { class: "bar", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
      svgElement("rect", { class: "track", x: 0, y: 2, width: 100, height: 8 }),
      share === null ? null : svgElement("rect", { class: "fill", x: 0, y: 2, width: Math.min(100, 100 * share), height: 8 }),
      limit === null ? null : svgElement("rect", { class: "target", x: 100 * limit - MARK_WIDTH / 2, y: 0, width: MARK_WIDTH, height: 12 })),
    element("span", { class: "description" },
      `max outflow ${amount(asset.outstanding_outflow, asset.decimals)}, max inflow ${amount(asset.outstanding_inflow, asset.decimals)}`));
}
