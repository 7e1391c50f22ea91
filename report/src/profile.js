/** Performance profiles (Dolan and Moré) over all problems of a comparison. */
import { bySeries, median } from "./curves.js";
import { costTo } from "./milestones.js";

/**
 * The fraction of problems that a method solves at no more than `factor` times the cost of the best method, as a step function.
 * A problem that a method does not solve, or to which it does not apply, counts as not solved.
 * @param {Array<{runs: import("./lines.js").Run[]}>} problems
 * @param {number} goal relative gap
 * @param {"passes"|"seconds"|"entries"} cost
 * @returns {{problems: number, series: Array<{label: string, family: string, x: number[], y: number[], ratios: number[]}>}}
 *   problems: the number solved by at least one method; x: factors >= 1; y: fractions
 */
export function profile(problems, goal, cost) {
  const ratios = new Map();
  let solved = 0;
  for (const { runs } of problems) {
    const spent = bySeries(runs).map(({ label, family, runs: seeds }) => ({ label, family, cost: median(seeds.map((run) => costTo(run, goal, cost))) }));
    const best = Math.min(...spent.map((each) => each.cost));
    if (Number.isFinite(best)) solved++;
    for (const { label, family, cost: own } of spent) {
      if (!ratios.has(label)) ratios.set(label, { label, family, ratios: [] });
      if (Number.isFinite(own)) ratios.get(label).ratios.push(best > 0 ? own / best : own > 0 ? Infinity : 1);
    }
  }
  const all = [...ratios.values()];
  const widest = Math.max(2, ...all.flatMap((each) => each.ratios).filter(Number.isFinite)) * 1.3;
  return { problems: solved, series: all.map((each) => ({ ...each, ...stepFunction(each.ratios, solved, widest) })) };
}

function stepFunction(ratios, problems, widest) {
  const sorted = ratios.filter(Number.isFinite).sort((one, other) => one - other);
  const fraction = (count) => (problems === 0 ? 0 : count / problems);
  const x = [1], y = [fraction(sorted.filter((ratio) => ratio <= 1).length)];
  sorted.forEach((ratio, index) => {
    if (ratio <= 1) return;
    x.push(ratio, ratio);
    y.push(y[y.length - 1], fraction(index + 1));
  });
  x.push(widest);
  y.push(y[y.length - 1]);
  return { x, y };
}
