// A trained model with its certificate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seesaw/data.h"
#include "seesaw/types.h"

namespace seesaw {

// primal >= P(x) and dual <= the optimum, with every rounding error included; gap >= primal - dual.
struct DualityGap {
  double primal = 0, dual = 0, gap = 0;
  double relative_gap = 0;                    // gap / primal
  std::optional<double> distance_bound = {};  // |x - x*| <= it, if the penalty is strongly convex
  bool guaranteed = true;                     // false: no lower bound can be guaranteed for this problem
};

// One-versus-rest: of one class.
struct ClassGap {
  double label = 0;
  double primal = 0, dual = 0, gap = 0;
};

// The objective with every default resolved: P(x) = sum_i c_i phi_i + sum_j f_j ((lambda/2) x_j^2 + l1 |x_j|).
struct ObjectiveInfo {
  std::string loss;
  std::optional<double> loss_parameter = {};
  double lambda = 0, l1 = 0;
  Intercept intercept = Intercept::none;
  double intercept_scaling = 1;  // the value of the constant feature of a penalized intercept
  Scaling scaling = Scaling::none;
  std::map<double, double> class_weights = {};
  std::vector<double> factors = {};            // f_j per feature; empty: all 1
  std::vector<double> lower = {}, upper = {};  // of scaled_weights(), per feature; empty: no bounds
};

// Per row and output: the score of the optimal model is between low and high, with every rounding error included.
struct ScoreBounds {
  std::vector<double> low, high;
  std::vector<bool> settled;  // per row: the optimal model predicts the same label; always false in regression
};

// Per row and label: the probability of the optimal model is between low and high, with every rounding error included.
struct ProbabilityBounds {
  std::vector<double> low, high;
};

struct ModelState;

// Scores, weights and dual variables are row-major: outputs() numbers per row (or feature). outputs() is 1 in regression
// and for two classes, otherwise the number of labels().
// Immutable; copies share it. All members may be called from several threads at once.
class Model {
 public:
  // Seesaw's format, or LIBLINEAR's text model. Throws ParseError or Error.
  static Model load(const std::string& path);
  static Model from_bytes(std::string_view bytes, const std::string& name = "the model");  // the name: for messages
  void save(const std::string& path) const;  // to a temporary name, then renamed
  std::string to_bytes() const;              // what save() writes
  void save_liblinear(const std::string& path) const;

  std::size_t outputs() const;
  std::size_t features() const;
  // In the units of the data, whatever the scaling: score = a.weights() + intercept(). Under Scaling::rows the scale
  // differs by row: score = a.weights() / |a| + intercept(), and with a penalized intercept of constant feature B
  // (a.weights() + intercept()) / |(a, B)|.
  const std::vector<double>& weights() const;
  const std::vector<double>& intercepts() const;  // one per output, free or penalized
  double intercept() const;                       // the first
  // x of the objective that was solved: what is penalized, and what the distance bound is about. Of the scaled features,
  // with the weights of the constant feature at the end if the intercept is penalized.
  const std::vector<double>& scaled_weights() const;
  const std::vector<double>& labels() const;  // classification, ascending; two classes: {negative, positive score}
  const std::vector<double>& dual() const;    // outputs() per row of the training data
  const std::vector<std::string>& feature_names() const;
  bool is_table() const;  // trained on a table, whose encoding it has
  // Trained on a table with text labels: label k of labels() is the k-th of these; otherwise empty.
  std::vector<std::string> label_names() const;
  ObjectiveInfo objective() const;

  bool converged() const;
  std::string status() const;  // name_of(Termination)
  std::string solver() const;
  double passes() const;
  std::uint64_t seed() const;
  DualityGap certificate() const;         // throws Error if the model was made by another program
  std::vector<ClassGap> classes() const;  // one-versus-rest: per class; their sums are certificate()

  // Reads data for this model: a table is encoded as the one that it was trained on, by column name, and labels may be
  // missing; other files need the model's features. options.table is not used.
  Data read(const std::string& path, ReadOptions options = {}) const;

  // outputs() scores per row. Throws ShapeError if the number of features differs; only files whose features have
  // indices (LIBSVM text) may have fewer: the missing ones are 0.
  std::vector<double> decision(const Data& data) const;
  // Intervals of the optimal model's scores, where the certificate proves them: lambda > 0 and no penalty factor 0. Throws
  // Error with the reason otherwise.
  ScoreBounds decision_bounds(const Data& data) const;
  // One row of features() values. No allocation and no parallel work. Throws ShapeError where the row is too short or too
  // long, or `scores` has not outputs() numbers.
  double decision(std::span<const double> row) const;  // outputs() must be 1
  void decision(std::span<const double> row, std::span<double> scores) const;
  // One sparse row; columns in any order, each below features() and given once.
  void decision(std::span<const std::uint32_t> columns, std::span<const double> values, std::span<double> scores) const;

  // Classification: a label; otherwise the score (of a log target: its exponential). Per row; of several targets outputs()
  // numbers per row, for which the second form throws Error.
  std::vector<double> predict(const Data& data) const;
  double predict(std::span<const double> row) const;
  // Of each of labels(), per row; logistic and softmax only.
  std::vector<double> probabilities(const Data& data) const;
  bool has_probabilities() const;
  // Intervals of the optimal model's probabilities, as decision_bounds(). Throws Error where the model has none.
  ProbabilityBounds probability_bounds(const Data& data) const;

 private:
  friend struct Access;
  explicit Model(std::shared_ptr<const ModelState> state) : state_(std::move(state)) {}
  std::shared_ptr<const ModelState> state_;
};

struct VerifyResult {
  bool holds = false;
  double primal = 0, dual = 0, gap = 0;    // recomputed: upper bound of P, lower bound of D, upper bound of P - D
  std::vector<ClassGap> classes = {};      // one-versus-rest: recomputed, per class
  std::vector<std::string> problems = {};  // why it does not hold: whole sentences
};

// Recomputes the certificate from the data, independently of the training code. Throws Error if the model has no
// certificate, is of a format before 3, or was trained on other data.
VerifyResult verify(const Data& data, const Model& model);
// Of a loss of groups: `blocks` as in Training.
VerifyResult verify(const Data& data, const Model& model, const std::vector<std::int64_t>& blocks);

}  // namespace seesaw
