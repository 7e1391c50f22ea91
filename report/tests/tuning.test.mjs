// The curves of a cross-validation: computed without the browser.
import test from "node:test";
import assert from "node:assert/strict";
import { kindOf, parseLines } from "../src/lines.js";
import { groupOf, nameOfCandidate, tuningSentence, tuningSeries } from "../src/tuning.js";

const measured = (mean, error) => ({ accuracy: { mean, error, folds: [mean, mean] } });
const tune = {
  type: "tune", coefficient: "C", folds: "5 folds", metrics: [{ name: "accuracy", higher_is_better: true }], best: 2, one_se: 1, chosen: 2, fits: 20, stopped_early: 5,
  candidates: [
    { loss: "hinge", penalty: "l2", C: 4, metrics: measured(0.7, 0.01) },
    { loss: "hinge", penalty: "l2", C: 1, metrics: measured(0.79, 0.01) },
    { loss: "hinge", penalty: "l2", C: 2, metrics: measured(0.8, 0.02) },
    { loss: "squared", penalty: "elastic-net", mix: 0.5, C: 2, eliminated: true, bounds: [0.1, 0.5] },
  ],
};

test("a series per loss and penalty, ascending, with the band of one standard error", () => {
  const series = tuningSeries(tune, "accuracy");
  assert.deepEqual(series.map(({ label }) => label), ["hinge, l2", "best", "one standard error"]);
  assert.deepEqual(series[0].x, [1, 2, 4]);
  assert.deepEqual(series[0].y, [0.79, 0.8, 0.7]);
  assert.ok(Math.abs(series[0].low[1] - 0.78) < 1e-12 && Math.abs(series[0].high[1] - 0.82) < 1e-12);
  assert.deepEqual([series[1].x, series[1].y], [[2], [0.8]]);
});

test("candidates in words", () => {
  assert.equal(groupOf(tune.candidates[3]), "squared, elastic-net 0.5");
  assert.equal(nameOfCandidate(tune, tune.candidates[0]), "hinge, l2, C = 4");
  assert.match(tuningSentence(tune), /^Chosen by 5 folds: hinge, l2, C = 2, the best, with accuracy 0\.8 ± 0\.02\. 5 of 20 fits were stopped early/);
});

test("the line is kept beside the fit that follows it", () => {
  const lines = parseLines([JSON.stringify(tune), JSON.stringify({ type: "header", solver: "sdca", loss: "hinge" }), JSON.stringify({ type: "end", status: "converged" })].join("\n"));
  assert.equal(kindOf(lines), "fit");
  assert.equal(lines.tune.best, 2);
  assert.equal(lines.damaged, 0);
});
