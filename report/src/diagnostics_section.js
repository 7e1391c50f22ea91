/** The state of the method over the run: one plot of a number that the reader chooses. */
import { costs } from "./curves.js";
import { diagnosticNames, diagnosticSeries, meanings, needsLogAxis } from "./diagnostics.js";
import { el, section, segments, select } from "./dom.js";
import { downloads } from "./download.js";
import { legend } from "./legend.js";
import { plot } from "./plot.js";

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Run} run
 */
export function diagnosticsSection(main, run) {
  const names = diagnosticNames(run);
  if (names.length === 0) return;
  const part = section("Diagnostics", "diagnostics", "The state of the method at each check; counts are totals since the start.");
  let name = names[0], cost = "passes";
  const place = el("div");
  const words = (one) => meanings[one] ?? one.replaceAll("_", " ");
  part.append(el("div", { class: "controls" },
    names.length > 1 ? select("quantity", names.map((value) => ({ value, name: words(value) })), name, (value) => draw((name = value))) : null,
    segments("x axis", ["passes", "seconds"].map((value) => ({ value, name: costs[value].name })), cost, (value) => draw((cost = value)))), place);
  main.append(part);

  let drawn = null;
  const describe = () => {
    const series = diagnosticSeries(run, name, costs[cost].of);
    return { title: words(name), xLabel: costs[cost].label, yLabel: words(name), xLog: false, yLog: needsLogAxis(series), height: window.innerWidth < 600 ? 240 : 260, direct: false, series };
  };
  function draw() {
    if (drawn) return drawn.update(describe());
    drawn = plot(place, describe());
    const below = el("div", { class: "below beside" });
    place.append(below);
    if (run.classes) legend(below, drawn);
    below.append(downloads(drawn));
  }
  draw();
}
