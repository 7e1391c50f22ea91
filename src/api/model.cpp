#include "seesaw/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/internals.h"
#include "base/elementary.h"
#include "data/block_products.h"
#include "model/liblinear_model.h"
#include "model/model_file.h"
#include "model/prediction_bounds.h"
#include "model/several_targets.h"
#include "seesaw/error.h"
#include "verify/verify.h"
#include "verify/verify_groups.h"

namespace seesaw {
namespace {

void require_row(const char* what, std::size_t expected, std::size_t actual) {
  if (expected != actual)
    throw ShapeError(expected, actual, fmt::format("{} has {} numbers; this model needs {}.", what, actual, expected));
}

// score_k = (a.x_k + constant_k) / divisor + intercept_k, as decision_values() computes it.
template <class Row>
void score(const ModelState& state, Row a, double* scores) {
  const FoldedWeights& folded = state.folded;
  const std::size_t outputs = folded.intercept.size();
  if (outputs == 1) scores[0] = dot(a, folded.x.data());
  else
    for_each_block(outputs,
                   [&](auto size, std::size_t k) { dot_block<size>(a, folded.x.data() + k, outputs, scores + k); });
  const double divisor = row_divisor(state.model.transform, a);
  for (std::size_t k = 0; k < outputs; ++k)
    scores[k] = (scores[k] + folded.constant[k]) / divisor + folded.intercept[k];
}

double predicted(const LinearModel& model, const double* scores) {
  const double label = predicted_label(model, scores);
  return model.table && model.table->label.log ? exp_of(label) : label;
}

std::vector<ClassGap> gaps_of(const std::vector<ClassCertificate>& classes) {
  std::vector<ClassGap> result;
  for (const ClassCertificate& c : classes) result.push_back({c.label, c.primal, c.dual, c.gap});
  return result;
}

}  // namespace

Model Model::load(const std::string& path) { return Access::model(read_model(path)); }
Model Model::from_bytes(std::string_view bytes, const std::string& name) {
  return Access::model(parse_model_file(std::string(bytes), name));
}
void Model::save(const std::string& path) const { write_model(state_->model, path); }
std::string Model::to_bytes() const { return model_file_text(state_->model); }
void Model::save_liblinear(const std::string& path) const {
  if (state_->model.table) throw Error("a LIBLINEAR model cannot keep how the columns of a table became features.");
  write_liblinear_model(state_->model, path);
}

std::size_t Model::outputs() const { return state_->model.outputs(); }
std::size_t Model::features() const { return state_->model.features(); }
const std::vector<double>& Model::weights() const { return state_->folded.x; }
const std::vector<double>& Model::intercepts() const { return state_->intercepts; }
double Model::intercept() const { return state_->intercepts[0]; }
const std::vector<double>& Model::scaled_weights() const { return state_->model.x; }
const std::vector<double>& Model::labels() const { return state_->model.labels; }
const std::vector<double>& Model::dual() const { return state_->model.y; }
const std::vector<std::string>& Model::feature_names() const { return state_->model.feature_names; }

ObjectiveInfo Model::objective() const {
  const SolvedObjective& solved = state_->model.objective;
  ObjectiveInfo info{.loss = solved.loss,
                     .lambda = solved.lambda,
                     .l1 = solved.l1,
                     .intercept = solved.intercept,
                     .intercept_scaling = state_->model.transform.constant_value,
                     .scaling = state_->model.transform.scaling,
                     .class_weights = solved.class_weights,
                     .factors = solved.penalty_factors,
                     .lower = solved.lower,
                     .upper = solved.upper};
  if (!solved.loss_parameter_name.empty()) info.loss_parameter = solved.loss_parameter;
  return info;
}

bool Model::converged() const { return state_->model.status == name_of(Termination::converged); }
std::string Model::status() const { return state_->model.status; }
std::string Model::solver() const { return state_->model.solver; }
double Model::passes() const { return state_->model.passes; }
std::uint64_t Model::seed() const { return state_->model.seed; }

DualityGap Model::certificate() const {
  if (!state_->model.certificate) throw Error("this model was made by another program and has no certificate.");
  const Certificate& c = *state_->model.certificate;
  return {c.primal, c.dual, c.gap, c.relative_gap(), c.distance_bound, c.guaranteed};
}

std::vector<ClassGap> Model::classes() const { return gaps_of(state_->model.classes); }

bool Model::is_table() const { return state_->model.table.has_value(); }
std::vector<std::string> Model::label_names() const {
  return state_->model.table ? state_->model.table->label.classes : std::vector<std::string>();
}

Data Model::read(const std::string& path, ReadOptions options) const {
  const LinearModel& model = state_->model;
  if (options.width_of.empty()) options.width_of = "this model";
  if (!model.table) {
    options.table = {};
    options.width = features();
    return Data::read(path, options);
  }
  return Access::data(load_data(path, options, *model.table, options.table.separator, false));
}

std::vector<double> Model::decision(const Data& data) const {
  const std::optional<TableEncoding>& table = Access::state(data).table;
  if (state_->model.table && table && !(table->columns == state_->model.table->columns))
    throw Error("the columns of this table are not encoded as those of the model; read it by Model::read().");
  return decision_values(state_->model, Access::set(data));
}

ScoreBounds Model::decision_bounds(const Data& data) const {
  const std::vector<double> scores = decision(data);
  const PredictionBounds bounds(state_->model, Access::set(data));
  ScoreBounds result;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const double* const of_row = scores.data() + i * outputs();
    for (std::size_t k = 0; k < outputs(); ++k) {  // the model's own score was rounded in another order
      const Interval score = bounds.score(i, k);
      result.low.push_back(std::min(score.lo, of_row[k]));
      result.high.push_back(std::max(score.hi, of_row[k]));
    }
    const auto label = bounds.label(i);
    result.settled.push_back(label && *label == predicted_label(state_->model, of_row));
  }
  return result;
}

