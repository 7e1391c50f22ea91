#include "model/rigorous/row_sums.h"

#include <algorithm>

#include "base/buffer.h"
#include "base/cancel.h"
#include "base/function_ref.h"
#include "base/tree_sum.h"
#include "data/resident.h"
#include "kernels/at_level.h"
#include "model/rigorous/eight.h"
#include "model/rigorous/problem_losses.h"
#include "model/rigorous/row_scores.h"

namespace seesaw::rigorous {
namespace {

constexpr std::size_t block = 256;  // rows whose terms are computed by one loop

// Numbers with their errors, one per row.
struct Terms {
  double *value, *error;
};

// The sum of the terms of blocks of rows, in eight lanes.
class SumInEights {
 public:
  void add(const Terms& terms, std::size_t count) {
    const std::size_t whole = (count + 7) / 8 * 8;
    for (std::size_t k = count; k < whole; ++k) terms.value[k] = terms.error[k] = 0;
    at_level([&]() __attribute__((always_inline)) {
      Eight term, error;
      for (std::size_t k = 0; k < whole; k += 8) {
        load(terms.value + k, term);
        load(terms.error + k, error);
        add_term(term, sum_, carry_);
        add_sizes(term, size_);
        error_ += error;
      }
    });
    count_ += static_cast<double>(whole / 8);
  }
  BoundedSum<double> total() const {
    BoundedSum<double> sum;
    for (std::size_t l = 0; l < 8; ++l) sum += BoundedSum<double>(sum_[l], carry_[l], size_[l], error_[l], count_);
    return sum;
  }

