// The quote curve of a pair: cost and output by size, and the fee over time.

import { ResponseError, fetchJson } from "./api.js";
import { lineChart } from "./chart.js";
import { element, render, table } from "./dom.js";
import { amount, brief, decimal, wholeTokens } from "./numbers.js";
import { scale } from "./scale.js";

const form = document.getElementById("curve-form");
const container = document.getElementById("curve");
const problem = document.getElementById("curve-problem");
const charts = { cost: lineChart("Cost by size"), output: lineChart("Output by size"), fee: lineChart("Fee over time") };
const tables = element("div");

let pools = [];
let latestRequest = 0;

container.append(element("div", { class: "charts" }, Object.values(charts).map((chart) => chart.figure)), tables);

// Offers the pools and pairs of an overview, and keeps the current selection.
export function setPools(overview) {
  pools = overview.pools;
  setOptions(form.elements.pool, pools.map((pool) => [key(pool), `${pool.name} on ${pool.chain_name}`]));
  form.elements.pool.parentElement.hidden = pools.length < 2;
  setAssetOptions();
}

function setAssetOptions() {
  const pool = selectedPool();
  if (pool === undefined) return;
  const traded = new Set(pool.pairs.flatMap((pair) => pair.assets));
  setOptions(form.elements.input, pool.assets.filter(({ name }) => traded.has(name)).map(({ name }) => [name, name]));
  const input = form.elements.input.value;
  const outputs = pool.pairs.filter((pair) => pair.assets.includes(input)).map((pair) => pair.assets.find((name) => name !== input));
  setOptions(form.elements.output, outputs.map((name) => [name, name]));
  form.elements.time.placeholder = String(pool.time_in_seconds);
}

function setOptions(select, options) {
  const previous = select.value;
  const isUnchanged = options.length === select.options.length && options.every(([value], index) => select.options[index].value === value);
  if (isUnchanged) return;
  select.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
  if (options.some(([value]) => value === previous)) select.value = previous;
}

function key(pool) {
  return `${pool.chain_id}:${pool.pool_address}`;
}

function selectedPool() {
  return pools.find((pool) => key(pool) === form.elements.pool.value);
}

// Fetches and draws the selected curve. Responses to earlier requests are discarded.
export async function refreshCurve() {
  const pool = selectedPool();
  if (pool === undefined) return;
  const { input, output, time } = form.elements;
  const query = new URLSearchParams({ chain_id: pool.chain_id, input_asset_symbol: input.value, output_asset_symbol: output.value });
  if (time.value !== "") query.set("time_in_seconds", time.value);
  latestRequest += 1;
  const requestId = latestRequest;
  try {
    const curve = await fetchJson(`pools/${pool.pool_address}/curve?${query}`);
    if (requestId === latestRequest) drawCurve(curve, pool);
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    if (requestId === latestRequest) showProblem(error.message === "Invalid input data" ? "The pool does not allow this time." : error.message);
  }
}

function showProblem(message) {
  problem.textContent = message;
  problem.hidden = false;
  container.hidden = true;
}

function drawCurve(curve, pool) {
  problem.hidden = pool.paused !== true;
  problem.textContent = "The pool is paused: these are the quotes it would give if resumed.";
  container.hidden = false;
  const { sizes, fees, input_asset: input, output_asset: output } = curve;
  const inputs = sizes.map((size) => Number(wholeTokens(size.input_amount, input.decimals)));
  const outputs = sizes.map((size) => Number(wholeTokens(size.output_amount, output.decimals)));
  const [costs, impacts] = ["cost", "price_impact"].map((name) => sizes.map((size) => size[`${name}_in_basis_points`]));
  const x = scale(inputs, { kind: "logarithmic", title: `${input.name} input`, format: brief });
  const amounts = (index) => `${brief(inputs[index])} ${input.name} gives ${brief(outputs[index])} ${output.name}`;
  charts.cost.draw({
    x,
    y: scale([...costs, ...impacts], { kind: "symlog", format: (value) => `${brief(value)} bp` }),
    series: [{ name: "cost including fee", values: costs }, { name: "price impact", values: impacts }],
    describe: (index) => `${amounts(index)}: cost ${decimal(costs[index])} bp, including ${decimal(impacts[index])} bp price impact`,
  });
  charts.output.draw({
    x,
    y: scale(outputs, { kind: "logarithmic", format: brief }),
    series: [{ name: `${output.name} output`, values: outputs }],
    describe: (index) => `${amounts(index)}, at a rate of ${decimal(sizes[index].rate, 8)}`,
  });
  const rates = fees.map((fee) => fee.fee_in_basis_points);
  charts.fee.draw({
    x: scale(fees.map((fee) => fee.time_in_seconds), { title: "seconds until the swap is on chain", format: brief }),
    y: scale(rates, { format: (value) => `${brief(value)} bp` }),
    series: [{ name: "fee", values: rates }],
    describe: (index) => `${fees[index].time_in_seconds} s: fee ${decimal(rates[index])} bp`,
    mark: { value: curve.time_in_seconds, text: `in use: ${curve.time_in_seconds} s` },
  });
  render(tables, curveTables(curve));
}

// The data of the charts as tables.
function curveTables({ sizes, fees, input_asset: input, output_asset: output, time_in_seconds: time }) {
  const bp = (value) => `${decimal(value)} bp`;
  const sizeRows = sizes.map((size) => [
    `${amount(size.input_amount, input.decimals)} ${input.name}`,
    `${amount(size.output_amount, output.decimals, 9)} ${output.name}`,
    decimal(size.rate, 8),
    bp(size.cost_in_basis_points),
    bp(size.price_impact_in_basis_points),
  ]);
  const feeRows = fees.map((fee) => [`${fee.time_in_seconds} s`, bp(fee.fee_in_basis_points)]);
  return element("details", {}, element("summary", {}, "Show as tables"),
    element("div", { class: "columns" },
      table(`Sizes at ${time} s`, [["Input"], ["Output", true], ["Rate", true], ["Cost", true], ["Impact", true]], sizeRows),
      table("Fee over time", [["Time"], ["Fee", true]], feeRows)));
}

// Redraws whenever the selection changes; `onError` receives failed requests.
export function watchSelection(onError) {
  const refresh = () => refreshCurve().catch(onError);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => { setAssetOptions(); refresh(); });
  form.elements.swap.addEventListener("click", () => {
    const { input, output } = form.elements;
    const [from, to] = [input.value, output.value];
    input.value = to;
    setAssetOptions();
    output.value = from;
    refresh();
  });
}
