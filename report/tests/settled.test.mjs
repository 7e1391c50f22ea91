// Settled labels against the gap: computed without the browser.
import test from "node:test";
import assert from "node:assert/strict";
import { countsSettledLabels, settledSentence, settledSeries } from "../src/settled.js";

const check = (gap, rows) => ({ passes: 1, primal: 2, gap, settled: { rows, of: 200 } });
const run = (...checks) => ({ checks });

test("the labels settled are drawn by the gap over P, ascending, beside the number of all", () => {
  const [settled, all] = settledSeries(run(check(1, 3), check(0.2, 120), check(0.02, 199), check(0.002, 200)));
  assert.deepEqual(settled.x, [0.001, 0.01, 0.1, 0.5]);
  assert.deepEqual(settled.y, [200, 199, 120, 3]);
  assert.deepEqual([all.x, all.y], [[0.001, 0.5], [200, 200]]);
});

test("checks without a count or a finite gap are left out, and so is the section without any", () => {
  assert.deepEqual(settledSeries(run({ primal: 2, gap: 1 }, { primal: 2, gap: null, settled: { rows: 0, of: 5 } })), []);
  assert.equal(countsSettledLabels(run({ primal: 2, gap: 1 })), false);
  const [settled] = settledSeries(run({ primal: 2, gap: null, settled: { rows: 0, of: 200 } }, check(1, 7)));
  assert.deepEqual(settled.y, [7]);
});

test("the sentence has the last count, and the gaps where half and 99 % were settled", () => {
  assert.equal(settledSentence(run(check(1, 3), check(0.2, 120), check(2e-5, 199), check(2e-6, 200))),
    "All 200 labels of the test rows are settled: the optimal model gives these rows the same label. Half of the labels were settled at a gap of 0.1 of P, 99 % of them at a gap of 10⁻⁵ of P.");
  assert.equal(settledSentence(run(check(1, 3))), "3 of 200 labels of the test rows are settled: the optimal model gives these rows the same label.");
});
