/**
 * The curves of a cross-validation: mean and standard error of a metric by coefficient. Does not use the browser.
 *
 * @typedef {Object} Tuning the line of type "tune": what `seesaw tune` has measured
 * @property {string} coefficient "C", "lambda" or "l1"
 * @property {Array<{name: string, higher_is_better: boolean}>} metrics the first one decides
 * @property {Object[]} candidates each with loss, penalty, mix, the coefficient, metrics: {NAME: {mean, error, folds}}
 * @property {number} best @property {number} one_se @property {number} chosen indices of candidates
 * @property {string} folds in words
 *
 * @typedef {Object} Reliability
 * @property {Array<{predicted: number, observed: number, weight: number}>} bins by tenths of the predicted probability
 * @property {number} brier @property {number} log_loss
 *
 * @typedef {Object} CalibrationCheck the line of type "calibration", on the validated rows
 * @property {string} method "sigmoid" or "isotonic"
 * @property {Reliability} before 1 / (1 + exp(-z)) of the scores @property {Reliability} after each fold by a calibration of the others
 */
import { significant } from "./format.js";

/** "logistic, l2" or "squared, elastic-net 0.5": candidates that differ in the coefficient only. */
export function groupOf({ loss, penalty, mix }) {
  return `${loss}, ${penalty}${mix === undefined ? "" : ` ${significant(mix)}`}`;
}

/** "logistic, l2, C = 0.25" */
export function nameOfCandidate(tune, candidate) {
  const value = candidate[tune.coefficient];
  return groupOf(candidate) + (value === undefined ? "" : `, ${tune.coefficient} = ${significant(value, 6)}`);
}

/**
 * One series per group with the band of one standard error, and one point per choice.
 * @param {Tuning} tune
 * @param {string} metric its name
 */
export function tuningSeries(tune, metric) {
  const groups = new Map();
  for (const candidate of tune.candidates) {
    const measured = candidate.metrics?.[metric];
    const x = candidate[tune.coefficient];
    if (x === undefined || !measured || measured.mean === null) continue;
    if (!groups.has(groupOf(candidate))) groups.set(groupOf(candidate), []);
    groups.get(groupOf(candidate)).push({ x, mean: measured.mean, error: measured.error ?? 0 });
  }
  const series = [...groups].map(([label, points]) => {
    points.sort((one, other) => one.x - other.x);
    return { label, x: points.map(({ x }) => x), y: points.map(({ mean }) => mean),
             low: points.map(({ mean, error }) => mean - error), high: points.map(({ mean, error }) => mean + error) };
  });
  const marks = tune.one_se === tune.best ? [["best", tune.best]] : [["best", tune.best], ["one standard error", tune.one_se]];
  for (const [label, index] of marks) {
    const candidate = tune.candidates[index];
    const mean = candidate?.metrics?.[metric]?.mean;
    if (candidate?.[tune.coefficient] !== undefined && mean !== undefined && mean !== null)
      series.push({ label, x: [candidate[tune.coefficient]], y: [mean], points: true, end: "dot" });
  }
  return series;
}

/** What was chosen, in a sentence, and what was saved. */
export function tuningSentence(tune) {
  const chosen = tune.candidates[tune.chosen];
  const metric = tune.metrics[0].name;
  const { mean, error } = chosen.metrics[metric];
  const rule = tune.chosen === tune.best ? "the best" : "the strongest penalty within one standard error of the best";
  const stopped = tune.stopped_early > 0 ? ` ${tune.stopped_early} of ${tune.fits} fits were stopped early, as their candidates cannot win.` : "";
  return `Chosen by ${tune.folds}: ${nameOfCandidate(tune, chosen)}, ${rule}, with ${metric} ${significant(mean, 4)} ± ${significant(error, 2)}.${stopped}`;
}

/** The reliability curves before and after a calibration, and the diagonal where probabilities and fractions agree. */
export function reliabilitySeries({ method, before, after }) {
  const curve = (label, { bins }) => ({ label, x: bins.map(({ predicted }) => predicted), y: bins.map(({ observed }) => observed), end: "dot" });
  return [curve(`calibrated, ${method}`, after), curve("before", before), { label: "agreement", x: [0, 1], y: [0, 1] }];
}

/** Brier score and log loss in a sentence. */
export function calibrationSentence({ before, after }) {
  return `On the validated rows, each fold calibrated by the others, the Brier score is ${significant(after.brier, 4)} and the log loss ${significant(after.log_loss, 4)}; ` +
    `with 1/(1 + exp(-z)) of the scores they are ${significant(before.brier, 4)} and ${significant(before.log_loss, 4)}.`;
}
