/**
 * The curves of a path: functions of its line, without the browser.
 *
 * @typedef {Object} PathModel one model of the path
 * @property {number} value of the coefficient that varies: C, lambda or l1
 * @property {?number} primal
 * @property {?number} relative_gap gap / P, proved
 * @property {number} nonzeros
 * @property {number} passes
 * @property {number} seconds
 * @property {boolean} combined from its neighbours, not fitted
 * @property {?[number, number]} covered the interval for which it is within the accuracy, proved
 * @property {?number} [relative_gap_to_next] proved for every value up to the next model
 * @property {?number} [validation] the measure on other rows
 *
 * @typedef {Object} PathLine
 * @property {string} parameter "C", "lambda" or "l1"
 * @property {PathModel[]} models by value, ascending
 * @property {Array<{name: string, values: number[]}>} coefficients those of largest magnitude, one value per model
 * @property {number} accuracy
 * @property {?{data: string, measure: string, larger: boolean}} validation
 */

const values = (path) => path.models.map((model) => model.value);

/** One curve per coefficient, the largest first. */
export function coefficientSeries(path) {
  return path.coefficients.map(({ name, values: y }) => ({ label: name, family: name, x: values(path), y }));
}

/** The gaps of the models, what is proved between neighbours, and the accuracy requested. */
export function gapSeries(path) {
  const ends = [Math.min(...values(path)), Math.max(...values(path))];
  const series = [{ label: "at the models", family: "at the models", points: true, x: values(path), y: path.models.map((model) => model.relative_gap) }];
  const between = path.models.slice(1).map((model, index) => ({ from: path.models[index].value, to: model.value, gap: path.models[index].relative_gap_to_next }));
  if (between.some(({ gap }) => gap !== undefined && gap !== null))
    series.push({ label: "between neighbours, at most", family: "between neighbours, at most", x: between.flatMap(({ from, to }) => [from, to]), y: between.flatMap(({ gap }) => [gap, gap]) });
  else series.push({ label: "accuracy for all values", family: "accuracy for all values", dash: [6, 4], x: ends, y: [path.accuracy, path.accuracy] });
  return series;
}

/** The number of weights that are not 0. */
export function supportSeries(path) {
  return [{ label: "nonzero weights", x: values(path), y: path.models.map((model) => model.nonzeros) }];
}

/** The measure on other rows, and its best model. */
export function validationSeries(path) {
  const best = bestModel(path);
  if (best === null) return [];
  return [{ label: path.validation.measure, family: path.validation.measure, x: values(path), y: path.models.map((model) => model.validation) },
          { label: "best", family: "best", points: true, x: [best.value], y: [best.validation] }];
}

/** The model with the best measure on other rows; of equal ones that with the strongest penalty. */
export function bestModel(path) {
  if (!path.validation) return null;
  const sign = path.validation.larger ? 1 : -1;
  const stronger = path.parameter === "C" ? path.models : [...path.models].reverse();
  return stronger.reduce((best, model) => (model.validation !== null && (best === null || sign * model.validation > sign * best.validation) ? model : best), null);
}
