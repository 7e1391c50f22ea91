/** Draws the end marks of lines and their labels on the canvas. */
import uPlot from "uplot";
import { lineEnds, placeLabels } from "./labels.js";
import { endMark } from "./svg.js";

/**
 * @param {Object} chart a uPlot
 * @param {import("./plot.js").Series[]} series the visible ones
 * @param {{colourOf: (one: Object) => string, background: string, names: boolean}} given
 */
export function drawEnds({ ctx, bbox, valToPos }, series, { colourOf, background, names }) {
  const ratio = uPlot.pxRatio;
  const area = { left: bbox.left, top: bbox.top, right: bbox.left + bbox.width, bottom: bbox.top + bbox.height, height: 14 * ratio };
  const ends = lineEnds(series, (value) => valToPos(value, "x", true), (value) => valToPos(value, "y", true), area, ratio);
  ctx.save();
  ctx.setLineDash([]);
  ctx.lineWidth = 2 * ratio;
  for (const { one, x, y, mark } of ends.filter((end) => end.mark)) {
    const path = new Path2D(endMark(mark, x, y, 3.5 * ratio));
    ctx.fillStyle = mark === "open" ? background : colourOf(one);
    ctx.strokeStyle = colourOf(one);
    if (mark !== "cross") ctx.fill(path);
    ctx.stroke(path);
  }
  if (names) drawNames(ctx, ends, area, colourOf, background, ratio);
  ctx.restore();
}

function drawNames(ctx, ends, area, colourOf, background, ratio) {
  ctx.font = `600 ${12 * ratio}px system-ui, sans-serif`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  ctx.lineWidth = 3.5 * ratio;
  ctx.lineJoin = "round";
  ctx.strokeStyle = background;
  const named = new Map(ends.map(({ one }) => [one.label, one]));
  const labels = ends.map(({ one, x, y }) => ({ label: one.label, x, y, width: ctx.measureText(one.label).width }));
  for (const { label, x, y } of placeLabels(labels, area)) {
    ctx.strokeText(label, x, y);
    ctx.fillStyle = colourOf(named.get(label));
    ctx.fillText(label, x, y);
  }
}
