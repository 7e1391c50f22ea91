/** Ticks of an axis and the position of a value on it; used on screen and in SVG files. */
import { power, significant } from "./format.js";

/**
 * @param {number} min
 * @param {number} max
 * @param {boolean} log
 * @param {number} most the maximal number of ticks
 * @returns {number[]} inside [min, max], ascending
 */
export function ticks(min, max, log, most) {
  return log ? logTicks(min, max, most) : linearTicks(min, max, most);
}

/** The text of a tick: powers of ten if the axis has very small or large values, otherwise enough digits to distinguish it from its neighbours. */
export function tickText(value, log, all) {
  if (log && (all[0] < 0.01 || all[all.length - 1] >= 1e5)) return power(value);
  const largest = Math.max(...all.map(Math.abs)), step = all.length > 1 ? all[1] - all[0] : largest;
  return significant(value, log ? 4 : Math.min(15, Math.max(4, Math.ceil(Math.log10(largest / step)) + 1)));
}

/**
 * The relative position of a value on an axis: 0 at min, 1 at max.
 * @param {{min: number, max: number, log: boolean}} axis
 */
export function place(value, { min, max, log }) {
  if (log) return (Math.log(value) - Math.log(min)) / (Math.log(max) - Math.log(min));
  return (value - min) / (max - min);
}

/**
 * The range of an axis for the values, with a margin on both sides.
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
    const margin = Math.max((max / min) ** 0.03, 1.1);
    return [min / margin, max * margin];
  }
  const margin = (max - min) * 0.03 || Math.abs(max) * 0.1 || 1;
  return [min >= 0 && min <= margin * 4 ? 0 : min - margin, max + margin];
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
