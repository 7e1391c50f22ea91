/** How a fit ended and what that proves, in words. Pure: numbers in, sentences out. */
import { count, counted, duration, significant } from "./format.js";

/** @typedef {import("./lines.js").Run} Run */

/**
 * P, D and the gap in the end: of the line that closes the run, or of the last check where it was cut off.
 * @param {Run} run
 * @returns {{primal: ?number, dual: ?number, gap: ?number}}
 */
export function finalOf(run) {
  const last = run.end ?? run.checks[run.checks.length - 1] ?? {};
  return { primal: last.primal ?? null, dual: last.dual ?? null, gap: last.gap ?? null };
}

/** Passes and seconds (solving and checking) that it took. */
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
    case "pass-limit": return `Stopped by the limit of ${counted(header.max_passes ?? passes, "pass", "passes")}, after ${duration(seconds)}, before the gap was closed.`;
    case "time-limit": return `Stopped by the limit of ${duration(header.seconds_limit ?? seconds)}, after ${significant(passes, 4)} passes, before the gap was closed.`;
    case "interrupted": return `Interrupted after ${took}, before the gap was closed.`;
    case "stalled": return `Stalled after ${took}: neither P nor D moved any more.`;
    case "diverged": return `Diverged after ${took}; the best point seen on the way is kept.`;
    default: return `Cut off after ${took}: these are the checks until then.`;
  }
}

/** @param {Run} run @returns {string} a sentence */
export function whatIsProved(run) {
  const { dual, gap } = finalOf(run);
  if (gap === null) return "There is no certificate: no feasible dual point with a finite value was found.";
  const sum = run.end?.classes?.length ? `, summed over ${counted(run.end.classes.length, "class", "classes")}` : "";
  const share = shareAbove(dual, gap);
  return share !== null ? `The objective is at most ${significant(share)} % above the optimum${sum}: proved, not estimated.`
    : `The objective is at most ${significant(gap)} above the optimum${sum}: proved, not estimated.`;
}

/** How far above the optimum P can be, in percent of the optimum; null where that says nothing. */
export function shareAbove(dual, gap) {
  return dual > 0 && gap !== null && gap < 10 * dual ? (100 * gap) / dual : null;
}

/** The gap at which the run is over: relative to P, absolute, whichever comes first. */
export function targetOf({ gap = 0, gap_abs = 0 }, primal) {
  return Math.max(gap > 0 && primal !== null ? gap * Math.abs(primal) : 0, gap_abs);
}

/** "auto: sdca, then newton" */
export function methodOf({ label, end }) {
  return end?.method && end.method !== label ? `${label}: ${end.method}` : label;
}

/**
 * Two numbers that agree in their first digits: what they share, and what each goes on with.
 * @returns {{shared: string, one: string, other: string}}
 */
export function agreeing(one, other, digits = 10) {
  const scale = Math.max(Math.abs(one), Math.abs(other));
  if (!(scale > 0) || scale >= 1e9 || scale < 1e-6) return { shared: "", one: significant(one, digits), other: significant(other, digits) };
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(scale)));
  const rounded = (value) => value.toFixed(places).replace("-", "−");
  const cut = (value) => value.toFixed(places + 3).slice(0, -3).replace(/\.$/, "").replace("-", "−");
  const [a, b] = [rounded(one), rounded(other)];
  const same = Math.min(alike(a, b), alike(cut(one), cut(other)));  // digits that rounding has made alike are not shared
  return { shared: a.slice(0, same), one: a.slice(same), other: b.slice(same) };
}

function alike(one, other) {
  let same = 0;
  while (one.length === other.length && same < one.length && one[same] === other[same]) same++;
  return same;
}

/**
 * What the seconds went to; what is left of the total is the rest (writing, preparing).
 * @returns {Array<{name: string, about: string, seconds: number, share: number}>}
 */
export function timeParts({ read = 0, solve = 0, check = 0, total = 0 }) {
  const known = read + solve + check;
  const whole = Math.max(known, total);
  const parts = [
    { name: "reading", about: "the data, from file to memory", seconds: read },
    { name: "solving", about: "steps of the method", seconds: solve },
    { name: "checking", about: "certificates, computed from the data", seconds: check },
    { name: "the rest", about: "scaling, facts, writing the model", seconds: whole - known },
  ];
  return parts.map((part) => ({ ...part, share: whole > 0 ? part.seconds / whole : 0 }));
}

/**
 * The range of P and D that shows them meet: from where the gap was after a quarter of the way.
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

/** What is known of the weights: how many there are, how many must be 0. */
export function weightsInWords({ header, end }) {
  if (end?.nonzeros === undefined) return [];
  const outputs = end.intercepts?.length ?? 1;
  const all = header.d * outputs;
  const said = [`${count(Math.min(end.nonzeros, all))} of ${count(all)} weights are not 0`];
  if (end.proved_zero !== undefined) said.push(`${counted(end.proved_zero, "feature is", "features are")} proved to have no weight at the optimum`);
  return said;
}
