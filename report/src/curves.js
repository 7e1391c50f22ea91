/**
 * Curves from runs: the quantities of the axes, and median and range over seeds.
 *
 * @typedef {import("./lines.js").Run} Run
 * @typedef {{x: number[], y: number[]}} Curve
 */

/** The quantities of the x axis. */
export const costs = {
  passes: { name: "passes", label: "passes over the data", of: (check) => check.passes },
  seconds: { name: "seconds", label: "seconds of solving", of: (check) => check.solve_seconds },
  entries: { name: "entries", label: "entries touched / nonzeros", of: (check) => check.entry_passes },
};

/** The quantities of the y axis. `lowest` is the lowest primal value of the problem, over all runs. */
export const heights = {
  relative: { name: "relative gap", label: "certified gap / P", of: (check) => relativeGap(check) },
  gap: { name: "gap", label: "certified gap", of: (check) => check.gap },
  suboptimality: { name: "suboptimality", label: "P − lowest P of all runs", of: (check, lowest) => number(check.latest_primal, (primal) => primal - lowest) },
};

/** @returns {?number} gap / primal */
export function relativeGap({ gap, primal }) {
  return gap === null || primal === null || !(Math.abs(primal) > 0) ? null : gap / Math.abs(primal);
}

/** The lowest primal value of any run: the best known upper bound of P*. */
export function lowestPrimal(runs) {
  let lowest = Infinity;
  for (const run of runs) {
    for (const check of run.checks) if (check.primal !== null && check.primal < lowest) lowest = check.primal;
    if (run.end?.primal != null && run.end.primal < lowest) lowest = run.end.primal;
  }
  return lowest;
}

/**
 * A run as a curve; checks without a value, or with one that a log axis cannot show, are skipped.
 * @param {Run} run
 * @param {keyof typeof costs} cost
 * @param {keyof typeof heights} height
 * @param {{lowest?: number, xLog?: boolean}} [given]
 * @returns {Curve}
 */
export function curveOf(run, cost, height, { lowest = 0, xLog = false } = {}) {
  const x = [], y = [];
  for (const check of run.checks) {
    const across = costs[cost].of(check);
    const up = heights[height].of(check, lowest);
    if (!Number.isFinite(across) || !(up > 0) || !Number.isFinite(up) || (xLog && across <= 0)) continue;
    x.push(across);
    y.push(up);
  }
  return { x, y };
}

/** @returns {number} the middle one, or the mean of the middle two; Infinity means "never" */
export function median(values) {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The value of a curve at x, by linear interpolation of the logarithm between checks. Null before the first check;
 * constant after the last one.
 */
export function valueAt({ x, y }, at) {
  const last = x.length - 1;
  if (last < 0 || at < x[0]) return null;
  if (at >= x[last]) return y[last];
  let low = 0, high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (x[middle] <= at) low = middle;
    else high = middle;
  }
  const fraction = (at - x[low]) / (x[high] - x[low]);
  return y[low] > 0 && y[high] > 0 ? y[low] ** (1 - fraction) * y[high] ** fraction : y[low] * (1 - fraction) + y[high] * fraction;
}

/**
 * Median and range (minimum to maximum) of the curves of several seeds, at every x where any of them was checked. It
 * ends where half of them have ended; a curve that ended earlier keeps its last value.
 * @param {Curve[]} curves
 * @param {number} [most] points of the result
 * @returns {{x: number[], y: number[], low: number[], high: number[]}} low and high are empty for a single curve
 */
export function medianCurve(curves, most = 400) {
  const drawn = curves.filter((curve) => curve.x.length > 0);
  if (drawn.length === 0) return { x: [], y: [], low: [], high: [] };
  if (drawn.length === 1) return { ...drawn[0], low: [], high: [] };
  const begin = Math.max(...drawn.map((curve) => curve.x[0]));
  const ends = drawn.map((curve) => curve.x[curve.x.length - 1]).sort((one, other) => one - other);
  const end = ends[ends.length >> 1];
  const places = [...new Set(drawn.flatMap((curve) => curve.x))].filter((x) => x >= begin && x <= end).sort((one, other) => one - other);
  const x = thinned(places, most), y = [], low = [], high = [];
  for (const at of x) {
    const values = drawn.map((curve) => valueAt(curve, at)).sort((one, other) => one - other);
    const middle = values.length >> 1;
    y.push(values.length % 2 === 1 ? values[middle] : Math.sqrt(values[middle - 1] * values[middle]));
    low.push(values[0]);
    high.push(values[values.length - 1]);
  }
  return { x, y, low, high };
}

/** Runs that differ by their seed alone, in the order of the page. */
export function bySeries(runs) {
  const groups = new Map();
  for (const run of runs) {
    if (!groups.has(run.label)) groups.set(run.label, { label: run.label, family: run.family, runs: [] });
    groups.get(run.label).runs.push(run);
  }
  return [...groups.values()];
}

function thinned(places, most) {
  if (places.length <= most) return places;
  return Array.from({ length: most }, (_, step) => places[Math.round((step * (places.length - 1)) / (most - 1))]);
}

function number(value, map) {
  return value === null || value === undefined ? null : map(value);
}
