/** The state of the method at its checks, as series: step sizes, counts, smoothing. */

/** What a name in `diagnostics` means; unknown names are shown as they are. */
export const meanings = {
  tau: "step size τ of x",
  sigma: "step size σ of y",
  theta: "extrapolation θ",
  momentum: "momentum β",
  kappa: "κ of the proximal term",
  smoothing: "smoothing γ of the loss",
  stage: "stages",
  active_rows: "rows visited per pass",
  free_rows: "free rows",
  sample_rows: "rows in the sample",
  working_set: "size of the working set",
  features_left: "features not proved to be 0",
  path_l1: "l1 of the path",
  newton_steps: "Newton steps",
  cg_iterations: "conjugate gradient iterations",
  step_length: "step length t",
  damping: "damping μ",
  pairs: "pairs of the approximate Hessian",
  skipped_pairs: "pairs skipped",
  line_evaluations: "evaluations of line searches",
};

/** The number of single classes drawn: more could not be distinguished. */
const mostClasses = 6;

/**
 * The names of the numbers, in the order of their first appearance.
 * @param {import("./lines.js").Run} run
 * @returns {string[]}
 */
export function diagnosticNames(run) {
  return [...new Set(checksOf(run).flatMap(([, checks]) => checks.flatMap((check) => Object.keys(check.diagnostics ?? {}))))];
}

/**
 * One number over the passes; one series per class of one-versus-rest. Checks without the number (of another method that `auto` used) are omitted.
 * @param {import("./lines.js").Run} run
 * @param {string} name
 * @param {(check: import("./lines.js").Check) => number} cost the x axis
 * @returns {Array<{label: string, x: number[], y: number[]}>}
 */
export function diagnosticSeries(run, name, cost) {
  return checksOf(run).map(([label, checks]) => {
    const present = checks.filter((check) => Number.isFinite(check.diagnostics?.[name] ?? NaN));
    return { label, x: present.map(cost), y: present.map((check) => check.diagnostics[name]) };
  }).filter((one) => one.x.length > 0);
}

/** A log axis shows step sizes and smoothing best: if all values are positive and differ by a factor above 10. */
export function needsLogAxis(series) {
  const values = series.flatMap((one) => one.y);
  return values.length > 0 && Math.min(...values) > 0 && Math.max(...values) > 10 * Math.min(...values);
}

function checksOf(run) {
  if (!run.classes) return [["value", run.checks]];
  return [...run.classes].slice(0, mostClasses).map(([label, checks]) => [`class ${label}`, checks]);
}
