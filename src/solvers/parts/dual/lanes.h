// Dual ascent by lanes: the rows of a pass are dealt to K lanes, and in a round every lane takes its next B rows on its own
// copy of w, that is on w at the start of the round plus its own updates. The directions of the lanes are then added, in
// their order, and D is maximized along the sum:
//
//     dy = sum_k dy_k,  dw = sum_k (w_k - w)        t = argmax_{0 <= t <= 1} D(y + t dy)        y += t dy,  w += t dw
//
// The lanes have different rows and every y_i stays in its domain, which is convex, so t <= 1 is feasible. K and B depend
// on the data, not on the number of threads, and all sums are in the order of lanes or columns: the same bits for any
// number of threads.
//
// All rows have the direction of the free intercept in common. There a lane assumes that the others move as it does: its
// change of sum_i c_i y_i counts K times, in its intercept and in its steps (1/kappa_b becomes K/kappa_b).
//
// Cost of a round besides the steps: O(K d), and O(rows moved) per evaluation of D'(t).
//
// Why two lanes: where rows have a common direction (a constant feature, frequent words), B rows are enough to correct it
// completely, so K lanes correct it K times. For K = 2 that is a reflection, which keeps D; for K > 2 the line search has
// to shorten all steps to about 2/K.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/elementary.h"
#include "base/tree_sum.h"
#include "model/losses/logistic.h"
#include "model/losses/piecewise_quadratic.h"
#include "solvers/parts/dual/dual_row.h"
#include "solvers/parts/dual/row_scan.h"

namespace seesaw {

inline constexpr std::size_t automatic_lanes = 0;  // in place of their number: chosen by the data

struct LanePlan {
  std::size_t lanes = 1;  // 1: a pass in one sequence
  std::size_t rows = 0;   // per lane and round, at most
  bool by_data = false;   // not requested: given up where the steps of the line search are short
};

// The rows of a round. A round reads and writes 2 d numbers per lane (about 1.7 ns per column), a step about 7 ns per
// entry: with 8 d entries per lane the former takes some 3 % of a pass.
inline LanePlan plan_lanes(std::size_t requested, std::size_t n, std::size_t d, std::size_t entries, double lambda,
                           double mean_square) {
  constexpr std::size_t passes_over_columns = 8, least_rows = 256, large = std::size_t{1} << 20;
  const std::size_t rows = std::max(least_rows, passes_over_columns * d / std::max<std::size_t>(entries / n, 1));
  if (requested != automatic_lanes) return {requested, rows, false};
  // Measured where lambda n >= mean |a_i|^2 (docs/solvers/dual_ascent.md); small data is not worth the synchronization.
  const bool pays = lambda * static_cast<double>(n) >= 0.99 * mean_square && entries >= large && n >= 8 * rows;
  return {pays ? std::size_t{2} : std::size_t{1}, rows, true};
}

// (phi*)' and (phi*)'' at y, from the side that y comes from in the direction dy: a y that arrives at 0 with t = 1 has not
// passed the jump there.
struct ConjugateDerivatives {
  double first, second;
};
inline ConjugateDerivatives conjugate_derivatives(const PiecewiseQuadratic& loss, double b, double y, double dy) {
  return {b + std::copysign(loss.insensitivity, y == 0 ? -dy : y) + loss.curvature * y, loss.curvature};
}
inline ConjugateDerivatives conjugate_derivatives(const Logistic&, double b, double y, double) {
  const double p = std::clamp(-b * y, 1e-300, 1 - 1e-16), rest = 1 - p;
  return {-b * log_of(p / rest), 1 / (p * rest)};
}

class Lanes {
 public:
  struct Moved {
    std::uint32_t row;
    double y;  // before the round
  };
  struct alignas(64) Lane {
    std::vector<double> w;
    double shift = 0;  // of (1/lambda) sum_i c_i y_i in the round, by this lane
    std::vector<Moved> moved;
    std::uint64_t entries = 0;      // read since the pass began
    RowSums sums;                   // of the pass
    std::size_t next = 0, end = 0;  // positions in the order of the pass
  };

