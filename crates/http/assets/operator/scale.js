// From values to places on an axis, from 0 at its beginning to 1 at its end.

const NICE_STEPS = [1, 2, 5, 10];

// Below this an axis that shows small and large basis points alike is nearly straight, beyond it nearly logarithmic.
const BEND = 5;

// How a value is measured along an axis: as it is, by powers of ten, or by powers of ten on both sides of zero.
const MEASURES = { linear: (value) => value, logarithmic: Math.log10, bent: (value) => Math.asinh(value / BEND) };

// An axis for `values`; one that is not logarithmic begins at zero or below.
export function scale(values, { kind = "linear", title = "", format = String } = {}) {
  const zero = kind === "logarithmic" ? [] : [0];
  const [least, most] = [Math.min(...zero, ...values), Math.max(...zero, ...values)];
  const measure = MEASURES[kind];
  const span = measure(most) - measure(least) || 1;
  return { values, least, most, kind, title, format, place: (value) => (measure(value) - measure(least)) / span };
}

// About so many round values of an axis.
export function ticks({ least, most, kind }, room) {
  const places = Math.max(room, 2);
  if (kind === "linear") return multiples(least, most, places);
  if (kind === "logarithmic") return powersOfTen(least, most, places);
  const powers = [10, 100, 1_000, 10_000];
  return [...powers.map((power) => -power), 0, ...powers].filter((value) => value >= least && value <= most);
}

function powersOfTen(least, most, room) {
  const [first, last] = [Math.ceil(Math.log10(least) - 1e-9), Math.floor(Math.log10(most) + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first + 1) / room));
  const found = [];
  for (let power = first; power <= last; power += step) found.push(10 ** power);
  return found;
}

function multiples(least, most, room) {
  const rough = (most - least) / room;
  if (!(rough > 0)) return [least];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * NICE_STEPS.find((nice) => nice * power >= rough * (1 - 1e-9));
  const found = [];
  for (let count = Math.ceil(least / step - 1e-9); count * step <= most * (1 + 1e-9); count += 1) found.push(count * step);
  return found;
}
