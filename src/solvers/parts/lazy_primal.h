// The primal point of a stochastic primal-dual method. Every step moves every coordinate,
//
//     x <- prox_tau(x - tau s),        s = sum_i c_i y_i a_i
//
// but only the columns of the drawn row need to know it. Between two touches s_j does not change, and as long as x_j
// keeps its sign a step is x <- rho (x - tau g), rho = 1/(1 + tau lambda), g = s + sign(x) l1. Such steps compose: with
// the running pair
//
//     al <- al rho,   be <- (be + tau) rho        every step, one multiplication each, tau may vary
//     x_j = al v_j - be g_j                       v_j, g_j constant between touches
//
// no coordinate carries a time, and a step costs O(nnz(a_i)). With l1 > 0 a coordinate may meet 0 on the way; the step
// in which it does is found by bisection in the history of (al, be) and taken explicitly. (The form x + s/lambda,
// decaying by a product of rho, would lose (s/lambda) times the rounding.)
//
// Bounds lo_j <= x_j <= hi_j, and an l1 that differs by coordinate, need l1's variant (has_l1; l1 itself may be 0).
// Between two touches the path is monotone towards a fixed point that does not depend on tau, so that clipping its end
// is the same as clipping after every step, provided that it begins within the bounds. Where a row has pushed x_j out of
// them, the first step is taken explicitly. A coordinate that was clipped begins again at its bound.
//
// What a method does to it: score() a row, add() to x and s along a row, step() all of x, or the last two at once. With
// `keeps_previous` the score is that of x + theta (x - x before the last step). Several outputs: x holds that many
// numbers a column.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/scalar.h"
#include "data/rows.h"
#include "model/penalty/penalty.h"

namespace seesaw {

struct OneOutput {
  static constexpr std::size_t size() { return 1; }
};
struct SeveralOutputs {
  std::size_t count;
  std::size_t size() const { return count; }
};

namespace lazy {

// What a coordinate holds, no more than its method needs: memory traffic is the cost of a step.
struct Smooth {  // l1 = 0
  double v = 0, s = 0;
};
struct Kick {  // x before the last step = al' v - be' g + kick, with al', be' of then
  double kick = 0;
  std::uint32_t at = 0;  // the step for which kick is meant; at any other time it counts as 0
};
struct Nonsmooth {  // l1 > 0
  double v = 0, s = 0;
  double pull = 0;          // sign(x) l1; -s where x rests at 0
  std::uint32_t since = 0;  // v and pull hold from this step on
};
struct SmoothWithPrevious : Smooth, Kick {};
struct KinkedWithPrevious : Nonsmooth, Kick {};

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
  using Type = KinkedWithPrevious;
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

  // z = a.(x + theta (x - x before the last step)), one number an output. theta counts with keeps_previous only.
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

  // s += ds a, x += dx a; ds and dx hold one number an output. The row must have been scored since the last step.
  template <class Row>
  void add(Row a, const double* ds, const double* dx) {
    if constexpr (one_output && !has_l1) {
      const double row_ds = *ds, row_dx = *dx, row_dv = (row_dx + be_ * row_ds) / al_;
      for_each(a, [&](std::size_t j, double value) {
        Coordinate& c = coordinate_[j];
        c.s += value * row_ds;
        c.v += value * row_dv;
        if constexpr (keeps_previous) kick(c, -value * row_dx);
      });
    } else {
      for_each(a, [&](std::size_t j, double value) {
        Coordinate* c = &coordinate_[j * outputs_.size()];
        for (std::size_t k = 0; k < outputs_.size(); ++k) {
          encode(c[k], al_ * c[k].v - be_ * g(c[k]) + value * dx[k], c[k].s + value * ds[k], present());
          if constexpr (keeps_previous) kick(c[k], -value * dx[k]);
        }
      });
    }
  }

  // x <- prox_tau(x - tau s), all of it, at the cost of a few multiplications.
  [[gnu::always_inline]] void step(double tau) {
    const double rho = 1 / (1 + tau * lambda_);
    al_before_ = al_;
    be_before_ = be_;
    al_ *= rho;
    be_ = (be_ + tau) * rho;
    ++now_;
    if constexpr (has_l1) history_.push_back({al_, be_, tau});
    if (al_ < 1e-60) settle();
  }

  // add(), then step(): the same, but with l1 the row's coordinates take the step explicitly. Those that rest at 0, and
  // that the row pushes off only for the step to bring them back, need not be searched for the next time.
  template <class Row>
  void add_and_step(Row a, double ds, double dx, double tau) {
    static_assert(one_output && !keeps_previous);
    if constexpr (has_l1) {
      const double rho = 1 / (1 + tau * lambda_);
      const Time next{al_ * rho, (be_ + tau) * rho, now_ + 1};
      for_each(a, [&](std::size_t j, double value) {
        Coordinate& c = coordinate_[j];
        const double x = al_ * c.v - be_ * g(c) + value * dx, s = c.s + value * ds;
        if (features_ != nullptr) {
          encode(c, clip(c, soft_threshold(x - tau * s, tau * l1_of(c)) * rho), s, next);
          return;
        }
        const double after = soft_threshold(x - tau * s, tau * l1_) * rho;
        if (after == 0 && std::abs(s) > l1_) encode(c, x, s, present());  // meets 0 and leaves again: cross() finds it
        else encode(c, after, s, next);
      });
    } else {
      add(a, &ds, &dx);
    }
    step(tau);
  }

