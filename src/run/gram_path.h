// The lasso along a path of l1 by its Gram matrix: the squared loss with l1 alone and few features. Per value
//
//     x       starts on the line through the last two solutions: on a fixed support x* is linear in l1
//     min_x   1/(2k) |A x + b - t|_c^2 + l1 |x|_1      by coordinate descent on A^T C A (solvers/parts/l1/l1_quadratic.h)
//     proof   by the same matrix (model/rigorous/gram_certificate.h)
//     y       by one product A x, of several values in one read of the data
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>

#include "model/rigorous/gram_certificate.h"
#include "run/observer.h"
#include "run/stopping.h"
#include "solvers/parts/l1/l1_quadratic.h"

namespace seesaw {

class GramPath {
 public:
  static bool applies(const Problem& problem);  // false: another problem, or its matrix is too expensive
  // Null where it does not apply, or numbers are out of range. `problem` must outlive this; l1 may change.
  static std::unique_ptr<GramPath> make(const Problem& problem);

  // Solves the problem with its current l1; nothing if the tolerance cannot be proved in this way.
  // y is left empty: take_dual_points() computes it for all fits since its last call, in one read of the data.
  std::optional<Outcome> fit(const Criteria& criteria, Stopping& stopping);
  std::vector<std::vector<double>> take_dual_points();

 private:
  GramPath(const Problem& problem, std::unique_ptr<GramCertifier> certifier);
  struct Solved {
    double l1 = 0;
    Eigen::VectorXd x;
  };
  Eigen::VectorXd predicted(double l1) const;

  const Problem& problem_;
  std::unique_ptr<GramCertifier> certifier_;
  Eigen::MatrixXd h_;                 // A^T C A / k, less the part of the mean with a free intercept
  Eigen::VectorXd target_, of_ones_;  // A^T C t / k alike; A^T C 1
  L1Quadratic descent_;
  Solved last_, before_;
  std::vector<GramCertifier::ProvedPoint> without_dual_point_;
};

}  // namespace seesaw
