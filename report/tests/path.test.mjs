import assert from "node:assert/strict";
import test from "node:test";
import { kindOf, parseLines } from "../src/lines.js";
import { bestModel, coefficientSeries, gapSeries, supportSeries, validationSeries } from "../src/path_series.js";

const model = (value, more = {}) => ({ value, primal: value, relative_gap: 1e-7, nonzeros: 3, passes: 2, seconds: 0.1, combined: false, covered: null, ...more });
const path = (more = {}) => ({ type: "path", data: "a9a", parameter: "l1", accuracy: 1e-3, coefficients: [{ name: "age", values: [2, 1, 0] }],
  models: [model(0.1, { relative_gap_to_next: 2e-4, nonzeros: 5 }), model(0.2, { relative_gap_to_next: 3e-4, nonzeros: 2 }), model(0.4, { nonzeros: 0 })], ...more });

test("a line of the type path makes the page of a path", () => {
  const lines = parseLines(JSON.stringify(path()) + "\n");
  assert.equal(lines.damaged, 0);
  assert.equal(kindOf(lines), "path");
  assert.deepEqual(lines.paths[0].models.map((one) => one.value), [0.1, 0.2, 0.4]);
});

test("curves have the values of the line", () => {
  assert.deepEqual(coefficientSeries(path()), [{ label: "age", family: "age", x: [0.1, 0.2, 0.4], y: [2, 1, 0] }]);
  assert.deepEqual(supportSeries(path())[0].y, [5, 2, 0]);
});

test("a grid has a bound between neighbours, a covered range the accuracy", () => {
  const [at, between] = gapSeries(path());
  assert.deepEqual([at.points, at.y], [true, [1e-7, 1e-7, 1e-7]]);
  assert.deepEqual([between.x, between.y], [[0.1, 0.2, 0.2, 0.4], [2e-4, 2e-4, 3e-4, 3e-4]]);
  const [, accuracy] = gapSeries(path({ models: [model(1, { covered: [0.5, 2] }), model(3, { covered: [2, 4] })] }));
  assert.deepEqual([accuracy.x, accuracy.y], [[1, 3], [1e-3, 1e-3]]);
});

test("the best model on other rows; of equal ones that with the strongest penalty", () => {
  const measured = (values, larger, parameter = "l1") => path({ parameter, models: [0.1, 0.2, 0.4].map((value, index) => model(value, { validation: values[index] })), validation: { data: "t", n: 9, measure: "m", larger } });
  assert.equal(bestModel(measured([0.7, 0.9, 0.9], true)).value, 0.4);
  assert.equal(bestModel(measured([0.7, 0.9, 0.9], true, "C")).value, 0.2);
  assert.equal(bestModel(measured([3, 1, 2], false)).value, 0.2);
  assert.deepEqual(validationSeries(measured([3, 1, 2], false))[1].x, [0.2]);
  assert.equal(bestModel(path()), null);
  assert.deepEqual(validationSeries(path()), []);
});
