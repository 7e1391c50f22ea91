/** The page of a comparison: convergence of the methods, cost to each gap, and the commands to reproduce it. */
import { bySeries } from "./curves.js";
import { convergence } from "./convergence.js";
import { copyButton, el, section, segments, select } from "./dom.js";
import { capital, counted, duration, listed, power, significant } from "./format.js";
import { head } from "./head.js";
import { nameOf } from "./lines.js";
import { goalsOf, milestoneRows, statusOf } from "./milestones.js";
import { machineOf, objectiveOf, problemsOf, setsOf, sizeOf } from "./problems.js";
import { panelGrid } from "./panels.js";
import { profileSection } from "./profile_section.js";
import { swatch } from "./legend.js";
import { cssColour, stylesOf } from "./palette.js";
import { sweepsOf } from "./sweep.js";
import { sweepSection } from "./sweep_section.js";
import { table } from "./table.js";

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Lines} lines
 */
export function comparisonPage(main, lines) {
  const problems = problemsOf(lines);
  const series = bySeries(problems.flatMap((problem) => problem.runs));
  const styles = stylesOf(series);
  const first = lines.runs[0]?.header ?? {};
  const perMethod = problems.flatMap((problem) => bySeries(problem.runs).map((one) => one.runs.length));
  const seeds = Math.max(0, ...perMethod);
  const sets = setsOf(problems);
  head(main, {
    kind: "comparison",
    title: `${counted(series.length, "method")} on ${problems.length === 1 ? sets[0] ?? problems[0].name : counted(problems.length, "problem")}`,
    facts: [
      ...(problems.length === 1 && problems[0].header ? [{ name: "data", value: `${sets[0]}: ${sizeOf(problems[0].header)}` }, { name: "objective", value: objectiveOf(problems[0].header) }]
        : [{ name: "data", value: listed(sets) }]),
      { name: "runs", value: `${counted(lines.runs.length, "run")}${seedsInWords(perMethod)}` },
      { name: "machine", value: machineOf(first, lines.machine) },
      { name: "program", value: first.version ? `seesaw ${first.version}${first.compiler ? `, ${first.compiler}` : ""}` : "" },
    ],
  });

  const shown = problems.filter((problem) => problem.runs.length > 0);
  const goals = goalsOf(shown.flatMap((problem) => problem.runs));
  if (shown.length > 0) problemSections(main, shown, styles, seeds, goals);
  if (shown.length > 1) panelSection(main, shown, styles);
  const sweeps = sweepsOf(shown);
  if (sweeps.length > 0) sweepSection(main, sweeps, styles, goals);
  if (shown.length > 1) profileSection(main, shown, styles, goals);
  if (lines.refused.length > 0) refusedSection(main, problems);
  if (lines.runs.length > 0) rerunSection(main, lines.runs);
}

/** ", 2 seeds each"; deterministic methods have one. */
export function seedsInWords(perMethod) {
  const most = Math.max(0, ...perMethod);
  if (most < 2) return "";
  return perMethod.every((seeds) => seeds === most) ? `, ${counted(most, "seed")} each` : `, up to ${counted(most, "seed")} each`;
}

/** Plot and table of the selected problem. */
function problemSections(main, problems, styles, seeds, goals) {
  const curves = section("Convergence", "convergence", `Every gap is certified: computed from the data, in the same way for all methods, and not included in their time.${seeds > 1 ? " Lines are medians over seeds, bands range from the minimum to the maximum." : ""}`);
  const about = el("div", { class: "about" });
  const plots = convergence(curves, problems[0], styles);
  const figures = section("Cost to reach a gap", "milestones", `Passes and time until the first check with at most this relative gap${seeds > 1 ? "; medians over seeds" : ""}. The best of each column is marked.`);
  const rows = table(figures, { columns: columns(styles, goals), rows: [], caption: "Passes and seconds to a relative gap", sortBy: null });

  function choose(problem) {
    about.replaceChildren(el("p", { class: "finding" }, findings(problem, goals)),
      problems.length > 1 ? el("p", { class: "note" }, `${sizeOf(problem.header)}; ${objectiveOf(problem.header)}`) : "");
    plots.show(problem);
    rows.update(milestoneRows(problem.runs, goals));
  }

  if (problems.length > 1) {
    const options = problems.map((problem, index) => ({ value: String(index), name: problem.name }));
    const short = problems.length <= 4 && options.every((option) => option.name.length < 30);
    main.append(el("div", { class: "chooser" }, (short ? segments : select)("problem", options, "0", (value) => choose(problems[Number(value)]))));
  }
  main.append(about, curves, figures);
  choose(problems[0]);
}

