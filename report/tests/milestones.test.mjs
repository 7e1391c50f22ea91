import assert from "node:assert/strict";
import test from "node:test";
import { costTo, goalsOf, milestoneRows, statusOf } from "../src/milestones.js";
import { profile } from "../src/profile.js";
import { sweepSeries, sweepsOf } from "../src/sweep.js";

const run = (label, gaps, status = "converged", slowness = 1) => ({ label, family: "f", status,
  checks: gaps.map((gap, index) => ({ passes: index + 1, entry_passes: index + 1, solve_seconds: (index + 1) * slowness, primal: 2, gap: 2 * gap, latest_primal: 2 })) });

test("the cost is that of the first check at or below the gap", () => {
  const one = run("a", [0.5, 1e-2, 1e-3, 1e-5]);
  assert.equal(costTo(one, 1e-2, "passes"), 2);
  assert.equal(costTo(one, 1e-4, "seconds"), 4);
  assert.equal(costTo(one, 1e-6, "passes"), Infinity);
});

test("gaps below the tolerance are not shown, the tolerance is", () => {
  const asked = (...gaps) => goalsOf(gaps.map((gap) => ({ header: { gap } })));
  assert.deepEqual(asked(1e-8, 1e-8), [1e-2, 1e-4, 1e-6, 1e-8]);
  assert.deepEqual(asked(1e-3), [1e-2, 1e-3]);
  assert.deepEqual(asked(0), [1e-2, 1e-4, 1e-6, 1e-8]);
  assert.deepEqual(asked(1e-5, 1e-9), [1e-2, 1e-4, 1e-6, 1e-8, 1e-9]);
});

const goals = [1e-2, 1e-4, 1e-6, 1e-8];
test("rows have medians over seeds, and null if half of them did not reach the goal", () => {
  const [row] = milestoneRows([run("a", [1e-2]), run("a", [1, 1e-2]), run("a", [1, 1, 1e-3], "pass-limit")], goals);
  assert.deepEqual(row.passes, [2, null, null, null]);
  assert.equal(row.status, "2 converged, 1 pass-limit");
  assert.equal(row.relative, 1e-2);
  assert.equal(milestoneRows([run("a", [1e-2]), run("a", [1])], goals)[0].passes[0], null);
});

test("a run without a check, or without a finite gap, still has a row", () => {
  const rows = milestoneRows([run("none", [], "unfinished"), { ...run("wild", [NaN], "diverged"), checks: [{ passes: 1, solve_seconds: 1, primal: null, gap: null }] }], goals);
  assert.deepEqual(rows.map((row) => [row.status, row.gap, row.passes[0]]), [["unfinished", null, null], ["diverged", null, null]]);
  assert.equal(statusOf([run("a", [], "stalled")]), "stalled");
  assert.equal(statusOf([{ ...run("auto", []), end: { method: "newton" } }]), "converged by newton");
});

test("a profile counts the problems that are solved within a factor of the best", () => {
  const problems = [
    { runs: [run("fast", [1e-4]), run("slow", [1, 1, 1, 1e-4])] },
    { runs: [run("fast", [1, 1e-4]), run("slow", [1e-4])] },
    { runs: [run("fast", [1e-4])] },
    { runs: [run("fast", [1]), run("slow", [1])] },
  ];
  const { problems: solved, series } = profile(problems, 1e-4, "passes");
  assert.equal(solved, 3);
  const [fast, slow] = series;
  assert.deepEqual(fast.ratios, [1, 2, 1]);
  assert.deepEqual(slow.ratios, [4, 1]);
  assert.equal(fast.y[0], 2 / 3);
  assert.equal(fast.y[fast.y.length - 1], 1);
  assert.equal(slow.y[0], 1 / 3);
  assert.equal(slow.y[slow.y.length - 1], 2 / 3);
  assert.ok(slow.x.every((value, index) => index === 0 || value >= slow.x[index - 1]));
  assert.equal(fast.x[fast.x.length - 1], slow.x[slow.x.length - 1]);
});

const posed = (header, ...runs) => ({ header: { data: "folder/set.svm", loss: "hinge", intercept: "free", ...header }, runs });

test("problems that differ by one coefficient are one sweep, in its order", () => {
  const sweeps = sweepsOf([posed({ lambda: 1e-2 }), posed({ lambda: 1e-4 }), posed({ lambda: 1e-2, loss: "logistic" }),
    posed({ data: "other.svm", l1: 0.5, lambda: 1 }), posed({ data: "other.svm", l1: 0.1, lambda: 1 })]);
  assert.deepEqual(sweeps.map(({ name, coefficient, points }) => [name, coefficient, points.map(({ value }) => value)]),
    [["set.svm, hinge", "λ", [1e-4, 1e-2]], ["other.svm, hinge", "l1", [0.1, 0.5]]]);
});

test("a sweep has the median cost at each value, and no point where half of the seeds missed the gap", () => {
  const [sweep] = sweepsOf([posed({ lambda: 1 }, run("a", [1e-4]), run("a", [1, 1, 1e-4]), run("b", [1e-4])),
    posed({ lambda: 0.1 }, run("a", [1, 1e-4]), run("b", [1e-4]), run("b", [1e-2]))]);
  assert.deepEqual(sweepSeries(sweep, 1e-4, "passes").map(({ label, x, y }) => [label, x, y]), [["a", [0.1, 1], [2, 2]], ["b", [1], [1]]]);
});
