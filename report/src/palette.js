/**
 * Colours that colour-blind readers can distinguish, on a light and on a dark page (measured by tests/palette.test.mjs).
 * A family of methods has a colour; methods of one family differ by shade and dashes.
 *
 * @typedef {{slot: number, shade: number, dash: number[]}} Style
 */

/** Blue, red, green, pink, amber, sky, violet, and the colour of the text. */
export const palettes = {
  light: ["#034588", "#cc060e", "#067561", "#e957b0", "#bb8a08", "#0696fd", "#7947cc", "#1b1f24"],
  dark: ["#286dd9", "#e9491f", "#50ca97", "#c2628e", "#ffd206", "#b3c1ff", "#9891fd", "#e8eaed"],
};
export const backgrounds = { light: "#ffffff", dark: "#14171c" };

const text = 7;
/** The preferred colour of a family, so that it is the same on every page; if it is taken, the next free one is used. */
const preferred = {
  "dual ascent": 0, "primal dual": 1, "gradient table": 2, "gradient snapshot": 3, "batch primal dual": 4, "doubly stochastic": 5,
  "single entry": 6, auto: text, newton: 2, lbfgs: 5, "semismooth newton": 3, "dual face": 5, rotation: 6, "working set": 4, "accelerated gradient": 4,
};
const dashes = [[], [9, 4], [2, 3], [9, 3, 2, 3], [16, 4], [5, 2, 1, 2], [14, 3, 2, 3, 2, 3], [1, 5]];

/**
 * A style for each series.
 * @param {Array<{label: string, family?: string}>} series each label once, in the order of the page
 * @returns {Map<string, Style>} by label
 */
export function stylesOf(series) {
  const slots = new Map();
  for (const { label, family } of series) {
    const name = family ?? label;
    if (slots.has(name)) continue;
    const taken = new Set(slots.values());
    const first = preferred[name] ?? slots.size % text;
    const tries = [first, ...Array.from({ length: text }, (_, step) => (first + 1 + step) % text)];
    slots.set(name, tries.find((slot) => !taken.has(slot)) ?? first);
  }
  const members = new Map();
  const styles = new Map();
  for (const { label, family } of series) {
    const slot = slots.get(family ?? label);
    const place = members.get(slot) ?? 0;
    members.set(slot, place + 1);
    styles.set(label, { slot, shade: place % 2, dash: dashes[place % dashes.length] });
  }
  return styles;
}

/**
 * @param {Style} style
 * @param {"light"|"dark"} theme
 * @returns {string} "#rrggbb"
 */
export function colour({ slot, shade }, theme) {
  const own = palettes[theme][slot];
  return shade ? mixed(own, slot === text ? backgrounds[theme] : palettes[theme][text], 0.28) : own;
}

/** The name of the CSS variable that holds the colour of a style in the current theme (paletteCss defines them). */
export function cssColour({ slot, shade }) {
  return `var(--line-${slot}-${shade})`;
}

/** The variables of one theme, for a style sheet. */
export function paletteCss(theme) {
  const lines = [];
  for (let slot = 0; slot <= text; slot++)
    for (const shade of [0, 1]) lines.push(`--line-${slot}-${shade}:${colour({ slot, shade }, theme)}`);
  return lines.join(";");
}

function mixed(one, other, weight) {
  const part = (from) => Math.round(parseInt(one.slice(from, from + 2), 16) * (1 - weight) + parseInt(other.slice(from, from + 2), 16) * weight);
  return `#${[1, 3, 5].map((from) => part(from).toString(16).padStart(2, "0")).join("")}`;
}
