/** Files created by the page itself, without a server. */
import { el } from "./dom.js";

/**
 * Downloads a file.
 * @param {string} name
 * @param {Blob|string} content
 * @param {string} [type]
 */
export function save(name, content, type = "text/plain") {
  const blob = content instanceof Blob ? content : new Blob([content], { type: `${type};charset=utf-8` });
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/**
 * Buttons that save what a plot shows.
 * @param {ReturnType<import("./plot.js").plot>} plot
 * @returns {HTMLElement}
 */
export function downloads(plot) {
  const name = (ending) => `${plot.name().replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "").toLowerCase() || "seesaw"}.${ending}`;
  const button = (format, action, words = `Download as ${format}`) => el("button", { type: "button", class: "quiet", "data-format": format, onclick: action, "aria-label": words, title: words }, format);
  return el("div", { class: "downloads", role: "group", "aria-label": "Download" }, el("span", {}, "Download"),
    button("CSV", () => save(name("csv"), plot.csv(), "text/csv")),
    button("PNG", async () => save(name("png"), await plot.png())),
    button("SVG", () => save(name("svg"), plot.svg(), "image/svg+xml")),
    button("SVG, column", () => save(name("column.svg"), plot.svg({ column: true }), "image/svg+xml"), "Download as SVG for one column of a paper: 3.25 inches wide, text of 8 points"));
}