  // Deals `size` positions to the lanes.
  void begin_pass(std::size_t lanes, std::size_t size, const std::vector<double>& w) {
    lane_.resize(lanes);
    columns_ = chunks_of(w.size(), 4096);
    products_.resize(columns_.count);
    for (std::size_t k = 0; k < lanes; ++k) {
      lane_[k].w = w;
      lane_[k].shift = 0;
      lane_[k].entries = 0;
      lane_[k].sums = {};
      lane_[k].next = size * k / lanes;
      lane_[k].end = size * (k + 1) / lanes;
    }
    steps_ = 0;
    rounds_ = 0;
  }

  std::vector<Lane>& all() { return lane_; }
  bool done() const {
    return std::all_of(lane_.begin(), lane_.end(), [](const Lane& lane) { return lane.next == lane.end; });
  }
  double mean_step() const { return rounds_ > 0 ? steps_ / static_cast<double>(rounds_) : 1; }

  // body(lane) for every lane, in parallel.
  template <class Body>
  void each(const Body& body) {
    parallel_inside(lane_.size(), [&](std::size_t k) { body(lane_[k]); });
  }

  // Ends a round: y, w and sum move by t times the sum of the lanes' directions. `intercept`: at the start of the round;
  // `curvature_of_intercept`: lambda / kappa_b.
  template <class LossType>
  void merge(const LossType& loss, std::vector<DualRow>& row, std::vector<double>& w, double& sum, double intercept,
             double curvature_of_intercept) {
    double shift = 0;
    for (const Lane& lane : lane_) shift += lane.shift;
    const Products products = add_directions(w);
    // D'(t) / lambda of the penalty and the intercept: linear in t.
    const Derivatives linear{intercept * shift - products.w_dw,
                             -(products.dw_dw + curvature_of_intercept * shift * shift)};
    const double t = line_search(loss, row, linear);
    steps_ += t;
    ++rounds_;
    sum += t * shift;
    each([&](Lane& lane) {
      lane.shift = 0;
      if (t < 1)
        for (const auto& [i, before] : lane.moved)
          row[i].y = loss.domain(row[i].b).clip(before + t * (row[i].y - before));
      lane.moved.clear();
    });
    double* const dw = lane_[0].w.data();
    parallel_inside(columns_.count, [&](std::size_t chunk) {
      for (std::size_t j = columns_.begin(chunk); j < columns_.end(chunk); ++j) {
        w[j] += t * dw[j];
        for (Lane& lane : lane_) lane.w[j] = w[j];
      }
    });
  }

 private:
  struct Products {
    double w_dw = 0, dw_dw = 0;
  };
  struct Derivatives {  // of D along the line
    double first, second;
  };

  // dw = sum_k (w_k - w), in place of the copy of the first lane, and its products.
  Products add_directions(const std::vector<double>& w) {
    double* const dw = lane_[0].w.data();
    parallel_inside(columns_.count, [&](std::size_t chunk) {
      double with_w[4] = {}, squares[4] = {};
      for (std::size_t j = columns_.begin(chunk); j < columns_.end(chunk); ++j) {
        double change = dw[j] - w[j];
        for (std::size_t k = 1; k < lane_.size(); ++k) change += lane_[k].w[j] - w[j];
        dw[j] = change;
        with_w[j % 4] += w[j] * change;
        squares[j % 4] += change * change;
      }
      products_[chunk] = {(with_w[0] + with_w[1]) + (with_w[2] + with_w[3]),
                          (squares[0] + squares[1]) + (squares[2] + squares[3])};
    });
    Products total;
    for (const Products& part : products_) {
      total.w_dw += part.w_dw;
      total.dw_dw += part.dw_dw;
    }
    return total;
  }

