/** P, D and the gap P − D over the run. */
import { checkbox, el, section, segments } from "./dom.js";
import { costs } from "./curves.js";
import { downloads } from "./download.js";
import { legend } from "./legend.js";
import { meeting, targetOf } from "./outcome.js";
import { plot } from "./plot.js";

const styles = new Map([
  ["P, upper bound", { slot: 0, shade: 0, dash: [] }], ["D, lower bound", { slot: 1, shade: 0, dash: [7, 3] }],
  ["gap at each check", { slot: 4, shade: 0, dash: [9, 3, 2, 3] }],
  ["gap", { slot: 0, shade: 0, dash: [] }], ["tolerance", { slot: 7, shade: 0, dash: [2, 4] }],
]);
const failed = new Set(["diverged", "stalled"]);
const marks = { converged: "dot", diverged: "cross", stalled: "cross" };
/** The number of single classes drawn beside their sum: more could not be distinguished. */
const mostClasses = 8;

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Run} run
 */
export function closingSection(main, run) {
  if (run.checks.length === 0) return;
  const part = section("Convergence", "closing", run.classes
    ? "Sums over the classes, by passes per class; below, the gaps of single classes and their sum."
    : "Every vertex of a curve is a check: P and D computed from the data, the lowest P and the highest D so far.");
  let cost = "passes", view = "meet", xLog = false;
  const meet = meeting(run.checks);
  const plots = [];
  const change = (apply) => { apply(); draw(); };
  const both = el("div"), gaps = el("div");
  part.append(el("div", { class: "controls" },
    segments("x axis", ["passes", "seconds"].map((value) => ({ value, name: costs[value].name })), cost, (value) => change(() => (cost = value))),
    meet ? segments("P and D", [{ value: "meet", name: "near convergence" }, { value: "all", name: "from the beginning" }], view, (value) => change(() => (view = value))) : null,
    checkbox("log x axis", xLog, (value) => change(() => (xLog = value)))), both, gaps);
  main.append(part);

  const height = window.innerWidth < 600 ? 300 : 340;
  const describe = () => {
    const shared = { xLabel: costs[cost].label, xLog, height, direct: false };
    return [
      { ...shared, title: "P (upper bound) and D (lower bound); the optimum is in the band", yLabel: "objective", yLog: false, styles, series: bounds(run, cost), yRange: view === "meet" ? meet : undefined },
      { ...shared, title: "The gap, P − D, on a log scale", yLabel: "certified gap", yLog: true, styles: gapStyles(run), series: gapSeries(run, cost) },
    ];
  };
  function draw() {
    const described = describe();
    if (plots.length > 0) return plots.forEach((each, index) => each.update(described[index]));
    for (const [index, place] of [both, gaps].entries()) {
      plots.push(plot(place, described[index]));
      const below = el("div", { class: "below beside" });
      place.append(below);
      legend(below, plots[index]);
      below.append(downloads(plots[index]));
    }
  }
  draw();
}

function bounds(run, cost) {
  const checks = run.checks.filter((check) => check.primal !== null);
  const x = checks.map(costs[cost].of);
  const dual = checks.map((check) => check.dual ?? NaN);
  const primal = checks.map((check) => check.primal);
  const end = marks[run.status] ?? "open";
  return [
    { label: "P, upper bound", x, y: primal, low: dual.map((value, index) => (Number.isFinite(value) ? value : primal[index])), high: primal, end },
    { label: "D, lower bound", x, y: dual, end },
  ];
}

function gapSeries(run, cost) {
  const of = (checks) => ({ x: checks.map(costs[cost].of), y: checks.map((check) => check.gap ?? NaN) });
  const whole = of(run.checks);
  const last = run.checks[run.checks.length - 1];
  const target = targetOf(run.header, last.primal);
  const ends = [Math.min(...whole.x), Math.max(...whole.x, ...classesShown(run).flatMap(([, checks]) => of(checks).x))];
  return [
    { label: "gap", family: "whole", ...whole, end: marks[run.status] ?? "open" },
    { label: "gap at each check", family: "whole", x: whole.x, y: run.checks.map(latestGap), hidden: !failed.has(run.status) },
    ...(target > 0 ? [{ label: "tolerance", family: "whole", x: ends, y: [target, target], dash: [2, 4] }] : []),
    ...classesShown(run).map(([label, checks]) => ({ label: `class ${label}`, family: "classes", ...of(checks) })),
  ];
}

/** The gap of the points of this check, not of the best ones so far: shows whether the method diverges. */
function latestGap({ latest_primal: primal, latest_dual: dual }) {
  return primal === null || dual === null ? NaN : primal - dual;
}

/** The classes with the largest final gaps. */
function classesShown(run) {
  if (!run.classes) return [];
  const largest = [...run.classes].map(([label, checks]) => [label, checks, checks[checks.length - 1].gap ?? Infinity]).sort((one, other) => other[2] - one[2]);
  return largest.slice(0, mostClasses).sort((one, other) => one[0] - other[0]);
}

function gapStyles(run) {
  const dashes = [[9, 4], [2, 3], [9, 3, 2, 3], [16, 4]];
  return new Map([...styles, ...classesShown(run).map(([label], index) => [`class ${label}`, { slot: 1 + (index % 6), shade: index < 6 ? 0 : 1, dash: dashes[index % dashes.length] }])]);
}
