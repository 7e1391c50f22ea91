import assert from "node:assert/strict";
import test from "node:test";
import { diagnosticNames, diagnosticSeries, needsLogAxis } from "../src/diagnostics.js";

const check = (passes, diagnostics) => ({ passes, diagnostics });
const passes = (one) => one.passes;

test("names are in the order of their first appearance, also if `auto` changes the method", () => {
  const run = { classes: null, checks: [check(0, { tau: 1, sigma: 2 }), check(1, { tau: 1 }), check(2, { newton_steps: 3 })] };
  assert.deepEqual(diagnosticNames(run), ["tau", "sigma", "newton_steps"]);
  assert.deepEqual(diagnosticNames({ classes: null, checks: [check(0, undefined)] }), []);
});

test("a series has the checks with a finite value", () => {
  const run = { classes: null, checks: [check(0, { tau: 1 }), check(1, { tau: null }), check(2, {}), check(3, { tau: 0.5 })] };
  assert.deepEqual(diagnosticSeries(run, "tau", passes), [{ label: "value", x: [0, 3], y: [1, 0.5] }]);
  assert.deepEqual(diagnosticSeries(run, "sigma", passes), []);
});

test("one-versus-rest has one series per class", () => {
  const run = { checks: [], classes: new Map([[1, [check(0, { stage: 1 })]], [2, [check(0, { stage: 2 }), check(4, { stage: 3 })]]]) };
  assert.deepEqual(diagnosticSeries(run, "stage", passes).map((one) => [one.label, one.y]), [["class 1", [1]], ["class 2", [2, 3]]]);
});

test("a log axis is used for positive values of different magnitudes", () => {
  assert.equal(needsLogAxis([{ y: [1e-3, 1] }]), true);
  assert.equal(needsLogAxis([{ y: [1, 2] }]), false);
  assert.equal(needsLogAxis([{ y: [0, 100] }]), false);
  assert.equal(needsLogAxis([]), false);
});
