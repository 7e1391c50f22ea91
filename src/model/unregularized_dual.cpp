#include "model/unregularized_dual.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>

#include "base/cancel.h"
#include "base/tree_sum.h"
#include "data/resident.h"

namespace seesaw {
namespace {

constexpr std::size_t widest = 4000;  // a d x d matrix of 128 MB

}  // namespace

bool project_to_unregularized_dual(const Problem& problem, const std::vector<std::uint32_t>& columns,
                                   const std::vector<double>& z, double intercept, std::vector<double>& y) {
  const std::size_t n = problem.n(), d = columns.size();
  const bool all = d == problem.d();
  constexpr std::uint32_t elsewhere = 0xffffffff;
  std::vector<std::uint32_t> place(problem.d(), elsewhere);
  for (std::size_t k = 0; k < d; ++k) place[columns[k]] = static_cast<std::uint32_t>(k);
  const std::size_t unknowns = d + (problem.free_intercept() ? 1 : 0);  // the column of ones is the last
  if (unknowns > widest || problem.all_rows() < unknowns) return false;

  const ScalarForm& scalar = problem.scalar();
  return std::visit(
      [&](const auto& rows, const auto& loss) {
        Eigen::VectorXd curvature(n);
        for (std::size_t i = 0; i < n; ++i) curvature[i] = loss.second_derivative(scalar.target[i], z[i] + intercept);

        Eigen::MatrixXd gram(unknowns, unknowns);  // A^T C W A
        const Leaves groups = problem.leaves().grouped(problem.all_rows() / std::max<std::size_t>(1024, 4 * unknowns));
        const CancelPoll poll;
        tree_sum(groups, unknowns * unknowns, gram.data(), [&](std::size_t begin, std::size_t end, double* part) {
          Eigen::Map<Eigen::MatrixXd> sum(part, unknowns, unknowns);
          Eigen::VectorXd row(unknowns);
          resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
              const double weight = problem.normalized_weight[i] * curvature[i];
              if (weight == 0) continue;
              poll();
              row.setZero();
              for_each(rows.row(i), [&](std::size_t j, double a) {
                if (place[j] != elsewhere) row[place[j]] = a;
              });
              if (problem.free_intercept()) row[d] = 1;
              sum.template selfadjointView<Eigen::Lower>().rankUpdate(row, weight);
            }
          });
        });
        const Eigen::LLT<Eigen::MatrixXd> factor(gram.selfadjointView<Eigen::Lower>());
        if (factor.info() != Eigen::Success || factor.rcond() < 1e-13) return false;

        std::vector<double> moved = y;
        for (int round = 0; round < 3; ++round) {  // repeated: the residual goes down to rounding
          Eigen::VectorXd residual(unknowns);
          tree_sum(leaves_for_vectors(rows), unknowns, residual.data(),
                   [&](std::size_t begin, std::size_t end, double* sum) {
                     resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
                       for (std::size_t i = first; i < last; ++i) {
                         const double cy = problem.normalized_weight[i] * moved[i];
                         if (all) add_to(sum, cy, rows.row(i));
                         else
                           for_each(rows.row(i), [&](std::size_t j, double a) {
                             if (place[j] != elsewhere) sum[place[j]] += cy * a;
                           });
                         if (problem.free_intercept()) sum[d] += cy;
                       }
                     });
                   });
          const Eigen::VectorXd u = factor.solve(residual);
          resident(rows, 0, n, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
              double along = 0;
              if (all) along = dot(rows.row(i), u.data());
              else
                for_each(rows.row(i), [&](std::size_t j, double a) {
                  if (place[j] != elsewhere) along += a * u[place[j]];
                });
              moved[i] -= curvature[i] * (along + (problem.free_intercept() ? u[d] : 0));
            }
          });
        }
        bool inside = true;
        for (std::size_t i = 0; i < n && inside; ++i) inside = loss.domain(scalar.target[i]).contains(moved[i]);
        if (any_rank(problem.leaves(), !inside)) return false;
        y = std::move(moved);
        return true;
      },
      problem.data->rows, scalar.loss);
}

}  // namespace seesaw
