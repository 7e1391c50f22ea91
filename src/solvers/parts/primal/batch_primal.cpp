#include "solvers/parts/primal/batch_primal.h"

#include "base/tree_sum.h"
#include "solvers/parts/common/dual_sums.h"

namespace seesaw {

BatchPrimal::BatchPrimal(const Problem& problem, double bias_entry)
    : problem_(problem),
      t_(bias_entry),
      x_(problem.d() + 1),
      before_(x_),
      xbar_(x_),
      s_(x_),
      z_(problem.n()),
      zbar_(z_),
      cy_(z_) {}

void BatchPrimal::begin(const Start& start) {
  std::vector<double> s(problem_.d()), sums;
  if (!start.y.empty()) weighted_sums(problem_, start.y, s, sums);
  const std::vector<double> x = starting_x(problem_, start, s);
  std::copy(x.begin(), x.end(), x_.begin());
  if (t_ > 0) x_.back() = starting_intercepts(problem_, start)[0] / t_;
  before_ = x_;
  extrapolate(0);
}

double BatchPrimal::step(double tau, From from) {
  const std::size_t d = problem_.d();
  multiply_transposed(problem_.data->rows, cy_.data(), s_.data());
  if (t_ > 0) s_[d] = t_ * sum_over(problem_.leaves(), cy_);
  before_.swap(x_);  // x_ is overwritten below
  const std::vector<double>& here = from == From::last ? before_ : xbar_;
  const double shrink = 1 / (1 + tau * problem_.penalty.l2()), threshold = tau * problem_.penalty.l1();
  double against = parallel_sum<double>(chunks_of(d, 8192), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) {
      x_[j] = soft_threshold(here[j] - tau * s_[j], threshold) * shrink;
      sum += (here[j] - x_[j]) * (x_[j] - before_[j]);
    }
    return sum;
  });
  x_[d] = here[d] - tau * shrink * s_[d];
  return against + (here[d] - x_[d]) * (x_[d] - before_[d]);
}

void BatchPrimal::extrapolate(double theta) {
  parallel_chunks(chunks_of(x_.size(), 8192), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) xbar_[j] = x_[j] + theta * (x_[j] - before_[j]);
  });
  multiply(problem_.data->rows, xbar_.data(), zbar_.data());
  const double b = t_ * xbar_[problem_.d()], weight_of_new = 1 / (1 + theta);
  parallel_chunks(chunks_of(z_.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      zbar_[i] += b;
      z_[i] = (zbar_[i] + theta * z_[i]) * weight_of_new;
    }
  });
}

void BatchPrimal::read(Point& point) const {
  point.x.assign(x_.begin(), x_.end() - 1);
  point.intercept.assign(1, t_ * x_.back());
}

Work BatchPrimal::work_of(std::uint64_t iterations) const {
  const auto passes = static_cast<double>(iterations);
  const std::size_t entries = std::visit([](const auto& rows) { return rows.entries(); }, problem_.data->rows);
  return {passes, 2 * passes * static_cast<double>(entries)};
}

}  // namespace seesaw
