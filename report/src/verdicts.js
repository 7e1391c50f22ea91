/** The verdicts on the papers' claims: the table at the top of the page, and the words and signs of a verdict. */
import { el, section, select } from "./dom.js";
import { listed } from "./format.js";
import { table } from "./table.js";

/** In sort order; the sign makes colour unnecessary. */
export const kinds = {
  holds: { sign: "✓", tone: "good" },
  "holds in part": { sign: "◐", tone: "part" },
  "does not hold": { sign: "✗", tone: "bad" },
  undecided: { sign: "≈", tone: "open" },
  "not testable": { sign: "?", tone: "open" },
};

/** "✓ holds" */
export function verdictMark(verdict) {
  const { sign, tone } = kinds[verdict] ?? { sign: "?", tone: "open" };
  return el("span", { class: `verdict ${tone}` }, el("span", { class: "sign", "aria-hidden": "true" }, sign), verdict);
}

/** A sentence whose numbers are not broken across lines. */
export function sentence(text) {
  return text.split(/(\d[\d.]*e-\d+)/).map((piece, index) => (index % 2 === 1 ? el("span", { class: "whole" }, piece) : piece));
}

/** "Of 40 claims 21 hold, 8 hold in part, 7 do not hold and 4 could not be tested." */
export function findingsOf(verdicts) {
  const count = (kind) => verdicts.filter((each) => each.verdict === kind).length;
  const of = (kind, one, many) => (count(kind) === 0 ? [] : [`${count(kind)} ${count(kind) === 1 ? one : many}`]);
  const words = [...of("holds", "holds", "hold"), ...of("holds in part", "holds in part", "hold in part"),
                 ...of("does not hold", "does not hold", "do not hold"), ...of("undecided", "is undecided", "are undecided"), ...of("not testable", "could not be tested", "could not be tested")];
  if (words.length === 0) return "";
  const bases = [...new Set(verdicts.map((each) => each.basis ?? ""))].filter((basis) => basis !== "");
  const split = bases.length > 1 ? ` ${bases.map((basis) => `${basis === "ours" ? "Ours" : `With ${basis}`}: ${counts(verdicts.filter((each) => each.basis === basis), "verdict")}.`).join(" ")}` : "";
  const alone = verdicts.filter((each) => each.on_paper_data);
  const own = alone.length > 0 ? ` Of those with stand-ins ${alone.length} have panels with the paper's data; by these alone: ${counts(alone, "on_paper_data")}.` : "";
  return `Of ${verdicts.length} ${verdicts.length === 1 ? "claim" : "claims"} ${listed(words)}.${split}${own}`;
}

/** "holds 3, does not hold 2": by verdict, or by another field that has one. */
function counts(verdicts, field) {
  return listed(Object.keys(kinds).map((kind) => [kind, verdicts.filter((each) => each[field] === kind).length])
    .filter(([, count]) => count > 0).map(([kind, count]) => `${kind} ${count}`));
}

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Lines} lines
 */
export function verdictSection(main, { experiments, verdicts }) {
  const part = section("Verdicts", "verdicts", "The papers' claims in our words, with the medians over seeds that decide them. Each links to its figure.");
  main.append(part);
  if (verdicts.length === 0) return void part.append(el("p", { class: "note" }, "No claim has been tested."));
  const of = new Map(experiments.map((each) => [each.experiment, each]));
  const rows = verdicts.map((each, index) => ({ ...each, index, paper: of.get(each.experiment)?.paper ?? "", figure: of.get(each.experiment)?.figure ?? "" }));
  const order = Object.keys(kinds);
  const papers = [...new Set(rows.map((row) => row.paper))];
  const place = el("div", { class: "verdicts" });
  let paper = "", kind = "";
  const chosen = () => rows.filter((row) => (paper === "" || row.paper === paper) && (kind === "" || row.verdict === kind));
  const options = (all, names) => [{ value: "", name: all }, ...names.map((name) => ({ value: name, name }))];
  part.append(el("div", { class: "controls" },
    papers.length > 1 ? select("paper", options("all papers", papers), "", (value) => { paper = value; show(); }) : null,
    select("verdict", options("all verdicts", order.filter((each) => rows.some((row) => row.verdict === each))), "", (value) => { kind = value; show(); })), place);
  const view = table(place, {
    caption: "Claims and verdicts", rows, sortBy: null,
    columns: [
      { name: "verdict", key: (row) => order.indexOf(row.verdict), format: (_, row) => verdictMark(row.verdict) },
      { name: "where", key: (row) => row.index, format: (_, row) => el("a", { href: `#${row.experiment}`, class: "where" }, `${row.paper}, ${row.figure}`) },
      { name: "data", key: (row) => row.basis ?? "", format: (basis, row) => el("div", {}, basis, row.on_paper_data ? el("div", { class: "note" }, `the paper's alone: ${row.on_paper_data}`) : null) },
      { name: "claim", key: "claim", format: (claim) => el("span", { class: "prose" }, sentence(claim)) },
      { name: "measured", key: "measured", format: (measured) => el("span", { class: "prose" }, sentence(measured)) },
    ],
  });
  const show = () => view.update(chosen());
}