/** The convergence of all problems side by side, as in the figures of papers. */
function panelSection(main, problems, styles) {
  const part = section("All problems", "panels", "Relative gap against passes; medians over seeds. One legend for all panels.");
  main.append(part);
  const panels = problems.map((problem) => ({ ...problem, data: nameOf(problem.header.data), used: "", substitute: "", series: [], tried: [] }));
  panelGrid(part, { x: "passes", y: "relative", columns: 3, styles }, panels);
}

function columns(styles, goals) {
  const reached = (cost, format) => goals.map((goal, index) => ({ name: power(goal), group: `${cost === "seconds" ? "time" : cost} to`, numeric: true, best: true, key: (row) => row[cost][index], format }));
  return [
    { name: "method", key: "label", format: (label) => el("span", { class: "method" }, swatch(cssColour(styles.get(label)), styles.get(label).dash), label) },
    { name: "family", key: "family" },
    { name: "status", key: "status", format: (status) => el("span", { class: `status ${/diverged|stalled/.test(status) ? "bad" : /converged/.test(status) ? "good" : "open"}` }, status) },
    ...reached("passes", (value) => significant(value)), ...reached("seconds", duration),
    { name: "relative", group: "gap at the end", key: "relative", numeric: true, best: true, format: (value) => significant(value, 2) },
    { name: "absolute", group: "gap at the end", key: "gap", numeric: true, format: (value) => significant(value, 2) },
  ];
}

/** The main result in one sentence. */
export function findings(problem, goals) {
  const rows = milestoneRows(problem.runs, goals);
  const index = goals.map((_, each) => each).reverse().find((each) => rows.some((row) => row.passes[each] !== null));
  const rest = [
    ...["diverged", "stalled", "unfinished"].map((status) => [status, rows.filter((row) => row.status.includes(status)).length]),
  ].filter(([, times]) => times > 0).map(([status, times]) => `${times} ${status}`);
  if (problem.refused.length > 0) rest.push(`${counted(problem.refused.length, "method does", "methods do")} not apply`);
  const others = rest.length > 0 ? ` ${capital(listed(rest))}.` : "";
  if (index === undefined) return `No method reached a relative gap of ${power(goals[0])}.${others}`;
  const best = (cost) => rows.filter((row) => row[cost][index] !== null).sort((one, other) => one[cost][index] - other[cost][index])[0];
  const [passes, seconds] = [best("passes"), best("seconds")];
  const reached = rows.filter((row) => row.passes[index] !== null).length;
  const fastest = passes === seconds ? `${passes.label} is fastest, with ${significant(passes.passes[index])} passes in ${duration(seconds.seconds[index])}`
    : `${passes.label} needs the fewest passes (${significant(passes.passes[index])}), ${seconds.label} the least time (${duration(seconds.seconds[index])})`;
  return `To a relative gap of ${power(goals[index])}, ${fastest}. ${reached === rows.length ? "All methods" : `${reached} of ${rows.length} methods`} reached it.${others}`;
}

function refusedSection(main, problems) {
  const part = section("Methods that do not apply", "refused");
  const rows = problems.flatMap((problem) => problem.refused.map((each) => ({ ...each, problem: problem.name })));
  const several = problems.length > 1 ? [{ name: "problem", key: "problem" }] : [];
  table(part, { columns: [{ name: "method", key: "label" }, ...several, { name: "reason", key: "why", format: (why) => el("span", { class: "prose" }, why) }], rows, caption: "Methods that do not apply, with the reason" });
  main.append(part);
}

function rerunSection(main, runs) {
  const part = section("Reproduce", "rerun", "The command of each run on this page. The same seed gives the same results, except for the seconds.");
  const problems = new Set(runs.map((run) => run.problem));
  const several = problems.size > 1 ? [{ name: "problem", key: "problem" }] : [];
  const inner = el("div");
  table(inner, { caption: "Commands", rows: runs, columns: [
    { name: "method", key: "label" }, ...several, { name: "seed", key: "seed", numeric: true }, { name: "status", key: (run) => statusOf([run]) },
    { name: "command", key: (run) => run.header.command ?? "", format: (command) => (command ? el("span", { class: "command" }, copyButton(command), el("code", {}, command)) : "–") },
  ] });
  part.append(el("details", { open: runs.length <= 12 }, el("summary", {}, counted(runs.length, "command")), inner));
  main.append(part);
}
