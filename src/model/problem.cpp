#include "model/problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "model/intercept.h"
#include "model/penalty/penalty_kinds.h"
#include "model/problem_kind.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

constexpr std::size_t most_classes = 1000;

// "train.csv has only the label 3 in column 1 'age' (--label-column chooses another)": nothing where the format has a
// place for labels.
std::string in_label_column(const Problem& problem) {
  const std::string& column = problem.data->label_column;
  return column.empty() ? "" : fmt::format(" in its label column, {} (`label_column` chooses another)", column);
}

std::string how_many(const std::vector<LabelCount>& found) {
  return found.size() > most_classes ? fmt::format("more than {}", most_classes) : fmt::format("{}", found.size());
}

const LossKind& choose_loss(const Objective& objective, const Problem& problem) {
  if (!objective.loss.empty()) return loss_kind(objective.loss);
  if (problem.label_counts.size() == 2) return loss_kind("logistic");
  if (problem.label_counts.size() == 1)
    throw Error(
        fmt::format("{} has only the label {}{}: there is nothing to tell apart. Where it is a number to be predicted, "
                    "say `loss` squared.",
                    problem.data->source, problem.label_counts[0].label, in_label_column(problem)));
  throw Error(fmt::format(
      "{} has {} different labels{}, so the loss must be chosen: for classes say `loss` softmax or multiclass-hinge "
      "(all "
      "classes at once), or logistic, hinge, squared-hinge, smooth-hinge (each class against the rest); for numbers to "
      "be predicted `loss` squared (or absolute, quantile, huber, epsilon-insensitive).",
      problem.data->source, how_many(problem.label_counts), in_label_column(problem)));
}

double choose_parameter(const LossKind& kind, const Objective& objective) {
  if (!objective.loss_parameter) return kind.parameter.standard;
  const double value = *objective.loss_parameter;
  if (kind.parameter.name.empty()) throw Error(fmt::format("the loss {} has no parameter; leave it out.", kind.name));
  if (!std::isfinite(value) || !kind.parameter.allowed(value))
    throw InvalidOption(std::string(kind.parameter.name), fmt::format("{}", value),
                        fmt::format("it must be {}", kind.parameter.rule));
  return value;
}

std::size_t class_of(const Problem& problem, std::size_t i) {
  const auto at = std::lower_bound(problem.labels.begin(), problem.labels.end(), problem.data->labels[i]);
  return static_cast<std::size_t>(at - problem.labels.begin());
}

// Two labels and a loss of one score: b_i = -1 for the smaller, +1 for the larger. Otherwise the index of the class.
void map_labels(Problem& problem) {
  const std::vector<LabelCount>& found = problem.label_counts;
  if (found.size() == 1)
    throw Error(fmt::format("{} has only the label {}{}: the loss {} needs two classes to tell apart.",
                            problem.data->source, found[0].label, in_label_column(problem), problem.kind->name));
  if (found.size() > most_classes)
    throw Error(fmt::format(
        "{} has {} different labels{}, and the loss {} takes each for a class, of which there may be {}: for "
        "numbers to be predicted choose a regression loss such as `loss` squared.",
        problem.data->source, how_many(found), in_label_column(problem), problem.kind->name, most_classes));
  for (const LabelCount& one : found) problem.labels.push_back(one.label);
  if (problem.kind->make_block != nullptr) problem.block_loss = problem.kind->make_block(found.size());
  else problem.one_versus_rest = found.size() > 2;
  for (std::size_t i = 0; i < problem.n(); ++i) {
    const std::size_t k = class_of(problem, i);
    problem.target[i] = problem.outputs() > 1 ? static_cast<double>(k) : k == 1 ? 1 : -1;
  }
}

std::string listed(const std::vector<double>& labels) {
  if (labels.size() == 2) return fmt::format("{} and {}", labels[0], labels[1]);
  if (labels.size() <= 20) return fmt::format("{}", fmt::join(labels, ", "));
  return fmt::format("{}, ... {}", fmt::join(labels.begin(), labels.begin() + 19, ", "), labels.back());
}

