/** The page of the papers' experiments, done again. */
import { head } from "./head.js";

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Lines} lines
 */
export function reproductionPage(main, { experiments }) {
  head(main, { kind: "reproduction", title: experiments.map((each) => each.experiment).join(", "), facts: [] });
}
