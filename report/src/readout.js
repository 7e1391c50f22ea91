/** The values of the lines at the cursor, in a small table beside it; for the pointer and the arrow keys. */
import { valueAt } from "./curves.js";
import { significant } from "./format.js";
import { el } from "./dom.js";

/**
 * @param {Object} chart a uPlot
 * @param {HTMLElement} stage holds it
 * @param {{series: () => import("./plot.js").Series[], swatchOf: (one: Object) => HTMLElement, xLabel: () => string}} given
 * @returns {{hide: () => void, step: (direction: number) => void}} step: to the next position, by the keyboard
 */
export function readout(chart, stage, { series, swatchOf, xLabel }) {
  const box = el("div", { class: "readout", hidden: true, "aria-live": "polite" });
  stage.append(box);
  let keyed = null;

  function show(left) {
    const at = chart.posToVal(left, "x");
    const rows = series().map((one) => ({ one, value: valueAt(one, at), over: at > one.x[one.x.length - 1] })).filter((row) => row.value !== null)
      .sort((one, other) => one.over - other.over || other.value - one.value);
    if (rows.length === 0) return hide();
    const most = Math.floor((stage.clientHeight - 70) / 20);
    box.replaceChildren(el("div", { class: "readout-x" }, `${xLabel()}: ${significant(at)}`),
      ...rows.slice(0, most).map(({ one, value, over }) => el("div", { class: over ? "over" : null }, swatchOf(one), el("span", {}, over ? `${one.label} (final)` : one.label), el("b", {}, significant(value)))),
      rows.length > most ? el("div", { class: "readout-x" }, `and ${rows.length - most} more`) : "");
    box.hidden = false;
    const area = chart.over.getBoundingClientRect(), from = stage.getBoundingClientRect();
    const x = area.left - from.left + left;
    const fits = x + 16 + box.offsetWidth < from.width;
    box.style.left = `${Math.max(0, fits ? x + 16 : x - 16 - box.offsetWidth)}px`;
    box.style.top = `${area.top - from.top + 8}px`;
  }

  function hide() {
    box.hidden = true;
  }

  chart.hooks.setCursor = [...(chart.hooks.setCursor ?? []), (u) => {
    if (u.cursor.left === undefined || u.cursor.left < 0) hide();
    else show(u.cursor.left);
  }];
  stage.onblur = hide;  // replaced if another chart uses the same stage

  return {
    hide,
    step(direction) {
      const width = chart.over.clientWidth;
      keyed = Math.min(width, Math.max(0, (keyed ?? (direction > 0 ? 0 : width)) + (direction * width) / 40));
      chart.setCursor({ left: keyed, top: 10 });
    },
  };
}
