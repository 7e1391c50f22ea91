/** The page of a path: coefficients, gaps, support and validation against the coefficient that varies, and its models. */
import { downloads } from "./download.js";
import { el, section } from "./dom.js";
import { capital, count, counted, duration, significant } from "./format.js";
import { head } from "./head.js";
import { legend } from "./legend.js";
import { nameOf } from "./lines.js";
import { plot } from "./plot.js";
import { sizeOf } from "./problems.js";
import { bestModel, coefficientSeries, gapSeries, supportSeries, validationSeries } from "./path_series.js";
import { table } from "./table.js";

const mostInLegend = 12;
const names = { C: "C", lambda: "λ", l1: "l1" };

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Lines} lines with one path
 */
export function pathPage(main, { paths: [path] }) {
  const name = names[path.parameter] ?? path.parameter;
  head(main, {
    kind: "path",
    title: `${capital(path.loss)} loss on ${nameOf(path.data)}: ${name} from ${significant(path.models[0].value)} to ${significant(path.models[path.models.length - 1].value)}`,
    lead: `${capital(path.proved)}.`,
    facts: [
      { name: "data", value: sizeOf(path) },
      { name: "models", value: `${count(path.models.length)} (${counted(path.models.filter((model) => !model.combined).length, "fit")}) in ${duration(path.seconds)}` },
      { name: "penalty", value: path.penalty },
      { name: "program", value: `seesaw ${path.version}` },
    ],
  });
  figure(main, path, { title: "Coefficients", id: "coefficients", yLabel: "weight", series: coefficientSeries(path), lead: coefficientSentence(path) });
  if (path.validation) figure(main, path, { title: "Validation", id: "validation", yLabel: path.validation.measure, series: validationSeries(path), lead: validationSentence(path, name) });
  figure(main, path, { title: "Gaps", id: "gaps", yLabel: "gap / optimum", yLog: true, series: gapSeries(path), lead: "How far a model is from the optimum at most: proved, not estimated." });
  figure(main, path, { title: "Nonzero weights", id: "support", yLabel: "nonzero weights", series: supportSeries(path) });
  modelTable(main, path, name);
}

function figure(main, path, { title, id, lead, ...description }) {
  const part = section(title, id, lead);
  main.append(part);
  const all = description.series;
  if (all.length === 0) return part.append(el("p", {}, "All weights are 0."));
  const many = all.length > mostInLegend;
  const chart = plot(part, { title: `${title} of ${nameOf(path.data)}`, xLabel: names[path.parameter] ?? path.parameter, xLog: true,
    height: window.innerWidth < 600 ? 300 : 380, direct: all.length > 1 && !many, ...description });
  const below = el("div", { class: "below" });
  if (all.length > 1 && !many) legend(below, chart);
  below.append(el("p", { class: "note" }, "Drag to zoom, double-click to reset."), downloads(chart));
  part.append(below);
}

function coefficientSentence({ coefficients, nonzero_anywhere: used }) {
  const shown = coefficients.length < used ? `the ${counted(coefficients.length, "weight")} of largest magnitude of ${count(used)} that are not 0 somewhere` : `${counted(used, "weight")} that ${used === 1 ? "is" : "are"} not 0 somewhere`;
  return `${capital(shown)}.`;
}

function validationSentence(path, name) {
  const best = bestModel(path);
  return `On ${nameOf(path.validation.data)}, ${counted(path.validation.n, "row")}: ${best === null ? "no measure" : `the best ${path.validation.measure} is ${significant(best.validation, 4)}, at ${name} = ${significant(best.value)}`}.`;
}

function modelTable(main, path, name) {
  const part = section("Models", "models");
  const number = (title, key, more = {}) => ({ name: title, key, numeric: true, ...more });
  const interval = (covered) => (covered ? covered.map((end) => significant(end)).join(" – ") : "–");
  const columns = [number(name, "value", { format: (value) => significant(value, 4) }), number("objective", "primal", { format: (value) => significant(value, 6) }), number("gap / P", "relative_gap", { format: (value) => significant(value, 2) }),
    number("nonzero weights", "nonzeros", { format: count }), number("passes", "passes", { format: (value, model) => (model.combined ? "combined" : significant(value)) }),
    ...(path.models.some((model) => model.covered) ? [{ name: "covers", key: (model) => model.covered?.[0] ?? null, format: (_, model) => interval(model.covered) }] : []),
    ...(path.validation ? [number(path.validation.measure, "validation", { format: (value) => significant(value, 4) })] : []), number("seconds", "seconds", { format: (value) => significant(value, 2) })];
  table(part, { columns, rows: path.models, caption: "Models of the path" });
  main.append(part);
}
