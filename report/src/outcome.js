/** The outcome of a fit and what its certificate proves, in words. Pure functions. */
import { bytes, count, counted, duration, significant } from "./format.js";

/** @typedef {import("./lines.js").Run} Run */

/**
 * The final P, D and gap: of the run's last line, or of the last check if the trace is truncated.
 * @param {Run} run
 * @returns {{primal: ?number, dual: ?number, gap: ?number}}
 */
export function finalOf(run) {
  const last = run.end ?? run.checks[run.checks.length - 1] ?? {};
  return { primal: last.primal ?? null, dual: last.dual ?? null, gap: last.gap ?? null };
}

/** Passes and seconds (solving and checking). */
export function effortOf(run) {
  const last = run.checks[run.checks.length - 1];
  const seconds = run.end?.seconds;
  return {
    passes: run.end?.passes ?? last?.passes ?? 0,
    seconds: seconds ? seconds.solve + seconds.check : (last?.solve_seconds ?? 0) + (last?.check_seconds ?? 0),
  };
}

/** @param {Run} run @returns {string} a sentence */
export function howItEnded(run) {
  const { passes, seconds } = effortOf(run);
  const took = `${significant(passes, 4)} ${passes === 1 ? "pass" : "passes"}${run.classes ? " (of all classes together)" : ""} and ${duration(seconds)}`;
  const { header } = run;
  switch (run.status) {
    case "converged": return `Converged in ${took}.`;
    case "labels-settled": return `Stopped after ${took}: no label can change any more.`;
    case "pass-limit": return `Stopped by the limit of ${counted(header.max_passes ?? passes, "pass", "passes")}, after ${duration(seconds)}, before the gap reached the tolerance.`;
    case "time-limit": return `Stopped by the limit of ${duration(header.seconds_limit ?? seconds)}, after ${significant(passes, 4)} passes, before the gap reached the tolerance.`;
    case "interrupted": return `Interrupted after ${took}, before the gap reached the tolerance.`;
    case "stalled": return `Stalled after ${took}: neither P nor D improved any more.`;
    case "diverged": return `Diverged after ${took}; the model is the best point found.`;
    default: return `The trace ends after ${took}: the run was not finished.`;
  }
}

/** @param {Run} run @returns {string} a sentence */
export function whatIsProved(run) {
  const { dual, gap } = finalOf(run);
  if (gap === null) return "There is no certificate: no feasible dual point with a finite value was found.";
  const sum = run.end?.classes?.length ? `, summed over ${counted(run.end.classes.length, "class", "classes")}` : "";
  return `The objective is at most ${excessInWords(dual, gap) ?? significant(gap, 2)} above the optimum${sum}: proved, not estimated.`;
}

/** A bound of (P − P*) / P*, which is at most gap / D; null if D is not positive or the bound is useless. */
export function relativeExcess(dual, gap) {
  return dual > 0 && gap !== null && gap < 10 * dual ? gap / dual : null;
}

/** "25 %", or "4.1e-9 (relative)" where percent would be hard to read. */
export function excessInWords(dual, gap) {
  const excess = relativeExcess(dual, gap);
  if (excess === null) return null;
  return excess >= 1e-4 || excess === 0 ? `${significant(100 * excess, 2)} %` : `${significant(excess, 2)} (relative)`;
}

/** The gap at which the run stops: relative to P or absolute, whichever is larger. */
export function targetOf({ gap = 0, gap_abs = 0 }, primal) {
  return Math.max(gap > 0 && primal !== null ? gap * Math.abs(primal) : 0, gap_abs);
}

/** "auto: sdca, then newton" */
export function methodOf({ label, end }) {
  return end?.method && end.method !== label ? `${label}: ${end.method}` : label;
}

/**
 * The common leading digits of two numbers, and the remaining digits of each.
 * @returns {{shared: string, one: string, other: string}}
 */
export function agreeing(one, other, digits = 10) {
  const scale = Math.max(Math.abs(one), Math.abs(other));
  if (!(scale > 0) || scale >= 1e9 || scale < 1e-6) return { shared: "", one: significant(one, digits), other: significant(other, digits) };
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(scale)));
  const rounded = (value) => value.toFixed(places).replace("-", "−");
  const cut = (value) => value.toFixed(places + 3).slice(0, -3).replace(/\.$/, "").replace("-", "−");
  const [a, b] = [rounded(one), rounded(other)];
  const same = Math.min(alike(a, b), alike(cut(one), cut(other)));  // digits that agree only by rounding do not count
  return { shared: a.slice(0, same), one: a.slice(same), other: b.slice(same) };
}

