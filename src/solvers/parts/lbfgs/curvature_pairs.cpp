#include "solvers/parts/lbfgs/curvature_pairs.h"

#include <algorithm>
#include <cmath>

#include "base/archive.h"
#include "base/parallel.h"
#include "kernels/at_level.h"

namespace seesaw {
namespace {

constexpr std::size_t block = 1024;  // numbers of a vector: those of the new vectors stay in the L1 cache
constexpr std::size_t lanes = 8;

struct Dots {
  double with_y, with_g;
};

// stored.y and stored.g, in eight lanes each.
[[gnu::always_inline]] inline Dots dots(const float* stored, const float* y, const double* g, std::size_t size) {
  double of_y[lanes] = {}, of_g[lanes] = {};
  std::size_t j = 0;
  for (; j + lanes <= size; j += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const auto value = static_cast<double>(stored[j + lane]);
      of_y[lane] += value * static_cast<double>(y[j + lane]);
      of_g[lane] += value * g[j + lane];
    }
  for (; j < size; ++j) {
    of_y[0] += static_cast<double>(stored[j]) * static_cast<double>(y[j]);
    of_g[0] += static_cast<double>(stored[j]) * g[j];
  }
  Dots sum{0, 0};
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    sum.with_y += of_y[lane];
    sum.with_g += of_g[lane];
  }
  return sum;
}

[[gnu::always_inline]] inline void add(double* d, double scale, const float* stored, std::size_t size) {
  for (std::size_t j = 0; j < size; ++j) d[j] += scale * static_cast<double>(stored[j]);
}

Chunks chunks_for(std::size_t size) { return chunks_of(size, 4096); }

}  // namespace

CurvaturePairs::CurvaturePairs(std::size_t size, std::size_t most)
    : size_(size),
      most_(most),
      stored_(2 * size * most),
      sy_(most * most),
      yy_(most * most),
      sg_(most),
      yg_(most),
      s_norm_(most),
      y_norm_(most),
      of_s_(most),
      of_y_(most) {}

void CurvaturePairs::clear() {
  count_ = 0;
  products_known_ = false;
}

void CurvaturePairs::serialize(Archive& archive) {
  archive.numbers("pairs", count_, newest_, products_known_);
  for (std::vector<double>* products : {&sy_, &yy_, &sg_, &yg_, &s_norm_, &y_norm_})
    archive.array("products", *products);
  for (std::size_t age = 0; age < count_; ++age) {
    const auto part = stored_.begin() + 2 * slot(age) * size_;
    std::vector<float> pair(part, part + 2 * size_);
    archive.array("pair", pair);
    std::copy(pair.begin(), pair.end(), part);
  }
}

bool CurvaturePairs::add(double t, const Eigen::VectorXd& d, const Eigen::VectorXd& before,
                         const Eigen::VectorXd& after) {
  const std::size_t at = count_ == 0 ? 0 : (newest_ + 1) % most_;
  struct Sizes {
    double ss = 0, yy = 0;
    Sizes& operator+=(const Sizes& other) {
      ss += other.ss;
      yy += other.yy;
      return *this;
    }
  };
  const auto sizes = parallel_sum<Sizes>(chunks_for(size_), [&](std::size_t begin, std::size_t end) {
    Sizes sum;
    for (auto j = static_cast<Eigen::Index>(begin); j < static_cast<Eigen::Index>(end); ++j) {
      const double change = after[j] - before[j];
      sum += {d[j] * d[j], change * change};
    }
    return sum;
  });
  const double s_norm = std::abs(t) * std::sqrt(sizes.ss), y_norm = std::sqrt(sizes.yy);
  products_known_ = false;
  if (!(s_norm > 0 && y_norm > 0 && std::isfinite(s_norm) && std::isfinite(y_norm))) return false;
  parallel_chunks(chunks_for(size_), [&](std::size_t, std::size_t begin, std::size_t end) {
    float *to_s = s(at), *to_y = y(at);
    const double *along = d.data(), *from = before.data(), *to = after.data();
    for (std::size_t j = begin; j < end; ++j) {
      to_s[j] = static_cast<float>(t * along[j] / s_norm);
      to_y[j] = static_cast<float>((to[j] - from[j]) / y_norm);
    }
  });
  s_norm_[at] = s_norm;
  y_norm_[at] = y_norm;
  newest_ = at;
  count_ = std::min(count_ + 1, most_);
  products_with(after, at, count_);
  if (sy(at, at) > 1e-10 * s_norm * y_norm) return true;
  newest_ = (at + most_ - 1) % most_;
  --count_;
  return false;
}

