// Prices and reserves as tables: age, source, and why one is not trusted.

import { element, table } from "./dom.js";
import { age, amount, readable, usd } from "./numbers.js";

// The untrusted prices and reserves with their reasons; null if there are none.
export function problems(pool) {
  const untrusted = pool.assets.flatMap((asset) => [
    [`${asset.name} price`, asset.price.distrust],
    [`${asset.name} reserve`, asset.reserve.distrust],
  ]).filter(([, distrust]) => distrust !== null);
  return untrusted.length === 0 ? null : element("ul", { class: "problems" },
    untrusted.map(([subject, distrust]) => element("li", {}, `${subject}: ${distrust.reason}`)));
}

export function prices(pool) {
  const rows = pool.assets.map((asset) => [
    asset.name,
    priceText(asset.price.price_usd),
    trust(asset.price.distrust),
    age(asset.price.age_ms),
    source(asset),
  ]);
  return table("Prices", [["Asset"], ["USD", true], ["Trusted"], ["Age", true], ["Source"]], rows);
}

export function reserves(pool) {
  const rows = pool.assets.map((asset) => [
    asset.name,
    asset.reserve.balance === null ? "unknown" : amount(asset.reserve.balance, asset.decimals, 9),
    usd(asset.value_in_usd),
    trust(asset.reserve.distrust),
    age(asset.reserve.age_ms),
    String(asset.listing_weight),
  ]);
  const columns = [["Asset"], ["Reserve", true], ["Value", true], ["Trusted"], ["Age", true], ["Weight", true]];
  return table("Reserves", columns, rows);
}

// Every price source of every asset, collapsed; null if all prices are from the configuration file.
export function sources(pool) {
  const rows = pool.assets.flatMap((asset) => asset.sources.map((one) => [
    asset.name,
    one.name,
    priceText(one.price_usd),
    trust(one.distrust),
    age(one.age_ms),
  ]));
  if (rows.length === 0) return null;
  return element("details", {}, element("summary", {}, `Price sources (${rows.length})`),
    table("Price sources", [["Asset"], ["Source"], ["USD", true], ["Trusted"], ["Age", true]], rows));
}

function priceText(price) {
  return price === null ? "unknown" : readable(price, 10);
}

function trust(distrust) {
  return distrust === null
    ? element("span", { class: "good" }, "yes")
    : element("span", { class: "bad", title: distrust.reason }, `no: ${distrust.rule.replace("_", " ")}`);
}

// The source of a price: the configuration file, its only source, or how many of its sources are trusted.
function source({ price, sources }) {
  const trusted = sources.filter((one) => one.distrust === null);
  if (sources.length === 0) return "file";
  if (sources.length === 1) return sources[0].name;
  const ofAll = `${trusted.length} of ${sources.length} sources trusted`;
  // Each on its own: together they may break a rule of the asset.
  return price.distrust !== null && trusted.length > 0 ? `${ofAll}, but together: ${price.distrust.reason}` : ofAll;
}
