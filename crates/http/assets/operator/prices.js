// Prices and reserves as tables: how old they are, where they come from, and what keeps them from being quoted on.

import { element, table } from "./dom.js";
import { age, amount, readable, usd } from "./numbers.js";

// What is not quoted on, in sentences; nothing when all is well.
export function problems(pool) {
  const said = pool.assets.flatMap((asset) => [
    [`${asset.name}, price`, asset.price.distrust],
    [`${asset.name}, reserve`, asset.reserve.distrust],
  ]).filter(([, distrust]) => distrust !== null);
  return said.length === 0 ? null : element("ul", { class: "problems" },
    said.map(([what, distrust]) => element("li", {}, `${what}: ${distrust.reason}`)));
}

export function prices(pool) {
  const rows = pool.assets.map((asset) => [
    asset.name,
    dollars(asset.price.price_usd),
    trust(asset.price.distrust),
    age(asset.price.age_ms),
    source(asset),
  ]);
  return table("Prices", [["Asset"], ["USD", true], ["Trusted"], ["Age", true], ["Source"]], rows);
}

export function reserves(pool) {
  const rows = pool.assets.map((asset) => [
    asset.name,
    asset.reserve.balance === null ? "not known" : amount(asset.reserve.balance, asset.decimals, 9),
    usd(asset.value_in_usd),
    trust(asset.reserve.distrust),
    age(asset.reserve.age_ms),
    String(asset.listing_weight),
  ]);
  const columns = [["Asset"], ["Reserve", true], ["Value", true], ["Trusted"], ["Age", true], ["Weight", true]];
  return table("Reserves", columns, rows);
}

// Every source of every live asset, folded away.
export function sources(pool) {
  const rows = pool.assets.flatMap((asset) => asset.sources.map((one) => [
    asset.name,
    one.name,
    dollars(one.price_usd),
    trust(one.distrust),
    age(one.age_ms),
  ]));
  if (rows.length === 0) return null;
  return element("details", {}, element("summary", {}, `All ${rows.length} sources of prices`),
    table("Sources of prices", [["Asset"], ["Source"], ["USD", true], ["Trusted"], ["Age", true]], rows));
}

function dollars(price) {
  return price === null ? "not known" : readable(price, 10);
}

function trust(distrust) {
  return distrust === null
    ? element("span", { class: "good" }, "yes")
    : element("span", { class: "bad", title: distrust.reason }, `no: ${distrust.rule.replace("_", " ")}`);
}

// Where the price comes from: the configuration file, the one source, or so many of them.
function source({ sources }) {
  const trusted = sources.filter((one) => one.distrust === null);
  if (sources.length === 0) return "file";
  if (sources.length === 1) return sources[0].name;
  return `${trusted.length} of ${sources.length} sources trusted`;
}
