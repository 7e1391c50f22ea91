/** Names at the ends of lines, none over another. */

/**
 * @param {Array<{label: string, x: number, y: number, width: number}>} ends where lines end, in pixels, most important first
 * @param {{left: number, top: number, right: number, bottom: number, height: number}} area where names may be; height: of a line of text
 * @returns {Array<{label: string, x: number, y: number}>} left ends of the names and their middles; a name without room is left out
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
