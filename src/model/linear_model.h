// A trained model: what prediction and the verification of its certificate need.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/table/table_encoding.h"
#include "data/transform.h"
#include "model/calibration.h"
#include "model/certificate.h"
#include "model/objective.h"
#include "model/optimum_bounds.h"

namespace seesaw {

// The objective with every choice resolved: P = sum c_i phi_i + g(x), g as in model/penalty/penalty.h.
struct SolvedObjective {
  std::string loss;
  std::string loss_parameter_name;  // empty where the loss has none
  double loss_parameter = 0;
  double lambda = 0, l1 = 0;
  Intercept intercept = Intercept::none;
  std::map<double, double> class_weights;  // label -> weight; empty: all 1
  // Per feature, the constant feature not included; empty: all 1, or no bounds. Bounds are those of `x`, the weights of
  // the scaled features.
  std::vector<double> penalty_factors = {}, lower = {}, upper = {};
};

// One-versus-rest is a separable problem: each class has its own certificate.
struct ClassCertificate : Bounds {
  double label;
};

struct LinearModel {
  std::uint64_t version = 3;  // of the format it was read from; certificates are rigorous from 3 on
  SolvedObjective objective;
  std::vector<double> labels;  // classification, ascending; two labels: {of negative scores, of positive ones}
  Transform transform;         // applied to the features before the weights
  std::vector<double> x;       // outputs() numbers per feature, including the constant feature if there is one
  std::vector<double> intercept = {0.0};  // free intercepts, one per output

  // Absent in a model from another program.
  std::optional<Certificate> certificate;
  std::vector<ClassCertificate> classes = {};  // one-versus-rest: of each class; their sums are the certificate
  std::optional<OptimumBounds> optimum = {};   // where lambda > 0
  std::string proved_signs = {};               // of each optimal weight (rigorous/proved_signs.h); empty: nothing
  std::vector<double> y;                       // the feasible dual point that attains certificate.dual
  std::size_t n = 0;                           // rows it was trained on
  std::uint64_t data_hash = 0;
  bool single_precision = false;  // trained on values rounded to float

  // How it was computed; informative only.
  std::string solver, status;
  double passes = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> feature_names;

  // Trained from a table: how its columns became the features. Applied before `transform`.
  std::optional<TableEncoding> table = {};

  std::optional<Calibration> calibration = {};  // replaces the probabilities of the loss

  bool of_pairs = false;  // trained on pairs of rows: scores order the rows of a group, and there are no labels

  bool classifies() const { return !labels.empty(); }
  // Scores per row: 1, or one per class (one-versus-rest, softmax, multiclass-hinge).
  std::size_t outputs() const { return intercept.size(); }
  bool joint() const;  // one loss of the scores of all classes: softmax, multiclass-hinge
  bool one_versus_rest() const { return outputs() > 1 && !joint(); }
  std::size_t features() const {  // of the data, without the constant feature
    return x.size() / outputs() - (transform.constant_feature ? 1 : 0);
  }
};

SolvedObjective solved_objective(const Problem& problem);

// The scores z_ik = a_i.x_k + b_k of the transformed rows: outputs() numbers per row, row-major. The data
// must not be wider than the model.
std::vector<double> decision_values(const LinearModel& model, const Dataset& data);

// From the scores of one row. Classification: a label (of several scores the largest decides, the first of equal
// ones); otherwise the score itself.
double predicted_label(const LinearModel& model, const double* scores);

// Of each of model.labels, summing to 1, for calibrated models and the losses softmax and logistic; those of one-versus-rest
// are divided by their sum. Throws Error for other models.
bool has_probabilities(const LinearModel& model);
std::vector<double> probabilities(const LinearModel& model, const double* scores);

}  // namespace seesaw
