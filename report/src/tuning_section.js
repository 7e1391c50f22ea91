/** Cross-validation: the curve of the metric with its standard error, and a table of the candidates. */
import { el, section, segments } from "./dom.js";
import { downloads } from "./download.js";
import { significant } from "./format.js";
import { legend } from "./legend.js";
import { plot } from "./plot.js";
import { table } from "./table.js";
import { calibrationSentence, groupOf, reliabilitySeries, tuningSentence, tuningSeries } from "./tuning.js";

/**
 * @param {HTMLElement} main
 * @param {?import("./tuning.js").Tuning} tune
 */
export function tuningSection(main, tune) {
  if (!tune) return;
  const part = section("Cross-validation", "tuning", tuningSentence(tune));
  let metric = tune.metrics[0].name;
  const place = el("div");
  if (tune.metrics.length > 1)
    part.append(el("div", { class: "controls" },
      segments("metric", tune.metrics.map(({ name }) => ({ value: name, name })), metric, (value) => { metric = value; draw(); })));
  part.append(place);
  main.append(part);

  let drawn = null;
  const describe = () => ({ title: `${metric}: mean over the folds; the band is one standard error`, xLabel: tune.coefficient, yLabel: metric, xLog: true, yLog: false,
                            height: window.innerWidth < 600 ? 300 : 340, direct: false, series: tuningSeries(tune, metric) });
  function draw() {
    if (drawn) return drawn.update(describe());
    if (tuningSeries(tune, metric).length === 0) return;
    drawn = plot(place, describe());
    const below = el("div", { class: "below beside" });
    place.append(below);
    legend(below, drawn);
    below.append(downloads(drawn));
  }
  draw();
  candidates(part, tune);
}

/**
 * Probabilities against the fractions of rows that have the label.
 * @param {HTMLElement} main
 * @param {?import("./tuning.js").CalibrationCheck} check
 */
export function calibrationSection(main, check) {
  if (!check) return;
  const part = section("Calibration", "calibration", calibrationSentence(check));
  const place = el("div");
  part.append(place);
  main.append(part);
  const drawn = plot(place, { title: "fraction of rows with the label, by tenths of the predicted probability", xLabel: "predicted probability", yLabel: "fraction",
                              xLog: false, yLog: false, height: window.innerWidth < 600 ? 300 : 340, direct: false, series: reliabilitySeries(check) });
  const below = el("div", { class: "below beside" });
  place.append(below);
  legend(below, drawn);
  below.append(downloads(drawn));
}

function candidates(part, tune) {
  const columns = [{ name: "loss, penalty", key: groupOf }, { name: tune.coefficient, key: tune.coefficient, numeric: true, format: (value) => significant(value, 6) }];
  for (const { name } of tune.metrics)
    columns.push({ name, key: (row) => row.metrics?.[name]?.mean ?? null, numeric: true, format: (value, row) => shown(tune, row, name) });
  columns.push({ name: "choice", key: (row) => marks(tune, row) });
  table(part, { columns, rows: tune.candidates, caption: "Candidates: mean over the folds ± standard error" });
}

function shown(tune, row, name) {
  const measured = row.metrics?.[name];
  if (measured) return `${significant(measured.mean, 5)} ± ${significant(measured.error, 2)}`;
  if (!row.bounds || name !== tune.metrics[0].name) return "–";
  return tune.metrics[0].higher_is_better ? `at most ${significant(row.bounds[1], 4)}` : `at least ${significant(row.bounds[0], 4)}`;
}

function marks(tune, row) {
  const index = tune.candidates.indexOf(row);
  const words = [index === tune.chosen ? "chosen" : "", index === tune.best ? "best" : "", index === tune.one_se && tune.one_se !== tune.best ? "one standard error" : "",
                 row.eliminated ? "cannot win" : ""];
  return words.filter((word) => word !== "").join(", ");
}
