/** Where the seconds of a fit went. */
import { el, section } from "./dom.js";
import { duration, significant } from "./format.js";
import { timeParts } from "./outcome.js";

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Run} run
 */
export function timeSection(main, { header, end }) {
  if (!end?.seconds) return;
  const parts = timeParts(end.seconds).filter((part) => part.share > 0.0005);
  const total = parts.reduce((sum, part) => sum + part.seconds, 0);
  const part = section("Where the time went", "time", `${duration(total)} from the first byte to the model.${header.one_versus_rest && header.threads > 1
    ? " Classes run side by side: solving and checking are counted for each of them." : ""}`);
  const words = parts.map(({ name, seconds, share }) => `${name} ${duration(seconds)} (${percent(share)})`).join(", ");
  part.append(el("div", { class: "stack", role: "img", "aria-label": words }, parts.map(({ share }, index) => el("span", { class: `fill-${index}`, style: `flex-grow:${share}` }))),
    el("dl", { class: "parts" }, parts.map(({ name, about, seconds, share }, index) => el("div", {},
      el("dt", {}, el("i", { class: `fill-${index}`, "aria-hidden": "true" }), name), el("dd", {}, el("strong", {}, duration(seconds)), ` ${percent(share)}`, el("small", {}, about))))));
  main.append(part);
}

function percent(share) {
  return `${significant(100 * share, share >= 0.1 ? 3 : 2)} %`;
}