// s_i with the class weights in it; c_i = s_i / sum s.
void weigh_rows(Problem& problem, const Objective& objective) {
  std::vector<double> s = problem.data->weights;
  if (s.empty()) s.assign(problem.n(), 1.0);

  std::map<double, double> weight_of = objective.class_weights;
  if (objective.balanced || !weight_of.empty()) {
    if (problem.labels.empty())
      throw Error(fmt::format("class weights need a classification loss; {} predicts numbers.", problem.kind->name));
    for (const auto& [label, weight] : weight_of) {
      if (std::find(problem.labels.begin(), problem.labels.end(), label) == problem.labels.end())
        throw Error(fmt::format("`class_weights` names the label {}, but the labels of {}{} are {}.", label,
                                problem.data->source, in_label_column(problem), listed(problem.labels)));
      if (!(weight > 0) || !std::isfinite(weight))
        throw InvalidOption("class_weights", fmt::format("{}={}", label, weight), "a class weighs more than 0");
    }
  }
  if (objective.balanced) {  // s summed over a class becomes the same for all, the total stays
    std::map<double, double> mass;
    for (std::size_t i = 0; i < problem.n(); ++i) mass[problem.data->labels[i]] += s[i];
    const double total = std::accumulate(s.begin(), s.end(), 0.0);
    for (const auto& [label, m] : mass) weight_of[label] = total / (static_cast<double>(mass.size()) * m);
  }
  if (!weight_of.empty()) {
    for (double label : problem.labels) {
      const auto named = weight_of.find(label);
      problem.class_weights.push_back(named == weight_of.end() ? 1 : named->second);
    }
    auto of_row = std::make_shared<std::vector<double>>(problem.n());
    for (std::size_t i = 0; i < problem.n(); ++i) s[i] *= (*of_row)[i] = problem.class_weights[class_of(problem, i)];
    problem.class_weight_of_row = std::move(of_row);
  }

  problem.total_weight = std::accumulate(s.begin(), s.end(), 0.0);
  if (!(std::isfinite(1 / problem.total_weight) && std::isfinite(problem.total_weight)))
    throw Error(fmt::format("the weights sum to {}, which cannot be calculated with; use weights near 1.",
                            problem.total_weight));
  problem.normalized_weight = std::move(s);
  for (double& c : problem.normalized_weight) c /= problem.total_weight;
}

void require_not_negative(const char* option, const std::optional<double>& value) {
  if (value && !(std::isfinite(*value) && *value >= 0))
    throw InvalidOption(option, fmt::format("{}", *value), "it must be a finite number that is not negative");
}

// Joint losses at x = 0: p_i is the total normalized weight of each class if the intercepts are free, otherwise the
// derivative at 0 (multiclass hinge: the central subgradient).
std::vector<double> dual_block_at_zero(const Problem& problem) {
  const std::size_t K = problem.outputs();
  std::vector<double> p(K, 0.0), y(problem.n() * K);
  for (std::size_t i = 0; i < problem.n(); ++i)
    p[static_cast<std::size_t>(problem.target[i])] += problem.normalized_weight[i];
  const bool nonsmooth = problem.gamma() == 0;
  if (!problem.free_intercept()) p.assign(K, 1 / static_cast<double>(nonsmooth ? K - 1 : K));
  for (std::size_t i = 0; i < problem.n(); ++i) {
    const auto b = static_cast<std::size_t>(problem.target[i]);
    std::copy(p.begin(), p.end(), &y[i * K]);
    close_simplex(b, &y[i * K], K);
  }
  return y;
}

