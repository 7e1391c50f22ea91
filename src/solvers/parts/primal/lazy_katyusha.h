// The three points of Katyusha, and their weighted mean, which is its next snapshot. With r = 1/th a step is, for every
// coordinate,
//
//     x = t1 z + t2 xs + w y,  w = 1 - t1 - t2         where the drawn row is scored
//     z <- r S(z - al s, al l1)                        s: the gradient at xs, plus n c_i dy a_i on the drawn row
//     y <- t2 xs + w y + t1 z                          = x + t1 (z' - z)
//     T <- r T + y                                     the mean of y_1, y_2, ... weighted by 1, th, th^2, ...
//
// Without l1 this is affine in (z, y, T) with the same coefficients in every step of a period. Between two rows that
// contain column j only s_j and xs_j enter, so k steps are one precomputed affine map. Maps of 0 ... 511 steps and of
// multiples of 512 steps give every distance in two applications: O(nnz(a_i)) per step. With l1 there is no such map, and
// every step updates every coordinate: O(d) per step.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/elementary.h"
#include "base/scalar.h"
#include "data/rows.h"
#include "model/problem.h"
#include "solvers/parts/common/work_per_step.h"

namespace seesaw {

struct KatyushaSteps {
  double t1 = 0.5;                   // of z; momentum
  static constexpr double t2 = 0.5;  // of the snapshot
  double al = 0;                     // step of z
  double th = 1;                     // 1 + al lambda
  double w() const { return 1 - t1 - t2; }
};

namespace katyusha {

struct Coordinate {
  double z = 0, y = 0, T = 0;
  double s = 0, xs = 0;  // constant during a period
  std::uint64_t at = 0;  // number of steps of the period applied to it

  void set(double x) { z = y = xs = x; }
  double x(const KatyushaSteps& steps) const { return steps.t1 * z + steps.t2 * xs + steps.w() * y; }
  void take_mean(double sum_of_weights) {
    xs = T / sum_of_weights;
    T = 0;
    at = 0;
  }
  // One step. shrink: 1/(1 + al lambda) of this coordinate's own lambda.
  void step(const KatyushaSteps& steps, double derivative, double l1, double shrink) {
    z = soft_threshold(z - steps.al * derivative, steps.al * l1) * shrink;
    y = steps.t2 * xs + steps.w() * y + steps.t1 * z;
    T = T / steps.th + y;
  }
};

// k steps without l1: (z, y, T) <- B^k (z, y, T) + s G_k + xs X_k, B lower triangular.
struct Map {
  double zz = 1, zy = 0, yy = 1, zT = 0, yT = 0, TT = 1;  // zy: what z adds to y
  double sz = 0, sy = 0, sT = 0, xy = 0, xT = 0;          // of s and xs

  static Map one_step(const KatyushaSteps& k) {
    const double r = 1 / k.th, w = k.w();
    return {.zz = r,
            .zy = k.t1 * r,
            .yy = w,
            .zT = k.t1 * r,
            .yT = w,
            .TT = r,
            .sz = -r * k.al,
            .sy = -k.t1 * r * k.al,
            .sT = -k.t1 * r * k.al,
            .xy = k.t2,
            .xT = k.t2};
  }
  Map then(const Map& n) const {
    return {.zz = n.zz * zz,
            .zy = n.zy * zz + n.yy * zy,
            .yy = n.yy * yy,
            .zT = n.zT * zz + n.yT * zy + n.TT * zT,
            .yT = n.yT * yy + n.TT * yT,
            .TT = n.TT * TT,
            .sz = n.zz * sz + n.sz,
            .sy = n.zy * sz + n.yy * sy + n.sy,
            .sT = n.zT * sz + n.yT * sy + n.TT * sT + n.sT,
            .xy = n.yy * xy + n.xy,
            .xT = n.yT * xy + n.TT * xT + n.xT};
  }
  void operator()(Coordinate& c) const {
    const double z = c.z, y = c.y;
    c.z = zz * z + sz * c.s;
    c.y = zy * z + yy * y + sy * c.s + xy * c.xs;
    c.T = zT * z + yT * y + TT * c.T + sT * c.s + xT * c.xs;
  }
};

}  // namespace katyusha

template <bool has_l1>
class LazyKatyusha {
 public:
  LazyKatyusha(const Problem& problem, double bias_entry)
      : lambda_(problem.penalty.l2()),
        l1_(problem.penalty.l1()),
        entry_(bias_entry),
        coordinate_(problem.d()),
        row_gradient_(problem.d()) {}

