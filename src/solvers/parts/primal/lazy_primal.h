// The primal point of a stochastic method with deferred updates. Every step moves every coordinate,
//
//     x <- prox_tau(x - tau s),        s = sum_i c_i y_i a_i
//
// but only the coordinates of the drawn row are written. While s_j is constant and x_j keeps its sign, a step is affine,
//
//     x_j <- rho (x_j - tau g_j),      rho = 1/(1 + tau lambda),   g_j = s_j + u_j,   u_j = sign(x_j) l1
//
// and affine steps compose.
//   State      alpha, beta: one pair for all coordinates;   v_j, s_j, u_j: per coordinate
//   Invariant  x_j = alpha v_j - beta g_j                   while x_j has not reached 0 since it was last encoded
//   Step       alpha <- alpha rho,  beta <- (beta + tau) rho            O(1) for all coordinates; tau may vary
//   Encoding   v_j <- (x_j + beta g_j)/alpha                for a new x_j or s_j of the drawn row, O(nnz(a_i))
//
// With l1 > 0 a coordinate may reach 0 between two encodings. Its path by the invariant is monotone, so a change of sign
// detects this; the step in question is found in the history of (alpha, beta) and taken explicitly (cross()). At 0 with
// |s_j| <= l1 the coordinate stays there, represented by u_j = -s_j, that is g_j = 0 and v_j = 0.
// Bounds lo_j <= x_j <= hi_j, and an l1 that differs by coordinate, need the variant with l1 (l1 itself may be 0). The path
// is monotone towards a fixed point that does not depend on tau, so that clipping its end equals clipping after every
// step, if it starts within the bounds (else the first step is explicit). A clipped x_j is encoded again, at its bound.
//
// With `keeps_previous` scores are extrapolated, x + theta (x - x_prev), x_prev being x before the last step:
//
//   Invariant  x_prev,j = alpha' v_j - beta' g_j + offset_j    alpha', beta': the pair before the last step
//
// offset_j is nonzero only for coordinates that were changed since, and is valid for one step (offset_step).
//
// settle() encodes all coordinates for the pair (1, 0) before alpha underflows, at the end of a pass and for reading.
// (The form x + s/lambda, decaying by a product of rho, would lose (s/lambda) times the rounding error.)
// Usage: score() a row, add() to x and s along a row, step() all of x. With K outputs x has K numbers per column.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/scalar.h"
#include "data/rows.h"
#include "model/penalty/penalty.h"
#include "solvers/parts/primal/outputs.h"

namespace seesaw {

namespace lazy {

// The state of a coordinate, as small as the method permits: memory traffic dominates the cost of a step.
struct Smooth {  // l1 = 0
  double v = 0, s = 0;
};
struct Previous {
  double offset = 0;
  std::uint32_t offset_step = 0;  // the step after which `offset` is valid; otherwise it is 0
};
struct Nonsmooth {  // l1 > 0
  double v = 0, s = 0;
  double subgradient = 0;   // u_j: sign(x) l1, or -s if x stays at 0
  std::uint32_t since = 0;  // the step at which v and u were encoded
};
struct SmoothWithPrevious : Smooth, Previous {};
struct NonsmoothWithPrevious : Nonsmooth, Previous {};

template <bool has_l1, bool keeps_previous>
struct Choose;
template <>
struct Choose<false, false> {
  using Type = Smooth;
};
template <>
struct Choose<false, true> {
  using Type = SmoothWithPrevious;
};
template <>
struct Choose<true, false> {
  using Type = Nonsmooth;
};
template <>
struct Choose<true, true> {
  using Type = NonsmoothWithPrevious;
};

}  // namespace lazy

template <bool has_l1, bool keeps_previous, class Outputs>
class LazyPrimal {
 public:
  using Coordinate = typename lazy::Choose<has_l1, keeps_previous>::Type;
  static constexpr bool one_output = std::is_same_v<Outputs, OneOutput>;

  // The penalty must outlive this.
  LazyPrimal(std::size_t columns, Outputs outputs, const Penalty& penalty)
      : outputs_(outputs),
        lambda_(penalty.l2()),
        l1_(penalty.l1()),
        features_(penalty.uniform() ? nullptr : &penalty),
        coordinate_(columns * outputs.size()) {}

