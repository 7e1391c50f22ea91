import assert from "node:assert/strict";
import test from "node:test";
import { bySeries, curveOf, lowestPrimal, median, medianCurve, relativeGap, valueAt } from "../src/curves.js";

const check = (passes, primal, gap, latest = primal) => ({ passes, entry_passes: 2 * passes, solve_seconds: passes / 100, primal, gap, latest_primal: latest });
const near = (value, expected) => assert.ok(Math.abs(value - expected) <= 1e-12 * Math.abs(expected), `${value} is not ${expected}`);

test("a run is drawn against passes, seconds and entries", () => {
  const run = { checks: [check(1, 2, 0.5), check(2, 2, 0.25)] };
  assert.deepEqual(curveOf(run, "passes", "gap"), { x: [1, 2], y: [0.5, 0.25] });
  assert.deepEqual(curveOf(run, "seconds", "relative"), { x: [0.01, 0.02], y: [0.25, 0.125] });
  assert.deepEqual(curveOf(run, "entries", "suboptimality", { lowest: 1.5 }), { x: [2, 4], y: [0.5, 0.5] });
});

test("values that a log axis cannot show are skipped", () => {
  const run = { checks: [check(0, 2, 0.5), check(1, 2, null), check(2, 2, 0), check(3, 2, 0.1)] };
  assert.deepEqual(curveOf(run, "passes", "gap", { xLog: true }).x, [3]);
  assert.deepEqual(curveOf(run, "passes", "gap").x, [0, 3]);
});

test("suboptimality is measured from the lowest primal value of any run, by the latest point of each", () => {
  const runs = [{ checks: [check(1, 5, 1), check(2, 3, 1)], end: { primal: 2.5 } }, { checks: [check(1, 4, null, null)], end: null }];
  assert.equal(lowestPrimal(runs), 2.5);
  assert.deepEqual(curveOf({ checks: [check(1, 3, 1, 3), check(2, 3, 1, 4)] }, "passes", "suboptimality", { lowest: 2.5 }).y, [0.5, 1.5]);
  assert.deepEqual(curveOf(runs[1], "passes", "suboptimality", { lowest: 2.5 }).x, []);
});

test("a relative gap needs a primal value", () => {
  assert.equal(relativeGap({ gap: 1, primal: 0 }), null);
  assert.equal(relativeGap({ gap: null, primal: 1 }), null);
  assert.equal(relativeGap({ gap: 1, primal: -4 }), 0.25);
});

test("a median is the middle value, and Infinity if half of the values are", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(median([1, Infinity]), Infinity);
  assert.equal(median([1, 2, Infinity]), 2);
});

test("between checks the logarithm is interpolated linearly", () => {
  const curve = { x: [0, 1, 3], y: [1, 0.1, 0.001] };
  near(valueAt(curve, 2), 0.01);
  near(valueAt(curve, 0.5), Math.sqrt(0.1));
  near(valueAt(curve, 9), 0.001);
  assert.equal(valueAt(curve, -1), null);
  near(valueAt({ x: [0, 1], y: [0, 1] }, 0.25), 0.25);
});

test("median and range over seeds have a point at every check of any seed", () => {
  const curve = medianCurve([{ x: [1, 2, 3], y: [1, 0.1, 0.01] }, { x: [1, 3], y: [10, 0.1] }, { x: [1, 2, 3], y: [5, 5, 5] }]);
  assert.deepEqual(curve.x, [1, 2, 3]);
  near(curve.y[1], 1);
  near(curve.low[1], 0.1);
  near(curve.high[1], 5);
});

test("a median ends where half of the seeds have ended, and one that ended keeps its value", () => {
  const curve = medianCurve([{ x: [1, 2], y: [1, 0.01] }, { x: [1, 3], y: [1, 0.1] }, { x: [1, 9], y: [1, 0.1] }]);
  assert.deepEqual(curve.x, [1, 2, 3]);
  near(curve.low[2], 0.01);
});

test("one seed has no range, no seed has no curve, many points are thinned with both ends kept", () => {
  assert.deepEqual(medianCurve([{ x: [1], y: [2] }, { x: [], y: [] }]), { x: [1], y: [2], low: [], high: [] });
  assert.deepEqual(medianCurve([]).x, []);
  const long = { x: Array.from({ length: 999 }, (_, index) => index), y: Array(999).fill(1) };
  const thin = medianCurve([long, long], 50);
  assert.equal(thin.x.length, 50);
  assert.deepEqual([thin.x[0], thin.x[49]], [0, 998]);
});

test("series are runs that differ by their seed", () => {
  const groups = bySeries([{ label: "a", family: "f", seed: 1 }, { label: "b", family: "f", seed: 1 }, { label: "a", family: "f", seed: 2 }]);
  assert.deepEqual(groups.map((group) => [group.label, group.runs.length]), [["a", 2], ["b", 1]]);
});
