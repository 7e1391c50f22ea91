/** The problems of a comparison, each with its runs and the methods that do not apply to it; descriptions of problems. */
import { lowestPrimal } from "./curves.js";
import { count, significant } from "./format.js";
import { nameOf } from "./lines.js";

/**
 * @param {import("./lines.js").Lines} lines
 * @returns {Array<{name: string, header: Object, runs: import("./lines.js").Run[], refused: Object[], lowest: number}>}
 *   runs: of the compared methods; a reference run is only used for `lowest`
 */
export function problemsOf({ runs, refused }) {
  const problems = new Map();
  const of = (name) => {
    if (!problems.has(name)) problems.set(name, { name, header: null, runs: [], refused: [], all: [] });
    return problems.get(name);
  };
  for (const run of runs) {
    const problem = of(run.problem);
    problem.header ??= run.header;
    problem.all.push(run);
    if (!run.header.reference) problem.runs.push(run);
  }
  for (const each of refused) of(each.problem || runs[0]?.problem || "").refused.push(each);
  return [...problems.values()].map(({ all, ...problem }) => ({ ...problem, lowest: lowestPrimal(all) }));
}

/** "32,561 rows, 123 features, 451,592 entries (11.3 %)" */
export function sizeOf({ n, d, nnz }) {
  const percent = (100 * nnz) / (n * d);
  return `${count(n)} rows × ${count(d)} features, ${count(nnz)} entries (${percent > 99.95 ? "dense" : `${significant(percent, 2)} %`})`;
}

/** "smooth-hinge (1), λ = 1e-4, intercept none": in one line; the header's `objective` has the formulas. */
export function objectiveOf(header) {
  const parameter = header.loss_parameter != null ? ` (${header.loss_parameter})` : "";
  const penalties = [header.lambda ? `λ = ${significant(header.lambda)}` : "", header.l1 ? `l1 = ${significant(header.l1)}` : ""].filter((text) => text);
  return [`${header.loss}${parameter}`, ...penalties, `intercept ${header.intercept}`, header.one_versus_rest ? "one-versus-rest" : ""].filter((text) => text).join(", ");
}

/** "intel xeon, 2 threads" */
export function machineOf(header, machine) {
  const threads = header.threads ? `${header.threads} ${header.threads === 1 ? "thread" : "threads"}` : "";
  return [machine?.cpu ?? header.cpu, threads].filter((text) => text).join(", ");
}

/** The distinct names of the data sets of these problems. */
export function setsOf(problems) {
  return [...new Set(problems.filter((problem) => problem.header).map((problem) => nameOf(problem.header.data)))];
}
