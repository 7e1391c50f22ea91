/** Light or dark: the system's setting unless the reader chooses; light when printed. */
import { paletteCss } from "./palette.js";
import { el } from "./dom.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const paper = matchMedia("print");
const listeners = new Set();
let chosen = storedChoice();

/** @returns {"light"|"dark"} */
export function theme() {
  if (paper.matches) return "light";
  return chosen ?? (dark.matches ? "dark" : "light");
}

/** Calls back whenever theme() has changed: canvases must be redrawn. */
export function onTheme(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Adds the CSS variables of the palette to the page and applies the theme. */
export function startTheme() {
  const [light, night] = [paletteCss("light"), paletteCss("dark")];
  document.head.append(el("style", {},
    `:root{${light}}@media screen{:root[data-theme=dark]{${night}}}`));
  dark.addEventListener("change", apply);
  paper.addEventListener("change", apply);
  apply();
}

/** The button that switches the theme. */
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

function storedChoice() {
  try {
    const value = localStorage.getItem("seesaw-theme");
    return value === "dark" || value === "light" ? value : null;
  } catch {
    return null;
  }
}
