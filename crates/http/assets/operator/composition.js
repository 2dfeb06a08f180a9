// What a pool holds against what it is meant to hold: a bar for each asset, a mark at its target, the difference in words.

import { drawn, element } from "./dom.js";
import { percent } from "./numbers.js";

// A difference of shares smaller than this is none worth a word.
const SAME_POINTS = 0.005;

// How wide the mark is, in per cent of the bar.
const MARK = 0.6;

export function composition(pool) {
  return element("figure", { class: "composition" },
    element("figcaption", {}, "Composition, with a mark at the target"),
    element("ul", {}, pool.assets.map(bar)));
}

function bar(asset) {
  const target = asset.target_share === null ? null : 100 * asset.target_share - MARK / 2;
  return element("li", { "data-key": asset.name },
    element("span", { class: "name" }, asset.name),
    element("span", { class: "share" }, percent(asset.share)),
    drawn("svg", { class: "bar", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
      drawn("rect", { class: "track", x: 0, y: 2, width: 100, height: 8 }),
      asset.share === null ? null : drawn("rect", { class: "held", x: 0, y: 2, width: 100 * asset.share, height: 8 }),
      target === null ? null : drawn("rect", { class: "target", x: target, y: 0, width: MARK, height: 12 })),
    element("span", { class: "words" }, words(asset)));
}

// "target 50.12 %, 0.02 points above".
function words({ share, target_share: target }) {
  if (share === null || target === null) return "not known while a price or a reserve is not";
  const points = 100 * (share - target);
  const away = Math.abs(points) < SAME_POINTS ? "met" : `${Math.abs(points).toFixed(2)} points ${points > 0 ? "above" : "below"}`;
  return `target ${percent(target)}, ${away}`;
}