  // z = a.(x + theta (x - x_prev)) per output; theta with keeps_previous only. Without l1 rows may be scored in parallel.
  template <class Row>
  void score(Row a, double theta, double* z) {
    if constexpr (one_output && !has_l1) {
      *z = score_of_pairs(a, theta);
    } else {
      std::fill_n(z, outputs_.size(), 0.0);
      for_each(a, [&](std::size_t j, double value) {
        Coordinate* c = &coordinate_[j * outputs_.size()];
        for (std::size_t k = 0; k < outputs_.size(); ++k) z[k] += value * extrapolated(c[k], theta);
      });
    }
  }

  // s += ds a, x += dx a per output, for a row scored since the last step. Parts of rows without a common column
  // (`first_column`: of a part of a dense row) may be added in parallel.
  template <class Row>
  void add(Row a, const double* ds, const double* dx, std::size_t first_column = 0) {
    Coordinate* const first = coordinate_.data() + first_column * outputs_.size();
    if constexpr (one_output && !has_l1) {
      const double row_ds = *ds, row_dx = *dx, row_dv = (row_dx + beta_ * row_ds) / alpha_;
      for_each(a, [&](std::size_t j, double value) {
        Coordinate& c = first[j];
        c.s += value * row_ds;
        c.v += value * row_dv;
        if constexpr (keeps_previous) add_offset(c, -value * row_dx);
      });
    } else {
      for_each(a, [&](std::size_t j, double value) {
        Coordinate* c = first + j * outputs_.size();
        for (std::size_t k = 0; k < outputs_.size(); ++k) {
          encode(c[k], alpha_ * c[k].v - beta_ * g(c[k]) + value * dx[k], c[k].s + value * ds[k], present());
          if constexpr (keeps_previous) add_offset(c[k], -value * dx[k]);
        }
      });
    }
  }

  // x <- prox_tau(x - tau s) for all coordinates, O(1).
  [[gnu::always_inline]] void step(double tau) {
    const double rho = 1 / (1 + tau * lambda_);
    previous_alpha_ = alpha_;
    previous_beta_ = beta_;
    alpha_ *= rho;
    beta_ = (beta_ + tau) * rho;
    ++now_;
    if constexpr (has_l1) history_.push_back({alpha_, beta_, tau});
    if (alpha_ < smallest_alpha) settle();
  }

  // add(), then step(). With l1 the row's coordinates take the step explicitly: a coordinate that add() moves away from 0
  // and the step returns to 0 then needs no search later.
  template <class Row>
  void add_and_step(Row a, double ds, double dx, double tau) {
    static_assert(one_output && !keeps_previous);
    if constexpr (has_l1) {
      const double rho = 1 / (1 + tau * lambda_);
      const Time next{alpha_ * rho, (beta_ + tau) * rho, now_ + 1};
      for_each(a, [&](std::size_t j, double value) {
        Coordinate& c = coordinate_[j];
        const double x = alpha_ * c.v - beta_ * g(c) + value * dx, s = c.s + value * ds;
        if (features_ != nullptr) {
          encode(c, clip(c, soft_threshold(x - tau * s, tau * l1_of(c)) * rho), s, next);
          return;
        }
        const double after = soft_threshold(x - tau * s, tau * l1_) * rho;
        if (after == 0 && std::abs(s) > l1_) encode(c, x, s, present());  // reaches 0 and leaves it: cross() finds it
        else encode(c, after, s, next);
      });
    } else {
      add(a, &ds, &dx);
    }
    step(tau);
  }

  // Encodes every coordinate for (alpha, beta) = (1, 0) and clears the history; O(columns).
  void settle() {
    for (Coordinate& c : coordinate_) {
      const double x = at_present(c);
      if constexpr (keeps_previous) c.offset = previous(c);  // temporarily x_prev itself
      c.v = x;
    }
    // x_prev = alpha' v - beta' g with v = (x + beta g)/alpha: the last step in terms of the new pair (1, 0).
    previous_alpha_ /= alpha_;
    previous_beta_ -= beta_ * previous_alpha_;
    alpha_ = 1;
    beta_ = 0;
    now_ = 0;
    history_.assign(1, {1, 0, 0});
    for (Coordinate& c : coordinate_) {
      encode(c, c.v, c.s, present());
      if constexpr (keeps_previous) {
        c.offset -= previous_alpha_ * c.v - previous_beta_ * g(c);
        c.offset_step = 0;
      }
    }
  }

  // Sets x and s; x_prev = x.
  void set(const std::vector<double>& x, const std::vector<double>& s) {
    settle();
    previous_alpha_ = 1;
    previous_beta_ = 0;
    for (std::size_t j = 0; j < coordinate_.size(); ++j) {
      encode(coordinate_[j], x[j], s[j], present());
      if constexpr (keeps_previous) coordinate_[j].offset = 0;
    }
  }

