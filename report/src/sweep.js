/** Problems of a comparison that differ by one coefficient of the penalty alone: the cost of each method against it. */
import { bySeries, median } from "./curves.js";
import { costTo } from "./milestones.js";
import { nameOf } from "./lines.js";

/** The coefficients, by their field in the header of a run. */
const coefficients = { lambda: "λ", l1: "l1" };

/**
 * @param {Array<{header: Object, runs: import("./lines.js").Run[]}>} problems as of problemsOf
 * @returns {Array<{name: string, coefficient: string, points: Array<{value: number, runs: import("./lines.js").Run[]}>}>}
 *   groups of two problems or more on the same data with the same loss and intercept; points ascend by value
 */
export function sweepsOf(problems) {
  const groups = new Map();
  for (const problem of problems) {
    const { data, loss, loss_parameter: parameter, intercept } = problem.header;
    const key = JSON.stringify([data, loss, parameter ?? null, intercept]);
    if (!groups.has(key)) groups.set(key, { name: `${nameOf(data)}, ${loss}`, problems: [] });
    groups.get(key).problems.push(problem);
  }
  return [...groups.values()].flatMap(({ name, problems: members }) => {
    const field = Object.keys(coefficients).find((each) => members.length > 1 && new Set(members.map(({ header }) => header[each] || 0)).size === members.length);
    const points = members.map(({ header, runs }) => ({ value: header[field], runs })).filter(({ value }) => value > 0);
    return points.length < 2 ? [] : [{ name, coefficient: coefficients[field], points: points.sort((one, other) => one.value - other.value) }];
  });
}

/**
 * One series per method: the median cost to the goal over the values of the coefficient; a value at which half of the
 * seeds or more did not reach the goal has no point.
 * @param {Object} sweep as of sweepsOf
 * @param {number} goal relative gap
 * @param {"passes"|"seconds"|"entries"} cost
 */
export function sweepSeries({ points }, goal, cost) {
  const series = new Map();
  for (const { value, runs } of points)
    for (const { label, family, runs: seeds } of bySeries(runs)) {
      if (!series.has(label)) series.set(label, { label, family, x: [], y: [] });
      const spent = median(seeds.map((run) => costTo(run, goal, cost)));
      if (!Number.isFinite(spent) || !(spent > 0)) continue;
      series.get(label).x.push(value);
      series.get(label).y.push(spent);
    }
  return [...series.values()];
}
