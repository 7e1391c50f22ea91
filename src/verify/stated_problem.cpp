#include "verify/stated_problem.h"

#include <algorithm>

#include "base/ranks.h"
#include "base/tree_sum.h"
#include "data/transform.h"
#include "verify/sum.h"

namespace seesaw::verifier {
namespace {

Dataset transformed(const Dataset& data, const LinearModel& model, Dataset* own) {
  Transform transform = model.transform;  // columns beyond those of the data are zero
  if (transform.column_factors.size() > data.d()) transform.column_factors.resize(data.d());
  const Precision precision = model.single_precision ? Precision::single : Precision::exact;
  return own == nullptr ? apply(transform, data, precision) : apply_taking_rows(transform, *own, precision);
}

// In the model the constant feature comes after the model's features, in `data` after the features of the data.
std::vector<double> weights_of_columns(const Dataset& data, const LinearModel& model) {
  const std::size_t K = model.outputs(), raw = data.d() - (model.transform.constant_feature ? 1 : 0);
  const auto begin = model.x.begin();
  std::vector<double> x(begin, begin + static_cast<std::ptrdiff_t>(raw * K));
  if (model.transform.constant_feature)
    x.insert(x.end(), model.x.end() - static_cast<std::ptrdiff_t>(K), model.x.end());
  return x;
}

// Those of the columns of the data, and of the constant feature where there is one.
std::vector<double> of_columns(const std::vector<double>& of_features, double of_constant, const Dataset& data,
                               const LinearModel& model) {
  if (of_features.empty()) return {};
  const std::size_t raw = data.d() - (model.transform.constant_feature ? 1 : 0);
  std::vector<double> result(of_features.begin(), of_features.begin() + static_cast<std::ptrdiff_t>(raw));
  result.resize(data.d(), of_constant);
  return result;
}

}  // namespace

StatedProblem::StatedProblem(const Dataset& raw, const LinearModel& of, const DualPart& dual, Dataset* own)
    : model(of),
      loss(*find_loss(of.objective.loss)),
      t(of.objective.loss_parameter),
      outputs(of.outputs()),
      data(transformed(raw, of, own)),
      n(data.all_rows()),
      first_row(place_among_ranks(data.leaves(), data.n()).before),
      own_y(dual ? dual(data.leaves()) : std::vector<double>()),
      y(dual ? own_y.data() : of.y.data()),
      x(weights_of_columns(data, of)),
      group(data.n()),
      groups(std::max<std::size_t>(of.labels.size(), 1)) {
  const std::size_t rows = data.n();
  factor = of_columns(of.objective.penalty_factors, 1, data, of);
  lower = of_columns(of.objective.lower, -inf, data, of);
  upper = of_columns(of.objective.upper, inf, data, of);
  if (of.classifies())
    for (std::size_t i = 0; i < rows; ++i)
      group[i] = static_cast<std::size_t>(std::lower_bound(of.labels.begin(), of.labels.end(), data.labels[i]) -
                                          of.labels.begin());
  if (outputs == 1) {
    target = data.labels;
    if (loss.of_sign)
      for (std::size_t i = 0; i < rows; ++i) target[i] = group[i] == 1 ? 1 : -1;
  }
  const auto& of_class = of.objective.class_weights;
  const bool weighted = data.leaves().shares() != nullptr ? data.leaves().shares()->weighted : !data.weights.empty();
  if (!weighted && of_class.empty()) {
    total = Ball(static_cast<double>(n));
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const auto found = of_class.find(data.labels[i]);
    weight.push_back(Ball(data.weights.empty() ? 1 : data.weights[i]) *
                     Ball(found == of_class.end() ? 1 : found->second));
  }
  const auto sum_of = [&](std::size_t begin, std::size_t end) {
    Sum sum;
    for (std::size_t i = begin; i < end; ++i) sum.add(weight[i]);
    return sum;
  };
  total = tree_sum<Sum>(data.leaves(), sum_of).value(n);
}

}  // namespace seesaw::verifier