  // Replaces s by a newly computed sum, to remove accumulated rounding errors. Settles.
  void set_sum(const std::vector<double>& s) {
    settle();
    for (std::size_t j = 0; j < coordinate_.size(); ++j) {
      Coordinate& c = coordinate_[j];
      const double before = keeps_previous ? previous(c) : 0;
      encode(c, c.v, s[j], present());
      if constexpr (keeps_previous) c.offset = before - (previous_alpha_ * c.v - previous_beta_ * g(c));
    }
  }

  void read(std::vector<double>& x) {  // settles
    settle();
    x.resize(coordinate_.size());
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = coordinate_[j].v;
  }

 private:
  static constexpr double smallest_alpha = 1e-60;  // settle() below: v = (x + beta g)/alpha must not overflow
  static constexpr int bisection_period = 4;

  struct Moment {
    double alpha, beta;
    double tau = 0;  // of the step before
  };
  struct Time {
    double alpha, beta;
    std::uint32_t step;
  };
  Time present() const { return {alpha_, beta_, now_}; }

  static double g(const Coordinate& c) {
    if constexpr (has_l1) return c.s + c.subgradient;
    else return c.s;
  }

  // x after all steps. Its path is monotone: it has not reached 0 if it has the same sign as when encoded, or if it
  // moves away from 0.
  [[gnu::always_inline]] double at_present(Coordinate& c) {
    if constexpr (has_l1)
      if (features_ != nullptr) return clipped_at_present(c);
    const double derivative = g(c), x = alpha_ * c.v - beta_ * derivative;
    if constexpr (has_l1)
      if (!(derivative * c.subgradient <= 0 || x * c.subgradient > 0)) return cross(c);
    return x;
  }

  double previous(const Coordinate& c) const {  // x_prev; call at_present() before
    if constexpr (has_l1 && keeps_previous)
      if (features_ != nullptr && c.offset_step != now_) return clip(c, previous_alpha_ * c.v - previous_beta_ * g(c));
    if constexpr (keeps_previous)
      return previous_alpha_ * c.v - previous_beta_ * g(c) + (c.offset_step == now_ ? c.offset : 0);
    else return 0;
  }

  std::size_t feature_of(const Coordinate& c) const {
    return static_cast<std::size_t>(&c - coordinate_.data()) / outputs_.size();
  }
  double l1_of(const Coordinate& c) const { return features_ == nullptr ? l1_ : features_->l1(feature_of(c)); }
  double clip(const Coordinate& c, double x) const { return features_->bounds(feature_of(c)).clip(x); }

  // Encodes x at the present; `before`: x_prev.
  void encode_again(Coordinate& c, double x, double before) {
    encode(c, x, c.s, present());
    if constexpr (keeps_previous) {
      c.offset = before - (previous_alpha_ * c.v - previous_beta_ * g(c));
      c.offset_step = now_;
    }
  }

  // at_present() with bounds.
  [[gnu::noinline]] double clipped_at_present(Coordinate& c) {
    if (c.since == now_) return alpha_ * c.v - beta_ * g(c);  // as encoded: may include a change before the next step
    const Moment& encoded = history_[c.since];
    const double first = encoded.alpha * c.v - encoded.beta * g(c);
    if (clip(c, first) != first) {
      const Moment& next = history_[c.since + 1];
      const double x = clip(c, soft_threshold(first - next.tau * c.s, next.tau * l1_of(c)) / (1 + next.tau * lambda_));
      if (c.since + 1 == now_) {
        double before = first;
        if constexpr (keeps_previous) before += c.offset_step == now_ ? c.offset : 0;
        encode_again(c, x, before);
        return x;
      }
      encode(c, x, c.s, {next.alpha, next.beta, c.since + 1});
    }
    double x = alpha_ * c.v - beta_ * g(c);
    if (!(g(c) * c.subgradient <= 0 || x * c.subgradient > 0)) x = cross(c);
    const double inside = clip(c, x);
    if (inside != x) encode_again(c, inside, previous(c));
    return inside;
  }

  [[gnu::always_inline]] double extrapolated(Coordinate& c, double theta) {
    const double x = at_present(c);
    if constexpr (keeps_previous) return x + theta * (x - previous(c));
    else return x;
  }