function alike(one, other) {
  let same = 0;
  while (one.length === other.length && same < one.length && one[same] === other[same]) same++;
  return same;
}

/**
 * The parts of the total time; the remainder is preparing and writing.
 * @returns {Array<{name: string, about: string, seconds: number, fraction: number}>}
 */
export function timeParts({ read = 0, solve = 0, check = 0, total = 0 }) {
  const known = read + solve + check;
  const whole = Math.max(known, total);
  const parts = [
    { name: "reading", about: "the data, from file to memory", seconds: read },
    { name: "solving", about: "steps of the method", seconds: solve },
    { name: "checking", about: "certificates, computed from the data", seconds: check },
    { name: "other", about: "scaling, statistics, writing the model", seconds: whole - known },
  ];
  return parts.map((part) => ({ ...part, fraction: whole > 0 ? part.seconds / whole : 0 }));
}

const mostBars = 8;
const leastSeconds = 0.2;  // the processor time of a thread is counted in steps of 0.01 s

/**
 * What was busy how long: threads and ranks by processor time, the thread that reads rows on disk by time, and the waits
 * for it. Fractions are of the total time; a rank with several threads can exceed 1. Threads of short fits are left out.
 * @param {any} end the last line of a fit
 * @returns {Array<{name: string, about: string, seconds: number, fraction: number}>}
 */
export function busyParts({ seconds, threads = [], ranks = [], disk }) {
  const total = seconds?.total ?? 0;
  const rows = [];
  const computing = total < leastSeconds ? [] : threads.filter(({ role }) => role !== "disk");
  computing.slice(0, mostBars).forEach(({ cpu }, index) => rows.push({ name: `thread ${index + 1}`, about: "processor time", seconds: cpu }));
  const others = computing.slice(mostBars);
  if (others.length > 0) rows.push({ name: counted(others.length, "more thread"), about: "processor time, mean", seconds: others.reduce((sum, { cpu }) => sum + cpu, 0) / others.length });
  ranks.forEach(({ cpu, sent }, rank) => rows.push({ name: `rank ${rank}`, about: `processor time; sent ${bytes(sent)}`, seconds: cpu }));
  if (disk) {
    const rate = disk.seconds > 0 ? `, ${bytes(disk.bytes / disk.seconds)} per second` : "";
    rows.push({ name: "disk", about: `${significant(disk.reads, 3)} reads of the file, ${bytes(disk.bytes)}${rate}`, seconds: disk.seconds });
    rows.push({ name: "waiting for the disk", about: "all threads together", seconds: disk.waited });
  }
  return rows.map((row) => ({ ...row, fraction: total > 0 ? row.seconds / total : 0 }));
}

/**
 * The y range near convergence: set by the gap after a quarter of the passes.
 * @param {import("./lines.js").Check[]} checks
 * @returns {[number, number]|undefined}
 */
export function meeting(checks) {
  const known = checks.filter((check) => check.primal !== null && check.dual !== null);
  if (known.length < 3) return undefined;
  const last = known[known.length - 1];
  const from = known.find((check) => check.passes >= last.passes / 4) ?? last;
  const reach = Math.max(from.primal - from.dual, 1e-9 * Math.abs(last.primal));
  return [Math.min(from.dual, last.dual) - 0.15 * reach, from.primal + 0.6 * reach];
}

/** The number of nonzero weights, and of those proved to be 0 at the optimum. */
export function weightsInWords({ header, end }) {
  if (end?.nonzeros === undefined) return [];
  const outputs = end.intercepts?.length ?? 1;
  const all = header.d * outputs;
  const sentences = [`${count(Math.min(end.nonzeros, all))} of ${count(all)} weights are nonzero`];
  if (end.proved_zero !== undefined) sentences.push(`${counted(end.proved_zero, "feature is", "features are")} proved to have weight 0 at the optimum`);
  return sentences;
}
