/** Light or dark: as the system says, until the reader chooses; paper is light. */
import { paletteCss } from "./palette.js";
import { el } from "./dom.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const paper = matchMedia("print");
const listeners = new Set();
let chosen = remembered();

/** @returns {"light"|"dark"} */
export function theme() {
  if (paper.matches) return "light";
  return chosen ?? (dark.matches ? "dark" : "light");
}

/** Calls back whenever theme() has changed; what is drawn on a canvas must be drawn again. */
export function onTheme(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Writes the variables of the palette and the choice of the reader to the page. */
export function startTheme() {
  const [light, night] = [paletteCss("light"), paletteCss("dark")];
  document.head.append(el("style", {},
    `:root{${light}}@media screen{:root[data-theme=dark]{${night}}}`));
  dark.addEventListener("change", apply);
  paper.addEventListener("change", apply);
  apply();
}

/** The button of the page's head that changes it. */
export function themeButton() {
  return el("button", { type: "button", class: "quiet theme", "aria-label": "Change between light and dark",
    onclick: () => {
      chosen = theme() === "dark" ? "light" : "dark";
      try { localStorage.setItem("seesaw-theme", chosen); } catch { /* pages from disk may have no storage */ }
      apply();
    } }, "◐");
}

function apply() {
  document.documentElement.dataset.theme = theme();
  for (const listener of listeners) listener();
}

function remembered() {
  try {
    const value = localStorage.getItem("seesaw-theme");
    return value === "dark" || value === "light" ? value : null;
  } catch {
    return null;
  }
}
