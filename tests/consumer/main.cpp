// Uses the installed library as another project would: arrays that are viewed, an observer, the certificate, a model file
// and its bytes, single rows, several classes, typed errors.
#include <seesaw/seesaw.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::printf("FAILED: expected %s\n", what);
}

// 60 rows of three features, the third often zero; the label is the sign of the first minus the second.
struct Table {
  std::vector<std::uint64_t> offsets = {0};
  std::vector<std::uint32_t> columns;
  std::vector<double> values, labels;

  Table() {
    for (int i = 0; i < 60; ++i) {
      const double left = 1 + i % 7, right = 1 + i % 5;
      columns.insert(columns.end(), {0, 1});
      values.insert(values.end(), {left, right});
      if (i % 3 == 0) {
        columns.push_back(2);
        values.push_back(0.5);
      }
      offsets.push_back(columns.size());
      labels.push_back(left > right ? 7 : 2.5);
    }
  }
  seesaw::SparseArrays arrays() const { return {3, offsets, columns, values}; }
  seesaw::Data data() const { return seesaw::Data::view(arrays(), {labels}, nullptr); }  // the table outlives it
};

template <class Call>
bool throws(const Call& call) {
  try {
    call();
  } catch (const seesaw::Error& error) {
    return std::string(error.what()).size() > 10;
  }
  return false;
}

