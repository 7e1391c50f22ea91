/** How P came down, D went up, and the gap between them closed. */
import { checkbox, el, section, segments } from "./dom.js";
import { costs } from "./curves.js";
import { downloads } from "./download.js";
import { legend } from "./legend.js";
import { meeting, targetOf } from "./outcome.js";
import { plot } from "./plot.js";

const styles = new Map([
  ["P, from above", { slot: 0, shade: 0, dash: [] }], ["D, from below", { slot: 1, shade: 0, dash: [7, 3] }],
  ["gap at each check", { slot: 4, shade: 0, dash: [9, 3, 2, 3] }],
  ["gap", { slot: 0, shade: 0, dash: [] }], ["asked for", { slot: 7, shade: 0, dash: [2, 4] }],
]);
const failed = new Set(["diverged", "stalled"]);
const marks = { converged: "dot", diverged: "cross", stalled: "cross" };
/** Lines of single classes beside their sum; with more of them nothing could be told apart. */
const mostClasses = 8;

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Run} run
 */
export function closingSection(main, run) {
  if (run.checks.length === 0) return;
  const part = section("The gap closing", "closing", run.classes
    ? "Sums over the classes, by the passes that each of them has taken; below, the gaps of single classes beside their sum."
    : "Every corner of a curve is a check: both values computed from the data, the lowest P and the highest D so far.");
  let cost = "passes", view = "meet", xLog = false;
  const meet = meeting(run.checks);
  const plots = [];
  const change = (apply) => { apply(); draw(); };
  const both = el("div"), gaps = el("div");
  part.append(el("div", { class: "controls" },
    segments("across", ["passes", "seconds"].map((value) => ({ value, name: costs[value].name })), cost, (value) => change(() => (cost = value))),
    meet ? segments("P and D", [{ value: "meet", name: "where they meet" }, { value: "all", name: "from the beginning" }], view, (value) => change(() => (view = value))) : null,
    checkbox("log scale across", xLog, (value) => change(() => (xLog = value)))), both, gaps);
  main.append(part);

  const height = window.innerWidth < 600 ? 300 : 340;
  const describe = () => {
    const shared = { xLabel: costs[cost].label, xLog, height, direct: false };
    return [
      { ...shared, title: "P from above and D from below; the optimum is in the band", yLabel: "objective", yLog: false, styles, series: bounds(run, cost), yRange: view === "meet" ? meet : undefined },
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
    { label: "P, from above", x, y: primal, low: dual.map((value, index) => (Number.isFinite(value) ? value : primal[index])), high: primal, end },
    { label: "D, from below", x, y: dual, end },
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
    ...(target > 0 ? [{ label: "asked for", family: "whole", x: ends, y: [target, target], dash: [2, 4] }] : []),
    ...classesShown(run).map(([label, checks]) => ({ label: `class ${label}`, family: "classes", ...of(checks) })),
  ];
}

/** Of the points of this check, not of the best ones so far: what it shows is whether the method goes astray. */
function latestGap({ latest_primal: primal, latest_dual: dual }) {
  return primal === null || dual === null ? NaN : primal - dual;
}

/** The classes with the widest gaps in the end. */
function classesShown(run) {
  if (!run.classes) return [];
  const widest = [...run.classes].map(([label, checks]) => [label, checks, checks[checks.length - 1].gap ?? Infinity]).sort((one, other) => other[2] - one[2]);
  return widest.slice(0, mostClasses).sort((one, other) => one[0] - other[0]);
}

function gapStyles(run) {
  const dashes = [[9, 4], [2, 3], [9, 3, 2, 3], [16, 4]];
  return new Map([...styles, ...classesShown(run).map(([label], index) => [`class ${label}`, { slot: 1 + (index % 6), shade: index < 6 ? 0 : 1, dash: dashes[index % dashes.length] }])]);
}