void Model::decision(std::span<const double> row, std::span<double> scores) const {
  require_row("the row", features(), row.size());
  require_row("`scores`", outputs(), scores.size());
  score(*state_, DenseRow<double>{row.data(), row.size()}, scores.data());
}

double Model::decision(std::span<const double> row) const {
  double result = 0;
  decision(row, {&result, 1});
  return result;
}

void Model::decision(std::span<const std::uint32_t> columns, std::span<const double> values,
                     std::span<double> scores) const {
  require_row("`values`", columns.size(), values.size());
  require_row("`scores`", outputs(), scores.size());
  for (const std::uint32_t column : columns)
    if (column >= features())
      throw ShapeError(features(), std::size_t{column} + 1,
                       fmt::format("the row has column {}; this model has {} features.", column, features()));
  score(*state_, SparseRow<double>{columns.data(), values.data(), values.size()}, scores.data());
}

std::vector<double> Model::predict(const Data& data) const {
  std::vector<double> scores = decision(data);
  if (several_targets(state_->model)) return scores;
  std::vector<double> result(data.rows());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = predicted(state_->model, scores.data() + i * outputs());
  return result;
}

double Model::predict(std::span<const double> row) const {
  if (several_targets(state_->model)) throw Error("this model has several targets per row: use decision(row, scores).");
  if (outputs() == 1) {
    const double one = decision(row);
    return predicted(state_->model, &one);
  }
  std::vector<double> scores(outputs());
  decision(row, scores);
  return predicted(state_->model, scores.data());
}

bool Model::has_probabilities() const { return seesaw::has_probabilities(state_->model); }

std::vector<double> Model::probabilities(const Data& data) const {
  const std::vector<double> scores = decision(data);
  std::vector<double> result;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const std::vector<double> row = seesaw::probabilities(state_->model, scores.data() + i * outputs());
    result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}

ProbabilityBounds Model::probability_bounds(const Data& data) const {
  if (!has_probabilities())
    throw Error("only calibrated models and those of the losses logistic and softmax have probabilities.");
  const std::vector<double> own = probabilities(data);
  const PredictionBounds bounds(state_->model, Access::set(data));
  ProbabilityBounds result;
  for (std::size_t i = 0, at = 0; i < data.rows(); ++i)
    for (const Interval& of_label : bounds.probabilities(i)) {  // the model's own was rounded in another order
      result.low.push_back(std::min(of_label.lo, own[at]));
      result.high.push_back(std::max(of_label.hi, own[at]));
      ++at;
    }
  return result;
}

namespace {

VerifyResult result_of(const Verification& found) {
  return {found.holds, found.primal, found.dual, found.gap, gaps_of(found.classes), found.problems};
}

}  // namespace

VerifyResult verify(const Data& data, const Model& model) {
  if (has_group_loss(Access::linear(model)))
    throw Error("the model has a loss of groups of rows: give `blocks`, the group of each row, as in training.");
  return result_of(verify(Access::set(data), Access::linear(model), Access::state(data).hash()));
}

VerifyResult verify(const Data& data, const Model& model, const std::vector<std::int64_t>& blocks) {
  return result_of(verify_groups(Access::set(data), numbered(blocks), Access::linear(model)));
}

}  // namespace seesaw
