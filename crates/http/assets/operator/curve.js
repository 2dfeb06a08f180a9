// What quotes of a pair would be: cost and output over size, the fee over time.

import { Refusal, ask } from "./api.js";
import { lineChart } from "./chart.js";
import { element, show, table } from "./dom.js";
import { amount, brief, decimal, wholeTokens } from "./numbers.js";
import { scale } from "./scale.js";

const form = document.getElementById("curve-form");
const container = document.getElementById("curve");
const problem = document.getElementById("curve-problem");
const charts = { cost: lineChart("Cost over size"), output: lineChart("Output over size"), fee: lineChart("Fee over time") };
const tables = element("div");

let pools = [];
let asked = 0;

container.append(element("div", { class: "charts" }, Object.values(charts).map((chart) => chart.figure)), tables);

// Has the choices be those of an overview; what was chosen stays chosen.
export function offerPairs(overview) {
  pools = overview.pools;
  offer(form.elements.pool, pools.map((pool) => [key(pool), `${pool.name} on ${pool.chain_name}`]));
  form.elements.pool.parentElement.hidden = pools.length < 2;
  offerAssets();
}

function offerAssets() {
  const pool = chosenPool();
  if (pool === undefined) return;
  const traded = new Set(pool.pairs.flatMap((pair) => pair.assets));
  offer(form.elements.input, pool.assets.filter(({ name }) => traded.has(name)).map(({ name }) => [name, name]));
  const given = form.elements.input.value;
  const partners = pool.pairs.filter((pair) => pair.assets.includes(given)).map((pair) => pair.assets.find((name) => name !== given));
  offer(form.elements.output, partners.map((name) => [name, name]));
  form.elements.time.placeholder = String(pool.time_in_seconds);
}

function offer(select, choices) {
  const kept = select.value;
  const isSame = choices.length === select.options.length && choices.every(([value], at) => select.options[at].value === value);
  if (isSame) return;
  select.replaceChildren(...choices.map(([value, text]) => element("option", { value }, text)));
  if (choices.some(([value]) => value === kept)) select.value = kept;
}

function key(pool) {
  return `${pool.chain_id}:${pool.pool_address}`;
}

function chosenPool() {
  return pools.find((pool) => key(pool) === form.elements.pool.value);
}

// Asks for the curve that is chosen and draws it. Of several answers the last that was asked for counts.
export async function refreshCurve() {
  const pool = chosenPool();
  if (pool === undefined) return;
  const { input, output, time } = form.elements;
  const query = new URLSearchParams({ chain_id: pool.chain_id, input_asset_symbol: input.value, output_asset_symbol: output.value });
  if (time.value !== "") query.set("time_in_seconds", time.value);
  asked += 1;
  const mine = asked;
  try {
    const curve = await ask(`pools/${pool.pool_address}/curve?${query}`);
    if (mine === asked) drawCurve(curve, pool);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (mine === asked) refuse(error.message === "Invalid input data" ? "The pool does not allow this time." : error.message);
  }
}

function refuse(message) {
  problem.textContent = message;
  problem.hidden = false;
  container.hidden = true;
}

function drawCurve(curve, pool) {
  problem.hidden = pool.paused !== true;
  problem.textContent = "The pool is paused: this is what it would quote if it went on.";
  container.hidden = false;
  const { sizes, fees, input_asset: given, output_asset: received } = curve;
  const inputs = sizes.map((size) => Number(wholeTokens(size.input_amount, given.decimals)));
  const outputs = sizes.map((size) => Number(wholeTokens(size.output_amount, received.decimals)));
  const [costs, impacts] = ["cost", "price_impact"].map((name) => sizes.map((size) => size[`${name}_in_basis_points`]));
  const x = scale(inputs, { kind: "logarithmic", title: `${given.name} given`, format: brief });
  const gives = (at) => `${brief(inputs[at])} ${given.name} gives ${brief(outputs[at])} ${received.name}`;
  charts.cost.draw({
    x,
    y: scale([...costs, ...impacts], { kind: "bent", format: (value) => `${brief(value)} bp` }),
    series: [{ name: "cost, fee included", values: costs }, { name: "price impact", values: impacts }],
    say: (at) => `${gives(at)}: cost ${decimal(costs[at])} bp, of it price impact ${decimal(impacts[at])} bp`,
  });
  charts.output.draw({
    x,
    y: scale(outputs, { kind: "logarithmic", format: brief }),
    series: [{ name: `${received.name} received`, values: outputs }],
    say: (at) => `${gives(at)}, ${decimal(sizes[at].rate, 8)} for each`,
  });
  const rates = fees.map((fee) => fee.fee_in_basis_points);
  charts.fee.draw({
    x: scale(fees.map((fee) => fee.time_in_seconds), { title: "seconds to land on the chain", format: brief }),
    y: scale(rates, { format: (value) => `${brief(value)} bp` }),
    series: [{ name: "fee", values: rates }],
    say: (at) => `${fees[at].time_in_seconds} s cost ${decimal(rates[at])} bp`,
    mark: { value: curve.time_in_seconds, text: `in use: ${curve.time_in_seconds} s` },
  });
  show(tables, numbers(curve));
}

// The charts in figures.
function numbers({ sizes, fees, input_asset: given, output_asset: received, time_in_seconds: time }) {
  const bp = (value) => `${decimal(value)} bp`;
  const ofSizes = sizes.map((size) => [
    `${amount(size.input_amount, given.decimals)} ${given.name}`,
    `${amount(size.output_amount, received.decimals, 9)} ${received.name}`,
    decimal(size.rate, 8),
    bp(size.cost_in_basis_points),
    bp(size.price_impact_in_basis_points),
  ]);
  const ofFees = fees.map((fee) => [`${fee.time_in_seconds} s`, bp(fee.fee_in_basis_points)]);
  return element("details", {}, element("summary", {}, "The same in figures"),
    element("div", { class: "columns" },
      table(`Sizes, for ${time} s`, [["Given"], ["Received", true], ["Rate", true], ["Cost", true], ["Impact", true]], ofSizes),
      table("Fee over time", [["Time"], ["Fee", true]], ofFees)));
}

// Draws anew whenever something else is chosen; `failed` hears of an answer that did not come.
export function watchChoices(failed) {
  const refresh = () => refreshCurve().catch(failed);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => { offerAssets(); refresh(); });
  form.elements.turn.addEventListener("click", () => {
    const { input, output } = form.elements;
    const [from, to] = [input.value, output.value];
    input.value = to;
    offerAssets();
    output.value = from;
    refresh();
  });
}
