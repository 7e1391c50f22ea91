/** The page of the reproduced experiments of the papers: first the verdicts on their claims, then each figure in the paper's layout. */
import { counted } from "./format.js";
import { experimentSection } from "./experiment.js";
import { head } from "./head.js";
import { findingsOf, verdictSection } from "./verdicts.js";

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Lines} lines
 */
export function reproductionPage(main, lines) {
  const { experiments, verdicts, machine } = lines;
  const papers = [...new Set(experiments.map((each) => each.paper))];
  head(main, {
    kind: "reproduction",
    title: experiments.length === 1 ? `${experiments[0].paper}, ${experiments[0].figure}, reproduced` : `${counted(papers.length, "paper")}, ${counted(experiments.length, "experiment")}, reproduced`,
    lead: findingsOf(verdicts),
    facts: [
      { name: "papers", value: papers.join("; ") },
      { name: "runs", value: `${counted(lines.runs.length, "run")}${machine?.mode === "full" ? "" : `, reduced (${machine?.mode ?? "quick"})`}` },
      { name: "machine", value: machine ? `${machine.cpu}, ${counted(machine.cores, "core")}` : "" },
      { name: "program and date", value: machine ? `seesaw ${machine.version}, ${machine.date}` : "" },
    ],
  });
  verdictSection(main, lines);
  for (const experiment of experiments) experimentSection(main, experiment, lines);
}
