// The curves of a cross-validation: computed without the browser.
import test from "node:test";
import assert from "node:assert/strict";
import { kindOf, parseLines } from "../src/lines.js";
import { calibrationSentence, groupOf, nameOfCandidate, reliabilitySeries, tuningSentence, tuningSeries } from "../src/tuning.js";

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

test("reliability before and after the calibration, and the diagonal", () => {
  const check = { type: "calibration", method: "sigmoid",
                  before: { brier: 0.2, log_loss: 0.6, bins: [{ predicted: 0.3, observed: 0.1, weight: 5 }, { predicted: 0.7, observed: 0.9, weight: 5 }] },
                  after: { brier: 0.1234567, log_loss: 0.4, bins: [{ predicted: 0.11, observed: 0.1, weight: 10 }] } };
  const series = reliabilitySeries(check);
  assert.deepEqual(series.map(({ label }) => label), ["calibrated, sigmoid", "before", "agreement"]);
  assert.deepEqual([series[1].x, series[1].y], [[0.3, 0.7], [0.1, 0.9]]);
  assert.deepEqual([series[2].x, series[2].y], [[0, 1], [0, 1]]);
  assert.match(calibrationSentence(check), /Brier score is 0\.1235 and the log loss 0\.4; .* 0\.2 and 0\.6\.$/);
  assert.equal(parseLines(JSON.stringify(check)).calibration.method, "sigmoid");
});
