/** Labels that no further training can change, by the gap of each check. Does not use the browser. */
import { relativeGap } from "./curves.js";
import { count, counted, power, significant } from "./format.js";

/** The checks that counted settled labels at a finite gap: {gap: of P, rows, of}, from the smallest gap to the largest. */
function counts(run) {
  const points = [];
  for (const check of run.checks) {
    const gap = relativeGap(check);
    if (check.settled && gap > 0 && Number.isFinite(gap)) points.push({ gap, rows: check.settled.rows, of: check.settled.of });
  }
  return points.sort((one, other) => one.gap - other.gap || other.rows - one.rows);
}

/** @param {import("./lines.js").Run} run */
export function countsSettledLabels(run) {
  return counts(run).length > 0;
}

/**
 * Settled labels against the gap, and the number of all labels.
 * @param {import("./lines.js").Run} run
 * @returns {import("./plot.js").Series[]}
 */
export function settledSeries(run) {
  const points = counts(run);
  if (points.length === 0) return [];
  const x = points.map(({ gap }) => gap);
  const all = points[0].of;
  const ends = x.length > 1 ? [x[0], x[x.length - 1]] : [x[0], 2 * x[0]];
  return [{ label: "labels settled", x, y: points.map(({ rows }) => rows) }, { label: "all labels", x: ends, y: [all, all], dash: [2, 4] }];
}

/** How many labels are settled, and the gaps at which half and 99 % of them were. */
export function settledSentence(run) {
  const points = counts(run);
  const last = [...run.checks].reverse().find((check) => check.settled)?.settled ?? points[0];
  const whole = last.rows === last.of ? `All ${counted(last.of, "label")} of the test rows are settled` : `${count(last.rows)} of ${counted(last.of, "label")} of the test rows are settled`;
  const reached = [[0.5, "Half of the labels were settled"], [0.99, "99 % of them"]]
    .map(([share, words]) => [words, [...points].reverse().find(({ rows, of }) => rows >= share * of)])
    .filter(([, point]) => point)
    .map(([words, { gap }]) => `${words} at a gap of ${gap < 1e-3 ? power(Number(gap.toPrecision(1))) : significant(gap, 2)} of P`);
  return `${whole}: the optimal model gives these rows the same label.${reached.length ? ` ${reached.join(", ")}.` : ""}`;
}
