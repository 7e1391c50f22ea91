#include "seesaw/seesaw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/readers/read.h"
#include "model/folded_weights.h"
#include "model/model_file.h"
#include "run/fit.h"
#include "solvers/catalog.h"
#include "verify/verify.h"

namespace seesaw {
namespace {

// Rows of weight 0 are the same as no row, wherever the weights come from.
Data make_data(RowsBuilder builder, std::size_t features, std::vector<double> labels, std::vector<double> weights) {
  auto data =
      std::make_shared<Dataset>(Dataset{.rows = DenseRows<double>(0, 0, {}, nullptr), .labels = std::move(labels)});
  data->nnz = builder.entries();
  data->rows = std::move(builder).finish(features, Precision::exact);
  if (std::any_of(weights.begin(), weights.end(), [](double w) { return w != 1; })) data->weights = std::move(weights);
  data->source = "data in memory";
  data->fixed_width = true;
  return Data(std::move(data));
}

void check_inputs(std::span<const double> values, std::span<const double> labels, std::span<const double> weights) {
  const auto finite = [](std::span<const double> numbers, const char* what) {
    const auto bad = std::find_if(numbers.begin(), numbers.end(), [](double v) { return !std::isfinite(v); });
    if (bad != numbers.end())
      throw Error(fmt::format("{} number {} is not finite; remove or replace it.", what, bad - numbers.begin()));
  };
  finite(values, "value");
  finite(labels, "label");
  finite(weights, "weight");
  if (labels.empty()) throw Error("there are no rows; give at least one.");
  if (!weights.empty() && weights.size() != labels.size())
    throw Error(fmt::format("there are {} weights for {} rows; give one for each row.", weights.size(), labels.size()));
  if (std::any_of(weights.begin(), weights.end(), [](double w) { return w < 0; }))
    throw Error("a weight is negative; weights are at least 0.");
}

bool kept(std::span<const double> weights, std::size_t i) { return weights.empty() || weights[i] > 0; }

class Forward final : public Observer {  // hands each check to the user's function, and remembers what it said
 public:
  explicit Forward(const std::function<bool(const Progress&)>& listener) : listener_(listener) {}
  void check(const TraceRow& row) override {
    if (!listener_({row.passes, row.primal, row.dual, row.gap, row.solve_seconds + row.check_seconds})) stop = true;
  }
  bool stop = false;

 private:
  const std::function<bool(const Progress&)>& listener_;
};

Model train_from(const Data& data, const Training& training, const LinearModel* warm) {
  FitSpec spec;
  Objective& objective = spec.objective;
  objective.loss = training.loss;
  objective.loss_parameter = training.loss_parameter;
  objective.regularizer = training.regularizer;
  objective.lambda = training.lambda;
  objective.l1 = training.l1;
  objective.C = training.C;
  objective.intercept = intercept_of(training.intercept);
  objective.class_weights = training.class_weights;
  objective.balanced = training.balanced;
  spec.scaling = scaling_of(training.scale);
  spec.solver = {training.solver.empty() ? std::string(default_solver) : training.solver, training.solver_options,
                 training.seed};
  spec.criteria.choose_gaps(training.gap, training.gap_abs);
  spec.criteria.check_every = training.check_every;
  spec.criteria.choose_limits(training.max_passes, training.seconds);

  Forward forward(training.observer);
  Observers observers;
  if (training.observer) observers.push_back(&forward);
  Fit result = fit(data.inside(), spec, warm, observers, [&] { return forward.stop; });
  return Model(std::make_shared<LinearModel>(std::move(result.model)));
}

}  // namespace

Data Data::read(const std::string& path) { return Data(std::make_shared<Dataset>(read_dataset(path))); }

Data Data::sparse(std::size_t features, std::span<const std::uint64_t> offsets, std::span<const std::uint32_t> columns,
                  std::span<const double> values, std::span<const double> labels, std::span<const double> weights) {
  check_inputs(values, labels, weights);
  if (offsets.size() != labels.size() + 1 || offsets.front() != 0 || offsets.back() != values.size() ||
      columns.size() != values.size())
    throw Error(
        "the sparse arrays do not fit together: offsets needs one entry more than labels, from 0 to the number of "
        "values, and as many columns as values.");
  RowsBuilder builder;
  std::vector<double> kept_labels, kept_weights;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (offsets[i] > offsets[i + 1] || offsets[i + 1] > values.size())
      throw Error(fmt::format(
          "the offsets of row {} fall or lie beyond the values; they must rise from 0 to the number of values.", i));
    const std::size_t size = offsets[i + 1] - offsets[i];
    const auto row = columns.subspan(offsets[i], size);
    for (std::size_t k = 0; k < size; ++k)
      if (row[k] >= features || (k > 0 && row[k] <= row[k - 1]))
        throw Error(fmt::format("row {} has column {} out of order or beyond {} features.", i, row[k], features));
    if (!kept(weights, i)) continue;
    builder.add_row(row, values.subspan(offsets[i], size));
    kept_labels.push_back(labels[i]);
    if (!weights.empty()) kept_weights.push_back(weights[i]);
  }
  return make_data(std::move(builder), features, std::move(kept_labels), std::move(kept_weights));
}

