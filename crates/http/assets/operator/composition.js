// The composition of a pool compared with its targets: a bar for each asset, a mark at its target, the difference in words.

import { element, svgElement } from "./dom.js";
import { percent } from "./numbers.js";

// Smaller differences, in percentage points, count as on target.
const MIN_DIFFERENCE_POINTS = 0.005;

// Width of the mark, in percent of the bar.
const MARK_WIDTH = 0.6;

export function composition(pool) {
  return element("figure", { class: "composition" },
    element("figcaption", {}, "Composition; the mark is the target"),
    element("ul", {}, pool.assets.map(bar)));
}

function bar(asset) {
  const target = asset.target_share === null ? null : 100 * asset.target_share - MARK_WIDTH / 2;
  return element("li", { "data-key": asset.name },
    element("span", { class: "name" }, asset.name),
    element("span", { class: "share" }, percent(asset.share)),
    svgElement("svg", { class: "bar", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
      svgElement("rect", { class: "track", x: 0, y: 2, width: 100, height: 8 }),
      asset.share === null ? null : svgElement("rect", { class: "fill", x: 0, y: 2, width: 100 * asset.share, height: 8 }),
      target === null ? null : svgElement("rect", { class: "target", x: target, y: 0, width: MARK_WIDTH, height: 12 })),
    element("span", { class: "description" }, difference(asset)));
}

// "target 50.12 %, 0.02 points above".
function difference({ share, target_share: target }) {
  if (share === null || target === null) return "unknown: a price or a reserve is missing";
  const points = 100 * (share - target);
  const text = Math.abs(points) < MIN_DIFFERENCE_POINTS ? "met" : `${Math.abs(points).toFixed(2)} points ${points > 0 ? "above" : "below"}`;
  return `target ${percent(target)}, ${text}`;
}
