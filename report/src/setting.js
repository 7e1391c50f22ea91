/** The settings of a fit: objective, method, options that differ from the defaults, and the command to reproduce it. */
import { copyButton, el, section } from "./dom.js";
import { save } from "./download.js";
import { capital, listed, significant } from "./format.js";
import { methodOf } from "./outcome.js";
import { nameOf } from "./lines.js";
import { objectiveOf } from "./problems.js";
import { symbols } from "./symbols.js";
import { table } from "./table.js";

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Run} run
 */
export function objectiveSection(main, { header }) {
  const part = section("Objective", "objective");
  const lines = header.objective ? header.objective.split("\n") : [];
  const isFormula = (line) => /^(minimize|with phi)/.test(line);
  for (const line of lines.length ? lines : [objectiveOf(header)])
    part.append(isFormula(line) ? el("p", { class: "formula" }, symbols(line)) : el("p", {}, symbols(capital(line))));
  const strength = strengthOf(header);
  if (strength) part.append(el("p", {}, strength));
  if (header.equivalents?.length)
    part.append(el("p", { class: "note" }, "Equivalent settings of other programs:"), el("dl", { class: "elsewhere" }, header.equivalents.map((line) => {
      const [, name, rest] = /^(\S+)\s+(.*)$/.exec(line) ?? [null, "", line];
      return el("div", {}, el("dt", {}, name), el("dd", {}, el("code", {}, rest)));
    })));
  main.append(part);
}

/** "λ = 3.07e-5 = 1/n (C = 1)": the penalty in the common parametrizations. */
export function strengthOf({ lambda, l1, n, objective = "" }) {
  const weighted = /weights sum to/.test(objective);
  const terms = [];
  if (lambda > 0) terms.push(`λ = ${significant(lambda)}${weighted ? "" : ` = ${significant(lambda * n)}/n (C = ${significant(1 / (lambda * n))})`}`);
  if (l1 > 0) terms.push(`l1 = ${significant(l1)}`);
  return terms.length > 0 ? `Penalty: ${listed(terms)}.` : "There is no penalty.";
}

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Run} run
 */
export function methodSection(main, run) {
  const { header, messages } = run;
  const part = section("Method", "method");
  part.append(el("p", {}, el("strong", {}, methodOf(run)), header.family && header.family !== header.solver ? `, family ${header.family}` : "", `; seed ${header.seed}.`));
  if (header.choice) part.append(el("p", {}, capital(`${header.solver} ${header.choice}.`)));
  if (header.remark) part.append(el("p", {}, capital(`${header.solver} ${header.remark}.`)));
  if (run.end?.instead) part.append(el("p", {}, capital(`${run.end.instead}.`)));
  if (messages.length > 0) part.append(el("p", {}, "Messages of the run:"), el("ol", { class: "messages" }, messages.map((sentence) => el("li", {}, sentence))));
  if (header.deviations?.length > 0) {
    part.append(el("p", {}, "Options that differ from the defaults:"));
    table(part, { caption: "Options that differ from the defaults", rows: header.deviations, columns: [
      { name: "option", key: "option", format: (text) => el("code", {}, text) },
      { name: "value", key: "value", format: (text) => el("code", {}, text) },
      { name: "default", key: "default", format: (text) => text || "none" },
    ] });
  } else if (header.deviations) part.append(el("p", {}, "All options have their default values."));
  main.append(part);
}

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Run} run
 */
export function rerunSection(main, { header }) {
  if (!header.command) return;
  const part = section("Reproduce", "again", "The same seed gives a bitwise identical model for any number of threads.");
  const line = (words, command) => el("div", { class: "again" }, el("span", {}, words), el("code", {}, command), copyButton(command));
  part.append(line("train", header.command));
  if (header.model && header.data !== "-") part.append(line("verify", `seesaw verify ${quoted(header.data)} ${quoted(header.model)}`));
  part.append(el("p", { class: "note" }, "This page contains the trace from which it is drawn: ",
    el("button", { type: "button", class: "quiet", "data-format": "JSONL", onclick: () => save(`${nameOf(header.data) || "fit"}.jsonl`, document.getElementById("lines").textContent.trim() + "\n", "application/jsonl") }, "save it")));
  main.append(part);
}

function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}
