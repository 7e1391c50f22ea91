/** The weights of largest magnitude, as bars on both sides of 0. */
import { el, section } from "./dom.js";
import { listed, significant } from "./format.js";

/**
 * @param {HTMLElement} main
 * @param {import("./lines.js").Run} run
 */
export function coefficientSection(main, { header, end }) {
  const list = end?.coefficients;
  if (!list) return;
  const part = section("The largest coefficients", "coefficients", sentence(header, end));
  if (list.length > 0) part.append(bars(header, list));
  else part.append(el("p", {}, "All weights are 0."));
  if (header.intercept !== "none" && end.intercepts?.length) part.append(el("p", {}, intercepts(header, end.intercepts)));
  main.append(part);
}

function sentence({ labels, scale }, { coefficients: list }) {
  const several = list.some((one) => one.class !== undefined);
  const means = several ? "A bar to the right increases the score of the class, one to the left decreases it."
    : labels?.length === 2 ? `A bar to the right (▶) favours label ${labels[1]}, one to the left (◀) label ${labels[0]}.`
      : "A bar to the right (▶) increases the prediction, one to the left (◀) decreases it.";
  const scaled = scale && scale !== "none" ? ` Values are those of the scaled features (${scale})${list[0]?.unscaled !== undefined ? "; the column \"unscaled\" is for the features of the data" : ""}.` : "";
  if (list.length === 0) return null;
  return `${list.length === 1 ? "The only nonzero weight" : `The ${list.length} weights of largest magnitude`}. ${means}${scaled}`;
}

function intercepts({ intercept, labels }, values) {
  const words = intercept === "penalized" ? "penalized, the weight of a constant feature 1" : "free";
  if (values.length === 1) return `Intercept (${words}): ${significant(values[0], 5)}.`;
  return `Intercepts (${words}): ${listed(values.slice(0, 12).map((value, index) => `${significant(value, 4)} for ${labels?.[index] ?? index + 1}`))}${values.length > 12 ? " and so on" : ""}.`;
}

/** A table whose cells contain the bars. */
function bars({ labels }, list) {
  const largest = Math.max(...list.map((one) => Math.abs(one.value ?? 0))) || 1;
  const several = list.some((one) => one.class !== undefined);
  const named = list.some((one) => one.name !== undefined);
  const unscaled = list.some((one) => one.unscaled !== undefined);
  const heading = (words, name) => el("th", { scope: "col", class: name ?? null }, words);
  const row = (one) => {
    const percent = (100 * Math.abs(one.value ?? 0)) / largest;
    const positive = one.value > 0;
    return el("tr", {}, el("th", { scope: "row" }, one.name ?? String(one.feature)),
      named ? el("td", { class: "numeric spare" }, String(one.feature)) : null,
      several ? el("td", { class: "numeric" }, String(one.class)) : null,
      sides(positive ? [] : [el("i", {}, "◀"), el("b", { class: "level negative", style: `width:${percent}%` })],
        positive ? [el("b", { class: "level positive", style: `width:${percent}%` }), el("i", {}, "▶")] : []),
      el("td", { class: "numeric" }, signed(one.value)), unscaled ? el("td", { class: "numeric" }, signed(one.unscaled)) : null);
  };
  const towards = several || labels?.length !== 2 ? ["−", "+"] : [`◀ ${labels[0]}`, `${labels[1]} ▶`];
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The largest coefficients" },
    el("table", { class: "coefficients" }, el("caption", {}, "The largest coefficients"),
      el("thead", {}, el("tr", {}, heading("feature"), named ? heading("number", "numeric spare") : null, several ? heading("class", "numeric") : null,
        sides(towards[0], towards[1]),
        heading("value", "numeric"), unscaled ? heading("unscaled", "numeric") : null)),
      el("tbody", {}, list.map(row))));
}

/** A cell with a left and a right half. */
function sides(left, right) {
  return el("td", { class: "sides", "aria-hidden": "true" }, el("div", {}, el("span", { class: "left" }, left), el("span", { class: "right" }, right)));
}

function signed(value) {
  return value > 0 ? `+${significant(value, 4)}` : significant(value, 4).replace("-", "−");
}
