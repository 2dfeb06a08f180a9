// Human-readable numbers. Amounts are strings of digits and never pass through a float.

const COMMAS = /\B(?=(\d{3})+(?!\d))/g;

// Converts base units to whole tokens, exactly, without trailing zeros: ("1500000", 6) is "1.5".
export function wholeTokens(baseUnits, decimals) {
  const digits = baseUnits.replace(/^0+(?=\d)/, "").padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

// Formats a decimal with commas, truncated to `digits` significant digits; digits of the whole part are never truncated.
export function readable(decimal, digits = 6) {
  const [whole, fraction = ""] = decimal.split(".");
  const leading = whole === "0" ? fraction.search(/[1-9]/) : 0;
  const length = whole === "0" ? Math.max(leading, 0) + digits : Math.max(digits - whole.length, 0);
  const truncated = fraction.slice(0, length).replace(/0+$/, "");
  const grouped = whole.replace(COMMAS, ",");
  return truncated === "" ? grouped : `${grouped}.${truncated}`;
}

// Formats an amount in base units as whole tokens.
export function amount(baseUnits, decimals, digits) {
  return readable(wholeTokens(baseUnits, decimals), digits);
}

// Formats a float of US dollars.
export function usd(value) {
  if (value === null) return "unknown";
  const decimals = Math.abs(value) < 100_000 ? 2 : 0;
  const format = { style: "currency", currency: "USD", minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat("en-US", format).format(value);
}

// Formats a float with at most `decimals` decimals.
export function decimal(value, decimals = 2) {
  return new Intl.NumberFormat("en-US", { maximumFractionDigits: decimals }).format(value).replace(/^-0$/, "0");
}

// Formats a share of 1 as a percentage.
export function percent(share) {
  return share === null ? "unknown" : `${(100 * share).toFixed(2)} %`;
}

// Formats a float for an axis or a summary: three significant digits, small numbers without an exponent.
export function brief(value) {
  if (value === 0) return "0";
  if (Math.abs(value) >= 1e6) return new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 }).format(value);
  return new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 }).format(value);
}

// Formats milliseconds as an age; null is the age of a value from the configuration file.
export function age(milliseconds) {
  if (milliseconds === null) return "fixed";
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3_600)} h`;
}

// The first and last digits of an address.
export function shortened(address) {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
