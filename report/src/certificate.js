/** The proof of a fit: P from above, D from below, and what their distance says. */
import { el, section } from "./dom.js";
import { significant } from "./format.js";
import { agreeing, finalOf, shareAbove, targetOf, weightsInWords } from "./outcome.js";
import { table } from "./table.js";

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Run} run
 */
export function certificateSection(main, run) {
  const { primal, dual, gap } = finalOf(run);
  const part = section("The certificate", "certificate",
    "P is the objective of the model; D is a value that no model can get below. Both are computed from the data, whatever the method did, and the optimum lies between them.");
  part.append(between(primal, dual), figures(run, { primal, dual, gap }));
  if (run.end?.classes?.length) classTable(part, run);
  main.append(part);
}

function between(primal, dual) {
  const both = primal !== null && dual !== null;
  const { shared, one, other } = both ? agreeing(primal, dual) : { shared: "", one: significant(primal, 10), other: significant(dual, 10) };
  const row = (letter, words, rest) => el("div", { class: "bound" }, el("b", {}, letter), el("span", { class: "digits" }, el("span", { class: "shared" }, shared), rest), el("span", { class: "words" }, words));
  return el("div", { class: "between" }, row("P", "from above: this model", one), row("D", "from below: any model", other),
    both && shared.replace(/[−0.]/g, "").length > 1 ? el("p", { class: "note" }, "The digits in bold are proved: the optimum begins with them.") : null);
}

function figures(run, { primal, dual, gap }) {
  const { header, end } = run;
  const share = shareAbove(dual, gap);
  const target = targetOf(header, primal);
  const cards = [
    { name: "gap, P − D", value: significant(gap), about: target > 0 ? `asked for: ${significant(target)}` : "" },
    { name: "relative gap", value: gap !== null && primal ? significant(gap / Math.abs(primal)) : "–", about: header.gap > 0 ? `asked for: ${significant(header.gap)}` : "not asked for" },
    { name: "above the optimum, at most", value: share !== null ? `${significant(share)} %` : significant(gap), about: share !== null ? "of the optimal value, which is not below D" : "in units of the objective" },
    ...(end?.distance_bound != null ? [{ name: "distance to the optimal weights, at most", value: significant(end.distance_bound), about: "|x − x*| ≤ √(2 gap / λ)" }] : []),
  ];
  const weights = weightsInWords(run);
  return el("div", {}, el("dl", { class: "cards" }, cards.map(({ name, value, about }) => el("div", {}, el("dt", {}, name), el("dd", {}, el("strong", {}, value), about ? el("small", {}, about) : null)))),
    weights.length ? el("p", {}, `${weights.join("; ")}.`) : null);
}

/** One-versus-rest: every class has a proof of its own. */
function classTable(part, { header, end }) {
  const rows = end.classes.map((one) => ({ ...one, relative: one.gap !== null && one.primal ? one.gap / Math.abs(one.primal) : null,
    closed: one.gap !== null && one.gap <= targetOf(header, one.primal) }));
  part.append(el("p", {}, `Each of the ${rows.length} classes against all others is a problem of its own; P, D and gap above are their sums.`));
  table(part, { caption: "Certificates of the classes", rows, sortBy: "class", columns: [
    { name: "class", key: "label", numeric: true },
    { name: "status", key: (row) => (row.closed ? "closed" : "open"), format: (text) => el("span", { class: `status ${text === "closed" ? "good" : "open"}` }, text) },
    { name: "P", key: "primal", numeric: true, format: (value) => significant(value, 7) },
    { name: "D", key: "dual", numeric: true, format: (value) => significant(value, 7) },
    { name: "gap", key: "gap", numeric: true },
    { name: "relative gap", key: "relative", numeric: true },
  ] });
}
