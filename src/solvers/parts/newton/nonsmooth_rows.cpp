#include "solvers/parts/newton/nonsmooth_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/archive.h"
#include "base/parallel_elements.h"
#include "base/ranks.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "kernels/at_level.h"
#include "model/problem.h"
#include "solvers/parts/newton/row_products.h"

namespace seesaw {
namespace {

constexpr std::size_t block = 256;  // terms per block

// Eight independent sums, so that additions are not serialized.
[[gnu::always_inline]] inline double sum_of(const double* terms, std::size_t size) {
  double s[8] = {};
  std::size_t k = 0;
  for (; k + 8 <= size; k += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) s[lane] += terms[k + lane];
  for (; k < size; ++k) s[0] += terms[k];
  return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

// The loss in plain numbers; the domain is selected by a blend, not by an index, for vectorization.
struct Kernel {
  explicit Kernel(const NonsmoothRows& rows)
      : of_down(rows.loss.domains[0]),
        of_up(rows.loss.domains[1]),
        e(rows.loss.insensitivity),
        gamma(rows.gamma),
        inverse(1 / rows.gamma) {}
  const Interval of_down, of_up;
  const double e, gamma, inverse;

  [[gnu::always_inline]] double lo(double b) const { return b > 0 ? of_up.lo : of_down.lo; }
  [[gnu::always_inline]] double hi(double b) const { return b > 0 ? of_up.hi : of_down.hi; }
  [[gnu::always_inline]] double y(double b, double z, double y0) const {
    const double s = soft_threshold(z - b + gamma * y0, e) * inverse, low = lo(b), high = hi(b);
    const double above = s > low ? s : low;
    return above < high ? above : high;
  }
  [[gnu::always_inline]] bool is_free(double b, double value) const {  // no branch
    const int inside = int{lo(b) < value} & int{value < hi(b)}, smooth_part = int{e == 0} | int{value != 0};
    return (inside & smooth_part) != 0;
  }
};

}  // namespace

void NonsmoothRows::resize(std::size_t rows) {
  which.resize(rows);
  for (auto* array : {&b, &c, &y0, &z, &y, &q}) array->resize(rows);
  leaves = Leaves({0, rows});
}

void NonsmoothRows::load(const Problem& problem) {
  resize(which.size());
  parallel_elements(size(), [&](std::size_t k) {
    b[k] = problem.scalar().target[which[k]];
    c[k] = problem.normalized_weight[which[k]];
  });
  leaves = leaves_for_numbers(problem.data->rows, which);
}

void NonsmoothRows::take(const Problem& problem, const NonsmoothRows& from, std::span<const std::uint32_t> places) {
  which.resize(places.size());
  for (std::size_t k = 0; k < places.size(); ++k) which[k] = from.which[places[k]];
  load(problem);
  gamma = from.gamma;
  parallel_elements(size(), [&](std::size_t k) {
    y0[k] = from.y0[places[k]];
    z[k] = from.z[places[k]];
    y[k] = from.y[places[k]];
  });
}

void NonsmoothRows::serialize(Archive& archive, const Problem& problem) {
  archive.numbers("gamma", gamma);
  archive.row_list("which", which);
  if (!archive.saving()) load(problem);
  archive.listed("y0", y0);
  archive.listed("z", z);
  archive.listed("y", y);
}

void NonsmoothRows::move(double t) {
  parallel_elements(size(), [&](std::size_t i) { z[i] += t * q[i]; });
}

void NonsmoothRows::follow_scores(std::vector<std::uint32_t>& changed, std::vector<double>& change) {
  next_.resize(size());
  const Kernel kernel(*this);
  parallel_chunks(element_chunks(size()), [&](std::size_t, std::size_t begin, std::size_t end) {
    at_level([&]() __attribute__((always_inline)) {
      for (std::size_t i = begin; i < end; ++i) next_[i] = kernel.y(b[i], z[i], y0[i]);
    });
  });
  select_in_order(
      size(), [&](std::size_t i) { return next_[i] != y[i]; },
      [&](std::size_t count) {
        changed.resize(count);
        change.resize(count);
      },
      [&](std::size_t place, std::size_t i) {
        changed[place] = which[i];
        change[place] = c[i] * (next_[i] - y[i]);
      });
  y.swap(next_);
}

void NonsmoothRows::free_rows(std::vector<std::uint32_t>& free, std::vector<double>& normalized_weight) const {
  const Kernel kernel(*this);
  select_in_order(
      size(), [&](std::size_t i) { return kernel.is_free(b[i], y[i]); },
      [&](std::size_t count) {
        free.resize(count);
        normalized_weight.resize(count);
      },
      [&](std::size_t place, std::size_t i) {
        free[place] = which[i];
        normalized_weight[place] = c[i];
      });
}

std::size_t NonsmoothRows::crossings(std::span<const double> scores, std::span<const std::uint32_t> places) const {
  const Kernel kernel(*this);
  const auto crosses = [&](std::size_t i) __attribute__((always_inline)) {
    return kernel.y(b[i], scores[i], y0[i]) != y[i];
  };
  const auto all = tree_sum<std::size_t>(leaves, [&](std::size_t begin, std::size_t end) {
    return at_level([&]() __attribute__((always_inline)) {
      std::size_t count = 0;
      for (std::size_t i = begin; i < end; ++i) count += crosses(i);
      return count;
    });
  });
  std::size_t there = 0;
  for (const std::uint32_t i : places) there += crosses(i);
  return all - sum_of_ranks(leaves, there);
}

void NonsmoothRows::distances(std::vector<float>& distance) const {
  distance.resize(size());
  const Kernel kernel(*this);
  parallel_chunks(element_chunks(size()), [&](std::size_t, std::size_t begin, std::size_t end) {
    at_level([&]() __attribute__((always_inline)) {
      for (std::size_t i = begin; i < end; ++i) {
        const double r = z[i] - b[i] + gamma * y0[i], s = soft_threshold(r, kernel.e);
        const double out = std::max(gamma * kernel.lo(b[i]) - s, s - gamma * kernel.hi(b[i]));
        const double tube = kernel.e - std::abs(r);
        distance[i] = static_cast<float>(std::max(std::max(out, tube), 0.0));
      }
    });
  });
}

namespace {

// The leading bits of a distance: bins of width 1/8 relative.
[[gnu::always_inline]] inline std::uint32_t bin_of(float distance) {
  return std::bit_cast<std::uint32_t>(distance) >> 20;
}

}  // namespace

void NonsmoothRows::find_distances() {
  distances(distance_);
  histogram_.assign(1 << 12, 0);
  for (const float distance : distance_) ++histogram_[bin_of(distance)];
  if (leaves.shares() != nullptr) leaves.shares()->ranks->add_up(histogram_);
}

// By the histogram: faster than a partial sort.
void NonsmoothRows::nearest(double factor, std::size_t least, std::vector<std::uint32_t>& places) const {
  const std::vector<std::uint32_t>& count = histogram_;
  const auto target_count = std::max(factor * std::max<double>(count[0], static_cast<double>(least)), 256.0);
  std::size_t bins = 0;
  for (double held = 0; bins < count.size() && held < target_count; ++bins) held += count[bins];
  select_in_order(
      size(), [&, distance = distance_.data()](std::size_t i) { return bin_of(distance[i]) < bins; },
      [&](std::size_t count_of_near) { places.resize(count_of_near); },
      [&](std::size_t place, std::size_t i) { places[place] = static_cast<std::uint32_t>(i); });
}

bool NonsmoothRows::can_balance(double excess) const {
  const Kernel kernel(*this);
  const auto available = tree_sum<double>(leaves, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i)
      sum += c[i] * (excess > 0 ? y[i] - kernel.lo(b[i]) : kernel.hi(b[i]) - y[i]);
    return sum;
  });
  return available >= std::abs(excess);
}

