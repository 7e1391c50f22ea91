/** The legend of a plot, by family: buttons that show and hide lines. */
import { cssColour } from "./palette.js";
import { el } from "./dom.js";

/**
 * @param {HTMLElement} element where it is appended
 * @param {ReturnType<import("./plot.js").plot>} plot
 * @returns {{element: HTMLElement}}
 */
export function legend(element, plot) {
  const list = el("div", { class: "legend", role: "group", "aria-label": "Lines of the plot" });
  element.append(list);

  function build() {
    const families = new Map();
    for (const one of plot.series()) {
      const family = one.family ?? "";
      if (!families.has(family)) families.set(family, []);
      families.get(family).push(one);
    }
    list.replaceChildren(...[...families].map(([family, members]) => el("div", { class: "family" },
      families.size > 1 && family && !(members.length === 1 && members[0].label === family) ? el("span", {}, family) : null, members.map(entry))),
      plot.series().length > 3 ? el("div", { class: "family" }, el("button", { type: "button", class: "quiet", onclick: () => plot.only(null) }, "show all")) : "");
  }

  function entry(one) {
    const style = plot.styles().get(one.label);
    const button = el("button", { type: "button", "data-label": one.label, title: "click: show or hide; with Shift: this one alone",
      onclick: (event) => (event.shiftKey ? plot.only(one.label) : plot.toggle(one.label)) }, swatch(cssColour(style), one.dash ?? style.dash, one.points), one.label);
    return button;
  }

  function refresh() {
    const entries = [...list.querySelectorAll("button[data-label]")];
    if (entries.map((button) => button.dataset.label).join("\n") !== orderOf()) build();
    for (const button of list.querySelectorAll("button[data-label]")) button.setAttribute("aria-pressed", String(!plot.isHidden(button.dataset.label)));
  }

  function orderOf() {
    const families = [...new Set(plot.series().map((one) => one.family ?? ""))];
    return families.flatMap((family) => plot.series().filter((one) => (one.family ?? "") === family)).map((one) => one.label).join("\n");
  }

  build();
  refresh();
  plot.onChange(refresh);
  return { element: list };
}

/** A sample of a line in its colour and dash pattern. */
export function swatch(colour, dash = [], points = false) {
  const span = el("span", { class: "swatch", "aria-hidden": "true" });
  span.innerHTML = `<svg viewBox="0 0 30 10" width="30" height="10">${points ? `<circle cx="15" cy="5" r="3" fill="${colour}"/>`
    : `<line x1="0" y1="5" x2="30" y2="5" stroke="${colour}" stroke-width="2.5" stroke-dasharray="${dash.join(" ")}"/>`}</svg>`;
  return span;
}
