// The linear system of a Newton step on a face: with the free rows F of a piecewise quadratic problem,
//
//     H p = -g,     H = lambda I + (1/gamma) sum_{i in F} c_i a_i a_i^T
//
// and, with a free intercept, one more unknown with entry 1 in every row and no penalty. Solved by the d x d matrix,
// updated by the rows that entered or left F; or, if cheaper, by the |F| x |F| matrix K = lambda gamma C_F^-1 + A_F A_F^T,
//
//     K eta = -A_F g_x + lambda p_b 1,   1.eta = -g_b,   p_x = -(g_x + A_F^T eta)/lambda.
//
// If no row is free, the curvature of the intercept is taken as 1/gamma, its value if all rows are free.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "model/problem.h"
#include "solvers/parts/newton/cholesky.h"

namespace seesaw {

class FaceSystem {
 public:
  explicit FaceSystem(const Problem& problem);

  // Size of the largest matrix: 128 MB.
  static constexpr std::size_t most_unknowns = 4000;

  // g and p have d entries, d + 1 with a free intercept. `free`: F in ascending order.
  void solve(std::span<const std::uint32_t> free, std::span<const double> normalized_weight, double gamma,
             const Eigen::VectorXd& g, Eigen::VectorXd& p);

  void serialize(Archive& archive);

  std::size_t free_rows() const { return free_count_; }  // of the last call, of all processes
  double rows_used() const { return rows_used_; }        // rows read since the start, with repetitions

  // Rows that are the same for those that are free from now on; null: the rows of the problem.
  void use(const Rows* gathered) { gathered_ = gathered; }

 private:
  bool by_rows(std::size_t free, std::size_t changed) const;
  void update_gram(std::span<const std::uint32_t> free, std::span<const double> normalized_weight);
  void solve_by_columns(double gamma, const Eigen::VectorXd& g, Eigen::VectorXd& p);
  void solve_by_rows(std::span<const std::uint32_t> free, std::span<const double> normalized_weight, double gamma,
                     const Eigen::VectorXd& g, Eigen::VectorXd& p);

  const Rows& rows() const { return gathered_ != nullptr ? *gathered_ : problem_.data->rows; }

  const Problem& problem_;
  const Rows* gathered_ = nullptr;
  bool border_;
  double row_length_;  // mean entries per row
  bool dense_;
  Cholesky factor_;
  Eigen::MatrixXd gram_, change_, system_;
  std::vector<std::uint32_t> held_, entered_, left_;  // rows in gram_; changes
  std::vector<double> normalized_weight_;
  std::size_t free_count_ = 0, entered_count_ = 0, left_count_ = 0;  // of all processes
  int updates_ = 0;
  double rows_used_ = 0;
};

}  // namespace seesaw
