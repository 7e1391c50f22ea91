/** The parts of the total time of a fit. */
import { el, section } from "./dom.js";
import { duration, significant } from "./format.js";
import { busyParts, timeParts } from "./outcome.js";

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Run} run
 */
export function timeSection(main, { header, end }) {
  if (!end?.seconds) return;
  const parts = timeParts(end.seconds).filter((part) => part.fraction > 0.0005);
  const total = parts.reduce((sum, part) => sum + part.seconds, 0);
  const part = section("Time", "time", `${duration(total)} from reading the data to writing the model.${header.one_versus_rest && header.threads > 1
    ? " Classes run in parallel: solving and checking are sums over the classes." : ""}`);
  const words = parts.map(({ name, seconds, fraction }) => `${name} ${duration(seconds)} (${percent(fraction)})`).join(", ");
  part.append(el("div", { class: "stack", role: "img", "aria-label": words }, parts.map(({ fraction }, index) => el("span", { class: `fill-${index}`, style: `flex-grow:${fraction}` }))),
    el("dl", { class: "parts" }, parts.map(({ name, about, seconds, fraction }, index) => el("div", {},
      el("dt", {}, el("i", { class: `fill-${index}`, "aria-hidden": "true" }), name), el("dd", {}, el("strong", {}, duration(seconds)), ` ${percent(fraction)}`, el("small", {}, about))))));
  const busy = busyParts(end);
  if (busy.length > 0) part.append(el("p", { class: "busy-title" }, "Busy, as part of the total time"), busyTable(busy));
  main.append(part);
}

/** A bar per thread, rank and disk: the part of the total time that it was busy. */
function busyTable(busy) {
  const longest = Math.max(1, ...busy.map(({ fraction }) => fraction));
  return el("div", { class: "scroll" }, el("table", { class: "busy" }, el("caption", {}, "Processor and disk time"),
    el("tbody", {}, busy.map(({ name, about, seconds, fraction }) => el("tr", {}, el("th", { scope: "row" }, name),
      el("td", { class: "track" }, el("span", { class: "level", style: `width:${(100 * fraction) / longest}%` })),
      el("td", {}, `${duration(seconds)} (${percent(fraction)})`), el("td", {}, el("small", {}, about)))))));
}

function percent(fraction) {
  return `${significant(100 * fraction, fraction >= 0.1 ? 3 : 2)} %`;
}
