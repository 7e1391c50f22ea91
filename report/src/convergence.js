/** The plot of a comparison, with controls for both axes and the scale. */
import { bySeries, costs, curveOf, heights, medianCurve } from "./curves.js";
import { checkbox, el, segments } from "./dom.js";
import { downloads } from "./download.js";
import { legend } from "./legend.js";
import { plot } from "./plot.js";
import { around } from "./ticks.js";

const marks = { converged: "dot", diverged: "cross", stalled: "cross" };

/**
 * @param {HTMLElement} part the section it is appended to
 * @param {Object} problem the one shown first, as of problemsOf
 * @param {Map<string, import("./palette.js").Style>} styles
 * @returns {{show: (problem: Object) => void}} draws; the section must be on the page by then
 */
export function convergence(part, problem, styles) {
  let cost = "passes", height = "relative", xLog = spread(problem) > 6, chart = null;
  const options = (all) => Object.entries(all).map(([value, { name }]) => ({ value, name }));
  const logBox = checkbox("log x axis", xLog, (value) => change(() => (xLog = value)));
  const controls = el("div", { class: "controls" },
    segments("x axis", options(costs), cost, (value) => change(() => (cost = value))),
    segments("y axis", options(heights), height, (value) => change(() => (height = value))), logBox);
  const stage = el("div");
  const below = el("div", { class: "below" });
  part.append(controls, stage, below);

  const description = () => ({
    title: `${heights[height].name} against ${costs[cost].name}: ${problem.name}`, xLabel: costs[cost].label, yLabel: heights[height].label, xLog, yLog: true, styles,
    height: window.innerWidth < 600 ? 340 : 460, ...curves(seriesOf(problem, cost, height, xLog)),
  });
  const curves = (series) => ({ series, yRange: height === "relative" ? below10(series) : undefined });
  function change(apply) {
    apply();
    chart.update(description());
  }
  function begin() {
    chart = plot(stage, description());
    legend(below, chart);
    below.append(el("p", { class: "note" }, "● converged   ○ stopped at a limit   × diverged or stalled   ▲ above the plot.   Drag to zoom, double-click to reset."), downloads(chart));
  }
  return {
    show(next) {
      problem = next;
      if (chart === null) begin();
      else chart.update(description());
    },
  };
}

/** The series of a problem: medians over seeds; the end mark shows the most frequent status. */
export function seriesOf(problem, cost, height, xLog) {
  return bySeries(problem.runs).map(({ label, family, runs }) => {
    const statuses = runs.map((run) => run.status);
    const usual = [...new Set(statuses)].sort((one, other) => statuses.filter((each) => each === other).length - statuses.filter((each) => each === one).length)[0];
    return { label, family, ...medianCurve(runs.map((run) => curveOf(run, cost, height, { lowest: problem.lowest, xLog }))), end: marks[usual] ?? "open" };
  });
}

/** The ratio of the most passes to the fewest passes of any run. */
function spread(problem) {
  const ends = problem.runs.map((run) => run.checks[run.checks.length - 1]?.passes).filter((passes) => passes > 0);
  return ends.length ? Math.max(...ends) / Math.min(...ends) : 1;
}

/** A relative gap above 10 is meaningless: the y axis is cut there. */
function below10(series) {
  const [low, high] = around(series.flatMap((one) => [...one.y, ...one.low]), true);
  return low < 1 ? [low, Math.min(high, 10)] : undefined;
}
