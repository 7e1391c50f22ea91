/** The ends of lines, and the placement of labels beside them without overlap. */

/**
 * The last points of lines, in pixels. A line that ends above the plot (it diverged, or has only begun) ends at its upper edge,
 * with a mark that points up.
 * @param {import("./plot.js").Series[]} series
 * @param {(value: number) => number} X
 * @param {(value: number) => number} Y
 * @param {{left: number, top: number, right: number, bottom: number}} area
 * @param {number} [pixel] pixels of the drawing per pixel of the screen
 * @returns {Array<{one: Object, x: number, y: number, mark: ?string}>}
 */
export function lineEnds(series, X, Y, area, pixel = 1) {
  return series.filter((one) => one.x.length > 0).map((one) => {
    const x = X(one.x[one.x.length - 1]), y = Y(one.y[one.y.length - 1]);
    return y < area.top - pixel ? { one, x, y: area.top + 7 * pixel, mark: one.end ? "above" : null } : { one, x, y, mark: one.end ?? null };
  }).filter(({ x, y }) => x >= area.left - pixel && x <= area.right + pixel && y <= area.bottom + pixel);
}

/**
 * @param {Array<{label: string, x: number, y: number, width: number}>} ends where lines end, in pixels, most important first
 * @param {{left: number, top: number, right: number, bottom: number, height: number}} area where names may be; height: of a line of text
 * @returns {Array<{label: string, x: number, y: number}>} left ends of the labels and their vertical middles; a label that does not fit is omitted
 */
export function placeLabels(ends, { left, top, right, bottom, height }) {
  const boxes = [];
  const placed = [];
  for (const { label, x, y, width } of ends) {
    if (x < left || x > right || y < top || y > bottom) continue;
    for (const [from, middle] of spots(x, y, width, height)) {
      const box = { left: from, right: from + width, top: middle - height / 2, bottom: middle + height / 2 };
      if (box.left < left || box.right > right || box.top < top || box.bottom > bottom || boxes.some((other) => overlap(box, other))) continue;
      boxes.push(box);
      placed.push({ label, x: from, y: middle });
      break;
    }
  }
  return placed;
}

/** Right of the end, then a little above or below, then left of it. */
function* spots(x, y, width, height) {
  for (const from of [x + 7, x - width - 7])
    for (const step of [0, 1, -1, 2, -2, 3]) yield [from, y + step * height];
}

function overlap(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
