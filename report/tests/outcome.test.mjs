import assert from "node:assert/strict";
import test from "node:test";
import { agreeing, busyParts, effortOf, finalOf, howItEnded, meeting, methodOf, relativeExcess, targetOf, timeParts, weightsInWords, whatIsProved } from "../src/outcome.js";
import { pieces } from "../src/symbols.js";
import { strengthOf } from "../src/setting.js";

const check = (passes, primal, dual) => ({ passes, primal, dual, gap: primal - dual, solve_seconds: 1, check_seconds: 0.5 });
const run = (status, more = {}) => ({ status, label: "auto", header: { gap: 1e-4, gap_abs: 0, max_passes: 100, seconds_limit: null, d: 10, ...more.header }, checks: [check(1, 3, 1), check(2, 2, 1.5)], messages: [], classes: null,
  end: status === "unfinished" ? null : { status, primal: 2, dual: 1.6, gap: 0.4, passes: 2, seconds: { read: 1, solve: 2, check: 0.5, total: 4 }, ...more.end } });

test("the final values are those of the last line, or of the last check of a truncated trace", () => {
  assert.deepEqual(finalOf(run("converged")), { primal: 2, dual: 1.6, gap: 0.4 });
  assert.deepEqual(finalOf(run("unfinished")), { primal: 2, dual: 1.5, gap: 0.5 });
  assert.deepEqual(finalOf({ checks: [], end: null }), { primal: null, dual: null, gap: null });
  assert.deepEqual(effortOf(run("converged")), { passes: 2, seconds: 2.5 });
  assert.deepEqual(effortOf(run("unfinished")), { passes: 2, seconds: 1.5 });
});

test("each status has its sentence", () => {
  assert.match(howItEnded(run("converged")), /^Converged in 2 passes and 2\.5.s\.$/);
  assert.match(howItEnded(run("labels-settled")), /^Stopped after 2 passes and .*no label can change any more\.$/);
  assert.match(howItEnded(run("pass-limit")), /limit of 100 passes.*before the gap reached the tolerance/);
  assert.match(howItEnded(run("time-limit", { header: { seconds_limit: 5 } })), /limit of 5.s, after 2 passes/);
  assert.match(howItEnded(run("interrupted")), /^Interrupted after/);
  assert.match(howItEnded(run("stalled")), /^Stalled after/);
  assert.match(howItEnded(run("diverged")), /^Diverged after .*best point/);
  assert.match(howItEnded(run("unfinished")), /^The trace ends after/);
});

test("the proved bound is relative if the optimum is known to be positive", () => {
  assert.match(whatIsProved(run("converged")), /at most 25 % above the optimum:/);
  assert.match(whatIsProved(run("converged", { end: { dual: 0, gap: 2 } })), /at most 2 above the optimum/);
  assert.match(whatIsProved(run("converged", { end: { dual: null, gap: null } })), /no certificate/);
  assert.match(whatIsProved(run("converged", { end: { classes: [{}, {}] } })), /summed over 2 classes/);
  assert.match(whatIsProved(run("converged", { end: { dual: 2, gap: 7.46e-15 } })), /at most 3\.7e-15 \(relative\) above the optimum/);
  assert.equal(relativeExcess(-1, 0.5), null);
  assert.equal(relativeExcess(0.1, 5), null);
});

test("the target is the larger of the two tolerances", () => {
  assert.equal(targetOf({ gap: 1e-2, gap_abs: 0 }, 5), 0.05);
  assert.equal(targetOf({ gap: 1e-2, gap_abs: 0.1 }, 5), 0.1);
  assert.equal(targetOf({ gap: 0, gap_abs: 0 }, 5), 0);
  assert.equal(targetOf({ gap: 1e-2, gap_abs: 0 }, null), 0);
});

test("digits are common only if both numbers have them before rounding", () => {
  assert.deepEqual(agreeing(0.35113766, 0.35113747, 8), { shared: "0.351137", one: "66", other: "47" });
  assert.deepEqual(agreeing(0.12352, 0.12348, 4), { shared: "0.123", one: "5", other: "5" });  // both round to 0.1235
  assert.equal(agreeing(123.4, 123.2, 4).shared, "123.");
  assert.equal(agreeing(1, -1).shared, "");
  assert.equal(agreeing(-0.5, -0.5001, 6).shared, "−0.500");
  assert.equal(agreeing(1e12, 1e12).shared, "");
  assert.deepEqual(agreeing(10.5, 9.5, 3), { shared: "", one: "10.5", other: "9.5" });
});

test("the parts of the time sum to the total", () => {
  const parts = timeParts({ read: 1, solve: 2, check: 0.5, total: 4 });
  assert.deepEqual(parts.map((part) => part.seconds), [1, 2, 0.5, 0.5]);
  assert.equal(parts.reduce((sum, part) => sum + part.fraction, 0), 1);
  const side = timeParts({ read: 1, solve: 6, check: 1, total: 5 });  // classes side by side: more seconds than on a clock
  assert.equal(side[3].seconds, 0);
  assert.equal(side[1].fraction, 0.75);
});

