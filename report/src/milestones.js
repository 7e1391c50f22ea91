/** The cost to reach a gap, one row per method; medians over seeds. */
import { costs, median, relativeGap, bySeries } from "./curves.js";

/**
 * The relative gaps shown: 1e-2, 1e-4, 1e-6 and 1e-8 as far as they are above the tolerance, and the tolerance.
 * @param {import("./lines.js").Run[]} runs
 * @returns {number[]} descending
 */
export function goalsOf(runs) {
  const tolerance = Math.min(...runs.map((run) => run.header.gap).filter((gap) => gap > 0));
  const usual = [1e-2, 1e-4, 1e-6, 1e-8];
  return Number.isFinite(tolerance) ? [...usual.filter((goal) => goal > tolerance * (1 + 1e-9)), tolerance] : usual;
}

/**
 * The cost of a run up to the first check whose relative gap is at most `goal`.
 * @param {import("./lines.js").Run} run
 * @param {number} goal
 * @param {keyof typeof costs} cost
 * @returns {number} Infinity: it did not reach the goal
 */
export function costTo(run, goal, cost) {
  const check = run.checks.find((each) => {
    const gap = relativeGap(each);
    return gap !== null && gap <= goal;
  });
  return check === undefined ? Infinity : costs[cost].of(check);
}

/**
 * @param {import("./lines.js").Run[]} runs of one problem
 * @param {number[]} goals relative gaps
 * @returns {Object[]} rows: {label, family, status, runs, passes: [one cost per goal], seconds: [...], gap, relative}; a cost
 * is null if half of the seeds or more did not reach the goal
 */
export function milestoneRows(runs, goals) {
  return bySeries(runs).map(({ label, family, runs: seeds }) => {
    const spent = (cost) => goals.map((goal) => finite(median(seeds.map((run) => costTo(run, goal, cost)))));
    const lasts = seeds.map((run) => run.checks[run.checks.length - 1]).filter((check) => check !== undefined);
    return { label, family, runs: seeds, status: statusOf(seeds), passes: spent("passes"), seconds: spent("seconds"),
             gap: finite(median(lasts.map((check) => check.gap ?? Infinity))),
             relative: finite(median(lasts.map((check) => relativeGap(check) ?? Infinity))) };
  });
}

/** "converged", "converged by newton" (if auto selected it), or "2 converged, 1 diverged". */
export function statusOf(runs) {
  const counts = new Map();
  const outcome = (run) => (run.label.startsWith("auto") && run.end?.method ? `${run.status} by ${run.end.method}` : run.status);
  for (const run of runs) counts.set(outcome(run), (counts.get(outcome(run)) ?? 0) + 1);
  if (counts.size === 1) return outcome(runs[0]);
  return [...counts].map(([status, times]) => `${times} ${status}`).join(", ");
}

function finite(value) {
  return Number.isFinite(value) ? value : null;
}
