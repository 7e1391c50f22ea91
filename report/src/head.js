/** The head of a page: title, summary and a few facts. */
import { el } from "./dom.js";

/**
 * @param {HTMLElement} main
 * @param {{kind: string, title: string, lead?: string|Node, facts: Array<{name: string, value: string|Node}>}} head
 */
export function head(main, { kind, title, lead, facts }) {
  document.title = `${title} · Seesaw`;
  main.append(el("header", { class: "head" }, el("p", { class: "kind" }, kind), el("h1", {}, title), lead ? el("p", { class: "lead" }, lead) : null,
    el("dl", { class: "facts" }, facts.filter((fact) => fact.value).map((fact) => el("div", {}, el("dt", {}, fact.name), el("dd", {}, fact.value))))));
}
