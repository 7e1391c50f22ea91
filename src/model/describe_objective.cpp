#include "model/describe_objective.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/tree_sum.h"
#include "model/groups/group_losses.h"

namespace seesaw {
namespace {

std::string penalty_in_symbols(const Problem& problem) {
  std::string text;
  if (problem.penalty.has_factors()) {
    text = " + sum_j f_j (";
    if (problem.penalty.l2() > 0) text += fmt::format("({:.6g}/2) x_j^2", problem.penalty.l2());
    if (problem.penalty.l2() > 0 && problem.penalty.l1() > 0) text += " + ";
    if (problem.penalty.l1() > 0) text += fmt::format("{:.6g} |x_j|", problem.penalty.l1());
    return text + ")";
  }
  if (problem.penalty.l2() > 0) text += fmt::format(" + ({:.6g}/2) |x|^2", problem.penalty.l2());
  if (problem.penalty.l1() > 0) text += fmt::format(" + {:.6g} |x|_1", problem.penalty.l1());
  return text;
}

// "; penalty factors f_j from 0.5 to 2, 1 of them 0; 3 of 20 coefficients bounded"
std::string feature_penalties_in_words(const Penalty& penalty) {
  if (penalty.uniform()) return {};
  const PenaltyFeatures& features = penalty.features();
  std::string text;
  if (!features.l2_factor.empty()) {
    const auto [least, largest] = std::minmax_element(features.l2_factor.begin(), features.l2_factor.end());
    text += fmt::format("; penalty factors f_j from {:.6g} to {:.6g}", *least, *largest);
    const auto zeros = std::count(features.l2_factor.begin(), features.l2_factor.end(), 0.0);
    if (zeros > 0) text += fmt::format(", {} of them 0", zeros);
  }
  if (!features.lower.empty()) {
    std::size_t bounded = 0, nonnegative = 0;
    for (std::size_t j = 0; j < features.lower.size(); ++j) {
      bounded += std::isfinite(features.lower[j]) || std::isfinite(features.upper[j]);
      nonnegative += features.lower[j] == 0 && std::isinf(features.upper[j]);
    }
    text += fmt::format("; {} of {} coefficients {}", bounded, features.lower.size(),
                        nonnegative == bounded ? "not negative" : "bounded");
  }
  return text;
}

std::string score(const Problem& problem) {
  if (problem.is_block()) return problem.free_intercept() ? "a_i.x_k + b0_k" : "a_i.x_k";
  return problem.free_intercept() ? "a_i.x + b0" : "a_i.x";
}

// The lines of the peers apply to the rows as scaled here. Row scaling includes the constant feature of a penalized
// intercept, which the peers have no option for: it is then a column of their data.
bool constant_in_data(const Problem& p, const Transform& t) {
  return p.intercept == Intercept::penalized && t.scaling == Scaling::rows;
}

std::string scaled_data_in_words(const Problem& p, const Transform& t) {
  switch (t.scaling) {
    case Scaling::none:
      return "";
    case Scaling::rows:
      return constant_in_data(p, t) ? fmt::format(", on rows (a, {}) divided by their norms", t.constant_value)
                                    : ", on rows divided by their norms";
    case Scaling::max:
      return fmt::format(", on the data times {:.12g}", t.factor);
    case Scaling::columns_max:
      return ", on columns divided by their largest absolute value";
    case Scaling::columns_std:
      return ", on columns divided by their standard deviation (not centred)";
  }
  return "";
}

// As Python, with sklearn.preprocessing and numpy.
std::string scaled_data_in_python(const Problem& p, const Transform& t) {
  switch (t.scaling) {
    case Scaling::none:
      return "";
    case Scaling::rows:
      if (!constant_in_data(p, t)) return " on normalize(X)";
      if (t.constant_value == 1) return " on normalize(np.c_[X, np.ones(len(X))])";
      return fmt::format(" on normalize(np.c_[X, np.full(len(X), {})])", t.constant_value);
    case Scaling::max:
      return fmt::format(" on {:.12g} * X", t.factor);
    case Scaling::columns_max:
      return " on maxabs_scale(X)";
    case Scaling::columns_std:
      return p.data->weights.empty() ? " on scale(X, with_mean=False)"
                                     : " on StandardScaler(with_mean=False).fit_transform(X, sample_weight=s)";
  }
  return "";
}

bool is_weighted(const Problem& problem) { return !problem.data->weights.empty() || !problem.class_weights.empty(); }

// Nothing for weights of rows, which LIBLINEAR does not have, and for class weights of one-versus-rest, which it applies
// to the rows of the class alone.
std::optional<std::string> liblinear_weights(const Problem& p) {
  if (!is_weighted(p)) return "";
  if (!p.data->weights.empty() || p.is_one_versus_rest()) return std::nullopt;
  std::string text;
  for (std::size_t k = 0; k < p.class_weights.size(); ++k)
    text += fmt::format(" -w{} {:.6g}", p.labels[k], p.class_weights[k]);
  return text;
}

std::string liblinear(const Problem& p, const Transform& t) {
  const std::string_view loss = p.kind->name;
  const double C = 1 / ((p.penalty.l2() > 0 ? p.penalty.l2() : p.penalty.l1()) * p.total_weight);
  const bool l2 = p.penalty.name() == "l2", l1 = p.penalty.name() == "l1";
  std::string type;
  if (loss == "logistic") type = l2 ? "-s 0 (or 7)" : l1 ? "-s 6" : "";
  if (loss == "hinge" && l2) type = "-s 3";
  if (loss == "multiclass-hinge" && l2) type = "-s 4";
  if (loss == "squared-hinge") type = l2 ? "-s 2 (or 1)" : l1 ? "-s 5" : "";
  if (loss == "epsilon-insensitive" && l2) type = fmt::format("-s 13 -p {:.6g}", p.loss_parameter);
  if (loss == "absolute" && l2) type = "-s 13 -p 0";
  if (loss == "squared-epsilon-insensitive" && l2) type = fmt::format("-s 11 (or 12) -p {:.6g}", p.loss_parameter);
  double cost = C;
  if (loss == "squared" && l2) {  // no half there: C' (z-b)^2 with C' = C/2
    type = "-s 11 -p 0";
    cost = C / 2;
  }
  const std::optional<std::string> weights = liblinear_weights(p);
  if (type.empty() || !weights) return {};
  const bool primal = type.starts_with("-s 0") || type.starts_with("-s 2") || type.starts_with("-s 11") ||
                      type.starts_with("-s 5") || type.starts_with("-s 6");
  std::string bias;
  if (p.intercept == Intercept::penalized && !constant_in_data(p, t))
    bias = fmt::format(" -B {:.12g}", t.factor * t.constant_value);
  if (p.free_intercept()) bias = primal ? " -B 1 -R" : " -B 1 (which penalizes the intercept: not the same)";
  return fmt::format("LIBLINEAR      {} -c {:.6g}{}{}{}", type, cost, *weights, bias, scaled_data_in_words(p, t));
}

std::string scikit_learn(const Problem& p, const Transform& t) {
  const std::string_view loss = p.kind->name;
  const double S = p.total_weight, C = 1 / ((p.penalty.l2() > 0 ? p.penalty.l2() : p.penalty.l1()) * S);
  std::string fit = p.intercept == Intercept::none || constant_in_data(p, t) ? ", fit_intercept=False" : "";
  if (p.intercept == Intercept::penalized && !constant_in_data(p, t) &&
      (t.scaling == Scaling::max || t.constant_value != 1))
    fit = fmt::format(", intercept_scaling={:.12g}", t.factor * t.constant_value);
  if (loss == "multiclass-hinge" && !p.free_intercept() && p.penalty.l1() == 0 && p.penalty.l2() > 0)
    return fmt::format("scikit-learn   LinearSVC(multi_class='crammer_singer', C={:.6g}{})", C, fit);
  if (p.intercept == Intercept::penalized)
    return (loss == "hinge" || loss == "squared-hinge") && p.penalty.l1() == 0
               ? fmt::format("scikit-learn   LinearSVC(loss='{}', C={:.6g}, dual=True{})",
                             loss == "hinge" ? "hinge" : "squared_hinge", C, fit)
               : "";
  const double both = p.penalty.l2() + p.penalty.l1();
  if (loss == "squared") {
    if (p.penalty.l1() == 0 && p.penalty.l2() > 0)
      return fmt::format("scikit-learn   Ridge(alpha={:.6g}{})", p.penalty.l2() * S, fit);
    if (p.penalty.l2() == 0 && p.penalty.l1() > 0)
      return fmt::format("scikit-learn   Lasso(alpha={:.6g}{})", p.penalty.l1(), fit);
    if (both > 0)
      return fmt::format("scikit-learn   ElasticNet(alpha={:.6g}, l1_ratio={:.6g}{})", both, p.penalty.l1() / both,
                         fit);
    return p.intercept == Intercept::none ? "scikit-learn   LinearRegression(fit_intercept=False)"
                                          : "scikit-learn   LinearRegression()";
  }
  if (loss == "logistic" || loss == "softmax") {
    // Of three classes or more LogisticRegression is multinomial by itself; multi_class is gone from newer versions.
    const std::string rest = (p.is_block() && p.labels.size() == 2 ? ", multi_class='multinomial'" : "") + fit;
    std::string call;
    if (p.penalty.l1() == 0 && p.penalty.l2() > 0) call = fmt::format("LogisticRegression(C={:.6g}{})", C, rest);
    else if (p.penalty.l2() == 0 && p.penalty.l1() > 0)
      call = fmt::format("LogisticRegression(penalty='l1', C={:.6g}, solver='saga'{})", C, rest);
    else if (both > 0)
      call = fmt::format("LogisticRegression(penalty='elasticnet', C={:.6g}, l1_ratio={:.6g}, solver='saga'{})",
                         1 / (both * S), p.penalty.l1() / both, rest);
    else call = fmt::format("LogisticRegression(penalty='none'{})", rest);
    if (p.is_one_versus_rest() && is_weighted(p)) return {};  // OneVsRestClassifier takes no weights
    return fmt::format("scikit-learn   {}",
                       p.is_one_versus_rest() ? fmt::format("OneVsRestClassifier({})", call) : call);
  }
  if (p.intercept == Intercept::none && p.penalty.l1() == 0 && p.penalty.l2() > 0) {
    if (loss == "hinge" || loss == "squared-hinge")
      return fmt::format("scikit-learn   LinearSVC(loss='{}', C={:.6g}, dual=True{})",
                         loss == "hinge" ? "hinge" : "squared_hinge", C, fit);
    if (loss == "epsilon-insensitive" || loss == "squared-epsilon-insensitive")
      return fmt::format("scikit-learn   LinearSVR(loss='{}', epsilon={:.6g}, C={:.6g}{})",
                         loss == "epsilon-insensitive" ? "epsilon_insensitive" : "squared_epsilon_insensitive",
                         p.loss_parameter, C, fit);
  }
  return {};
}

// glmnet divides a gaussian response by its standard deviation and undoes that for the coefficients, which leaves the
// l2 part of its penalty divided by it: lambda there = l1 + lambda sd(b).
double standard_deviation_of_target(const Problem& p) {
  const std::vector<double>& target = p.scalar().target;
  const double mean = product_over(p.leaves(), p.normalized_weight, target);
  std::vector<double> squares(target.size());
  for (std::size_t i = 0; i < p.n(); ++i) squares[i] = (target[i] - mean) * (target[i] - mean);
  return std::sqrt(product_over(p.leaves(), p.normalized_weight, squares));
}

// standardize=TRUE divides columns by their weighted standard deviations, as --scale columns-std does, and returns
// coefficients for the original data. Class weights are part of the weights there; our deviations do not use them.
std::string glmnet(const Problem& p, const Transform& t) {
  const bool gaussian = p.kind->name == "squared", multinomial = p.kind->name == "softmax";
  const bool binomial = p.kind->name == "logistic" && !p.is_one_versus_rest();
  if (p.intercept == Intercept::penalized || !(gaussian || binomial || multinomial)) return {};
  if (gaussian && p.penalty.l2() > 0 && !p.free_intercept()) return {};
  const double l2 = gaussian ? p.penalty.l2() * standard_deviation_of_target(p) : p.penalty.l2();
  const double both = l2 + p.penalty.l1();
  const bool standardize = t.scaling == Scaling::columns_std && p.class_weights.empty();
  return fmt::format("glmnet         family=\"{}\", lambda={:.6g}, alpha={:.6g}, standardize={}{}{}",
                     gaussian      ? "gaussian"
                     : multinomial ? "multinomial"
                                   : "binomial",
                     both, both > 0 ? p.penalty.l1() / both : 0, standardize ? "TRUE" : "FALSE",
                     p.intercept == Intercept::none ? ", intercept=FALSE" : "",
                     standardize ? "" : scaled_data_in_words(p, t));
}

}  // namespace

std::string describe_objective(const Problem& problem) {
  std::string loss(problem.kind->formula);
  const bool weighted = is_weighted(problem);
  std::string text;
  if (problem.is_one_versus_rest())
    text = fmt::format("{} classes, one-versus-rest: {} problems, P, D and gap summed over them; each is\n",
                       problem.labels.size(), problem.labels.size());
  const bool of_groups = group_loss_kind(problem.kind->name) != nullptr;
  if (of_groups)
    text += fmt::format(
        "minimize {} phi(z_g){},  z_i = {}, z_g the scores of the rows of group g\nwith phi(z_g) = {}, m = {} groups",
        weighted ? "sum_g w_g / (sum w)" : "1/m sum_g", penalty_in_symbols(problem), score(problem), loss,
        problem.loss_parameter);
  else
    text += fmt::format("minimize {} phi(z_i){},  {} = {}\nwith phi(z) = {}",
                        weighted ? "sum_i s_i / (sum s)" : "1/n sum_i", penalty_in_symbols(problem),
                        problem.is_block() ? "z_ik" : "z_i", score(problem), loss);
  if (!of_groups && !problem.kind->parameter.name.empty())
    text += fmt::format(", {} = {:.6g}", problem.kind->parameter.name, problem.loss_parameter);
  text += fmt::format("\n{} loss{}, {} penalty, ", problem.kind->name,
                      problem.is_block() ? fmt::format(" over {} classes", problem.labels.size()) : "",
                      problem.penalty.name());
  switch (problem.intercept) {
    case Intercept::none:
      text += "no intercept";
      break;
    case Intercept::penalized:
      text += fmt::format("intercept as a penalized feature of {}", problem.intercept_scaling);
      break;
    case Intercept::free:
      text += problem.outputs() > 1 ? "a free intercept b0 for each class" : "free intercept b0";
      break;
  }
  text += feature_penalties_in_words(problem.penalty);
  if (problem.is_block())
    text += fmt::format("; b is the class of the row, of the labels {}", listed_labels(problem.labels));
  else if (problem.is_one_versus_rest())
    text += fmt::format("; b = +1 for the class, -1 for all others, of the labels {}", listed_labels(problem.labels));
  else if (!problem.labels.empty())
    text += fmt::format("; b = +1 for label {}, -1 for label {}", problem.labels[1], problem.labels[0]);
  if (weighted) text += fmt::format("; weights sum to {:.6g}", problem.total_weight);
  return text;
}

std::vector<std::string> equivalents(const Problem& problem, const Transform& transform) {
  std::vector<std::string> lines;
  if (!problem.penalty.uniform()) return lines;
  const bool weighted = is_weighted(problem);
  std::string scikit = scikit_learn(problem, transform);
  if (!scikit.empty())
    scikit += scaled_data_in_python(problem, transform) + (weighted ? ", fit with sample_weight=s" : "");
  std::string of_glmnet = glmnet(problem, transform);
  if (!of_glmnet.empty() && weighted) of_glmnet += ", weights=s";
  for (std::string line : {liblinear(problem, transform), std::move(scikit), std::move(of_glmnet)})
    if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace seesaw
