/** Test labels that no further training can change, against the gap. */
import { el, section } from "./dom.js";
import { downloads } from "./download.js";
import { legend } from "./legend.js";
import { plot } from "./plot.js";
import { countsSettledLabels, settledSentence, settledSeries } from "./settled.js";

const styles = new Map([["labels settled", { slot: 0, shade: 0, dash: [] }], ["all labels", { slot: 7, shade: 0, dash: [2, 4] }]]);

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Run} run
 */
export function settledSection(main, run) {
  if (!countsSettledLabels(run)) return;
  const part = section("Settled labels", "settled", settledSentence(run));
  const place = el("div");
  part.append(place);
  main.append(part);
  const series = settledSeries(run);
  const drawn = plot(place, { title: "Labels settled against the gap; training goes from right to left", xLabel: "certified gap / P", yLabel: "test rows", xLog: true, yLog: false,
                              height: window.innerWidth < 600 ? 300 : 320, direct: false, styles, series, yRange: [0, 1.05 * series[1].y[0]] });
  const below = el("div", { class: "below beside" });
  place.append(below);
  legend(below, drawn);
  below.append(downloads(drawn));
}
