/** The figure of the cost against a coefficient of the penalty, with its controls. */
import { costs } from "./curves.js";
import { el, section, segments, select } from "./dom.js";
import { downloads } from "./download.js";
import { power } from "./format.js";
import { legend } from "./legend.js";
import { plot } from "./plot.js";
import { sweepSeries } from "./sweep.js";

/**
 * @param {HTMLElement} main
 * @param {Object[]} sweeps as of sweepsOf, one or more
 * @param {Map<string, import("./palette.js").Style>} styles
 * @param {number[]} goals relative gaps to choose from
 */
export function sweepSection(main, sweeps, styles, goals) {
  const part = section("Cost against the penalty", "sweep",
    "Passes or time to the relative gap, for every value of the coefficient; medians over seeds. A value at which a method did not reach the gap has no point.");
  const reached = (goal) => sweepSeries(sweeps[0], goal, "passes").reduce((sum, one) => sum + one.x.length, 0);
  let sweep = sweeps[0], cost = "passes", chart = null;
  let goal = goals.filter((each) => reached(each) === reached(goals[0])).pop() ?? goals[0];  // the lowest that no method misses more often
  const description = () => ({
    title: `${costs[cost].name} to ${power(goal)} against ${sweep.coefficient}: ${sweep.name}`, xLabel: sweep.coefficient, yLabel: `${costs[cost].label} to ${power(goal)}`,
    xLog: true, yLog: true, series: sweepSeries(sweep, goal, cost), styles, height: window.innerWidth < 600 ? 300 : 340, direct: false });
  const change = (apply) => {
    apply();
    chart.update(description());
  };
  const stage = el("div"), below = el("div", { class: "below" });
  const sets = sweeps.map((each, index) => ({ value: String(index), name: each.name }));
  part.append(el("div", { class: "controls" },
    sweeps.length > 1 ? select("data", sets, "0", (value) => change(() => (sweep = sweeps[Number(value)]))) : "",
    segments("relative gap", goals.map((each) => ({ value: String(each), name: power(each) })), String(goal), (value) => change(() => (goal = Number(value)))),
    segments("cost", Object.entries(costs).map(([value, { name }]) => ({ value, name })), cost, (value) => change(() => (cost = value)))), stage, below);
  main.append(part);
  chart = plot(stage, description());
  legend(below, chart);
  below.append(downloads(chart));
}