// The inner products of g and of y of slot `at` with all pairs: one read of the pairs.
void CurvaturePairs::products_with(const Eigen::VectorXd& g, std::size_t at, std::size_t pairs) {
  const Chunks chunks = chunks_for(size_);
  const std::size_t width = 4 * pairs;
  sums_.assign(chunks.count * width, 0.0);
  parallel_chunks(chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    double* sums = sums_.data() + chunk * width;
    const float* of_at = y(at);
    at_level([&]() __attribute__((always_inline)) {
      for (std::size_t from = begin; from < end; from += block) {
        const std::size_t size = std::min(block, end - from);
        for (std::size_t age = 0; age < pairs; ++age) {
          const std::size_t i = slot(age);
          const Dots of_s = dots(s(i) + from, of_at + from, g.data() + from, size);
          const Dots of_y = dots(y(i) + from, of_at + from, g.data() + from, size);
          sums[4 * age] += of_s.with_y;
          sums[4 * age + 1] += of_s.with_g;
          sums[4 * age + 2] += of_y.with_y;
          sums[4 * age + 3] += of_y.with_g;
        }
      }
    });
  });
  for (std::size_t chunk = 1; chunk < chunks.count; ++chunk)
    for (std::size_t k = 0; k < width; ++k) sums_[k] += sums_[chunk * width + k];
  for (std::size_t age = 0; age < pairs; ++age) {
    const std::size_t i = slot(age);
    sy(i, at) = s_norm_[i] * y_norm_[at] * sums_[4 * age];
    sg_[i] = s_norm_[i] * sums_[4 * age + 1];
    yy(i, at) = yy(at, i) = y_norm_[i] * y_norm_[at] * sums_[4 * age + 2];
    yg_[i] = y_norm_[i] * sums_[4 * age + 3];
  }
  products_known_ = true;
}

// The two-loop recursion: q = g - sum of a_i y_i, newest first; d = -(gamma q + sum (a_i - b_i) s_i), oldest first.
void CurvaturePairs::coefficients() {
  const double gamma = sy(newest_, newest_) / yy(newest_, newest_);
  std::vector<double>& a = of_y_;
  for (std::size_t age = 0; age < count_; ++age) {
    const std::size_t i = slot(age);
    double sq = sg_[i];
    for (std::size_t newer = 0; newer < age; ++newer) sq -= a[slot(newer)] * sy(i, slot(newer));
    a[i] = sq / sy(i, i);
  }
  for (std::size_t age = count_; age-- > 0;) {
    const std::size_t i = slot(age);
    double yq = yg_[i], yr = 0;
    for (std::size_t other = 0; other < count_; ++other) yq -= a[slot(other)] * yy(i, slot(other));
    for (std::size_t older = age + 1; older < count_; ++older) yr += of_s_[slot(older)] * sy(slot(older), i);
    of_s_[i] = a[i] - (gamma * yq + yr) / sy(i, i);
  }
  for (std::size_t age = 0; age < count_; ++age) {
    of_s_[slot(age)] *= -s_norm_[slot(age)];
    of_y_[slot(age)] *= gamma * y_norm_[slot(age)];
  }
  of_g_ = -gamma;
}

void CurvaturePairs::direction(const Eigen::VectorXd& g, Eigen::VectorXd& d) {
  d.resize(g.size());
  if (count_ == 0) {
    d = -g;
    return;
  }
  if (!products_known_) products_with(g, newest_, count_);
  coefficients();
  parallel_chunks(chunks_for(size_), [&](std::size_t, std::size_t begin, std::size_t end) {
    at_level([&]() __attribute__((always_inline)) {
      for (std::size_t from = begin; from < end; from += block) {
        const std::size_t size = std::min(block, end - from);
        double* to = d.data() + from;
        for (std::size_t j = 0; j < size; ++j) to[j] = of_g_ * g[static_cast<Eigen::Index>(from + j)];
        for (std::size_t age = 0; age < count_; ++age) {
          const std::size_t i = slot(age);
          seesaw::add(to, of_y_[i], y(i) + from, size);
          seesaw::add(to, of_s_[i], s(i) + from, size);
        }
      }
    });
  });
}

}  // namespace seesaw