// A LIBLINEAR model with three classes, each with a positive weight for one feature.
void use_three_classes(const seesaw::Data& data, const std::string& path) {
  std::ofstream(path) << "solver_type L2R_LR\nnr_class 3\nlabel 4 1 9\nnr_feature 3\nbias 1\nw\n"
                         "1 0 0\n0 1 0\n0 0 1\n0.25 0.5 0.75\n";
  const seesaw::Model model = seesaw::Model::load(path);
  expect(model.outputs() == 3 && model.weights().size() == 9, "three outputs of three weights");
  expect(model.labels() == std::vector<double>({1, 4, 9}), "labels in ascending order");
  expect(model.intercepts() == std::vector<double>({0.5, 0.25, 0.75}), "intercepts in the order of the labels");
  expect(model.intercept() == 0.5, "the first of them as the intercept");
  expect(model.classes().empty() && throws([&] { model.certificate(); }),
         "no certificate in a model of another program");

  const std::vector<double> scores = model.decision(data), likely = model.probabilities(data);
  const std::vector<double> labels = model.predict(data);
  expect(scores.size() == 180 && likely.size() == 180 && labels.size() == 60, "three scores and one label per row");
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::size_t best = labels[i] == 1 ? 0 : labels[i] == 4 ? 1 : 2;
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      sum += likely[3 * i + k];
      expect(scores[3 * i + k] <= scores[3 * i + best], "the label of the largest score");
      expect(likely[3 * i + k] <= likely[3 * i + best], "the label of the largest probability");
    }
    expect(std::abs(sum - 1) < 1e-12, "probabilities that sum to 1");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "consumer.model";
  const Table table;
  const seesaw::Data data = table.data();
  expect(data.rows() == 60 && data.features() == 3, "60 rows of 3 features");

  int checks = 0;
  double last_gap = INFINITY;
  seesaw::Training training;
  training.loss = seesaw::LossName::hinge;
  training.penalty = {.C = 1};
  training.gap = 1e-8;
  training.observer = [&](const seesaw::Progress& progress) {
    if (progress.is_check) ++checks;
    expect(progress.gap <= last_gap * (1 + 1e-12), "a gap that never grows");
    last_gap = progress.gap;
    return true;
  };
  const seesaw::TrainingResult result = seesaw::train(data, training);
  const seesaw::Model model = result.model;
  const seesaw::DualityGap proof = model.certificate();
  expect(result.status == seesaw::Termination::converged && !result.method.empty(), "a status and a method");
  expect(result.trace.size() == static_cast<std::size_t>(checks), "a point of the trace per check");
  expect(model.converged() && model.status() == "converged", "a converged model");
  expect(checks > 1, "an observer called at each check");
  expect(proof.gap >= 0 && proof.gap <= 1e-8 * proof.primal, "a gap of 1e-8");
  expect(std::abs(proof.primal - proof.dual - proof.gap) <= 1e-12, "gap = P - D");
  expect(proof.distance_bound.has_value(), "a bound on |x - x*|");
  expect(model.weights().size() == 3 && model.dual().size() == 60, "3 weights and 60 dual variables");
  expect(model.labels() == std::vector<double>({2.5, 7}), "the labels of the data");
  expect(seesaw::verify(data, model).holds, "a certificate that holds");
  expect(seesaw::Model::from_bytes(model.to_bytes()).weights() == model.weights(), "the same weights from its bytes");

  model.save(path);
  const seesaw::Model loaded = seesaw::Model::load(path);
  expect(loaded.weights() == model.weights() && loaded.intercept() == model.intercept(),
         "the same weights from the file");
  expect(seesaw::verify(data, loaded).holds, "a certificate that holds for the loaded model");
  const std::vector<double> predicted = loaded.predict(data), scores = loaded.decision(data);
  std::size_t right = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    right += predicted[i] == table.labels[i];
    expect((scores[i] > 0) == (predicted[i] == 7), "labels that follow the scores");
    std::vector<double> row(3);
    for (std::size_t k = table.offsets[i]; k < table.offsets[i + 1]; ++k) row[table.columns[k]] = table.values[k];
    expect(std::abs(loaded.decision(row) - scores[i]) < 1e-12, "the same score of a single row");
  }
  expect(right >= 50, "at least 50 of 60 labels right");

  expect(model.outputs() == 1 && model.intercepts().size() == 1 && model.classes().empty(),
         "one output of two classes");
  expect(throws([&] { model.probabilities(data); }), "an Error for probabilities of a hinge model");
  expect(throws([&] { model.probability_bounds(data); }), "an Error for their bounds");
  seesaw::Training of_logistic;
  of_logistic.loss.name = "logistic";
  const seesaw::Model logistic = seesaw::train(data, of_logistic).model;
  const std::vector<double> likely = logistic.probabilities(data);
  const seesaw::ProbabilityBounds bounds = logistic.probability_bounds(data);
  expect(bounds.low.size() == 120 && bounds.high.size() == 120, "an interval per row and label");
  for (std::size_t at = 0; at < likely.size(); ++at)
    expect(bounds.low[at] <= likely[at] && likely[at] <= bounds.high[at], "intervals that contain the probabilities");
  use_three_classes(data, path + ".three");

  seesaw::Training again = training;
  again.observer = [](const seesaw::Progress&) { return false; };
  expect(seesaw::train(data, again).status == seesaw::Termination::interrupted, "a training that its observer ends");
  seesaw::Training warm = training;
  warm.warm_start = loaded;
  expect(seesaw::train(data, warm).model.converged(), "a warm start that converges");

  try {
    seesaw::train(data, {.penalty = {.lambda = -1}});
    expect(false, "an InvalidOption for a negative lambda");
  } catch (const seesaw::InvalidOption& error) {
    expect(error.field == "lambda" && error.value == "-1", "the field and the value of an InvalidOption");
  }
  try {
    seesaw::train(data, {.penalty = {.lambda = 1, .factors = {1, -1, 1}}});
    expect(false, "an InvalidArray for a negative penalty factor");
  } catch (const seesaw::InvalidArray& error) {
    expect(error.array == "factors" && error.index == 1, "the array and the index of an InvalidArray");
  }
  const seesaw::Model bounded = seesaw::train(data, {.penalty = {.lambda = 0.1, .nonnegative = true}}).model;
  expect(bounded.weights()[1] == 0 && bounded.weights()[0] > 0, "a weight at its bound");
  expect(bounded.objective().lower == std::vector<double>(3, 0.0), "bounds in the model");
  expect(throws([&] { model.decision(std::vector<double>{1, 2}); }), "an Error for a row that is too short");
  expect(throws([] { seesaw::loss_of("nonsense"); }), "an Error for an unknown loss");
  expect(seesaw::losses().size() == 14 && seesaw::methods().size() > 20, "lists of losses and methods");
  expect(throws([] { seesaw::Data::read("nowhere.svm"); }), "an Error for a missing file");
  expect(throws([&] {
           seesaw::Data::copy({2, table.offsets, table.columns, table.values}, {table.labels});
         }),
         "an Error for a column beyond the features");
  Table twisted;
  std::swap(twisted.columns[0], twisted.columns[1]);
  expect(throws([&] { twisted.data(); }), "an Error for columns out of order");
  Table unknown;
  unknown.values[5] = NAN;
  expect(throws([&] { unknown.data(); }), "an Error for a value that is not a number");
  const std::vector<double> one_weight = {1};
  expect(throws([&] {
           seesaw::Data::copy(table.arrays(), {table.labels, one_weight});
         }),
         "an Error for sizes that do not match");
  expect(throws([] { seesaw::Data::copy(seesaw::DenseArrays{0, 3, {}}, {}); }), "an Error for no rows");

  std::printf("seesaw %s: gap %.3g after %d checks, %zu of 60 right\n", seesaw::version().c_str(), proof.gap, checks,
              right);
  return failures == 0 ? 0 : 1;
}
