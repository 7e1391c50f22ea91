/**
 * A line plot: axes, zoom and cursor by uPlot; the curves are drawn here, each with its own x values.
 *
 * @typedef {Object} Series
 * @property {string} label its name, unique in the plot
 * @property {string} [family] series of a family have the same colour
 * @property {number[]} x ascending
 * @property {number[]} y
 * @property {number[]} [low] with high: the band around it
 * @property {number[]} [high]
 * @property {number[]} [dash] pixels on, off, ...; default: that of its style
 * @property {boolean} [points] dots instead of a line
 * @property {"dot"|"cross"|"open"} [end] the mark at its end: converged, failed, stopped
 * @property {boolean} [hidden] at first
 *
 * @typedef {Object} Description
 * @property {string} title
 * @property {Series[]} series
 * @property {string} xLabel
 * @property {string} yLabel
 * @property {boolean} [xLog]
 * @property {boolean} [yLog]
 * @property {number} [height] in pixels; reserved before anything is drawn
 * @property {Map<string, import("./palette.js").Style>} [styles] by label, if several plots use the same styles
 * @property {[number, number]} [xRange] ranges of the axes; default: computed from the series
 * @property {[number, number]} [yRange]
 * @property {boolean} [direct] labels at the ends of the lines (true)
 */
import uPlot from "uplot";
import { colour, stylesOf } from "./palette.js";
import { onTheme, theme } from "./theme.js";
import { around, ticks, tickText } from "./ticks.js";
import { endMark, svgOf } from "./svg.js";
import { csvOf, rasterized } from "./export.js";
import { drawEnds } from "./ends.js";
import { readout } from "./readout.js";
import { swatch } from "./legend.js";
import { el } from "./dom.js";
import { significant } from "./format.js";

const inks = {
  light: { text: "#1b1f24", muted: "#5b6470", grid: "#e6e8ec", background: "#ffffff" },
  dark: { text: "#e8eaed", muted: "#9aa4b1", grid: "#2a3038", background: "#14171c" },
};

/**
 * Draws into `element` (appends a figure).
 * @param {HTMLElement} element
 * @param {Description} description
 * @returns {{update: (change: Partial<Description>) => void, redraw: () => void, destroy: () => void,
 *   toggle: (label: string, shown?: boolean) => void, only: (label: ?string) => void, isHidden: (label: string) => boolean,
 *   series: () => Series[], styles: () => Map<string, import("./palette.js").Style>, onChange: (listener: () => void) => void,
 *   resetZoom: () => void, zoom: (view: {x: [number, number], y: [number, number]}) => void, name: () => string,
 *   svg: (options?: {column?: boolean}) => string, png: () => Promise<Blob>, csv: () => string}}
 *   update: changes parts of the description; hidden series stay hidden. only(null): shows all.
 */
