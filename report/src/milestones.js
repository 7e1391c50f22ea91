/** What it took to come down to a gap, a row a method; medians over seeds. */
import { costs, median, relativeGap, bySeries } from "./curves.js";

/**
 * The relative gaps that are told of: 1e-2, 1e-4, 1e-6 and 1e-8 as far as they were asked for, and what was asked for.
 * @param {import("./lines.js").Run[]} runs
 * @returns {number[]} descending
 */
export function goalsOf(runs) {
  const asked = Math.min(...runs.map((run) => run.header.gap).filter((gap) => gap > 0));
  const usual = [1e-2, 1e-4, 1e-6, 1e-8];
  return Number.isFinite(asked) ? [...usual.filter((goal) => goal > asked * (1 + 1e-9)), asked] : usual;
}

/**
 * What a run had spent at the first check whose relative gap is at most `goal`.
 * @param {import("./lines.js").Run} run
 * @param {number} goal
 * @param {keyof typeof costs} cost
 * @returns {number} Infinity: it did not come there
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
 * @returns {Object[]} rows: {label, family, status, runs, passes: [a cost a goal], seconds: [...], gap, relative}; a cost
 * that half of the seeds or more did not reach is null
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

/** "converged", "converged by newton" (where auto chose it), or "2 converged, 1 diverged". */
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