Data Data::dense(std::size_t features, std::span<const double> values, std::span<const double> labels,
                 std::span<const double> weights) {
  check_inputs(values, labels, weights);
  if (values.size() != features * labels.size())
    throw Error(fmt::format("{} values are not {} rows of {} features.", values.size(), labels.size(), features));
  RowsBuilder builder;
  std::vector<double> kept_labels, kept_weights, entries;
  std::vector<std::uint32_t> columns;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!kept(weights, i)) continue;
    columns.clear();
    entries.clear();
    for (std::size_t j = 0; j < features; ++j) {
      if (values[i * features + j] == 0) continue;
      columns.push_back(static_cast<std::uint32_t>(j));
      entries.push_back(values[i * features + j]);
    }
    builder.add_row(columns, entries);
    kept_labels.push_back(labels[i]);
    if (!weights.empty()) kept_weights.push_back(weights[i]);
  }
  return make_data(std::move(builder), features, std::move(kept_labels), std::move(kept_weights));
}

std::size_t Data::rows() const { return inside_->n(); }
std::size_t Data::features() const { return inside_->d(); }

Model Model::load(const std::string& path) { return Model(std::make_shared<LinearModel>(read_model(path))); }
void Model::save(const std::string& path) const { write_model(*inside_, path); }

std::vector<double> Model::weights() const { return folded_weights(*inside_).x; }
const std::vector<double>& Model::scaled_weights() const { return inside_->x; }
double Model::intercept() const { return intercepts()[0]; }
std::vector<double> Model::intercepts() const {
  const FoldedWeights folded = folded_weights(*inside_);
  std::vector<double> sums = folded.intercept;
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += folded.constant[k];
  return sums;
}
std::size_t Model::outputs() const { return inside_->outputs(); }
const std::vector<double>& Model::labels() const { return inside_->labels; }
const std::vector<double>& Model::dual() const { return inside_->y; }
bool Model::converged() const { return inside_->status == name_of(Termination::converged); }
std::string Model::status() const { return inside_->status; }

Proof Model::certificate() const {
  if (!inside_->certificate) throw Error("this model came from another program and carries no certificate.");
  const Certificate& c = *inside_->certificate;
  return {c.primal, c.dual, c.gap, c.relative_gap(), c.distance_bound};
}

std::vector<ClassProof> Model::classes() const {
  std::vector<ClassProof> result;
  for (const ClassCertificate& c : inside_->classes) result.push_back({c.label, c.primal, c.dual, c.gap});
  return result;
}

std::vector<double> Model::decision(const Data& data) const { return decision_values(*inside_, data.inside()); }

std::vector<double> Model::predict(const Data& data) const {
  const std::vector<double> scores = decision(data);
  std::vector<double> result(data.rows());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = predicted_label(*inside_, scores.data() + i * outputs());
  return result;
}

std::vector<double> Model::probabilities(const Data& data) const {
  const std::vector<double> scores = decision(data);
  std::vector<double> result;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const std::vector<double> row = seesaw::probabilities(*inside_, scores.data() + i * outputs());
    result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}

Model train(const Data& data, const Training& training) { return train_from(data, training, nullptr); }
Model train(const Data& data, const Training& training, const Model& warm_start) {
  return train_from(data, training, &warm_start.inside());
}

std::vector<std::string> verify(const Data& data, const Model& model) {
  const Verification verdict = verify(data.inside(), model.inside());
  return verdict.problems;
}

}  // namespace seesaw