  // Brings every coordinate to the present, and time begins again; O(columns).
  void settle() {
    for (Coordinate& c : coordinate_) {
      const double x = at_present(c);
      if constexpr (keeps_previous) c.kick = previous(c);  // for the moment: x before the last step itself
      c.v = x;
    }
    // x before = al' v - be' g with v = (x + be g)/al: the last step in terms of the new pair (1, 0).
    al_before_ /= al_;
    be_before_ -= be_ * al_before_;
    al_ = 1;
    be_ = 0;
    now_ = 0;
    history_.assign(1, {1, 0, 0});
    for (Coordinate& c : coordinate_) {
      encode(c, c.v, c.s, present());
      if constexpr (keeps_previous) {
        c.kick -= al_before_ * c.v - be_before_ * g(c);
        c.at = 0;
      }
    }
  }

  // x and s, and no step before.
  void set(const std::vector<double>& x, const std::vector<double>& s) {
    settle();
    al_before_ = 1;
    be_before_ = 0;
    for (std::size_t j = 0; j < coordinate_.size(); ++j) {
      encode(coordinate_[j], x[j], s[j], present());
      if constexpr (keeps_previous) coordinate_[j].kick = 0;
    }
  }

  // s from scratch: the rounding of millions of additions must not add up. Settles.
  void set_sum(const std::vector<double>& s) {
    settle();
    for (std::size_t j = 0; j < coordinate_.size(); ++j) {
      Coordinate& c = coordinate_[j];
      const double before = keeps_previous ? previous(c) : 0;
      encode(c, c.v, s[j], present());
      if constexpr (keeps_previous) c.kick = before - (al_before_ * c.v - be_before_ * g(c));
    }
  }

  void read(std::vector<double>& x) {  // settles
    settle();
    x.resize(coordinate_.size());
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = coordinate_[j].v;
  }

 private:
  struct Moment {
    double al, be;
    double tau = 0;  // of the step that led here
  };
  struct Time {
    double al, be;
    std::uint32_t step;
  };
  Time present() const { return {al_, be_, now_}; }

  static double g(const Coordinate& c) {
    if constexpr (has_l1) return c.s + c.pull;
    else return c.s;
  }

  // x at the present. Its path is monotone, so that it has not met 0 on the way if its sign is still the same, or if it
  // moves away from 0.
  [[gnu::always_inline]] double at_present(Coordinate& c) {
    if constexpr (has_l1)
      if (features_ != nullptr) return clipped_at_present(c);
    const double derivative = g(c), x = al_ * c.v - be_ * derivative;
    if constexpr (has_l1)
      if (!(derivative * c.pull <= 0 || x * c.pull > 0)) return cross(c);
    return x;
  }

  double previous(const Coordinate& c) const {  // x before the last step; at_present() comes first
    if constexpr (has_l1 && keeps_previous)
      if (features_ != nullptr && c.at != now_) return clip(c, al_before_ * c.v - be_before_ * g(c));
    if constexpr (keeps_previous) return al_before_ * c.v - be_before_ * g(c) + (c.at == now_ ? c.kick : 0);
    else return 0;
  }

  std::size_t feature_of(const Coordinate& c) const {
    return static_cast<std::size_t>(&c - coordinate_.data()) / outputs_.size();
  }
  double l1_of(const Coordinate& c) const { return features_ == nullptr ? l1_ : features_->l1(feature_of(c)); }
  double clip(const Coordinate& c, double x) const { return features_->bounds(feature_of(c)).clip(x); }

  // Begins again with this x; `before`: x before the last step.
  void begin_again(Coordinate& c, double x, double before) {
    encode(c, x, c.s, present());
    if constexpr (keeps_previous) {
      c.kick = before - (al_before_ * c.v - be_before_ * g(c));
      c.at = now_;
    }
  }

