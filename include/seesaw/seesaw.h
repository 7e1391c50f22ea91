// The C++ interface: data in, a certified model out. No templates, no dependencies beyond the standard library.
//
//     const seesaw::Data data = seesaw::Data::read("a9a");
//     seesaw::Training training;
//     training.loss = "hinge";
//     training.C = 1;
//     const seesaw::Model model = seesaw::train(data, training);
//     model.certificate().gap;      // P - D, computed from the data
//
// Everything throws seesaw::Error with one clear sentence where the input is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "seesaw/error.h"
#include "seesaw/version.h"

namespace seesaw {

struct Dataset;
struct LinearModel;

// Rows, labels and weights. Immutable; copies share it.
class Data {
 public:
  // LIBSVM text, CSV or a .ssw cache, plain or compressed.
  static Data read(const std::string& path);
  // Compressed rows: offsets has n + 1 entries, columns count from 0 and increase within a row. The arrays are copied.
  static Data sparse(std::size_t features, std::span<const std::uint64_t> offsets,
                     std::span<const std::uint32_t> columns, std::span<const double> values,
                     std::span<const double> labels, std::span<const double> weights = {});
  // One row behind another.
  static Data dense(std::size_t features, std::span<const double> values, std::span<const double> labels,
                    std::span<const double> weights = {});

  std::size_t rows() const;
  std::size_t features() const;

  explicit Data(std::shared_ptr<const Dataset> inside) : inside_(std::move(inside)) {}
  const Dataset& inside() const { return *inside_; }

 private:
  std::shared_ptr<const Dataset> inside_;
};

struct Progress {
  double passes, primal, dual, gap, seconds;
};

// The words mean what they mean on the command line: see `seesaw train --help`.
struct Training {
  std::string loss;                      // empty: logistic where there are two labels
  std::optional<double> loss_parameter;  // gamma, epsilon, quantile or huber
  std::string regularizer;               // empty: as the coefficients say
  std::optional<double> lambda, l1, C;
  std::string intercept = "free";          // free, penalized, none
  std::map<double, double> class_weights;  // label -> weight
  bool balanced = false;                   // every class weighs the same in all
  std::string scale = "none";
  std::string solver = "";  // empty: the default
  std::map<std::string, std::string> solver_options;
  std::uint64_t seed = 1;
  std::optional<double> gap, gap_abs;         // relative to P (default 1e-4), absolute; gap_abs alone switches gap off
  double check_every = 0;                     // passes between checks; 0: where they are needed
  std::optional<double> max_passes, seconds;  // default: 10000 passes, no limit of passes where seconds are given
  std::function<bool(const Progress&)> observer;  // called at each check; returning false ends the training
};

struct Proof {
  double primal, dual, gap, relative_gap;
  std::optional<double> distance_bound;  // |x - x*| is at most this
};

struct ClassProof {
  double label;
  double primal, dual, gap;
};

// Scores, weights and dual variables come one row (one feature) behind another, each with outputs() numbers: 1 in
// regression and for two classes, else one for each of labels().
class Model {
 public:
  static Model load(const std::string& path);
  void save(const std::string& path) const;  // to a temporary name, then renamed

  std::size_t outputs() const;
  // Of the data as given, whatever the scaling: score = a.weights() + intercept(), outputs() per feature. Under
  // Training::scale "rows" the rows differ in their scale: score = a.weights() / |a| + intercept(), and with the
  // penalized intercept (a.weights() + intercept()) / |(a, 1)|.
  std::vector<double> weights() const;
  double intercept() const;                // the first, and the only one where outputs() is 1
  std::vector<double> intercepts() const;  // outputs(), free or penalized
  // x of the objective that was solved: what is penalized, and what the distance bound is about. Of the scaled data,
  // with the weights of the constant feature at the end where the intercept is penalized.
  const std::vector<double>& scaled_weights() const;
  const std::vector<double>& labels() const;  // classification; two classes by one score: {negative, positive}
  const std::vector<double>& dual() const;    // outputs() a row
  bool converged() const;
  std::string status() const;
  Proof certificate() const;                // throws where the model came from another program
  std::vector<ClassProof> classes() const;  // one-versus-rest: of each class; their sums are certificate()

  // outputs() scores per row. Throws where the data has another number of features than the model; only files that
  // name their features by index (LIBSVM text) may have fewer: those that are missing are 0.
  std::vector<double> decision(const Data& data) const;
  std::vector<double> predict(const Data& data) const;        // a label (regression: a number) a row
  std::vector<double> probabilities(const Data& data) const;  // one for each of labels() a row; logistic and softmax

  explicit Model(std::shared_ptr<const LinearModel> inside) : inside_(std::move(inside)) {}
  const LinearModel& inside() const { return *inside_; }

 private:
  std::shared_ptr<const LinearModel> inside_;
};

Model train(const Data& data, const Training& training = {});
Model train(const Data& data, const Training& training, const Model& warm_start);

// Recomputes the certificate from the data, independently of the training code. Empty: it holds; otherwise what is
// wrong.
std::vector<std::string> verify(const Data& data, const Model& model);

}  // namespace seesaw
