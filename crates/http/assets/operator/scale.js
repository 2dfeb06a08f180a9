// From values to places on an axis, from 0 at its beginning to 1 at its end.

const NICE_STEPS = [1, 2, 5, 10];

// An axis for `values`, by powers of ten where `isLogarithmic`; otherwise it begins at zero or below.
export function scale(values, { isLogarithmic = false, title = "", format = String } = {}) {
  const [least, most] = isLogarithmic
    ? [Math.min(...values), Math.max(...values)]
    : [Math.min(0, ...values), Math.max(...values)];
  const measure = isLogarithmic ? Math.log10 : (value) => value;
  const span = measure(most) - measure(least) || 1;
  return { values, least, most, isLogarithmic, title, format, place: (value) => (measure(value) - measure(least)) / span };
}

// At most so many round values of an axis.
export function ticks({ least, most, isLogarithmic }, room) {
  return isLogarithmic ? powersOfTen(least, most, Math.max(room, 2)) : multiples(least, most, Math.max(room, 2));
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
