/** The content of a plot as CSV and PNG (svg.js: as SVG). */
import { el } from "./dom.js";

/** The drawn points: one per line, with all digits. */
export function csvOf(series, { xLabel, yLabel }) {
  const quoted = (words) => (/[",\n]/.test(words) ? `"${words.replace(/"/g, '""')}"` : words);
  const rows = series.flatMap(({ label, x, y, low, high }) => x.map((value, index) => [quoted(label), value, y[index], low[index] ?? "", high[index] ?? ""].join(",")));
  return [["series", quoted(xLabel), quoted(yLabel), "lowest", "highest"].join(","), ...rows].join("\n") + "\n";
}

/** An SVG as a PNG of twice its size. */
export async function rasterized(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = el("canvas", { width: image.width * 2, height: image.height * 2 });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
