#include "model/problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel_elements.h"
#include "base/ranks.h"
#include "base/tree_sum.h"
#include "data/extents.h"
#include "model/intercept.h"
#include "model/penalty/penalty_kinds.h"
#include "model/problem_kind.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

constexpr std::size_t most_classes = 1000;

// " in its label column, column 1 'age' (...)": for messages; empty if the format has a fixed place for labels.
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
        fmt::format("{} has only the label {}{}: classification needs two. To predict numbers, use `loss` squared.",
                    problem.data->source, problem.label_counts[0].label, in_label_column(problem)));
  throw Error(fmt::format(
      "{} has {} different labels{}: choose a loss. For classes, `loss` softmax or multiclass-hinge (joint), or "
      "logistic, hinge, squared-hinge, smooth-hinge (one-versus-rest); to predict numbers, `loss` squared (or "
      "absolute, "
      "quantile, huber, epsilon-insensitive).",
      problem.data->source, how_many(problem.label_counts), in_label_column(problem)));
}

double choose_parameter(const LossKind& kind, const Objective& objective) {
  if (!objective.loss_parameter) return kind.parameter.standard;
  const double value = *objective.loss_parameter;
  if (kind.parameter.name.empty()) throw Error(fmt::format("the loss {} has no parameter; omit it.", kind.name));
  if (!std::isfinite(value) || !kind.parameter.allowed(value))
    throw InvalidOption(std::string(kind.parameter.name), fmt::format("{}", value),
                        fmt::format("it must be {}", kind.parameter.rule));
  return value;
}

std::uint32_t class_of(const Problem& problem, double label) {
  const auto at = std::lower_bound(problem.labels.begin(), problem.labels.end(), label);
  return static_cast<std::uint32_t>(at - problem.labels.begin());
}

// +1 for the rows of a class, -1 for all others.
std::vector<double> signs_of(const std::vector<std::uint32_t>& class_of_row, std::size_t index) {
  std::vector<double> signs;
  signs.reserve(class_of_row.size());
  for (const std::uint32_t k : class_of_row) signs.push_back(k == index ? 1 : -1);
  return signs;
}

// Sets form and labels. With two labels and a scalar loss: b_i = -1 for the smaller, +1 for the larger.
void set_form(Problem& problem) {
  const LossKind& kind = *problem.kind;
  if (kind.target == Target::number) {
    problem.form = ScalarForm{kind.make(problem.loss_parameter), problem.data->labels};
    return;
  }
  const std::vector<LabelCount>& found = problem.label_counts;
  if (found.size() == 1)
    throw Error(fmt::format("{} has only the label {}{}: the loss {} needs two classes.", problem.data->source,
                            found[0].label, in_label_column(problem), problem.kind->name));
  if (found.size() > most_classes)
    throw Error(fmt::format(
        "{} has {} different labels{}, which the loss {} treats as classes, and the maximum is {}. To predict numbers, "
        "choose a regression loss such as `loss` squared.",
        problem.data->source, how_many(found), in_label_column(problem), problem.kind->name, most_classes));
  for (const LabelCount& one : found) problem.labels.push_back(one.label);
  if (kind.make_block == nullptr && found.size() == 2) {
    const std::vector<double>& labels = problem.data->labels;
    std::vector<double> signs(labels.size());
    parallel_elements(labels.size(), [&](std::size_t i) { signs[i] = labels[i] == found[1].label ? 1 : -1; });
    problem.form = ScalarForm{kind.make(problem.loss_parameter), std::move(signs)};
    return;
  }
  std::vector<std::uint32_t> class_of_row;
  class_of_row.reserve(problem.n());
  for (const double label : problem.data->labels) class_of_row.push_back(class_of(problem, label));
  if (kind.make_block != nullptr) {
    problem.form = BlockForm{kind.make_block(found.size()), std::move(class_of_row)};
    return;
  }
  problem.form = OneVersusRestForm{kind.make(problem.loss_parameter), std::move(class_of_row)};
}

double sum_over_rows(const Problem& problem, const std::vector<double>& s) {
  return tree_sum<double>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
    return std::accumulate(s.begin() + static_cast<std::ptrdiff_t>(begin), s.begin() + static_cast<std::ptrdiff_t>(end),
                           0.0);
  });
}

