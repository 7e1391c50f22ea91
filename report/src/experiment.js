/** One experiment of a paper: description, figure in panels, printed numbers beside ours, and verdicts on its claims. */
import { lowestPrimal } from "./curves.js";
import { el, section } from "./dom.js";
import { panelGrid } from "./panels.js";
import { table } from "./table.js";
import { sentence, verdictMark } from "./verdicts.js";

/**
 * @param {HTMLElement} main
 * @param {Object} experiment its line
 * @param {import("./lines.js").Lines} lines
 */
export function experimentSection(main, experiment, lines) {
  const name = experiment.experiment;
  const here = (each) => (each.header ?? each).experiment === name;
  const runs = lines.runs.filter(here);
  const part = section(`${experiment.paper}, ${experiment.figure}: ${experiment.title}`, name, experiment.about);
  main.append(part);
  const differences = experiment.differences ?? [];
  if (differences.length > 0)
    part.append(el("details", { class: "differences" }, el("summary", {}, "Differences from the paper"), el("ul", {}, differences.map((each) => el("li", {}, each)))));

  const panels = (experiment.panels ?? []).map((panel) => {
    const inside = (each) => (each.header ?? each).panel === panel.name;
    const own = runs.filter(inside);
    return { ...panel, runs: own.filter((run) => !run.header.reference), lowest: lowestPrimal(own), series: lines.series.filter(here).filter(inside), refused: lines.refused.filter(here).filter(inside),
             tried: (experiment.tried ?? []).filter(inside) };
  });
  panelGrid(part, experiment, panels);
  for (const printed of [experiment.printed ?? []].flat()) printedTable(part, printed);
  for (const sweep of experiment.sweeps ?? []) sweepTable(part, sweep);
  claimList(part, lines.verdicts.filter(here));
  part.append(el("p", { class: "note" }, "Command: ", el("code", {}, experiment.command ?? `seesaw reproduce ${name}`)));
}

/** The paper's numbers, each with ours below it. */
function printedTable(part, { caption, columns, rows, measure }) {
  part.append(el("h3", {}, caption), el("p", { class: "note" }, `Above: the paper's number. Below: ours${measure ? ` (${measure})` : ""}.`));
  table(part, {
    caption, rows, sortBy: null,
    columns: [{ name: "", key: "name", format: (name, row) => el("div", {}, name, row.data ? el("div", { class: "note" }, row.data) : null) }, ...columns.map((name, index) => ({
      name, numeric: true, key: (row) => Number.parseFloat(row.cells[index]?.ours),
      format: (_, row) => el("span", { class: "printed" }, el("span", {}, row.cells[index]?.paper || "–"), el("b", {}, row.cells[index]?.ours || "–")),
    }))],
  });
}

/** A setting that the paper leaves open: a row per panel, a column per method. */
function sweepTable(part, { caption, columns, rows, measure }) {
  part.append(el("h3", {}, caption), el("p", { class: "note" }, `The paper does not state this setting. The numbers: ${measure}.`));
  table(part, {
    caption, rows, sortBy: null,
    columns: [{ name: "", key: "name", format: (name, row) => el("div", {}, name, row.data ? el("div", { class: "note" }, row.data) : null) },
              ...columns.map((name, index) => ({ name, numeric: true, key: (row) => Number.parseFloat(row.cells[index]?.ours), format: (_, row) => row.cells[index]?.ours || "–" }))],
  });
}

function claimList(part, verdicts) {
  if (verdicts.length === 0) return;
  part.append(el("h3", {}, "Claims"), el("ul", { class: "claims" }, verdicts.map((each) => el("li", {}, verdictMark(each.verdict),
    el("div", {}, el("p", {}, sentence(each.claim)), el("p", { class: "note" }, sentence(each.measured)),
      (each.figures ?? []).length > 0 ? el("details", {}, el("summary", {}, "all figures"), el("ul", {}, each.figures.map((figure) => el("li", { class: "note" }, sentence(figure))))) : null)))));
}