  // at_present() with bounds.
  [[gnu::noinline]] double clipped_at_present(Coordinate& c) {
    if (c.since == now_) return al_ * c.v - be_ * g(c);  // as encoded: a push of the step to come may be in it
    const Moment& then = history_[c.since];
    const double first = then.al * c.v - then.be * g(c);
    if (clip(c, first) != first) {
      const Moment& next = history_[c.since + 1];
      const double x = clip(c, soft_threshold(first - next.tau * c.s, next.tau * l1_of(c)) / (1 + next.tau * lambda_));
      if (c.since + 1 == now_) {
        double before = first;
        if constexpr (keeps_previous) before += c.at == now_ ? c.kick : 0;
        begin_again(c, x, before);
        return x;
      }
      encode(c, x, c.s, {next.al, next.be, c.since + 1});
    }
    double x = al_ * c.v - be_ * g(c);
    if (!(g(c) * c.pull <= 0 || x * c.pull > 0)) x = cross(c);
    const double inside = clip(c, x);
    if (inside != x) begin_again(c, inside, previous(c));
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
      if (x != 0) c.pull = std::copysign(l1, x);
      else c.pull = std::abs(s) <= l1 ? -s : -std::copysign(l1, s);  // rests, or leaves to the side of -s
      c.since = at.step;
    }
    c.v = (x + at.be * g(c)) / at.al;
  }

  void kick(Coordinate& c, double change) {  // of the step to come
    c.kick = c.at == now_ + 1 ? c.kick + change : change;
    c.at = now_ + 1;
  }

  // The coordinate has met 0: finds the step in which it did, takes that one explicitly, and goes on from there; at
  // most three rounds, since 0 holds it or it leaves for good.
  [[gnu::noinline]] double cross(Coordinate& c) {
    const double seems = al_ * c.v - be_ * g(c);
    if (c.since == now_ || std::isnan(seems)) return seems;  // 0 but for rounding; or a run that has diverged
    for (;;) {
      const double derivative = g(c);
      // x has its sign at `last`, and not any more at `beyond`. Its path is nearly a straight line, so that most
      // guesses are where that meets 0, and every fourth the middle.
      std::uint32_t last = c.since, beyond = now_;
      const auto height = [&](std::uint32_t step) {  // above 0: x keeps its sign
        return (history_[step].al * c.v - history_[step].be * derivative) * c.pull;
      };
      double above = height(last), below = height(beyond);
      for (int guesses = 1; beyond - last > 1; ++guesses) {
        const std::uint32_t room = beyond - last;
        const double straight = above / (above - below);
        const double part = guesses % 4 != 0 && straight >= 0 && straight <= 1 ? straight : 0.5;
        const std::uint32_t guess = last + std::clamp(static_cast<std::uint32_t>(part * room), 1u, room - 1);
        const double found = height(guess);
        (found > 0 ? last : beyond) = guess;
        (found > 0 ? above : below) = found;
      }
      double x = history_[last].al * c.v - history_[last].be * derivative;
      if (!(x * c.pull > 0)) x = 0;  // rounding
      const Moment& next = history_[last + 1];
      const double after = soft_threshold(x - next.tau * c.s, next.tau * l1_of(c)) / (1 + next.tau * lambda_);
      encode(c, after, c.s, {next.al, next.be, last + 1});
      if (last + 1 == now_) {
        if constexpr (keeps_previous) {
          const double before = c.at == now_ ? x + c.kick : x;
          c.kick = before - (al_before_ * c.v - be_before_ * g(c));
          c.at = now_;
        }
        return after;
      }
      const double now = al_ * c.v - be_ * g(c);
      if (g(c) * c.pull <= 0 || now * c.pull > 0) return now;
    }
  }

  static std::size_t column(const auto& a, std::size_t k) {
    if constexpr (requires { a.column; }) return a.column[k];
    else return k;
  }

  // Two sums of each kind side by side, so that additions do not wait for one another.
  template <class Row>
  [[gnu::always_inline]] double score_of_pairs(Row a, double theta) const {
    double v[2] = {}, s[2] = {}, kicks[2] = {};
    const auto take = [&](std::size_t k, std::size_t lane) {
      const Coordinate& c = coordinate_[column(a, k)];
      const auto value = static_cast<double>(a.value[k]);
      v[lane] += value * c.v;
      s[lane] += value * c.s;
      if constexpr (keeps_previous) kicks[lane] += c.at == now_ ? value * c.kick : 0;
    };
    std::size_t k = 0;
    for (; k + 2 <= a.size; k += 2) {
      take(k, 0);
      take(k + 1, 1);
    }
    if (k < a.size) take(k, 0);
    const double sum_v = v[0] + v[1], sum_s = s[0] + s[1], x = al_ * sum_v - be_ * sum_s;
    if constexpr (!keeps_previous) return x;
    else return x + theta * (x - (al_before_ * sum_v - be_before_ * sum_s + (kicks[0] + kicks[1])));
  }

  Outputs outputs_;
  double lambda_, l1_;
  const Penalty* features_;  // nothing: the same for all coordinates, without bounds
  std::vector<Coordinate> coordinate_;
  double al_ = 1, be_ = 0, al_before_ = 1, be_before_ = 0;
  std::uint32_t now_ = 0;  // steps since time began
  std::vector<Moment> history_{{1, 0}};
};

}  // namespace seesaw
