/** Entry point: parses the embedded lines and draws a fit, a comparison, a reproduction or a path. */
import "./page.css";
import { kindOf, parseLines } from "./lines.js";
import { startTheme, themeButton } from "./theme.js";
import { comparisonPage } from "./comparison.js";
import { fitPage } from "./fit.js";
import { pathPage } from "./path.js";
import { reproductionPage } from "./reproduction.js";
import { counted } from "./format.js";
import { el } from "./dom.js";

const pages = { comparison: comparisonPage, fit: fitPage, path: pathPage, reproduction: reproductionPage };

startTheme();
const main = document.querySelector("main");
document.querySelector(".bar").append(themeButton());
try {
  const lines = parseLines(document.getElementById("lines").textContent);
  pages[kindOf(lines)](main, lines);
  if (lines.damaged > 0) main.append(el("p", { class: "note" }, `${counted(lines.damaged, "line")} of the trace could not be read and ${lines.damaged === 1 ? "was" : "were"} skipped.`));
} catch (error) {
  main.append(el("p", { class: "note" }, `This page could not be drawn: ${error.message}`));
  throw error;
}
requestAnimationFrame(() => setTimeout(() => performance.mark("drawn")));  // after the first paint
