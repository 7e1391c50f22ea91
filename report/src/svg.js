/** A plot as an SVG, for files and for printing. A pure function of its description. */
import { place, ticks, tickText } from "./ticks.js";
import { lineEnds, placeLabels } from "./labels.js";

/**
 * @param {Object} drawing
 * @param {string} [drawing.title]
 * @param {Array<{label: string, x: number[], y: number[], low?: number[], high?: number[], colour: string, dash: number[], end?: string,
 *   points?: boolean}>} drawing.series the visible ones
 * @param {{min: number, max: number, log: boolean, label: string}} drawing.across
 * @param {{min: number, max: number, log: boolean, label: string}} drawing.up
 * @param {{text: string, muted: string, grid: string, background: string}} drawing.ink
 * @param {boolean} [drawing.direct] labels at the ends of the lines (true)
 * @param {number} [drawing.width]
 * @param {number} [drawing.height] of the plot; the legend is below it
 * @param {boolean} [drawing.column] for one column of a paper: 3.25 inches wide, text of 8 points in Times, no title
 * @returns {string}
 */
export function svgOf({ column = false, ...drawing }) {
  return column ? svgWith({ ...drawing, title: "", direct: false, width: 351, height: 270 }, { unit: 3.25 / 351, name: "in", family: serif })
    : svgWith(drawing, { unit: 1, name: "", family: sansSerif });
}

const sansSerif = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const serif = "'Times New Roman', Times, 'Nimbus Roman', 'TeX Gyre Termes', serif";

/** One unit of the drawing is `unit` times the length `name`; the text has 12 units. */
function svgWith({ title, series, across, up, ink, direct = true, width = 860, height = 480 }, { unit, name, family }) {
  const box = { left: 72, top: title ? 44 : 16, right: width - 18, bottom: height - 52 };
  const X = (value) => round(box.left + place(value, across) * (box.right - box.left));
  const Y = (value) => round(box.bottom - place(value, up) * (box.bottom - box.top));
  const names = legendOf(series, width, height, ink);
  const parts = [
    `<rect width="${width}" height="${names.bottom}" fill="${ink.background}"/>`,
    title ? text(box.left, 26, title, `font-size="15" font-weight="600" fill="${ink.text}"`) : "",
    gridOf(across, up, box, X, Y, ink),
    `<clipPath id="inside"><rect x="${box.left}" y="${box.top}" width="${box.right - box.left}" height="${box.bottom - box.top}"/></clipPath>`,
    `<g clip-path="url(#inside)">${series.map((one) => bandOf(one, X, Y)).join("")}${series.map((one) => lineOf(one, X, Y)).join("")}</g>`,
    endsOf(series, box, X, Y, ink, direct),
    names.text,
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${names.bottom}" width="${round(width * unit)}${name}" height="${round(names.bottom * unit)}${name}" ` +
    `font-family="${family}" font-size="12">${parts.join("")}</svg>`;
}

/** An estimate, for text that cannot be measured. */
export function textWidth(words, size = 12) {
  return words.length * size * 0.56;
}

/**
 * The mark at the end of a line, as the data of an SVG path or Path2D.
 * @param {"dot"|"cross"|"open"|"above"} kind
 */
export function endMark(kind, x, y, size = 3.5) {
  if (kind === "cross") return `M${x - size},${y - size}L${x + size},${y + size}M${x - size},${y + size}L${x + size},${y - size}`;
  if (kind === "above") return `M${x - size},${y + size}L${x},${y - size}L${x + size},${y + size}z`;
  return `M${x - size},${y}a${size},${size} 0 1,0 ${2 * size},0a${size},${size} 0 1,0 ${-2 * size},0z`;
}

function gridOf(across, up, box, X, Y, ink) {
  const lines = [];
  const columns = ticks(across.min, across.max, across.log, (box.right - box.left) / 64);
  for (const value of columns) {
    lines.push(line(X(value), box.top, X(value), box.bottom, ink.grid));
    lines.push(text(X(value), box.bottom + 18, tickText(value, across.log, columns), `text-anchor="middle" fill="${ink.muted}"`));
  }
  const rows = ticks(up.min, up.max, up.log, (box.bottom - box.top) / 34);
  for (const value of rows) {
    lines.push(line(box.left, Y(value), box.right, Y(value), ink.grid));
    lines.push(text(box.left - 8, Y(value) + 4, tickText(value, up.log, rows), `text-anchor="end" fill="${ink.muted}"`));
  }
  const middle = (box.top + box.bottom) / 2;
  lines.push(text((box.left + box.right) / 2, box.bottom + 40, across.label, `text-anchor="middle" fill="${ink.text}"`));
  lines.push(text(16, middle, up.label, `text-anchor="middle" transform="rotate(-90 16 ${middle})" fill="${ink.text}"`));
  return lines.join("");
}

function bandOf({ x, low, high, colour }, X, Y) {
  if (!low?.length) return "";
  const over = x.map((value, index) => `${X(value)},${Y(high[index])}`);
  const under = x.map((value, index) => `${X(value)},${Y(low[index])}`).reverse();
  return `<polygon points="${[...over, ...under].join(" ")}" fill="${colour}" fill-opacity="0.14"/>`;
}

function lineOf({ x, y, colour, dash, points }, X, Y) {
  const places = x.map((value, index) => [X(value), Y(y[index])]);
  if (points) return places.map(([left, top]) => `<path d="${endMark("dot", left, top, 3)}" fill="${colour}"/>`).join("");
  return places.length === 0 ? "" : `<polyline points="${places.map((pair) => pair.join(",")).join(" ")}" fill="none" stroke="${colour}" stroke-width="2" stroke-linejoin="round"${dashed(dash)}/>`;
}

/** The end marks of lines, and their labels. */
function endsOf(series, box, X, Y, ink, direct) {
  const ends = lineEnds(series, X, Y, box);
  const marks = ends.filter((end) => end.mark).map(({ one, x, y, mark }) =>
    `<path d="${endMark(mark, x, y)}" stroke="${one.colour}" stroke-width="2" fill="${mark === "open" ? ink.background : one.colour}"/>`);
  if (!direct) return marks.join("");
  const colours = new Map(series.map((one) => [one.label, one.colour]));
  const names = placeLabels(ends.map(({ one, x, y }) => ({ label: one.label, x, y, width: textWidth(one.label) })), { ...box, height: 14 }).map(({ label, x, y }) =>
    text(x, y + 4, label, `fill="${colours.get(label)}" stroke="${ink.background}" stroke-width="3" paint-order="stroke" font-weight="600"`));
  return [...marks, ...names].join("");
}

function legendOf(series, width, top, ink) {
  let x = 72, y = top + 14;
  const parts = [];
  for (const { label, colour, dash } of series) {
    const advance = 44 + textWidth(label) + 14;
    if (x + advance > width && x > 72) [x, y] = [72, y + 20];
    parts.push(`<line x1="${x}" y1="${y - 4}" x2="${x + 34}" y2="${y - 4}" stroke="${colour}" stroke-width="2.5"${dashed(dash)}/>`);
    parts.push(text(x + 42, y, label, `fill="${ink.text}"`));
    x += advance;
  }
  return { text: parts.join(""), bottom: series.length ? y + 14 : top };
}

const dashed = (dash) => (dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "");
const line = (x1, y1, x2, y2, colour) => `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}"/>`;
const text = (x, y, words, attributes) => `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escaped(words)}</text>`;
const round = (value) => Math.round(value * 100) / 100;
const escaped = (words) => String(words).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
