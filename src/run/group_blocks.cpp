#include "run/group_blocks.h"

#include <algorithm>
#include <cmath>

namespace seesaw {
namespace {

// mu (b scale)^2 of the proximal term, as a fraction of P(0, b): small, so that few centres are needed.
constexpr double proximal_fraction = 0.1;

// (lambda/2)|x|^2 + l1 |x|_1 over the features, and (lambda/2)(t - centre)^2 of the last coordinate.
class PenaltyWithIntercept final : public saddle::PrimalFunction {
 public:
  PenaltyWithIntercept(const Penalty& penalty, std::size_t d, std::shared_ptr<const double> centre)
      : lambda_(penalty.l2()), features_(penalty.l2(), {}, penalty.l1()), d_(d), centre_(std::move(centre)) {}

  void prox(std::span<const double> v, double tau, std::span<double> x) const override {
    features_.prox(head(v), tau, x.first(x.size() - 1));
    x.back() = (v.back() + tau * lambda_ * centre()) / (1 + tau * lambda_);
  }
  std::size_t size() const override { return d_ + 1; }
  double value(std::span<const double> x) const override {
    const double moved = x.back() - centre();
    return features_.value(head(x)) + 0.5 * lambda_ * moved * moved;
  }
  double conjugate(std::span<const double> v) const override {
    return features_.conjugate(head(v)) + v.back() * (centre() + v.back() / (2 * lambda_));
  }
  double strong_convexity() const override { return lambda_; }
  bool maximizer(std::span<const double> v, std::span<double> x) const override {
    features_.maximizer(head(v), x.first(x.size() - 1));
    x.back() = v.back() / lambda_ + centre();
    return true;
  }
  double maximizer_of(std::size_t j, double v) const override {
    return j == d_ ? v / lambda_ + centre() : features_.maximizer_of(j, v);
  }

 private:
  static std::span<const double> head(std::span<const double> v) { return v.first(v.size() - 1); }
  double centre() const { return *centre_; }

  double lambda_;
  saddle::Quadratic features_;
  std::size_t d_;
  std::shared_ptr<const double> centre_;
};

double mean_value_at_zero(const GroupProblem& problem) {
  const std::vector<double>& b = problem.rows.scalar().target;
  double sum = 0;
  for (std::size_t g = 0; g < problem.count(); ++g) {
    double squares = problem.hinge() ? 1 : 0;
    if (!problem.hinge())
      for (const std::uint32_t i : problem.rows_of(g)) squares += b[i] * b[i];
    sum += problem.weight(g) * std::sqrt(squares);
  }
  return sum > 0 ? sum / problem.rows.total_weight : 1;
}

// The column of the free intercept: of the size of a row, so that the norms of blocks hardly grow, and larger where the
// proximal term would be a significant part of P.
double intercept_column(const GroupProblem& problem, double value_at_zero) {
  const std::vector<double>&b = problem.rows.scalar().target, &squares = problem.rows.squared_row_norms();
  double rows = 0, targets = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    rows += squares[i];
    targets += b[i] * b[i];
  }
  const auto n = static_cast<double>(b.size());
  const double least = problem.rows.penalty.l2() * targets / n / (proximal_fraction * value_at_zero);
  const double kappa = std::sqrt(std::max(rows / n, least));
  return kappa > 0 && std::isfinite(kappa) ? kappa : 1;
}

}  // namespace

GroupBlocks::GroupBlocks(const GroupProblem& problem)
    : of_(problem), value_at_zero_(mean_value_at_zero(problem)), centre_(std::make_shared<double>(0)) {
  const Penalty& penalty = problem.rows.penalty;
  const std::size_t d = problem.rows.d();
  std::shared_ptr<const saddle::PrimalFunction> g;
  if (problem.rows.free_intercept()) {
    kappa_ = intercept_column(problem, value_at_zero_);
    g = std::make_shared<PenaltyWithIntercept>(penalty, d, centre_);
  } else {
    g = std::make_shared<saddle::Quadratic>(penalty.l2(), std::vector<double>(), penalty.l1());
  }
  blocks_ = std::make_unique<saddle::Problem>(kappa_ > 0 ? d + 1 : d, std::move(g));
  std::visit([&](const auto& rows) { add_blocks(rows); }, problem.rows.data->rows);
}

template <class Storage>
void GroupBlocks::add_blocks(const Storage& rows) {
  const std::vector<double>& b = of_.rows.scalar().target;
  for (std::size_t g = 0; g < of_.count(); ++g) {
    std::vector<saddle::ScoreRow> of_group;
    std::vector<double> targets;
    for (const std::uint32_t i : of_.rows_of(g)) {
      saddle::ScoreRow& row = of_group.emplace_back();
      for_each(rows.row(i), [&](std::size_t j, double value) {
        if (value == 0) return;
        row.columns.push_back(static_cast<std::uint32_t>(j));
        row.values.push_back(value);
      });
      if (kappa_ > 0) {
        row.columns.push_back(static_cast<std::uint32_t>(of_.rows.d()));
        row.values.push_back(kappa_);
      }
      targets.push_back(b[i]);
    }
    std::shared_ptr<const saddle::BlockFunction> phi;
    if (of_.hinge()) phi = std::make_shared<saddle::LargestHinge>(std::move(targets));
    else phi = std::make_shared<saddle::Norm>(1, std::move(targets));
    blocks_->add(of_group, std::move(phi), of_.weight(g) / of_.rows.total_weight);
  }
}

std::vector<double> GroupBlocks::scores(const std::vector<double>& x) const {
  std::vector<double> without = x, z(of_.row.size());
  if (kappa_ > 0) without.back() = 0;
  for (std::size_t at = 0; at < z.size(); ++at) z[of_.row[at]] = blocks_->score(at, without);
  return z;
}

std::vector<double> GroupBlocks::of_rows(const std::vector<double>& of_blocks) const {
  std::vector<double> result(of_blocks.size());
  for (std::size_t at = 0; at < result.size(); ++at) result[of_.row[at]] = of_blocks[at];
  return result;
}

}  // namespace seesaw
