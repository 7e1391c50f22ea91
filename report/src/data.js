/** Statistics of the data, and their consequences for training. */
import { el, section } from "./dom.js";
import { capital, count, significant } from "./format.js";
import { sizeOf } from "./problems.js";
import { symbols } from "./symbols.js";

const mostLabels = 20;

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Run} run
 */
export function dataSection(main, { header }) {
  const { facts, advice } = header;
  if (!facts) return;
  const part = section("The data", "data", `${header.data}: ${sizeOf(facts)}.`);
  if (advice?.length) part.append(el("ul", { class: "advice" }, advice.map((sentence) => el("li", {}, symbols(capital(sentence))))));
  part.append(el("dl", { class: "facts" }, factsOf(header).map(({ name, value }) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))));
  if (header.labels?.length && facts.labels.length <= mostLabels) part.append(labelBars(facts));
  main.append(part);
}

function factsOf({ facts, labels, scale }) {
  const norms = ({ min, median, max }) => `${significant(min)} – ${significant(median)} – ${significant(max)}`;
  const many = facts.labels.length > 1000 ? "more than 1,000" : count(facts.labels.length);
  return [
    { name: "storage", value: `${facts.storage} ${facts.values}, ${significant(facts.bytes / 1e6)} MB` },
    { name: "longest row", value: `${count(facts.longest_row)} entries` },
    { name: "row norms (min – median – max)", value: norms(facts.row_norms) },
    { name: "column norms (min – median – max)", value: norms(facts.column_norms) },
    { name: "empty rows, empty columns, constant columns", value: [facts.empty_rows, facts.empty_columns, facts.constant_columns].map(count).join(", ") },
    { name: labels?.length ? "labels" : "targets", value: `${many} distinct values` },
    ...(scale && scale !== "none" ? [{ name: "scaled before training", value: scale }] : []),
  ];
}

function labelBars({ labels, n }) {
  const most = Math.max(...labels.map((label) => label.count));
  return el("table", { class: "labels" }, el("caption", {}, "Rows per label"), el("thead", { class: "unseen" }, el("tr", {}, ["label", "fraction", "rows"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, labels.map((label) => el("tr", {}, el("th", { scope: "row" }, String(label.label)), el("td", { class: "track" }, el("b", { class: "level", style: `width:${(100 * label.count) / most}%` })),
      el("td", { class: "numeric" }, `${count(label.count)} rows, ${significant((100 * label.count) / n)} %`)))));
}