NonsmoothRows::Losses& NonsmoothRows::Losses::operator+=(const Losses& other) {
  primal += other.primal;
  excess += other.excess;
  return *this;
}

NonsmoothRows::Losses NonsmoothRows::losses() const {
  const Kernel kernel(*this);
  return tree_sum<Losses>(leaves, [&](std::size_t first_row, std::size_t end) {
    return at_level([&]() __attribute__((always_inline)) {
      std::size_t begin = first_row;
      Losses sum;
      double primal[block], excess[block];
      for (; begin < end; begin += block) {
        const std::size_t some = std::min(block, end - begin);
        for (std::size_t k = 0; k < some; ++k) {
          const std::size_t i = begin + k;
          const double r = z[i] - b[i], s = soft_threshold(r, kernel.e);
          const double up = s * kernel.hi(b[i]), down = s * kernel.lo(b[i]), phi = up > down ? up : down;
          const double over = phi - y[i] * r + kernel.e * std::abs(y[i]);
          primal[k] = c[i] * phi;
          excess[k] = c[i] * (over > 0 ? over : 0);
        }
        sum += {sum_of(primal, some), sum_of(excess, some)};
      }
      return sum;
    });
  });
}

NonsmoothRows::Derivatives& NonsmoothRows::Derivatives::operator+=(const Derivatives& other) {
  first += other.first;
  second += other.second;
  return *this;
}