// s_i with the class weights in it; c_i = s_i / sum s.
void weigh_rows(Problem& problem, const Objective& objective) {
  const bool weighted = !problem.data->weights.empty() || objective.balanced || !objective.class_weights.empty();
  if (!weighted && problem.leaves().shares() == nullptr && problem.n() > 0) {  // the same numbers without sums
    problem.total_weight = static_cast<double>(problem.n());
    problem.normalized_weight.assign(problem.n(), 1 / problem.total_weight);
    return;
  }
  std::vector<double> s = problem.data->weights;
  if (s.empty()) s.assign(problem.n(), 1.0);

  std::map<double, double> weight_of = objective.class_weights;
  if (objective.balanced || !weight_of.empty()) {
    if (problem.labels.empty())
      throw Error(fmt::format("class weights need a classification loss; {} predicts numbers.", problem.kind->name));
    for (const auto& [label, weight] : weight_of) {
      if (std::find(problem.labels.begin(), problem.labels.end(), label) == problem.labels.end())
        throw Error(fmt::format("`class_weights` names the label {}, but the labels of {}{} are {}.", label,
                                problem.data->source, in_label_column(problem), listed_labels(problem.labels)));
      if (!(weight > 0) || !std::isfinite(weight))
        throw InvalidOption("class_weights", fmt::format("{}={}", label, weight), "a class weight must be above 0");
    }
  }
  if (objective.balanced) {  // s summed over a class becomes the same for all, the total stays
    std::vector<double> mass(problem.labels.size());
    tree_sum(problem.leaves().grouped(problem.all_rows() / (4 * mass.size())), mass.size(), mass.data(),
             [&](std::size_t begin, std::size_t end, double* part) {
               for (std::size_t i = begin; i < end; ++i) part[class_of(problem, problem.data->labels[i])] += s[i];
             });
    const double total = sum_over_rows(problem, s);
    for (std::size_t k = 0; k < mass.size(); ++k)
      weight_of[problem.labels[k]] = total / (static_cast<double>(mass.size()) * mass[k]);
  }
  if (!weight_of.empty()) {
    for (double label : problem.labels) problem.class_weights.push_back(weight_of.try_emplace(label, 1).first->second);
    auto of_row = std::make_shared<std::vector<double>>(problem.n());
    for (std::size_t i = 0; i < problem.n(); ++i) s[i] *= (*of_row)[i] = weight_of.at(problem.data->labels[i]);
    problem.class_weight_of_row = std::move(of_row);
  }

  problem.total_weight = sum_over_rows(problem, s);
  if (!(std::isfinite(1 / problem.total_weight) && std::isfinite(problem.total_weight)))
    throw Error(fmt::format("the weights sum to {}, which is outside the range of calculations; use weights near 1.",
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
  std::vector<double> p = class_totals(problem), y(problem.n() * K);
  const std::vector<std::uint32_t>& class_of_row = problem.block().class_of_row;
  const bool nonsmooth = problem.gamma() == 0;
  if (!problem.free_intercept()) p.assign(K, 1 / static_cast<double>(nonsmooth ? K - 1 : K));
  for (std::size_t i = 0; i < problem.n(); ++i) {
    std::copy(p.begin(), p.end(), &y[i * K]);
    close_simplex(class_of_row[i], &y[i * K], K);
  }
  return y;
}

// The smallest l1 for which x = 0 is optimal: |A^T C phi'(b*)|_inf with the best intercept b* alone.
double smallest_l1_of_zero(const Problem& problem, const PenaltyFeatures& features) {
  if (problem.is_one_versus_rest()) {  // for all classes
    double largest = 0;
    for (std::size_t k = 0; k < problem.labels.size(); ++k)
      largest = std::max(largest, smallest_l1_of_zero(class_problem(problem, k), features));
    return largest;
  }
  const std::size_t K = problem.outputs();
  std::vector<double> y(problem.n()), v(problem.d() * K);
  if (problem.is_block()) {
    y = dual_block_at_zero(problem);
  } else {
    const double b = problem.free_intercept() ? best_intercept(problem, y, 0, 0) : 0;
    std::visit(
        [&](const auto& loss) {
          for (std::size_t i = 0; i < problem.n(); ++i) y[i] = loss.derivative(problem.scalar().target[i], b);
        },
        problem.scalar().loss);
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
  if (C && lambda) throw Error("`C` and `lambda` set the same coefficient; use one of them.");

  std::string name = objective.regularizer;
  if (name.empty()) {
    const bool has_l1 = l1 && *l1 > 0;
    const bool no_l2 = lambda ? *lambda == 0 : has_l1 && !C;
    name = has_l1 ? (no_l2 ? "l1" : "elastic-net") : (no_l2 ? "none" : "l2");
  }
  const PenaltyKind& kind = penalty_kind(name);
  const double from_C = C ? 1 / (*C * problem.total_weight) : 0;
  if (C && !(from_C > 0 && std::isfinite(from_C)))
    throw InvalidOption("C", fmt::format("{}", *C), "1 / (C sum of weights) must be a finite number above 0");
  const double default_lambda = 1 / problem.total_weight;
  const auto refuse = [&](const std::optional<double>& value, const char* option) {
    if (value && *value > 0) throw Error(fmt::format("`penalty` {} does not use {}; omit one of them.", name, option));
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
      throw Error(fmt::format("with `penalty` {}, `C` and `l1` set the same coefficient; use one of them.", name));
    else l1_coefficient = l1 ? *l1 : !kind.l2 && C ? from_C : 0.1 * smallest_l1_of_zero(problem, features);
    if (l1_coefficient == 0 && !kind.l2 && !l1)
      throw Error(fmt::format("{}: x = 0 is optimal for every l1, so that there is no default; give `l1`.",
                              problem.data->source));
    if (l1_coefficient == 0 && !kind.l2)
      throw InvalidOption("l1", "0", fmt::format("`penalty` {} needs a number above 0", name));
  } else {
    refuse(l1, "`l1`");
  }
  if (!kind.l2 && !kind.l1) refuse(C, "`C`");
  problem.penalty = Penalty(l2_coefficient, l1_coefficient, std::move(features));
}

// Refuses numbers whose squares overflow: every certificate would be infinite. Squares of floats do not overflow. Rows on
// disk are checked by the first pass over them (data/norms_on_disk.h).
void require_finite_start(const Problem& problem, KeptFacts* facts) {
  const Shares* const shares = problem.leaves().shares();
  const bool overflows = !problem.data->single_precision() && extents_of(problem.data->rows) == nullptr &&
                         !problem.row_norms_on_demand->finite(*problem.data);
  if (any_rank(problem.leaves(), overflows))
    throw Error(fmt::format(
        "{} has values so large that their squares overflow; scale them down (`scaling` max, or columns-max).",
        problem.data->source));
  if (!problem.labels.empty()) return;
  std::vector<double> too_large;  // at most one label per process
  std::visit(
      [&](const auto& loss) {
        const LabelRange range =  // the loss at 0 grows with |b| on both sides
            facts == nullptr ? label_range(problem.scalar().target) : facts->labels.range(*problem.data);
        for (const double b : {range.least, range.greatest})
          if (too_large.empty() && !std::isfinite(loss.value(b, 0))) too_large.push_back(b);
      },
      problem.scalar().loss);
  if (shares != nullptr) too_large = shares->ranks->concatenate<double>(too_large);
  if (!too_large.empty())
    throw Error(fmt::format("{} has the label {}{}, whose loss overflows; use smaller units.", problem.data->source,
                            too_large[0], in_label_column(problem)));
}

}  // namespace

std::string listed_labels(const std::vector<double>& labels) {
  if (labels.size() == 2) return fmt::format("{} and {}", labels[0], labels[1]);
  if (labels.size() <= 12) return fmt::format("{}", fmt::join(labels, ", "));
  return fmt::format("{}, ..., {}", fmt::join(labels.begin(), labels.begin() + 10, ", "), labels.back());
}

Problem make_problem(const Dataset& data, const Objective& objective, const std::shared_ptr<KeptFacts>& facts) {
  Problem problem{.data = &data, .kind = nullptr};
  if (facts) problem.row_norms_on_demand = {facts, &facts->row_norms};
  validate_intercept(objective);
  problem.intercept = objective.intercept;
  problem.intercept_scaling = objective.intercept_scaling;
  if (objective.loss.empty() || loss_kind(objective.loss).target != Target::number)
    problem.label_counts = facts ? facts->labels.counts(data) : count_labels(data);
  problem.kind = &choose_loss(objective, problem);
  problem.loss_parameter = choose_parameter(*problem.kind, objective);
  set_form(problem);
  require_finite_start(problem, facts.get());
  weigh_rows(problem, objective);
  if (facts && !problem.class_weight_of_row) problem.column_moments_on_demand = {facts, &facts->column_moments};
  choose_coefficients(problem, objective);
  return problem;
}

Problem with_data(Problem problem, const Dataset& data) {
  problem.data = &data;
  problem.columns_on_demand = std::make_shared<ColumnCache>();
  problem.row_norms_on_demand = std::make_shared<RowNormCache>();
  problem.column_moments_on_demand = std::make_shared<ColumnMomentsCache>();
  return problem;
}

Problem class_problem(const Problem& whole, std::size_t index) {
  Problem problem = whole;
  const OneVersusRestForm& classes = whole.one_versus_rest();
  problem.form = ScalarForm{classes.loss, signs_of(classes.class_of_row, index)};
  problem.labels = {};  // the rest has none
  problem.class_weights = {};
  return problem;
}

}  // namespace seesaw
