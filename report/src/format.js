/** Formatting of numbers and words. */

const none = "–";
const superscripts = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

const known = (value) => typeof value === "number" && Number.isFinite(value);

/** 0.0123, 4.5e-7, 12,300: three significant digits (or `digits`), without trailing zeros. */
export function significant(value, digits = 3) {
  if (!known(value)) return none;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e7) return shortExponent(value.toExponential(digits - 1));
  const rounded = Number(value.toPrecision(digits));
  return rounded.toLocaleString("en-US", { maximumFractionDigits: 12 });
}

/** 275 µs, 4.25 ms, 1.3 s: a time, with a no-break space. */
export function duration(seconds) {
  if (!known(seconds)) return none;
  if (seconds < 0.9995e-3) return `${significant(Math.round(seconds * 1e7) / 10)}\u00a0µs`;
  return seconds < 0.9995 ? `${significant(seconds * 1e3)}\u00a0ms` : `${significant(seconds)}\u00a0s`;
}

/** 512 B, 43.2 MB, 1.5 GB: powers of 1000, with a no-break space. */
export function bytes(value) {
  if (!known(value)) return none;
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (value >= 999.5 && unit + 1 < units.length) {
    value /= 1000;
    unit += 1;
  }
  return `${significant(value)}\u00a0${units[unit]}`;
}

/** 32,561 */
export function count(value) {
  return known(value) ? Math.round(value).toLocaleString("en-US") : none;
}

/** 10⁻⁴, 3·10⁻⁴, 1: powers of ten. */
export function power(value) {
  if (value >= 0.1 && value < 100) return significant(value);
  const exponent = Math.floor(Math.log10(value) + 1e-9);
  const factor = Number((value / 10 ** exponent).toPrecision(2));
  const ten = `10${[...String(exponent)].map((digit) => superscripts[digit]).join("")}`;
  return factor === 1 ? ten : `${factor}·${ten}`;
}

/** "a, b and c" */
export function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/** A sentence begins with a capital letter. */
export function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "1 row", "2 rows" */
export function counted(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

function shortExponent(text) {
  return text.replace(/\.?0+e/, "e").replace("e+", "e");
}