  void encode(Coordinate& c, double x, double s, const Time& at) {
    c.s = s;
    if constexpr (has_l1) {
      const double l1 = l1_of(c);
      if (x != 0) c.subgradient = std::copysign(l1, x);
      else c.subgradient = std::abs(s) <= l1 ? -s : -std::copysign(l1, s);  // stays at 0, or leaves with the sign of -s
      c.since = at.step;
    }
    c.v = (x + at.beta * g(c)) / at.alpha;
  }

  void add_offset(Coordinate& c, double change) {  // to be valid after the next step
    c.offset = c.offset_step == now_ + 1 ? c.offset + change : change;
    c.offset_step = now_ + 1;
  }

  // The coordinate has reached 0: finds the step in which it did, takes that step explicitly and continues from there.
  // At most three rounds, since x then stays at 0 or moves away monotonically.
  [[gnu::noinline]] double cross(Coordinate& c) {
    const double seems = alpha_ * c.v - beta_ * g(c);
    if (c.since == now_ || std::isnan(seems)) return seems;  // 0 up to rounding; or a diverged run
    for (;;) {
      const double derivative = g(c);
      // x has its sign at `last`, and no longer at `beyond`. Its path is almost linear: linear interpolation, with a
      // bisection step every `bisection_period` guesses.
      std::uint32_t last = c.since, beyond = now_;
      const auto height = [&](std::uint32_t step) {  // positive: x keeps its sign
        return (history_[step].alpha * c.v - history_[step].beta * derivative) * c.subgradient;
      };
      double above = height(last), below = height(beyond);
      for (int guesses = 1; beyond - last > 1; ++guesses) {
        const std::uint32_t width = beyond - last;
        const double linear = above / (above - below);
        const double part = guesses % bisection_period != 0 && linear >= 0 && linear <= 1 ? linear : 0.5;
        const std::uint32_t guess = last + std::clamp(static_cast<std::uint32_t>(part * width), 1u, width - 1);
        const double found = height(guess);
        (found > 0 ? last : beyond) = guess;
        (found > 0 ? above : below) = found;
      }
      double x = history_[last].alpha * c.v - history_[last].beta * derivative;
      if (!(x * c.subgradient > 0)) x = 0;  // rounding
      const Moment& next = history_[last + 1];
      const double after = soft_threshold(x - next.tau * c.s, next.tau * l1_of(c)) / (1 + next.tau * lambda_);
      encode(c, after, c.s, {next.alpha, next.beta, last + 1});
      if (last + 1 == now_) {
        if constexpr (keeps_previous) {
          const double before = c.offset_step == now_ ? x + c.offset : x;
          c.offset = before - (previous_alpha_ * c.v - previous_beta_ * g(c));
          c.offset_step = now_;
        }
        return after;
      }
      const double now = alpha_ * c.v - beta_ * g(c);
      if (g(c) * c.subgradient <= 0 || now * c.subgradient > 0) return now;
    }
  }

  static std::size_t column(const auto& a, std::size_t k) {
    if constexpr (requires { a.column; }) return a.column[k];
    else return k;
  }

  // Two independent sums of each kind, so that additions are not serialized.
  template <class Row>
  [[gnu::always_inline]] double score_of_pairs(Row a, double theta) const {
    double v[2] = {}, s[2] = {}, offsets[2] = {};
    const auto take = [&](std::size_t k, std::size_t lane) {
      const Coordinate& c = coordinate_[column(a, k)];
      const auto value = static_cast<double>(a.value[k]);
      v[lane] += value * c.v;
      s[lane] += value * c.s;
      if constexpr (keeps_previous) offsets[lane] += c.offset_step == now_ ? value * c.offset : 0;
    };
    std::size_t k = 0;
    for (; k + 2 <= a.size; k += 2) {
      take(k, 0);
      take(k + 1, 1);
    }
    if (k < a.size) take(k, 0);
    const double sum_v = v[0] + v[1], sum_s = s[0] + s[1], x = alpha_ * sum_v - beta_ * sum_s;
    if constexpr (!keeps_previous) return x;
    else return x + theta * (x - (previous_alpha_ * sum_v - previous_beta_ * sum_s + (offsets[0] + offsets[1])));
  }

  Outputs outputs_;
  double lambda_, l1_;
  const Penalty* features_;  // null: the same for all coordinates, without bounds
  std::vector<Coordinate> coordinate_;
  double alpha_ = 1, beta_ = 0, previous_alpha_ = 1, previous_beta_ = 0;
  std::uint32_t now_ = 0;  // steps since settle()
  std::vector<Moment> history_{{1, 0}};
};

}  // namespace seesaw