  template <class LossType>
  Derivatives derivatives(const LossType& loss, const std::vector<DualRow>& row, const Derivatives& linear, double t) {
    row_part_.resize(lane_.size());
    parallel_inside(lane_.size(), [&](std::size_t k) {
      Derivatives sum{0, 0};
      for (const auto& [i, before] : lane_[k].moved) {
        const double dy = row[i].y - before, weight = row[i].scaled_weight * dy;
        const ConjugateDerivatives conjugate = conjugate_derivatives(loss, row[i].b, before + t * dy, dy);
        sum.first -= weight * conjugate.first;
        sum.second -= weight * dy * conjugate.second;
      }
      row_part_[k] = sum;
    });
    Derivatives total{linear.first + t * linear.second, linear.second};
    for (const Derivatives& part : row_part_) {
      total.first += part.first;
      total.second += part.second;
    }
    return total;
  }

  // The t in [0, 1] that maximizes D: 1 if D still increases there, else the zero of D' by Newton steps in a bracket. For
  // the logistic loss a step of 1e-4 is the last one: its error is of the order of its square. Where |y| has a weight, D'
  // has jumps, and the bracket has to close on one.
  template <class LossType>
  double line_search(const LossType& loss, const std::vector<DualRow>& row, const Derivatives& linear) {
    constexpr double close = std::is_same_v<LossType, Logistic> ? 1e-4 : 1e-12;
    constexpr int most_evaluations = 60;
    double t = 1, lo = 0, hi = 1;
    for (int k = 0; k < most_evaluations; ++k) {
      const Derivatives at = derivatives(loss, row, linear, t);
      if (at.first >= 0 && t == 1) return 1;
      if (!std::isfinite(at.first)) return lo;
      double next = t - at.first / at.second;
      if (is_quadratic(loss)) return next > 0 ? next : 0;
      (at.first >= 0 ? lo : hi) = t;
      if (std::abs(next - t) <= close || hi - lo <= close) return std::clamp(next, lo, hi);
      if (!(lo < next && next < hi)) next = 0.5 * (lo + hi);
      t = next;
    }
    return t;
  }
  static bool is_quadratic(const PiecewiseQuadratic& loss) { return loss.insensitivity == 0; }
  static bool is_quadratic(const Logistic&) { return false; }

  std::vector<Lane> lane_;
  Chunks columns_{0, 1};
  std::vector<Products> products_;
  std::vector<Derivatives> row_part_;
  double steps_ = 0;
  std::size_t rounds_ = 0;
};

// The steps of a lane, on its copy of w.
template <class LossType>
struct LaneSteps {
  const LossType& loss;
  std::vector<DualRow>& row;
  const ActiveRows& active;
  std::vector<unsigned char>& skipped;  // by position
  double intercept;                     // at the start of the round
  double own_shift;                     // of the intercept by a step, lambda / kappa_b; it counts `lanes` times
  double lanes;

  template <bool shrink, class Row>
  [[gnu::always_inline]] void take(Row a, std::uint32_t i, std::size_t position, Lanes::Lane& lane) const {
    DualRow& one = row[i];
    const double by = lanes * own_shift, z = dot(a, lane.w.data()) + (intercept - by * lane.shift);
    lane.entries += a.size;
    if constexpr (shrink && LossType::can_shrink) {
      const auto gradient = loss.projected_gradient(one.b, z, one.y);
      if (active.skips(gradient.margin)) {
        skipped[position] = 1;
        return;
      }
      lane.sums.violation = std::max(lane.sums.violation, std::abs(gradient.violation));
    }
    const double q = one.q + (by - own_shift) * one.scaled_weight, dy = loss.dual_step(one.b, z, one.y, q) - one.y;
    RowTerms<LossType>(loss).add(lane.sums, one, z, dy, position);
    if constexpr (shrink) lane.sums.at_bound += at_bound(loss, one.b, one.y + dy);
    if (dy == 0) return;
    lane.moved.push_back({i, one.y});
    one.y += dy;
    lane.shift += one.scaled_weight * dy;
    add_to(lane.w.data(), -one.scaled_weight * dy, a);
    lane.entries += a.size;
  }
};

}  // namespace seesaw
