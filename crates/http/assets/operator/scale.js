// Maps values to positions on an axis, from 0 at its start to 1 at its end.

const NICE_STEPS = [1, 2, 5, 10];

// A symmetric logarithmic axis is nearly linear below this value and nearly logarithmic above it.
const SYMLOG_THRESHOLD = 5;

// How an axis measures values: as they are, by powers of ten, or by powers of ten on both sides of zero.
const TRANSFORMS = { linear: (value) => value, logarithmic: Math.log10, symlog: (value) => Math.asinh(value / SYMLOG_THRESHOLD) };

// Creates an axis for `values`; unless it is logarithmic, it starts at zero or below.
export function scale(values, { kind = "linear", title = "", format = String } = {}) {
  const zero = kind === "logarithmic" ? [] : [0];
  const [min, max] = [Math.min(...zero, ...values), Math.max(...zero, ...values)];
  const transform = TRANSFORMS[kind];
  const span = transform(max) - transform(min) || 1;
  return { values, min, max, kind, title, format, position: (value) => (transform(value) - transform(min)) / span };
}

// Returns approximately `count` round values of an axis.
export function ticks({ min, max, kind }, count) {
  const target = Math.max(count, 2);
  if (kind === "linear") return multiples(min, max, target);
  if (kind === "logarithmic") return powersOfTen(min, max, target);
  const powers = [10, 100, 1_000, 10_000];
  return [...powers.map((power) => -power), 0, ...powers].filter((value) => value >= min && value <= max);
}

function powersOfTen(min, max, count) {
  const [first, last] = [Math.ceil(Math.log10(min) - 1e-9), Math.floor(Math.log10(max) + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first + 1) / count));
  const powers = [];
  for (let power = first; power <= last; power += step) powers.push(10 ** power);
  return powers;
}

function multiples(min, max, count) {
  const interval = (max - min) / count;
  if (!(interval > 0)) return [min];
  const power = 10 ** Math.floor(Math.log10(interval));
  const step = power * NICE_STEPS.find((nice) => nice * power >= interval * (1 - 1e-9));
  const values = [];
  for (let factor = Math.ceil(min / step - 1e-9); factor * step <= max * (1 + 1e-9); factor += 1) values.push(factor * step);
  return values;
}