test("what was busy: threads, ranks and the disk, as parts of the total time", () => {
  assert.deepEqual(busyParts({}), []);
  assert.deepEqual(busyParts({ seconds: { total: 0.004 }, threads: [{ role: "main", cpu: 0.01 }] }), []);  // one tick, 250 %
  const rows = busyParts({ seconds: { total: 10 }, threads: [{ role: "main", cpu: 8 }, { role: "worker", cpu: 6 }, { role: "disk", cpu: 1 }],
    disk: { reads: 3.5, bytes: 7e9, seconds: 5, waited: 2 } });
  assert.deepEqual(rows.map(({ name, fraction }) => [name, fraction]), [["thread 1", 0.8], ["thread 2", 0.6], ["disk", 0.5], ["waiting for the disk", 0.2]]);
  assert.match(rows[2].about, /3\.5 reads of the file, 7.GB, 1\.4.GB per second/);
  const many = busyParts({ seconds: { total: 1 }, threads: Array.from({ length: 10 }, (_, index) => ({ role: index ? "worker" : "main", cpu: 1 })) });
  assert.deepEqual([many.length, many[8].name, many[8].seconds], [9, "2 more threads", 1]);
  assert.deepEqual(busyParts({ seconds: { total: 2 }, ranks: [{ cpu: 1, sent: 2000 }, { cpu: 2, sent: 0 }] }).map(({ name, about, fraction }) => [name, about, fraction]),
    [["rank 0", "processor time; sent 2\u00a0kB", 0.5], ["rank 1", "processor time; sent 0\u00a0B", 1]]);
});

test("the view near convergence excludes the beginning", () => {
  const checks = [check(0, 100, 0), check(10, 3, 1), check(30, 2.2, 1.8), check(60, 2.01, 1.99)];
  const [low, high] = meeting(checks);
  assert.ok(low < 1.8 && low > 1 && high > 2.2 && high < 3, `${low} to ${high}`);
  assert.equal(meeting(checks.slice(0, 2)), undefined);
  const same = [check(0, 1, 1), check(1, 1, 1), check(2, 1, 1)];
  assert.ok(meeting(same)[0] < meeting(same)[1]);
});

test("the method used, and the number of nonzero weights", () => {
  assert.equal(methodOf({ label: "auto", end: { method: "sdca, then ssn" } }), "auto: sdca, then ssn");
  assert.equal(methodOf({ label: "sdca", end: { method: "sdca" } }), "sdca");
  assert.equal(methodOf({ label: "sdca", end: null }), "sdca");
  assert.deepEqual(weightsInWords(run("converged", { end: { nonzeros: 3, proved_zero: 1 } })), ["3 of 10 weights are nonzero", "1 feature is proved to have weight 0 at the optimum"]);
  assert.deepEqual(weightsInWords(run("converged", { end: { nonzeros: 25, intercepts: [0, 0, 0] } })), ["25 of 30 weights are nonzero"]);
  assert.deepEqual(weightsInWords(run("unfinished")), []);
});

test("formulas have indices, powers and Greek letters", () => {
  const text = (plain) => pieces(plain).map(({ tag, text }) => (tag ? `<${tag}>${text}</${tag}>` : text)).join("");
  assert.equal(text("minimize 1/n sum_i phi(z_i) + (3.07116e-05/2) |x|^2,  z_i = a_i.x + b0"),
    "minimize 1/n Σ<sub>i</sub> φ(z<sub>i</sub>) + (3.07116·10<sup>−5</sup>/2) |x|<sup>2</sup>,  z<sub>i</sub> = a<sub>i</sub>·x + b<sub>0</sub>");
  assert.equal(text("(1 - b z)_+^2"), "(1 − b z)<sub>+</sub><sup>2</sup>");
  assert.equal(text("max_k (z_k + [k != b]) - z_b"), "max<sub>k</sub> (z<sub>k</sub> + [k ≠ b]) − z<sub>b</sub>");
  assert.equal(text("0.25 |x|_1, huber = 1"), "0.25 |x|<sub>1</sub>, huber = 1");
  assert.equal(text("sum_i s_i / (sum s)"), "Σ<sub>i</sub> s<sub>i</sub> / (Σ s)");
});

test("the penalty is shown in the common parametrizations", () => {
  assert.equal(strengthOf({ lambda: 0.01, l1: 0, n: 100 }), "Penalty: λ = 0.01 = 1/n (C = 1).");
  assert.equal(strengthOf({ lambda: 0.01, l1: 0.5, n: 10, objective: "weights sum to 7" }), "Penalty: λ = 0.01 and l1 = 0.5.");
  assert.equal(strengthOf({ lambda: 0, l1: 0, n: 10 }), "There is no penalty.");
});