  // Steps for L-smooth rows and periods of m steps; step: 1/3 by theory.
  void tune(double step, double L, std::size_t m) {
    const auto period = static_cast<double>(m);
    steps_.t1 = std::min(std::sqrt(step * period * lambda_ / L), 0.5);
    steps_.al = step / (steps_.t1 * L);
    steps_.th = 1 + steps_.al * lambda_;
    const double log_th = log1p_of(steps_.al * lambda_);
    sum_of_weights_ = expm1_of(-period * log_th) / expm1_of(-log_th);  // 1 + 1/th + ... + 1/th^(m-1)
    if constexpr (!has_l1) make_maps(m);
  }

  double step_size() const { return steps_.al; }

  void set(const std::vector<double>& x, const std::vector<double>& intercept) {
    for (std::size_t j = 0; j < x.size(); ++j) coordinate_[j].set(x[j]);
    if (entry_ > 0) bias_.set(intercept[0] / entry_);
  }
  // Sets the gradient at the snapshot; starts a period.
  void set_sum(const std::vector<double>& s, const std::vector<double>& sums) {
    for (std::size_t j = 0; j < s.size(); ++j) coordinate_[j].s = s[j];
    bias_.s = entry_ * sums[0];
  }

  template <class Row>
  double score(Row a) {  // a.x + b
    double z = entry_ * bias_.x(steps_);
    for_each(a, [&](std::size_t j, double value) {
      if constexpr (!has_l1) advance(coordinate_[j]);
      z += value * coordinate_[j].x(steps_);
    });
    return z;
  }

  // One step with the gradient s + derivative a. The row must have been scored since the last step.
  template <class Row>
  void step(Row a, double derivative) {
    const double shrink = 1 / steps_.th;
    ++now_;
    if constexpr (has_l1) {
      for_each(a, [&](std::size_t j, double value) { row_gradient_[j] = value * derivative; });
      for (std::size_t j = 0; j < row_gradient_.size(); ++j)
        coordinate_[j].step(steps_, coordinate_[j].s + row_gradient_[j], l1_, shrink);
      for_each(a, [&](std::size_t j, double) { row_gradient_[j] = 0; });
    } else {
      for_each(a, [&](std::size_t j, double value) {
        coordinate_[j].step(steps_, coordinate_[j].s + value * derivative, 0, shrink);
        coordinate_[j].at = now_;
      });
    }
    bias_.step(steps_, bias_.s + entry_ * derivative, 0, 1);
  }

  void end_pass() {}
  static constexpr bool reads_snapshot() { return true; }  // within a period read() returns the last snapshot
  double work_per_step(const auto& rows) const {
    return seesaw::work_per_step(rows) + (has_l1 ? 4 * static_cast<double>(coordinate_.size()) : 0);
  }
  void end_period() {  // the mean is the next snapshot
    for (katyusha::Coordinate& c : coordinate_) {
      if constexpr (!has_l1) advance(c);
      c.take_mean(sum_of_weights_);
    }
    bias_.take_mean(sum_of_weights_);
    now_ = 0;
  }
  void read(std::vector<double>& x, std::vector<double>& intercept) const {  // the snapshot
    x.resize(coordinate_.size());
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = coordinate_[j].xs;
    intercept.assign(1, entry_ * bias_.xs);
  }

 private:
  static constexpr std::size_t reach = 512;

  void make_maps(std::size_t period) {
    const katyusha::Map one = katyusha::Map::one_step(steps_);
    near_.assign(1, {});
    far_.assign(1, {});
    while (near_.size() < reach) near_.push_back(near_.back().then(one));
    const katyusha::Map stride = near_.back().then(one);
    while (far_.size() <= period / reach) far_.push_back(far_.back().then(stride));
  }

  void advance(katyusha::Coordinate& c) const {  // applies the steps up to now_
    const std::uint64_t missed = now_ - c.at;
    if (missed == 0) return;
    if (missed >= reach) far_[missed / reach](c);
    near_[missed % reach](c);
    c.at = now_;
  }

  double lambda_, l1_;
  double entry_;  // of the free intercept in every row, 0 without one
  KatyushaSteps steps_{};
  double sum_of_weights_ = 0;
  std::vector<katyusha::Coordinate> coordinate_;
  katyusha::Coordinate bias_;  // without a penalty; every row uses it
  std::vector<double> row_gradient_;
  std::vector<katyusha::Map> near_, far_;  // of k steps, and of 512 k
  std::uint64_t now_ = 0;                  // steps of this period
};

}  // namespace seesaw
