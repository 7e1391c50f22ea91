/** Where an axis has its ticks, and where a value lies on it; the same on screen and in an SVG. */
import { power, significant } from "./format.js";

/**
 * @param {number} min
 * @param {number} max
 * @param {boolean} log
 * @param {number} most how many ticks there is room for
 * @returns {number[]} inside [min, max], ascending
 */
export function ticks(min, max, log, most) {
  return log ? logTicks(min, max, most) : linearTicks(min, max, most);
}

/** The text of a tick among others: powers of ten where the axis goes far down or up, and else as many digits as tell it from its neighbours. */
export function tickText(value, log, all) {
  if (log && (all[0] < 0.01 || all[all.length - 1] >= 1e5)) return power(value);
  const largest = Math.max(...all.map(Math.abs)), step = all.length > 1 ? all[1] - all[0] : largest;
  return significant(value, log ? 4 : Math.min(15, Math.max(4, Math.ceil(Math.log10(largest / step)) + 1)));
}

/**
 * Where a value lies between the ends of an axis: 0 at min, 1 at max.
 * @param {{min: number, max: number, log: boolean}} axis
 */
export function place(value, { min, max, log }) {
  if (log) return (Math.log(value) - Math.log(min)) / (Math.log(max) - Math.log(min));
  return (value - min) / (max - min);
}

/**
 * The ends of an axis around values: a little room on both sides.
 * @param {number[]} values all are drawable: finite, and positive on a log axis
 * @returns {[number, number]}
 */
export function around(values, log) {
  if (values.length === 0) return log ? [1e-4, 1] : [0, 1];
  let min = Infinity, max = -Infinity;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (log) {
    const room = Math.max((max / min) ** 0.03, 1.1);
    return [min / room, max * room];
  }
  const room = (max - min) * 0.03 || Math.abs(max) * 0.1 || 1;
  return [min >= 0 && min <= room * 4 ? 0 : min - room, max + room];
}

function logTicks(min, max, most) {
  const first = Math.ceil(Math.log10(min) - 1e-9);
  const last = Math.floor(Math.log10(max) + 1e-9);
  const decades = last - first + 1;
  if (decades >= 3) {
    const step = Math.max(1, Math.ceil(decades / most));
    const start = Math.ceil(first / step) * step;
    return range(start, last, step).map((exponent) => Number(`1e${exponent}`));
  }
  const within = (value) => value >= min * (1 - 1e-9) && value <= max * (1 + 1e-9);
  const fine = range(first - 1, last, 1).flatMap((exponent) => [1, 2, 5].map((factor) => Number(`${factor}e${exponent}`))).filter(within);
  return fine.length >= 2 ? fine : linearTicks(min, max, most).filter((value) => value > 0);
}

function linearTicks(min, max, most) {
  const raw = (max - min) / Math.max(1, most);
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = size * [1, 2, 5, 10].find((factor) => factor * size >= raw * (1 - 1e-9));
  const digits = Math.max(0, Math.min(15, -Math.floor(Math.log10(step))));
  return range(Math.ceil(min / step - 1e-9), Math.floor(max / step + 1e-9), 1).map((multiple) => Number((multiple * step).toFixed(digits)));
}

function range(first, last, step) {
  const values = [];
  for (let value = first; value <= last; value += step) values.push(value);
  return values;
}
