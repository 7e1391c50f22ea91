/**
 * The lines of a trace, a comparison, a reproduction or a path, as objects. A line belongs to the run whose header came last before it.
 *
 * @typedef {Object} Check a gap that was measured: the fields of the line
 * @property {number} passes
 * @property {number} entry_passes
 * @property {number} solve_seconds
 * @property {?number} primal lowest so far
 * @property {?number} dual highest so far
 * @property {?number} gap certified
 * @property {?number} latest_primal
 * @property {Object<string, ?number>} [diagnostics] the state of the method: step sizes, counts, smoothing
 *
 * @typedef {Object} Run
 * @property {Object} header its first line
 * @property {string} label its series: the method and its options
 * @property {string} family
 * @property {string} problem runs of the same problem are compared
 * @property {number} seed
 * @property {Check[]} checks one-versus-rest: sums over the classes
 * @property {?Map<number, Check[]>} classes one-versus-rest: the checks per class
 * @property {string[]} messages
 * @property {?Object} end its last line; null: the trace is truncated
 * @property {string} status of its end, or "unfinished"
 *
 * @typedef {Object} Lines
 * @property {Run[]} runs
 * @property {Object[]} refused methods that do not apply: {refused, label, family, problem, why}
 * @property {Object[]} experiments
 * @property {Object[]} series curves that do not belong to a run
 * @property {Object[]} verdicts
 * @property {import("./path_series.js").PathLine[]} paths
 * @property {?import("./tuning.js").Tuning} tune a cross-validation, before the fit that it chose
 * @property {?import("./tuning.js").CalibrationCheck} calibration of the model that it chose
 * @property {?Object} machine
 * @property {number} damaged lines that could not be read
 */

/**
 * @param {string} text JSON lines
 * @returns {Lines}
 */
export function parseLines(text) {
  const all = { runs: [], refused: [], experiments: [], series: [], verdicts: [], paths: [], tune: null, calibration: null, machine: null, damaged: 0 };
  let run = null;
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const object = parsed(line);
    const type = object === null ? null : typeOf(object);
    if (type === "header") {
      run = begun(object);
      if (!object.hidden) all.runs.push(run);  // kept in the journal, not shown
    }
    else if (type === "refused") all.refused.push({ label: object.refused, problem: "", ...object });
    else if (type === "verdict") all.verdicts.push(object);
    else if (type === "path") all.paths.push(object);
    else if (type === "series") all.series.push(object);
    else if (type === "tune") all.tune = object;
    else if (type === "calibration") all.calibration = object;
    else if (type === "machine") all.machine = object.machine;
    else if (type === "experiment") all.experiments.push(object);
    else if (run === null || type === null) all.damaged++;
    else if (type === "message") run.messages.push(object.message ?? object.news);
    else if (type === "end") Object.assign(run, { end: object, status: object.status });
    else if (type === "check") run.checks.push(object);
    else all.damaged++;
  }
  for (const each of all.runs) {
    each.classes = classesOf(each.checks);
    if (each.classes) each.checks = wholeOf(each.checks, each.classes);
  }
  return all;
}

/**
 * @param {Lines} lines
 * @returns {"fit"|"comparison"|"path"|"reproduction"}
 */
export function kindOf({ runs, refused, experiments, paths }) {
  if (paths.length > 0) return "path";
  if (experiments.length > 0) return "reproduction";
  const ofStudy = runs.some((run) => run.header.key);  // a comparison may have a single method
  return runs.length === 1 && refused.length === 0 && !ofStudy ? "fit" : "comparison";
}

/** The last part of a path: the name of a data set. */
export function nameOf(path) {
  return String(path ?? "").split("/").pop();
}

/** Until version 2 lines had no type: a field that only one type has identifies them. */
const fieldsOfTypes = [["header", "trace"], ["refused", "refused"], ["verdict", "verdict"], ["series", "series"], ["machine", "machine"], ["experiment", "experiment"],
                       ["message", "news"], ["end", "status"], ["check", "passes"]];

function typeOf(object) {
  if (typeof object.type === "string") return object.type;
  return fieldsOfTypes.find(([, field]) => field in object)?.[0] ?? null;
}

function parsed(line) {
  try {
    const object = JSON.parse(line);
    return object !== null && typeof object === "object" && !Array.isArray(object) ? object : null;
  } catch {
    return null;
  }
}

function begun(header) {
  return { header, label: header.label ?? labelOf(header), family: header.family ?? header.solver, problem: header.problem ?? problemOf(header),
           seed: header.seed ?? 0, checks: [], messages: [], end: null, status: "unfinished" };
}

function labelOf({ solver, options = {} }) {
  return [solver, ...Object.entries(options).map(([name, value]) => `--${name} ${value}`)].join(" ");
}

function problemOf({ data, loss, lambda, l1 }) {
  const penalties = [lambda ? `lambda ${lambda}` : "", l1 ? `l1 ${l1}` : ""].filter((text) => text !== "");
  return [nameOf(data), loss, ...penalties].join(", ");
}

/** One-versus-rest: the checks per class, by label; null if there are no classes. */
function classesOf(checks) {
  if (!checks.some((check) => "class" in check)) return null;
  const classes = new Map();
  for (const check of checks) {
    if (!classes.has(check.class)) classes.set(check.class, []);
    classes.get(check.class).push(check);
  }
  return classes;
}

/**
 * One-versus-rest writes the checks of one class after the other. The total after p passes per class is the sum over
 * the classes of their latest checks; its seconds are the sum as well, its passes and entries those of one class.
 */
function wholeOf(checks, classes) {
  const latest = new Map();
  const whole = [];
  for (const check of [...checks].sort((one, other) => one.passes - other.passes)) {
    latest.set(check.class, check);
    if (latest.size < classes.size) continue;
    const sum = (field) => [...latest.values()].reduce((total, each) => (each[field] === null || total === null ? null : total + each[field]), 0);
    const entries = Math.max(...[...latest.values()].map((each) => each.entry_passes));
    const row = { ...check, entry_passes: entries };
    for (const field of ["solve_seconds", "check_seconds", "primal", "dual", "gap", "latest_primal", "latest_dual", "nonzeros"]) row[field] = sum(field);
    delete row.class;
    delete row.diagnostics;  // of one class only
    if (whole.length > 0 && whole[whole.length - 1].passes === row.passes) whole.pop();
    whole.push(row);
  }
  return whole;
}