 private:
  Eight sum_ = {}, carry_ = {}, size_ = {}, error_ = {};
  double count_ = 0;  // of additions in each lane
};

// sum_i s_i t_i over the rows begin .. end - 1: terms(first, count, to) computes those of a block.
BoundedSum<double> weighted_sum(const RowWeights& weights, std::size_t begin, std::size_t end,
                                FunctionRef<void(std::size_t, std::size_t, const Terms&)> terms) {
  double value[block], error[block];
  const Terms to{value, error};
  SumInEights sum;
  for (std::size_t first = begin; first < end; first += block) {
    const std::size_t count = std::min(block, end - first);
    terms(first, count, to);
    if (!weights.all_one())
      for (std::size_t k = 0; k < count; ++k) {
        const Bounded<double> weighted = weights.times(first + k, Bounded<double>(value[k], error[k]));
        value[k] = weighted.value;
        error[k] = weighted.error;
      }
    sum.add(to, count);
  }
  return sum.total();
}

// to[k] = term(k): vectorized if it has no branches.
template <class Term>
void compute(const Terms& to, std::size_t count, const Term& term) {
  at_level([&]() __attribute__((always_inline)) {
    for (std::size_t k = 0; k < count; ++k) {
      const Bounded<double> one = term(k);
      to.value[k] = one.value;
      to.error[k] = one.error;
    }
  });
}

// phi of the scores in `z`, which belong to rows with these targets.
void losses_of(const LogisticLoss& loss, const double* target, const Terms& z, std::size_t count, const Terms& to) {
  compute(
      to, count, [=](std::size_t k) __attribute__((always_inline)) {
        return loss.value(target[k], Bounded<double>(z.value[k], z.error[k]));
      });
}
void losses_of(const PiecewiseLoss& loss, const double* target, const Terms& z, std::size_t count, const Terms& to) {
  if (loss.above_rest != 0) {  // quantile: a derivative that is not a double
    for (std::size_t k = 0; k < count; ++k) {
      const Bounded<double> one = loss.value(target[k], Bounded<double>(z.value[k], z.error[k]));
      to.value[k] = one.value;
      to.error[k] = one.error;
    }
  } else if (loss.loss.delta() > 0) {  // the squared loss: (z - b)^2 / (2k)
    const double k = loss.loss.curvature, h = 0.5 / k;
    const Bounded<double> half(h, k == 1 ? 0 : unit * h + underflow);
    compute(
        to, count, [=](std::size_t i) __attribute__((always_inline)) {
          const Bounded<double> r = Bounded<double>(z.value[i], z.error[i]) - Bounded<double>(target[i]);
          return half * (r * r);
        });
  } else if (loss.loss.curvature > 0) {
    compute(
        to, count, [=](std::size_t k) __attribute__((always_inline)) {
          return loss.sides<true>(target[k], Bounded<double>(z.value[k], z.error[k]), 0);
        });
  } else {
    compute(
        to, count, [=](std::size_t k) __attribute__((always_inline)) {
          return loss.sides<false>(target[k], Bounded<double>(z.value[k], z.error[k]), 0);
        });
  }
}

// The scores of the rows begin .. end - 1.
void scores_of(const Rows& rows, const double* x, std::size_t begin, std::size_t end, const Terms& to) {
  std::visit(
      [&](const auto& a) {
        const auto score = scores_by(a, x);
        resident(a, begin, end, [&](std::size_t first, std::size_t last) {
          at_level([&]() __attribute__((always_inline)) {
            for (std::size_t i = first; i < last; ++i) {
              const Bounded<double> z = score(a.row(i));
              to.value[i - begin] = z.value;
              to.error[i - begin] = z.error;
            }
          });
        });
      },
      rows);
}

}  // namespace

Bounded<Twofold> sum_of_losses(const Problem& problem, const RowWeights& weights, const ScoresOf& of, double b,
                               Bounded<double>* scores) {
  const double* const target = problem.scalar().target.data();
  const CancelPoll poll;
  const auto of_leaf = [&](std::size_t begin, std::size_t end) {
    poll();
    const std::size_t count = end - begin;
    Buffer<double> numbers(2 * count);
    const Terms z{numbers.data(), numbers.data() + count};
    if (of.x == nullptr) std::fill(numbers.begin(), numbers.end(), 0.0);
    else if (of.known == nullptr) scores_of(problem.data->rows, of.x, begin, end, z);
    else
      for (std::size_t k = 0; k < count; ++k) {
        z.value[k] = of.known[begin + k].value;
        z.error[k] = of.known[begin + k].error;
      }
    if (scores != nullptr)
      for (std::size_t k = 0; k < count; ++k) scores[begin + k] = {z.value[k], z.error[k]};
    if (b != 0)
      compute(
          z, count, [=](std::size_t k) __attribute__((always_inline)) {
            return Bounded<double>(z.value[k], z.error[k]) + Bounded<double>(b);
          });
    return with_loss(problem, [&](const auto& loss) {
      return weighted_sum(weights, begin, end, [&](std::size_t first, std::size_t rows, const Terms& to) {
        losses_of(loss, target + first, {z.value + (first - begin), z.error + (first - begin)}, rows, to);
      });
    });
  };
  return tree_sum<BoundedSum<double>>(problem.leaves(), of_leaf).value();
}

Bounded<Twofold> sum_of_conjugates(const Problem& problem, const RowWeights& weights, const double* y) {
  const double* const target = problem.scalar().target.data();
  const auto of_leaf = [&](std::size_t begin, std::size_t end) {
    return with_loss(problem, [&](const auto& loss) {
      return weighted_sum(weights, begin, end, [&](std::size_t first, std::size_t rows, const Terms& to) {
        const double *const b = target + first, *const at = y + first;
        compute(
            to, rows, [=](std::size_t k) __attribute__((always_inline)) {
              const Bounded<double> one = loss.template conjugate<double>(b[k], at[k]);
              return Bounded<double>(at[k] == 0 ? 0 : one.value, at[k] == 0 ? 0 : one.error);
            });
      });
    });
  };
  return tree_sum<BoundedSum<double>>(problem.leaves(), of_leaf).value();
}

}  // namespace seesaw::rigorous