// The smallest l1 for which x = 0 is optimal: |A^T C phi'(b*)|_inf with the best intercept b* alone.
double smallest_l1_of_zero(const Problem& problem, const PenaltyFeatures& features) {
  if (problem.one_versus_rest) {  // for all classes
    double largest = 0;
    for (std::size_t k = 0; k < problem.labels.size(); ++k)
      largest = std::max(largest, smallest_l1_of_zero(class_problem(problem, k), features));
    return largest;
  }
  const std::size_t K = problem.outputs();
  std::vector<double> y(problem.n()), v(problem.d() * K);
  if (problem.block_loss) {
    y = dual_block_at_zero(problem);
  } else {
    const double b = problem.free_intercept() ? best_intercept(problem, y, 0, 0) : 0;
    std::visit(
        [&](const auto& loss) {
          for (std::size_t i = 0; i < problem.n(); ++i) y[i] = loss.derivative(problem.target[i], b);
        },
        problem.loss);
  }
  for (std::size_t i = 0; i < y.size(); ++i) y[i] *= -problem.normalized_weight[i / K];
  multiply_transposed(problem.data->rows, y.data(), v.data(), K);
  double largest = 0;
  for (std::size_t at = 0; at < v.size(); ++at) {
    const double f = features.l1_factor.empty() ? 1 : features.l1_factor[at / K];
    const bool may_move = features.lower.empty() || (v[at] > 0 ? features.upper : features.lower)[at / K] != 0;
    if (f > 0 && may_move) largest = std::max(largest, std::abs(v[at]) / f);
  }
  return largest;
}

// Factors and bounds of the problem's features, checked; the constant feature of a penalized intercept has the factor 1
// and no bounds.
PenaltyFeatures penalty_features(const Problem& problem, Objective objective, const PenaltyKind& kind) {
  const std::size_t constant = problem.intercept == Intercept::penalized ? 1 : 0, d = problem.d() - constant;
  if (kind.set_features != nullptr) kind.set_features(*problem.data, d, objective);
  const auto require_count = [&](const std::vector<double>& numbers, const char* field) {
    if (numbers.size() != d)
      throw ShapeError(
          d, numbers.size(),
          fmt::format("`{}` has {} numbers, but {} has {} features.", field, numbers.size(), problem.data->source, d));
  };
  const auto require = [&](bool allowed, std::size_t j, const char* field, const char* rule) {
    if (!allowed)
      throw InvalidArray(field, j, fmt::format("`{}` of feature {} is not allowed: {}.", field, j + 1, rule));
  };
  PenaltyFeatures features;
  if (!objective.penalty_factors.empty()) {
    require_count(objective.penalty_factors, "factors");
    for (std::size_t j = 0; j < d; ++j)
      require(objective.penalty_factors[j] >= 0 && objective.penalty_factors[j] < infinity, j, "factors",
              "a penalty factor is a finite number that is not negative");
    if (std::any_of(objective.penalty_factors.begin(), objective.penalty_factors.end(),
                    [](double f) { return f != 1; })) {
      features.l2_factor = objective.penalty_factors;
      features.l2_factor.resize(problem.d(), 1.0);
      features.l1_factor = features.l2_factor;
    }
  }
  if (!objective.lower.empty() || !objective.upper.empty()) {
    require_count(objective.lower, "lower");
    require_count(objective.upper, "upper");
    for (std::size_t j = 0; j < d; ++j) {
      require(objective.lower[j] <= 0, j, "lower", "the bounds must contain 0");
      require(objective.upper[j] >= 0, j, "upper", "the bounds must contain 0");
    }
    features.lower = objective.lower;
    features.upper = objective.upper;
    features.lower.resize(problem.d(), -infinity);
    features.upper.resize(problem.d(), infinity);
  }
  return features;
}