NonsmoothRows::Derivatives NonsmoothRows::along(double t) const {
  const Kernel kernel(*this);
  return tree_sum<Derivatives>(leaves, [&](std::size_t first_row, std::size_t end) {
    return at_level([&]() __attribute__((always_inline)) {
      std::size_t begin = first_row;
      Derivatives sum;
      double first[block], second[block];
      for (; begin < end; begin += block) {
        const std::size_t some = std::min(block, end - begin);
        for (std::size_t k = 0; k < some; ++k) {
          const std::size_t i = begin + k;
          const double at = kernel.y(b[i], z[i] + t * q[i], y0[i]), cq = c[i] * q[i];
          const bool inside = kernel.is_free(b[i], at);
          first[k] = cq * at;
          second[k] = inside ? cq * q[i] * kernel.inverse : 0;
        }
        sum += {sum_of(first, some), sum_of(second, some)};
      }
      return sum;
    });
  });
}

double NonsmoothRows::exact_step(double derivative, double curvature) const {
  constexpr int most_steps = 40;
  constexpr double most_growth = 8;           // of t from one step to the next
  constexpr double relative_accuracy = 0.05;  // of the derivative
  const double tolerance = relative_accuracy * std::abs(derivative);
  derivative -= along(0).first;
  double lo = 0, hi = infinity, t = 1;
  for (int round = 0; round < most_steps; ++round) {
    const Derivatives at = along(t);
    const double here = derivative + t * curvature + at.first;
    if (std::abs(here) <= tolerance || stop_requested()) return t;
    (here < 0 ? lo : hi) = t;
    const double next = t - here / (curvature + at.second);
    const double most = std::isinf(hi) ? most_growth * t : hi;  // all rows may be linear up to here
    t = lo < next && next < most ? next : std::isinf(hi) ? most : (lo + hi) / 2;
  }
  return lo > 0 ? lo : t;  // the function decreases up to lo
}

std::vector<double> middle_of_domain(const Problem& problem, const PiecewiseQuadratic& loss) {
  std::vector<double> middle(problem.n());
  const std::vector<double>& target = problem.scalar().target;
  std::visit(
      [&](const auto& a) {
        parallel_elements(middle.size(), [&](std::size_t i) {
          const Interval box = loss.domain(target[i]);
          const bool empty = !problem.free_intercept() && a.entries(i) == 0;
          middle[i] = empty ? loss.derivative(target[i], 0) : (box.lo + box.hi) / 2;
        });
      },
      problem.data->rows);
  return middle;
}

}  // namespace seesaw
