/** The certificate of a fit: P (upper bound of the optimum), D (lower bound) and the gap P − D. */
import { el, section } from "./dom.js";
import { significant } from "./format.js";
import { agreeing, excessInWords, finalOf, targetOf, weightsInWords } from "./outcome.js";
import { table } from "./table.js";

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Run} run
 */
export function certificateSection(main, run) {
  const { primal, dual, gap } = finalOf(run);
  const part = section("The certificate", "certificate",
    "P is the objective of this model, D a lower bound of the objective of any model. Both are computed from the data, independently of the method. The optimum is between them.");
  part.append(between(primal, dual), figures(run, { primal, dual, gap }));
  if (run.end?.classes?.length) classTable(part, run);
  main.append(part);
}

function between(primal, dual) {
  const both = primal !== null && dual !== null;
  const { shared, one, other } = both ? agreeing(primal, dual) : { shared: "", one: significant(primal, 10), other: significant(dual, 10) };
  const row = (letter, words, rest) => el("div", { class: "bound" }, el("b", {}, letter), el("span", { class: "digits" }, el("span", { class: "shared" }, shared), rest), el("span", { class: "words" }, words));
  return el("div", { class: "between" }, row("P", "upper bound: this model", one), row("D", "lower bound: any model", other),
    both && shared.replace(/[−0.]/g, "").length > 1 ? el("p", { class: "note" }, "The digits in bold are common to both bounds, so they are digits of the optimum.") : null);
}

function figures(run, { primal, dual, gap }) {
  const { header, end } = run;
  const excess = excessInWords(dual, gap);
  const target = targetOf(header, primal);
  const cards = [
    { name: "gap, P − D", value: significant(gap), about: target > 0 ? `tolerance: ${significant(target)}` : "" },
    { name: "relative gap", value: gap !== null && primal ? significant(gap / Math.abs(primal)) : "–", about: header.gap > 0 ? `tolerance: ${significant(header.gap)}` : "no tolerance set" },
    { name: "above the optimum, at most", value: excess ?? significant(gap), about: excess !== null ? "relative to D" : "in units of the objective" },
    ...(end?.distance_bound != null ? [{ name: "distance to the optimal weights, at most", value: significant(end.distance_bound), about: "|x − x*| ≤ √(2 gap / λ)" }] : []),
  ];
  const weights = weightsInWords(run);
  return el("div", {}, el("dl", { class: "cards" }, cards.map(({ name, value, about }) => el("div", {}, el("dt", {}, name), el("dd", {}, el("strong", {}, value), about ? el("small", {}, about) : null)))),
    weights.length ? el("p", {}, `${weights.join("; ")}.`) : null);
}

/** One-versus-rest: one certificate per class. */
function classTable(part, { header, end }) {
  const rows = end.classes.map((one) => ({ ...one, relative: one.gap !== null && one.primal ? one.gap / Math.abs(one.primal) : null,
    converged: one.gap !== null && one.gap <= targetOf(header, one.primal) }));
  part.append(el("p", {}, `One-versus-rest: ${rows.length} independent problems, one per class; P, D and gap above are their sums.`));
  table(part, { caption: "Certificates of the classes", rows, sortBy: "class", columns: [
    { name: "class", key: "label", numeric: true },
    { name: "status", key: (row) => (row.converged ? "converged" : "not converged"), format: (text) => el("span", { class: `status ${text === "converged" ? "good" : "open"}` }, text) },
    { name: "P", key: "primal", numeric: true, format: (value) => significant(value, 7) },
    { name: "D", key: "dual", numeric: true, format: (value) => significant(value, 7) },
    { name: "gap", key: "gap", numeric: true },
    { name: "relative gap", key: "relative", numeric: true },
  ] });
}
