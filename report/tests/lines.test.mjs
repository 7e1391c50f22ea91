import assert from "node:assert/strict";
import test from "node:test";
import { kindOf, parseLines } from "../src/lines.js";

const text = (...objects) => objects.map((object) => JSON.stringify(object)).join("\n") + "\n";
const header = (more = {}) => ({ type: "header", trace: 3, data: "sets/a9a", loss: "hinge", lambda: 1e-4, l1: 0, solver: "spdc", options: { batch: "4" }, seed: 7, ...more });
const check = (passes, gap, more = {}) => ({ type: "check", passes, entry_passes: passes, solve_seconds: passes / 10, check_seconds: 0, primal: 1, dual: 1 - gap, gap, latest_primal: 1, latest_dual: 1 - gap, nonzeros: 3, ...more });

test("a line belongs to the run whose header came last before it", () => {
  const { runs, damaged } = parseLines(text(header(), check(1, 0.5), { type: "message", message: "halfway" }, { type: "end", status: "converged", gap: 0.1 }, header({ seed: 8 }), check(2, 0.4)));
  assert.equal(damaged, 0);
  assert.deepEqual(runs.map((run) => run.checks.map((each) => each.passes)), [[1], [2]]);
  assert.deepEqual(runs[0].messages, ["halfway"]);
  assert.deepEqual(runs.map((run) => run.status), ["converged", "unfinished"]);
  assert.equal(runs[1].end, null);
});

test("lines of version 2, without a type, are identified by their fields", () => {
  const untyped = ({ type, ...object }) => object;
  const { runs, damaged } = parseLines(text(untyped(header()), untyped(check(1, 0.5)), { news: "halfway" }, { status: "converged", gap: 0.1 }));
  assert.equal(damaged, 0);
  assert.deepEqual([runs[0].checks.length, runs[0].messages, runs[0].status], [1, ["halfway"], "converged"]);
});

test("default names are derived from the header", () => {
  const [plain, named] = parseLines(text(header(), header({ label: "mine", problem: "theirs", family: "primal dual" }))).runs;
  assert.deepEqual([plain.label, plain.problem, plain.family], ["spdc --batch 4", "a9a, hinge, lambda 0.0001", "spdc"]);
  assert.deepEqual([named.label, named.problem, named.family], ["mine", "theirs", "primal dual"]);
});

test("the kind of a page follows from its lines", () => {
  const refused = { refused: "dspdc", problem: "a", why: "because" };
  assert.equal(kindOf(parseLines(text(header()))), "fit");
  assert.equal(kindOf(parseLines(text(header({ key: "run of a comparison" })))), "comparison");
  assert.equal(kindOf(parseLines(text(header(), refused))), "comparison");
  assert.equal(kindOf(parseLines(text(header(), header()))), "comparison");
  assert.equal(kindOf(parseLines(text({ experiment: "fig1", panels: [] }, header()))), "reproduction");
});

test("every kind of line of a reproduction is stored separately", () => {
  const lines = parseLines(text({ machine: { cpu: "x" } }, { experiment: "fig1" }, { series: "theta", experiment: "fig1", x: [1], y: [2] }, { verdict: "holds", experiment: "fig1" },
    header({ experiment: "fig1", panel: "a" })));
  assert.deepEqual([lines.experiments.length, lines.series.length, lines.verdicts.length, lines.runs.length, lines.machine.cpu], [1, 1, 1, 1, "x"]);
});

test("a truncated line, or one that belongs to no run, is counted and skipped", () => {
  const lines = parseLines(text(check(1, 0.5), header(), check(1, 0.5)) + '{"passes": 2, "ga\n[1]\n{"other": 1}\n');
  assert.equal(lines.damaged, 4);
  assert.equal(lines.runs[0].checks.length, 1);
});

test("classes of one-versus-rest are summed at equal numbers of passes", () => {
  const { checks } = parseLines(text(header(), check(1, 0.5, { class: 1 }), check(3, 0.1, { class: 1 }), check(2, 0.25, { class: 2 }), check(3, 0.125, { class: 2 }))).runs[0];
  assert.deepEqual(checks.map((each) => each.passes), [2, 3]);
  assert.deepEqual(checks.map((each) => each.gap), [0.75, 0.225]);
  assert.deepEqual(checks.map((each) => each.primal), [2, 2]);
  assert.ok(Math.abs(checks[1].solve_seconds - 0.6) < 1e-12);
});
