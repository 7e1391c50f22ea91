#include "model/column_moments.h"

#include "base/cancel.h"
#include "base/tree_sum.h"
#include "data/resident.h"
#include "kernels/at_level.h"
#include "model/problem.h"
#include "model/rigorous/row_weights.h"

namespace seesaw {
namespace {

struct Moments {
  PlainSum first;
  double second = 0;
  Moments& operator+=(const Moments& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
};

// sum += the squares of dense rows, column by column in vectors.
template <class RowsOf>
void add_dense_squares(const RowsOf& rows, const rigorous::RowWeights& weights, std::size_t begin, std::size_t end,
                       double* sum) {
  double* const __restrict square = sum;
  const std::size_t d = rows.width();
  at_level([&]() __attribute__((always_inline)) {
    for (std::size_t i = begin; i < end; ++i) {
      const double s = weights.times_value(i, 1.0);
      const auto* const row = rows.row(i).value;
      for (std::size_t j = 0; j < d; ++j) {
        const auto a = static_cast<double>(row[j]);
        square[j] += s * a * a;
      }
    }
  });
}

// sum += part(i) for the rows; T is added along the tree of the leaves.
template <class T, class Add>
std::vector<T> sums_of_columns(const Problem& problem, const Add& add) {
  std::vector<T> sums(problem.d());
  std::visit(
      [&](const auto& rows) {
        const CancelPoll poll;
        tree_sum(leaves_for_vectors(rows), sums.size(), sums.data(), [&](std::size_t begin, std::size_t end, T* part) {
          poll();
          resident(rows, begin, end, [&](std::size_t from, std::size_t to) { add(rows, from, to, part); });
        });
      },
      problem.data->rows);
  return sums;
}

ColumnMoments column_moments(const Problem& problem) {
  const rigorous::RowWeights weights(problem);
  ColumnMoments moments;
  if (!problem.free_intercept()) {
    moments.second =
        sums_of_columns<double>(problem, [&](const auto& rows, std::size_t begin, std::size_t end, double* part) {
          if constexpr (!requires { rows.row(0).column; }) return add_dense_squares(rows, weights, begin, end, part);
          else
            for (std::size_t i = begin; i < end; ++i) {
              const double s = weights.times_value(i, 1.0);
              for_each(rows.row(i), [&](std::size_t j, double a) { part[j] += s * a * a; });
            }
        });
    return moments;
  }
  const std::vector<Moments> both =
      sums_of_columns<Moments>(problem, [&](const auto& rows, std::size_t begin, std::size_t end, Moments* part) {
        for (std::size_t i = begin; i < end; ++i) {
          const double s = weights.times_value(i, 1.0);
          for_each(rows.row(i), [&](std::size_t j, double a) {
            part[j].first.add(s * a);
            part[j].second += s * a * a;
          });
        }
      });
  for (const Moments& of : both) {
    moments.second.push_back(of.second);
    moments.first.push_back(of.first);
  }
  return moments;
}

}  // namespace

const ColumnMoments& ColumnMomentsCache::of(const Problem& problem) {
  Kept& kept = problem.free_intercept() ? with_first_ : plain_;
  std::call_once(kept.computed, [&] { kept.moments = column_moments(problem); });
  return kept.moments;
}

}  // namespace seesaw
