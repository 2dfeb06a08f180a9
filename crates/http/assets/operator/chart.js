// Line charts in SVG, drawn for the width they get. A point is read by pointing at it, or with the arrow keys: to a screen
// reader a chart is a slider whose value is said in words. Every chart has a table beside it.

import { drawn, element, show } from "./dom.js";
import { ticks } from "./scale.js";

const HEIGHT = 220;
const ROOM = { left: 52, right: 14, top: 12, bottom: 38 };

// A chart with this title. `draw` takes { x, y, series, say, mark }: an axis is a scale with a `title` and a `format`, a series
// { name, values } has one value for each of x.values, `say` tells a point in words by its place, and `mark`, if there is
// one, is a { value, text } of the x axis.
export function lineChart(title) {
  const svg = drawn("svg", { role: "slider", tabindex: "0", "aria-label": title });
  const legend = element("p", { class: "legend", "aria-hidden": "true" });
  const readout = element("p", { class: "readout", "aria-hidden": "true" });
  const figure = element("figure", { class: "chart" }, element("figcaption", {}, title), legend, svg, readout);
  let data = null;
  let chosen = null;

  const render = () => {
    if (data === null || svg.clientWidth === 0) return;
    const { x, y, series, say, mark } = data;
    const width = svg.clientWidth;
    const last = x.values.length - 1;
    const at = Math.min(chosen ?? Math.floor((2 * last) / 3), last);
    const across = (value) => ROOM.left + x.place(value) * (width - ROOM.left - ROOM.right);
    const down = (value) => HEIGHT - ROOM.bottom - y.place(value) * (HEIGHT - ROOM.top - ROOM.bottom);
    svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    svg.setAttribute("aria-valuemin", "0");
    svg.setAttribute("aria-valuemax", String(last));
    svg.setAttribute("aria-valuenow", String(at));
    svg.setAttribute("aria-valuetext", say(at));
    readout.textContent = say(at);
    show(legend, series.map(({ name }, index) => element("span", { class: `key series-${index}` }, name)),
      mark === undefined ? null : element("span", { class: "key mark" }, mark.text));
    show(svg, axes(x, y, across, down, width), mark === undefined ? null : upright("mark", across(mark.value)),
      lines(x, series, across, down), marker(x.values[at], series, at, across, down));
  };

  const choose = (at) => {
    chosen = Math.max(0, Math.min(at, data.x.values.length - 1));
    render();
  };
  svg.addEventListener("pointermove", (event) => {
    if (data !== null) choose(nearest(data.x, event.clientX - svg.getBoundingClientRect().left, svg.clientWidth));
  });
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || data === null) return;
    event.preventDefault();
    choose(Number(svg.getAttribute("aria-valuenow")) + step);
  });
  new ResizeObserver(render).observe(svg);
  return { figure, draw: (fresh) => { data = fresh; render(); } };
}

function nearest(x, offset, width) {
  const wanted = (offset - ROOM.left) / (width - ROOM.left - ROOM.right);
  const distances = x.values.map((value) => Math.abs(x.place(value) - wanted));
  return distances.indexOf(Math.min(...distances));
}

function axes(x, y, across, down, width) {
  const [bottom, right] = [HEIGHT - ROOM.bottom, width - ROOM.right];
  const vertical = ticks(x, Math.floor(width / 75)).map((value) => [
    drawn("line", { class: "grid", x1: across(value), x2: across(value), y1: ROOM.top, y2: bottom }),
    drawn("text", { x: across(value), y: bottom + 15, "text-anchor": "middle" }, x.format(value)),
  ]);
  const horizontal = ticks(y, 5).map((value) => [
    drawn("line", { class: "grid", x1: ROOM.left, x2: right, y1: down(value), y2: down(value) }),
    drawn("text", { x: ROOM.left - 6, y: down(value) + 4, "text-anchor": "end" }, y.format(value)),
  ]);
  const title = drawn("text", { class: "axis", x: right, y: HEIGHT - 4, "text-anchor": "end" }, x.title);
  return [drawn("g", { "aria-hidden": "true" }, vertical, horizontal, title)];
}

function lines(x, series, across, down) {
  return series.map(({ values }, index) => {
    const points = values.map((value, at) => `${across(x.values[at]).toFixed(1)},${down(value).toFixed(1)}`);
    return drawn("polyline", { class: `line series-${index}`, points: points.join(" ") });
  });
}

function upright(kind, x) {
  return drawn("line", { class: kind, x1: x, x2: x, y1: ROOM.top, y2: HEIGHT - ROOM.bottom });
}

function marker(value, series, at, across, down) {
  return [
    upright("cursor", across(value)),
    ...series.map(({ values }, index) =>
      drawn("circle", { class: `dot series-${index}`, cx: across(value), cy: down(values[at]), r: 4 })),
  ];
}
