import assert from "node:assert/strict";
import test from "node:test";
import { count, duration, listed, power, significant } from "../src/format.js";
import { lineEnds, placeLabels } from "../src/labels.js";
import { svgOf } from "../src/svg.js";
import { compared } from "../src/table.js";
import { around, place, ticks, tickText } from "../src/ticks.js";

test("ticks of a log axis are powers of ten, few enough, inside it", () => {
  assert.deepEqual(ticks(1e-5, 2, true, 10), [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1]);
  assert.ok(ticks(1e-14, 1e3, true, 5).length <= 5);
  assert.deepEqual(ticks(3, 40, true, 10), [5, 10, 20]);
  for (const value of ticks(1.2, 1.4, true, 6)) assert.ok(value >= 1.2 && value <= 1.4);
  assert.ok(ticks(1.2, 1.4, true, 6).length >= 2);
});

test("ticks of a linear axis are round", () => {
  assert.deepEqual(ticks(0, 1, false, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(ticks(-0.02, 103, false, 6), [0, 20, 40, 60, 80, 100]);
});

test("axes have a margin around the values", () => {
  const [low, high] = around([1e-6, 1], true);
  assert.ok(low < 1e-6 && low > 1e-7 && high > 1 && high < 10);
  assert.equal(around([0.1, 100], false)[0], 0);
  assert.deepEqual(around([], false), [0, 1]);
  for (const log of [true, false]) {
    const [from, to] = around([3, 3], log);
    assert.ok(from < 3 && to > 3);
  }
  assert.equal(place(10, { min: 1, max: 100, log: true }), 0.5);
});

test("numbers are short, and a missing value is a dash", () => {
  assert.deepEqual([significant(0.012345), significant(12345.6), significant(1.5e-7), significant(0), significant(null), significant(Infinity)], ["0.0123", "12,300", "1.5e-7", "0", "–", "–"]);
  assert.deepEqual([0.99992, 0.99994, 0.99996].map((value, _, all) => tickText(value, false, all)), ["0.99992", "0.99994", "0.99996"]);
  assert.deepEqual([power(1e-4), power(3e-8), power(1), power(1000), tickText(1000, true, [1, 1000])], ["10⁻⁴", "3·10⁻⁸", "1", "10³", "1,000"]);
  assert.deepEqual([duration(2.75e-4), duration(0.00425), duration(1.3), duration(null)].map((text) => text.replace("\u00a0", " ")), ["275 µs", "4.25 ms", "1.3 s", "–"]);
  assert.deepEqual([count(451592), listed(["a", "b", "c"])], ["451,592", "a, b and c"]);
});

test("absent values are sorted to the end in both directions", () => {
  const sorted = (direction) => [3, null, 1, undefined, 2].sort((one, other) => compared(one, other, direction)).slice(0, 3);
  // sort() itself moves undefined to the end
  assert.deepEqual(sorted(1), [1, 2, 3]);
  assert.deepEqual(sorted(-1), [3, 2, 1]);
  assert.deepEqual(["spdc 10", "spdc 9", "adaspdc"].sort((one, other) => compared(one, other)), ["adaspdc", "spdc 9", "spdc 10"]);
});

test("labels at the ends of lines do not overlap, and stay inside", () => {
  const area = { left: 0, top: 0, right: 200, bottom: 100, height: 14 };
  const ends = Array.from({ length: 6 }, (_, index) => ({ label: `m${index}`, x: 190, y: 50 + index, width: 40 }));
  const placed = placeLabels(ends, area);
  assert.ok(placed.length >= 4);
  for (const one of placed) {
    assert.ok(one.x >= 0 && one.x + 40 <= 200 && one.y - 7 >= 0 && one.y + 7 <= 100);
    for (const other of placed) if (one !== other) assert.ok(Math.abs(one.y - other.y) >= 14 || Math.abs(one.x - other.x) >= 40, JSON.stringify([one, other]));
  }
});

test("a line that ends above the plot has its mark at the edge, one outside on the side has none", () => {
  const area = { left: 0, top: 0, right: 100, bottom: 100 };
  const ends = lineEnds([{ label: "up", x: [50], y: [-500], end: "cross" }, { label: "in", x: [50], y: [50], end: "dot" }, { label: "beside", x: [500], y: [50], end: "dot" }, { label: "none", x: [], y: [] }],
    (value) => value, (value) => value, area);
  assert.deepEqual(ends.map(({ one, y, mark }) => [one.label, y, mark]), [["up", 7, "above"], ["in", 50, "dot"]]);
});

test("an SVG has every line, with its band, dashes and end, at the right position", () => {
  const ink = { text: "#000", muted: "#555", grid: "#eee", background: "#fff" };
  const svg = svgOf({ title: "a <b> & c", ink, across: { min: 0, max: 10, log: false, label: "passes" }, up: { min: 1e-4, max: 1, log: true, label: "gap" }, width: 600, height: 300,
    series: [{ label: "sdca", x: [0, 10], y: [1, 1e-4], low: [1, 1e-4], high: [1, 1e-3], colour: "#111111", dash: [], end: "dot" },
             { label: "x<y", x: [0, 5], y: [1, 1e-2], low: [], high: [], colour: "#222222", dash: [4, 2], end: "cross" }] });
  assert.equal(svg.match(/<polyline/g).length, 2);
  assert.equal(svg.match(/<polygon/g).length, 1);
  assert.match(svg, /<polyline points="72,44 582,248"/);  // from the upper left to the lower right corner
  assert.match(svg, /<polyline points="72,44 327,146"[^>]*stroke-dasharray="4 2"/);  // half way in both logarithm and passes
  assert.match(svg, /a &lt;b&gt; &amp; c/);
  assert.match(svg, /10⁻⁴/);
  assert.ok(!svg.includes("x<y") && !svg.includes("NaN"));
});

test("the SVG for one column of a paper is 3.25 inches wide with text of 8 points", () => {
  const ink = { text: "#000", muted: "#555", grid: "#ddd", background: "#fff" };
  const svg = svgOf({ column: true, title: "left out", ink, across: { min: 0, max: 10, log: false, label: "passes" }, up: { min: 1e-4, max: 1, log: true, label: "gap" },
    series: [{ label: "sdca", x: [0, 10], y: [1, 1e-4], low: [], high: [], colour: "#111111", dash: [] }] });
  const [, units, width] = svg.match(/viewBox="0 0 (\d+) [\d.]+" width="([\d.]+)in"/);
  assert.equal(Number(width), 3.25);
  const size = Number(svg.match(/font-size="(\d+)">/)[1]);
  assert.ok(Math.abs((size * 72 * Number(width)) / Number(units) - 8) < 0.01);
  assert.ok(!svg.includes("left out"));
});
