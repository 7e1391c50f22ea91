/** The page of one fit: certificate, convergence, settled labels, time, objective, method, coefficients and data. */
import "./fit.css";
import { certificateSection } from "./certificate.js";
import { closingSection } from "./closing.js";
import { coefficientSection } from "./coefficients.js";
import { dataSection } from "./data.js";
import { diagnosticsSection } from "./diagnostics_section.js";
import { methodSection, objectiveSection, rerunSection } from "./setting.js";
import { settledSection } from "./settled_section.js";
import { timeSection } from "./time.js";
import { calibrationSection, tuningSection } from "./tuning_section.js";
import { capital } from "./format.js";
import { head } from "./head.js";
import { nameOf } from "./lines.js";
import { machineOf, sizeOf } from "./problems.js";
import { howItEnded, methodOf, whatIsProved } from "./outcome.js";

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Lines} lines with exactly one run
 */
export function fitPage(main, { runs: [run], tune, calibration, machine }) {
  const { header } = run;
  head(main, {
    kind: "fit",
    title: `${capital(header.loss)} loss on ${nameOf(header.data)}`,
    lead: `${howItEnded(run)} ${whatIsProved(run)}`,
    facts: [
      { name: "data", value: sizeOf(header) },
      { name: "method", value: methodOf(run) },
      { name: "machine", value: machineOf(header, machine) },
      { name: "program", value: header.version ? `seesaw ${header.version}${header.compiler ? `, ${header.compiler}` : ""}` : "" },
    ],
  });
  tuningSection(main, tune);
  calibrationSection(main, calibration);
  certificateSection(main, run);
  closingSection(main, run);
  settledSection(main, run);
  diagnosticsSection(main, run);
  timeSection(main, run);
  objectiveSection(main, run);
  methodSection(main, run);
  coefficientSection(main, run);
  dataSection(main, run);
  rerunSection(main, run);
}