export function plot(element, description) {
  let given = { height: 420, direct: true, xLog: false, yLog: false, ...description };
  let drawn = [], styles = new Map(), view = null, full = null, chart = null;
  const hidden = new Set(given.series.filter((one) => one.hidden).map((one) => one.label));
  const listeners = new Set();

  const stage = el("div", { class: "stage", tabindex: "0", role: "img", style: `height:${given.height}px` });
  const reset = el("button", { type: "button", class: "quiet reset", hidden: true, onclick: () => api.resetZoom() }, "reset zoom");
  const paper = el("div", { class: "paper", "aria-hidden": "true" });
  const caption = el("figcaption", {}, given.title);
  element.append(el("figure", { class: "plot" }, caption, el("div", { class: "frame" }, stage, reset), paper));

  const visible = () => drawn.filter((one) => !hidden.has(one.label));
  const range = (axis) => (view ?? full)[axis];
  const ink = () => inks[theme()];

  function prepare() {
    styles = given.styles ?? stylesOf(given.series);
    drawn = given.series.map((one) => drawable(one, given));
    caption.textContent = given.title;
    measure();
  }

  function measure() {
    const shown = visible().length ? visible() : drawn;
    full = { x: given.xRange ?? withLabelSpace(around(shown.flatMap((one) => one.x), given.xLog)),
             y: given.yRange ?? around(shown.flatMap((one) => [...one.y, ...(one.low ?? []), ...(one.high ?? [])]), given.yLog) };
  }

  const named = () => given.direct && stage.clientWidth > 520;
  const withLabelSpace = (ends) => (named() ? [ends[0], between(ends, 1.08, given.xLog)] : ends);

  function build() {
    chart?.destroy();
    stage.replaceChildren();
    chart = new uPlot(options(), data(), stage);
    chart.over.addEventListener("dblclick", () => api.resetZoom());
    tips = readout(chart, stage, { series: visible, xLabel: () => given.xLabel, swatchOf: (one) => swatch(colourOf(one), dashOf(one), one.points) });
    describe();
  }
  let tips = null;

  const data = () => [[...full.x], ...drawn.map(() => [...full.y])];
  const dashOf = (one) => one.dash ?? styles.get(one.label).dash;
  const colourOf = (one) => colour(styles.get(one.label), theme());

  function options() {
    const ratio = uPlot.pxRatio;
    const axis = (log, label, spacing, size) => ({
      label, labelSize: 20, labelGap: 2, labelFont: "12px system-ui, sans-serif", font: "12px system-ui, sans-serif", size, gap: 4,
      stroke: () => ink().muted, grid: { stroke: () => ink().grid, width: 1 }, ticks: { show: false },
      incrs: [Number.MAX_SAFE_INTEGER],  // ticks are chosen by splits alone
      splits: (u, index, min, max) => ticks(min, max, log, Math.max(2, (index === 0 ? u.bbox.width : u.bbox.height) / ratio / spacing)),
      filter: (u, splits) => splits, values: (u, splits) => splits.map((value) => tickText(value, log, splits)),
    });
    return {
      width: Math.max(200, stage.clientWidth), height: given.height, padding: [10, 14, 0, 0],
      scales: { x: { time: false, distr: given.xLog ? 3 : 1, range: () => range("x") }, y: { distr: given.yLog ? 3 : 1, range: () => range("y") } },
      axes: [axis(given.xLog, given.xLabel, 64, 26), axis(given.yLog, given.yLabel, 34, 50)],
      series: [{}, ...drawn.map((one) => ({
        label: one.label, show: !hidden.has(one.label), width: 2, dash: dashOf(one).map((length) => length * ratio),
        stroke: () => (one.points ? null : colourOf(one)), fill: () => `${colourOf(one)}${one.points ? "" : "24"}`,
        points: { show: false }, paths: (u) => pathsOf(u, one),
      }))],
      legend: { show: false },
      cursor: { points: { show: false }, y: false, drag: { x: true, y: true, uni: 24, setScale: false } },
      hooks: { draw: [(u) => drawEnds(u, visible(), { colourOf, background: ink().background, names: named() })], setSelect: [zoomToSelection] },
    };
  }

  function pathsOf(u, one) {
    const at = (index, values) => [u.valToPos(one.x[index], "x", true), u.valToPos(values[index], "y", true)];
    if (one.points) return { stroke: null, fill: new Path2D(one.x.map((_, index) => endMark("dot", ...at(index, one.y), 3 * uPlot.pxRatio)).join("")) };
    const stroke = new Path2D();
    one.x.forEach((_, index) => stroke[index ? "lineTo" : "moveTo"](...at(index, one.y)));
    let fill = null;
    if (one.low?.length) {
      fill = new Path2D();
      one.x.forEach((_, index) => fill[index ? "lineTo" : "moveTo"](...at(index, one.high)));
      for (let index = one.x.length - 1; index >= 0; index--) fill.lineTo(...at(index, one.low));
      fill.closePath();
    }
    return { stroke, fill };
  }

  function zoomToSelection(u) {
    const { left, top, width, height } = u.select;
    if (width < 4 && height < 4) return;
    const across = width < 4 ? range("x") : [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
    const up = height < 4 ? range("y") : [u.posToVal(top + height, "y"), u.posToVal(top, "y")];
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    api.zoom({ x: across, y: up });
  }

  function refresh() {
    reset.hidden = view === null;
    chart.setData(data());
    tips.hide();
    describe();
    for (const listener of listeners) listener();
  }

  function describe() {
    const lowest = visible().filter((one) => one.y.length > 0).map((one) => [one.label, one.y[one.y.length - 1]]).sort((one, other) => one[1] - other[1]);
    const ends = lowest.slice(0, 12).map(([label, value]) => `${label} ends at ${significant(value)}`).join(", ");
    stage.setAttribute("aria-label", `${given.title}: ${given.yLabel} against ${given.xLabel}, ${visible().length} of ${drawn.length} lines shown. ${ends}. ` +
      "Arrow keys read values, plus and minus zoom, 0 resets.");
    paper.innerHTML = "";
  }

  const drawing = (ink, shade) => ({
    title: given.title, ink, direct: given.direct, across: { min: range("x")[0], max: range("x")[1], log: given.xLog, label: given.xLabel },
    up: { min: range("y")[0], max: range("y")[1], log: given.yLog, label: given.yLabel },
    series: visible().map((one) => ({ ...one, colour: colour(styles.get(one.label), shade), dash: dashOf(one) })),
  });

  function keyed(event) {
    const factor = { "+": 0.7, "=": 0.7, "-": 1 / 0.7 }[event.key];
    if (factor) api.zoom({ x: scaled(range("x"), factor, given.xLog), y: scaled(range("y"), factor, given.yLog) });
    else if (event.key === "0" || event.key === "Escape") api.resetZoom();
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") tips.step(event.key === "ArrowRight" ? 1 : -1);
    else return;
    event.preventDefault();
  }

  const api = {
    update(change) {
      given = { ...given, ...change };
      view = null;
      reset.hidden = true;
      prepare();
      build();
      for (const listener of listeners) listener();
    },
    redraw: () => chart.redraw(),
    destroy() {
      chart.destroy();
      unsubscribe();
      sizes.disconnect();
      stage.closest("figure").remove();
    },
    toggle(label, shown = hidden.has(label)) {
      if (shown) hidden.delete(label);
      else hidden.add(label);
      showHidden();
    },
    only(label) {
      hidden.clear();
      if (label !== null) for (const one of drawn) if (one.label !== label) hidden.add(one.label);
      showHidden();
    },
    isHidden: (label) => hidden.has(label),
    series: () => drawn,
    styles: () => styles,
    onChange: (listener) => listeners.add(listener),
    zoom(next) {
      view = next;
      refresh();
    },
    resetZoom() {
      view = null;
      refresh();
    },
    name: () => given.title,
    svg: ({ column = false } = {}) => svgOf({ ...(column ? drawing(inks.light, "light") : drawing(inks[theme()], theme())), column }),
    png: () => rasterized(api.svg()),
    csv: () => csvOf(visible(), given),
  };

  function showHidden() {
    drawn.forEach((one, index) => chart.setSeries(index + 1, { show: !hidden.has(one.label) }));
    measure();
    refresh();
  }

  stage.addEventListener("keydown", keyed);
  prepare();
  build();
  const inked = () => {
    if (matchMedia("print").matches) paper.innerHTML = svgOf(drawing(inks.light, "light"));
    else chart.redraw();
  };
  const unsubscribe = onTheme(inked);
  if (matchMedia("print").matches) inked();  // the plot is created for printing
  const sizes = new ResizeObserver(() => {
    const width = Math.max(200, stage.clientWidth);
    if (stage.clientWidth > 0 && width !== chart.width) chart.setSize({ width, height: given.height });
  });
  sizes.observe(stage);
  return api;
}

/** The points of a series that the axes can show: finite, and positive on a log axis. */
function drawable(one, { xLog, yLog }) {
  const fits = (value, log) => Number.isFinite(value) && (!log || value > 0);
  const kept = one.x.map((_, index) => index).filter((index) => fits(one.x[index], xLog) && fits(one.y[index], yLog) &&
    (!one.low?.length || (fits(one.low[index], yLog) && fits(one.high[index], yLog))));
  const pick = (values) => (values?.length ? kept.map((index) => values[index]) : []);
  return { ...one, x: pick(one.x), y: pick(one.y), low: pick(one.low), high: pick(one.high) };
}

function scaled(ends, factor, log) {
  return [between(ends, (1 - factor) / 2, log), between(ends, (1 + factor) / 2, log)];
}

/** The value at a fraction of an axis: 0 is its lower end, 1 its upper end; extrapolates outside [0, 1]. */
function between([min, max], fraction, log) {
  return log ? min * (max / min) ** fraction : min + (max - min) * fraction;
}