void choose_coefficients(Problem& problem, const Objective& objective) {
  const auto& [lambda, l1, C] = std::tie(objective.lambda, objective.l1, objective.C);
  require_not_negative("lambda", lambda);
  require_not_negative("l1", l1);
  if (C && !(std::isfinite(*C) && *C > 0))
    throw InvalidOption("C", fmt::format("{}", *C), "it must be a number above 0");
  if (C && lambda) throw Error("`C` and `lambda` say the same thing in two ways; give one of them.");

  std::string name = objective.regularizer;
  if (name.empty()) {
    const bool has_l1 = l1 && *l1 > 0;
    const bool no_l2 = lambda ? *lambda == 0 : has_l1 && !C;
    name = has_l1 ? (no_l2 ? "l1" : "elastic-net") : (no_l2 ? "none" : "l2");
  }
  const PenaltyKind& kind = penalty_kind(name);
  const double from_C = C ? 1 / (*C * problem.total_weight) : 0;
  if (C && !(from_C > 0 && std::isfinite(from_C)))
    throw InvalidOption("C", fmt::format("{}", *C), "1 / (C sum of weights) must be a number that can be written");
  const double default_lambda = 1 / problem.total_weight;
  const auto refuse = [&](const std::optional<double>& value, const char* option) {
    if (value && *value > 0)
      throw Error(fmt::format("`penalty` {} has no place for {}; leave one of them out.", name, option));
  };

  PenaltyFeatures features = penalty_features(problem, objective, kind);
  if (!kind.l2 && !kind.l1 && !features.empty())
    throw Error("penalty factors and bounds need a penalty: choose `penalty` l2, elastic-net or l1.");
  double l2_coefficient = 0, l1_coefficient = 0;
  if (kind.l2) {
    l2_coefficient = lambda ? *lambda : C ? from_C : default_lambda;
    if (l2_coefficient == 0)
      throw InvalidOption("lambda", "0", fmt::format("`penalty` {} needs a number above 0", name));
  } else {
    refuse(lambda, "`lambda`");
  }
  if (kind.l1) {
    if (kind.l2 && l1) l1_coefficient = *l1;
    else if (!kind.l2 && l1 && C)
      throw Error(
          fmt::format("with `penalty` {}, `C` and `l1` say the same thing in two ways; give one of them.", name));
    else l1_coefficient = l1 ? *l1 : !kind.l2 && C ? from_C : 0.1 * smallest_l1_of_zero(problem, features);
    if (l1_coefficient == 0 && !kind.l2)
      throw InvalidOption("l1", "0", fmt::format("`penalty` {} needs a number above 0", name));
  } else {
    refuse(l1, "`l1`");
  }
  if (!kind.l2 && !kind.l1) refuse(C, "`C`");
  problem.penalty = Penalty(l2_coefficient, l1_coefficient, std::move(features));
}

// Numbers whose squares overflow would turn every certificate into "infinity": refused here. Those of a float are far
// from that.
void require_finite_start(const Problem& problem) {
  if (!problem.data->single_precision())
    for (double square : problem.squared_row_norms())
      if (!std::isfinite(square))
        throw Error(fmt::format(
            "{} has values so large that their squares overflow; scale them down (`scaling` max, or columns-max).",
            problem.data->source));
  if (!problem.labels.empty()) return;
  std::visit(
      [&](const auto& loss) {
        for (double b : problem.target)
          if (!std::isfinite(loss.value(b, 0)))
            throw Error(fmt::format("{} has the label {}{}, whose loss overflows; use smaller units.",
                                    problem.data->source, b, in_label_column(problem)));
      },
      problem.loss);
}

}  // namespace

Problem make_problem(const Dataset& data, const Objective& objective) {
  Problem problem{.data = &data, .kind = nullptr, .loss = {}};
  validate_intercept(objective);
  problem.intercept = objective.intercept;
  problem.intercept_scaling = objective.intercept_scaling;
  problem.label_counts = count_labels(data);
  problem.kind = &choose_loss(objective, problem);
  problem.loss_parameter = choose_parameter(*problem.kind, objective);
  if (problem.kind->make != nullptr) problem.loss = problem.kind->make(problem.loss_parameter);
  problem.target = data.labels;
  if (problem.kind->target != Target::number) map_labels(problem);
  require_finite_start(problem);
  weigh_rows(problem, objective);
  choose_coefficients(problem, objective);
  return problem;
}

Problem with_data(Problem problem, const Dataset& data) {
  problem.data = &data;
  problem.columns_on_demand = std::make_shared<ColumnCache>();
  problem.row_norms_on_demand = std::make_shared<RowNormCache>();
  return problem;
}

Problem class_problem(const Problem& whole, std::size_t index) {
  Problem problem = whole;
  problem.one_versus_rest = false;
  problem.labels = {};  // the rest has none
  problem.class_weights = {};
  for (double& b : problem.target) b = b == static_cast<double>(index) ? 1 : -1;
  return problem;
}

}  // namespace seesaw
