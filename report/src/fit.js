/** The page of one fit. */
import { head } from "./head.js";

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Lines} lines with exactly one run
 */
export function fitPage(main, { runs: [run] }) {
  head(main, { kind: "fit", title: run.problem, facts: [{ name: "method", value: run.label }, { name: "status", value: run.status }] });
}
