/** The performance profile of a comparison over several problems, with its controls. */
import { costs } from "./curves.js";
import { el, section, segments } from "./dom.js";
import { downloads } from "./download.js";
import { power } from "./format.js";
import { legend } from "./legend.js";
import { plot } from "./plot.js";
import { profile } from "./profile.js";

/**
 * @param {HTMLElement} main
 * @param {Object[]} problems as of problemsOf
 * @param {Map<string, import("./palette.js").Style>} styles
 * @param {number[]} goals relative gaps to choose from
 */
export function profileSection(main, problems, styles, goals) {
  const part = section("Over all problems", "profile",
    "Performance profile: the fraction of problems that a method solves to the gap at no more than x times the cost of the best method. Higher is better; the value at x = 1 is the fraction on which it is the best.");
  let goal = goals.filter((each) => profile(problems, each, "passes").problems === problems.length).pop() ?? goals[0];  // the lowest gap to which all problems were solved
  let cost = "seconds", chart = null;
  const description = () => {
    const { problems: solved, series } = profile(problems, goal, cost);
    return { title: `problems solved to ${power(goal)}, by ${costs[cost].name}`, xLabel: `${costs[cost].name} relative to the best method`, yLabel: `fraction of ${solved} problems`,
             xLog: true, yLog: false, yRange: [-0.02, 1.04], series, styles, height: window.innerWidth < 600 ? 300 : 340, direct: false };
  };
  const change = (apply) => {
    apply();
    chart.update(description());
  };
  const stage = el("div"), below = el("div", { class: "below" });
  part.append(el("div", { class: "controls" },
    segments("relative gap", goals.map((each) => ({ value: String(each), name: power(each) })), String(goal), (value) => change(() => (goal = Number(value)))),
    segments("cost", Object.entries(costs).map(([value, { name }]) => ({ value, name })), cost, (value) => change(() => (cost = value)))), stage, below);
  main.append(part);
  chart = plot(stage, description());
  legend(below, chart);
  below.append(downloads(chart));
}
