/** The panels of a figure, arranged as in the paper, with one common legend. Each is drawn when it comes into view, and all before printing. */
import { seriesOf } from "./convergence.js";
import { costs, heights } from "./curves.js";
import { el } from "./dom.js";
import { downloads } from "./download.js";
import { legend } from "./legend.js";
import { stylesOf } from "./palette.js";
import { plot } from "./plot.js";

const height = 280;
const dashed = [6, 4];
/** Dash patterns of the methods: overlapping curves can be distinguished even without colour. */
const patterns = [undefined, [12, 5], [2, 3], [10, 4, 2, 4], [5, 3]];

/**
 * @param {HTMLElement} part the section it is appended to, on the page
 * @param {{x: string, y: string, columns?: number, styles?: Map<string, import("./palette.js").Style>}} experiment styles: of
 *   other plots of the page; default: one colour and dash pattern per label
 * @param {Array<{name: string, data: string, used: string, substitute: string, runs: import("./lines.js").Run[], lowest: number, series: Object[], refused: Object[], tried: Object[]}>} panels
 */
export function panelGrid(part, experiment, panels) {
  const figures = panels.map((panel) => ({ panel, series: seriesIn(panel, experiment) }));
  const labels = [...new Set(figures.flatMap(({ series }) => series.map((one) => one.label)))];
  if (!experiment.styles)
    for (const { series } of figures) for (const one of series) if (!one.points) one.dash ??= patterns[labels.indexOf(one.label) % patterns.length];
  const styles = experiment.styles ?? stylesOf(labels.map((label) => ({ label, family: label })));
  const hidden = new Set();
  const drawn = [];

  const grid = el("div", { class: "panels", style: `--columns:${Math.max(1, Math.min(experiment.columns ?? 2, panels.length))}` });
  const below = el("div", { class: "below shared" });
  part.append(below, grid);
  const cells = figures.map((figure) => {
    const place = el("div", { class: "panel-plot", style: `min-height:${height + 26}px` });
    const cell = el("div", { class: "panel" }, el("h3", {}, figure.panel.name), place, notes(figure.panel));
    grid.append(cell);
    return { ...figure, cell, place, chart: null };
  });

  function draw(cell) {
    if (cell.chart !== null || cell.series.length === 0) return;
    cell.chart = plot(cell.place, { ...axesOf(experiment), title: `${cell.panel.name}: ${yName(experiment)}`, series: cell.series.map((one) => ({ ...one, hidden: hidden.has(one.label) })), styles, height, direct: false });
    cell.place.append(downloads(cell.chart));
    drawn.push(cell.chart);
  }
  for (const cell of cells) if (cell.series.length === 0) cell.place.append(el("p", { class: "note" }, "No runs."));
  whenSeen(cells, draw);

  const listeners = [];
  const every = (apply) => {
    apply();
    for (const chart of drawn) for (const one of chart.series()) chart.toggle(one.label, !hidden.has(one.label));
    for (const listener of listeners) listener();
  };
  const first = (label) => figures.flatMap(({ series }) => series).find((one) => one.label === label);
  if (labels.length > 1)
    legend(below, {
      series: () => labels.map((label) => ({ label, family: label, dash: first(label).dash, points: first(label).points })),
      styles: () => styles,
      isHidden: (label) => hidden.has(label),
      toggle: (label) => every(() => (hidden.has(label) ? hidden.delete(label) : hidden.add(label))),
      only: (label) => every(() => {
        hidden.clear();
        if (label !== null) for (const other of labels) if (other !== label) hidden.add(other);
      }),
      onChange: (listener) => listeners.push(listener),
    });
}

/** Medians over seeds of the runs, then the other curves. One colour per label, as in the papers' figures. */
function seriesIn(panel, { x, y }) {
  const runs = panel.runs.length > 0 && y !== "value" ? seriesOf(panel, costs[x] ? x : "passes", y, false) : [];
  const curves = panel.series.map((one) => ({ label: one.series, x: one.x, y: one.y, ...(one.style === "dashed" ? { dash: dashed } : {}), points: one.style === "points" }));
  return [...runs, ...curves].map((one) => ({ ...one, family: one.label }));
}

function axesOf({ x, y }) {
  return { xLabel: costs[x]?.label ?? x, yLabel: heights[y]?.label ?? "", xLog: false, yLog: y !== "value" };
}

function yName({ x, y }) {
  return `${y === "value" ? "values" : heights[y]?.name ?? y} against ${x}`;
}

function notes(panel) {
  const size = panel.runs[0]?.header;
  const sentences = [panel.substitute || (panel.used && panel.used !== panel.data ? panel.used : ""),
    ...panel.tried.map(({ label, best }) => `${label}: best with ${Object.entries(best).map(([option, value]) => `${option} = ${value}`).join(", ")}.`),
    ...panel.refused.map(({ label, why }) => `${label} was not run: ${why}.`)].filter((text) => text);
  return el("p", { class: "note" }, [`${panel.data}${size ? `, ${size.n.toLocaleString("en-US")} × ${size.d.toLocaleString("en-US")}` : ""}.`, ...sentences].join(" "));
}

/** Calls draw(cell) once its place is near the window, and for all of them when the page is printed. */
function whenSeen(cells, draw) {
  const all = () => cells.forEach(draw);
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      watcher.unobserve(entry.target);
      draw(cells.find((cell) => cell.place === entry.target));
    }
  }, { rootMargin: "600px" });
  for (const cell of cells) watcher.observe(cell.place);
  addEventListener("beforeprint", all);
  matchMedia("print").addEventListener("change", all);
}
