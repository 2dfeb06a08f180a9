// Line charts in SVG, drawn at their actual width. Points are read with the pointer or the arrow keys; to a screen reader a
// chart is a slider whose value is described in words. Every chart has a table beside it.

import { element, render, svgElement } from "./dom.js";
import { ticks } from "./scale.js";

const HEIGHT = 220;
const MARGIN = { left: 52, right: 14, top: 12, bottom: 38 };

// Creates a chart with this title. `draw` takes { x, y, series, describe, mark }: an axis is a scale with a `title` and a
// `format`, a series { name, values } has one value for each of x.values, `describe` returns a point in words by its index,
// and `mark`, which is optional, is a { value, text } of the x axis.
export function lineChart(title) {
  const svg = svgElement("svg", { role: "slider", tabindex: "0", "aria-label": title });
  const legend = element("p", { class: "legend", "aria-hidden": "true" });
  const readout = element("p", { class: "readout", "aria-hidden": "true" });
  const figure = element("figure", { class: "chart" }, element("figcaption", {}, title), legend, svg, readout);
  let data = null;
  let selected = null;

  const redraw = () => {
    if (data === null || svg.clientWidth === 0) return;
    const { x, y, series, describe, mark } = data;
    const width = svg.clientWidth;
    const last = x.values.length - 1;
    const index = Math.min(selected ?? Math.floor((2 * last) / 3), last);
    const toX = (value) => MARGIN.left + x.position(value) * (width - MARGIN.left - MARGIN.right);
    const toY = (value) => HEIGHT - MARGIN.bottom - y.position(value) * (HEIGHT - MARGIN.top - MARGIN.bottom);
    svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    svg.setAttribute("aria-valuemin", "0");
    svg.setAttribute("aria-valuemax", String(last));
    svg.setAttribute("aria-valuenow", String(index));
    svg.setAttribute("aria-valuetext", describe(index));
    readout.textContent = describe(index);
    render(legend, series.map(({ name }, at) => element("span", { class: `key series-${at}` }, name)),
      mark === undefined ? null : element("span", { class: "key mark" }, mark.text));
    render(svg, axes(x, y, toX, toY, width), mark === undefined ? null : verticalLine("mark", toX(mark.value)),
      lines(x, series, toX, toY), cursor(x.values[index], series, index, toX, toY));
  };

  const select = (index) => {
    selected = Math.max(0, Math.min(index, data.x.values.length - 1));
    redraw();
  };
  svg.addEventListener("pointermove", (event) => {
    if (data !== null) select(nearest(data.x, event.clientX - svg.getBoundingClientRect().left, svg.clientWidth));
  });
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || data === null) return;
    event.preventDefault();
    select(Number(svg.getAttribute("aria-valuenow")) + step);
  });
  new ResizeObserver(redraw).observe(svg);
  return { figure, draw: (fresh) => { data = fresh; redraw(); } };
}

function nearest(x, offset, width) {
  const position = (offset - MARGIN.left) / (width - MARGIN.left - MARGIN.right);
  const distances = x.values.map((value) => Math.abs(x.position(value) - position));
  return distances.indexOf(Math.min(...distances));
}

function axes(x, y, toX, toY, width) {
  const [bottom, right] = [HEIGHT - MARGIN.bottom, width - MARGIN.right];
  const vertical = ticks(x, Math.floor(width / 75)).map((value) => [
    svgElement("line", { class: "grid", x1: toX(value), x2: toX(value), y1: MARGIN.top, y2: bottom }),
    svgElement("text", { x: toX(value), y: bottom + 15, "text-anchor": "middle" }, x.format(value)),
  ]);
  const horizontal = ticks(y, 5).map((value) => [
    svgElement("line", { class: "grid", x1: MARGIN.left, x2: right, y1: toY(value), y2: toY(value) }),
    svgElement("text", { x: MARGIN.left - 6, y: toY(value) + 4, "text-anchor": "end" }, y.format(value)),
  ]);
  const title = svgElement("text", { class: "axis", x: right, y: HEIGHT - 4, "text-anchor": "end" }, x.title);
  return [svgElement("g", { "aria-hidden": "true" }, vertical, horizontal, title)];
}

function lines(x, series, toX, toY) {
  return series.map(({ values }, at) => {
    const points = values.map((value, index) => `${toX(x.values[index]).toFixed(1)},${toY(value).toFixed(1)}`);
    return svgElement("polyline", { class: `line series-${at}`, points: points.join(" ") });
  });
}

function verticalLine(kind, x) {
  return svgElement("line", { class: kind, x1: x, x2: x, y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom });
}

function cursor(value, series, index, toX, toY) {
  return [
    verticalLine("cursor", toX(value)),
    ...series.map(({ values }, at) =>
      svgElement("circle", { class: `dot series-${at}`, cx: toX(value), cy: toY(values[index]), r: 4 })),
  ];
}
