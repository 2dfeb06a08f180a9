// Numbers for people. Amounts are strings of digits and stay that: they never pass through a float.

const COMMAS = /\B(?=(\d{3})+(?!\d))/g;

// Base units as whole tokens, exact, without trailing zeros: ("1500000", 6) is "1.5".
export function wholeTokens(baseUnits, decimals) {
  const digits = baseUnits.replace(/^0+(?=\d)/, "").padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

// A decimal with commas, cut down to so many digits that say something; digits of the whole part are never cut.
export function readable(decimal, digits = 6) {
  const [whole, fraction = ""] = decimal.split(".");
  const leading = whole === "0" ? fraction.search(/[1-9]/) : 0;
  const room = whole === "0" ? Math.max(leading, 0) + digits : Math.max(digits - whole.length, 0);
  const kept = fraction.slice(0, room).replace(/0+$/, "");
  const grouped = whole.replace(COMMAS, ",");
  return kept === "" ? grouped : `${grouped}.${kept}`;
}

// An amount in base units, as people read it.
export function amount(baseUnits, decimals, digits) {
  return readable(wholeTokens(baseUnits, decimals), digits);
}

// A float of US dollars.
export function usd(value) {
  if (value === null) return "not known";
  const cents = Math.abs(value) < 100_000 ? 2 : 0;
  const format = { style: "currency", currency: "USD", minimumFractionDigits: cents, maximumFractionDigits: cents };
  return new Intl.NumberFormat("en-US", format).format(value);
}

// A float with so many decimals at most.
export function decimal(value, decimals = 2) {
  return new Intl.NumberFormat("en-US", { maximumFractionDigits: decimals }).format(value).replace(/^-0$/, "0");
}

// A part of 1 in per cent.
export function percent(share) {
  return share === null ? "not known" : `${(100 * share).toFixed(2)} %`;
}

// A float for an axis or a summary: three digits that say something, small ones without an exponent.
export function brief(value) {
  if (value === 0) return "0";
  if (Math.abs(value) >= 1e6) return new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 }).format(value);
  return new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 }).format(value);
}

// Milliseconds as an age.
export function age(milliseconds) {
  if (milliseconds === null) return "fixed";
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3_600)} h`;
}

// The beginning and the end of an address.
export function shortened(address) {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
