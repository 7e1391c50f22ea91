// A reference of the single-entry method by its head comment: dense, in long double, every probability and step computed
// from the matrix, nothing packed or prefetched. Only the draws are those of the engine.
#pragma once

#include <cmath>
#include <vector>

#include "model/intercept.h"
#include "solvers/engines/single_entry.h"
#include "solvers/parts/sampling/entry_draws.h"
#include "support/table.h"

namespace seesaw::test {

enum class DualSign { corrected, printed };  // y + sigma(...), or y - sigma(...) as in the paper

class EagerSingleEntry {
 public:
  using Real = long double;
  using Vector = std::vector<Real>;

  EagerSingleEntry(const Problem& problem, const SingleEntrySpec& spec, const Start& start,
                   DualSign sign = DualSign::corrected)
      : problem_(problem),
        spec_(spec),
        sign_(sign == DualSign::corrected ? 1 : -1),
        a_(matrix_of(*problem.data)),
        loss_(problem.scalar().loss),
        facts_(problem),
        delta_(spec.ramp > 0 ? spec.delta_start : spec.delta),
        probabilities_(facts_, spec.sampling, delta_),
        draws_(make_entry_draws(problem, probabilities_, spec.sampling, facts_.bias_entry, spec.seed,
                                spec.pools ? pool_size(facts_) : 0)) {
    double at_zero = 0, stored = 0;
    for (std::size_t i = 0; i < a_.size(); ++i)
      at_zero += problem.normalized_weight[i] *
                 std::visit([&](const auto& l) { return l.value(problem.scalar().target[i], 0); }, loss_);
    if (problem.gamma() == 0) loss_ = smoothed(loss_, 1e-2 * at_zero);  // the initial smoothing
    for (const auto& row : a_)
      for (double value : row) stored += value != 0 || problem.data->dense();
    T_ = std::max(1LL, std::llround(spec.epoch_length * stored));
    const double read = (spec.variance_reduction ? 2 * stored : 0) + 3 * static_cast<double>(T_);
    passes_of_period_ = read / (2 * stored);
    if (problem.free_intercept())
      for (auto& row : a_) row.push_back(facts_.bias_entry);
    x_.assign(a_[0].size(), 0);
    y_.assign(a_.size(), 0);
    measure();
    std::copy(start.x.begin(), start.x.end(), x_.begin());
    for (std::size_t j = 0; j < x_.size(); ++j)
      if (column_square_[j] == 0) x_[j] = 0;
    const double intercept = start.y.empty() ? intercepts_alone(problem)[0] : start.intercept[0];
    if (problem.free_intercept()) x_.back() = intercept / facts_.bias_entry;
    for (std::size_t i = 0; i < a_.size(); ++i)
      std::visit(
          [&](const auto& l) {
            if (row_square_[i] == 0) y_[i] = l.derivative(problem.scalar().target[i], 0);
            else if (!start.y.empty()) y_[i] = l.domain(problem.scalar().target[i]).clip(start.y[i]);
          },
          problem.scalar().loss);
    if (nonzeros()) choose(row_size_, column_size_, 1);
    else if (spec.sampling == EntrySampling::norms) choose(roots(row_square_), roots(column_square_), delta_);
    else choose(row_size_, column_size_, 0);
    set_steps();
  }

  void epoch() {
    const bool reduced = spec_.variance_reduction;
    const Vector xt = reduced ? x_ : Vector(x_.size()), yt = reduced ? y_ : Vector(y_.size());
    Vector z(a_.size()), s(xt.size());
    for (std::size_t i = 0; i < a_.size(); ++i)
      for (std::size_t j = 0; j < xt.size(); ++j) {
        z[i] += a_[i][j] * xt[j];
        s[j] += problem_.normalized_weight[i] * a_[i][j] * yt[i];
      }
    const double passes = static_cast<double>(periods_) * passes_of_period_;
    if (spec_.ramp > 0) {
      delta_ = spec_.delta_start + (spec_.delta - spec_.delta_start) * std::min(1.0, passes / spec_.ramp);
      probabilities_.set_delta(delta_);
      if (spec_.sampling == EntrySampling::norms) choose(roots(row_square_), roots(column_square_), delta_);
    }
    if (spec_.sampling == EntrySampling::adaptive) follow(z, s);
    else set_steps();
    if (problem_.free_intercept()) s.back() -= problem_.penalty.l2() * x_.back();  // its centre is the current value
    draws_->begin_period();
    ++periods_;
    for (long long step = 0; step < T_; ++step) {
      EntryDraw e{};
      draws_->fill({&e, 1});
      const auto [i, j, k, l] = std::tuple{e.i, e.j, e.other_i, e.other_j};
      const Real xbar =
          prox(j, s[j] + a_[k][j] * problem_.normalized_weight[k] / row_given_column(k, j) * (y_[k] - yt[k]));
      const Real ybar = dual(i, z[i] + a_[i][l] / column_given_row(l, i) * (x_[l] - xt[l]));
      const Real x = prox(j, s[j] + a_[i][j] * problem_.normalized_weight[i] / row_given_column(i, j) * (ybar - yt[i]));
      const Real y = dual(i, z[i] + a_[i][j] / column_given_row(j, i) * (xbar - xt[j]));
      x_[j] = x;
      y_[i] = y;
    }
  }

  const Vector& x() const { return x_; }  // with the intercept's coordinate, if there is one
  const Vector& y() const { return y_; }
  double intercept() const {
    return problem_.free_intercept() ? static_cast<double>(facts_.bias_entry * x_.back()) : 0;
  }

 private:
  bool nonzeros() const { return spec_.sampling == EntrySampling::nonzeros; }
  bool is_bias(std::size_t j) const { return j == problem_.d(); }
  Real row_given_column(std::size_t i, std::size_t j) const { return nonzeros() ? 1 / column_size_[j] : p_[i]; }
  Real column_given_row(std::size_t j, std::size_t i) const { return nonzeros() ? 1 / row_size_[i] : q_[j]; }

  Real prox(std::size_t j, Real derivative, Real tau) const {
    const Real u = x_[j] - tau * derivative, l1 = is_bias(j) ? 0 : tau * problem_.penalty.l1();
    return (u > l1 ? u - l1 : u < -l1 ? u + l1 : 0) / (1 + tau * problem_.penalty.l2());
  }
  Real prox(std::size_t j, Real derivative) const { return prox(j, derivative, tau_ / (d_ * q_[j])); }
  Real dual(std::size_t i, Real z, Real sigma) const {
    return std::visit(
        [&](const auto& l) {
          return l.dual_step(problem_.scalar().target[i], static_cast<double>(sign_ * z), static_cast<double>(y_[i]),
                             static_cast<double>(1 / sigma));
        },
        loss_);
  }
  Real dual(std::size_t i, Real z) const { return dual(i, z, sigma_ / (n_ * d_ * p_[i])); }

  static Vector roots(Vector values) {
    for (Real& value : values) value = std::sqrt(value);
    return values;
  }

  void measure() {
    row_square_.assign(a_.size(), 0);
    column_square_.assign(x_.size(), 0);
    row_size_ = row_square_;
    column_size_ = column_square_;
    for (std::size_t i = 0; i < a_.size(); ++i)
      for (std::size_t j = 0; j < x_.size(); ++j) {
        const Real square = problem_.normalized_weight[i] * static_cast<Real>(a_[i][j]) * a_[i][j];
        row_square_[i] += square;
        column_square_[j] += square;
        row_size_[i] += square > 0;
        column_size_[j] += square > 0;
      }
    for (const Real square : row_square_) n_ += square > 0;
    for (const Real square : column_square_) d_ += square > 0;
  }

  static Vector mixed(const Vector& scores, const Vector& squares, Real count, Real delta) {
    Vector result(scores.size());
    Real total = 0;
    for (std::size_t k = 0; k < scores.size(); ++k) total += squares[k] > 0 ? scores[k] : 0;
    for (std::size_t k = 0; k < scores.size(); ++k)
      if (squares[k] > 0) result[k] = (1 - delta) / count + delta * scores[k] / total;
    return result;
  }
  void choose(const Vector& row_scores, const Vector& column_scores, Real delta) {
    p_ = mixed(row_scores, row_square_, n_, delta);
    q_ = mixed(column_scores, column_square_, d_, delta);
  }

  void set_steps() {
    Real once = 0, noise = 0;
    Vector row(a_.size()), column(x_.size());
    for (std::size_t i = 0; i < a_.size(); ++i)
      for (std::size_t j = 0; j < x_.size(); ++j) {
        if (a_[i][j] == 0) continue;
        const Real joint = q_[j] * row_given_column(i, j);
        const Real square = problem_.normalized_weight[i] * static_cast<Real>(a_[i][j]) * a_[i][j];
        once = std::max(once, square / (joint * joint));
        row[i] += square / joint;
        column[j] += square / joint;
      }
    for (const Real sum : row) noise = std::max(noise, sum);
    for (const Real sum : column) noise = std::max(noise, sum);
    Real eta = spec_.step * std::sqrt(n_ * d_ * d_ / (once + T_ * noise));
    const Real gamma = gamma_of(loss_);
    if (!spec_.variance_reduction) {
      const Real rate = eta / d_ * std::sqrt(problem_.penalty.l2() * gamma / n_);
      eta /= 1 + rate * static_cast<Real>(periods_ * T_) / 2;
    }
    tau_ = eta * std::sqrt(gamma / (n_ * problem_.penalty.l2()));
    sigma_ = tau_ * n_ * problem_.penalty.l2() / gamma;
  }

  void follow(const Vector& z, const Vector& s) {  // powers of the gradient maps
    const auto score = [&](Real size) {            // never 0
      return std::max(1e-150L, std::pow(size, static_cast<Real>(spec_.kappa)));
    };
    Vector rows(a_.size()), columns(x_.size());
    for (std::size_t i = 0; i < a_.size(); ++i)
      rows[i] = score(std::abs(dual(i, z[i], sigma_ / d_) - y_[i]) * d_ / sigma_);
    for (std::size_t j = 0; j < x_.size(); ++j)
      columns[j] = score(
          std::abs(is_bias(j) ? s[j] / (1 + tau_ * problem_.penalty.l2()) : (prox(j, s[j], tau_) - x_[j]) / tau_));
    choose(rows, columns, delta_);
    const std::vector<double> row_scores(rows.begin(), rows.end()), column_scores(columns.begin(), columns.end());
    probabilities_.follow(row_scores, column_scores);
  }

  const Problem& problem_;
  SingleEntrySpec spec_;
  Real sign_;
  Matrix a_;  // with the intercept's column, if there is one
  Loss loss_;
  EntryFacts facts_;
  double delta_;
  EntryProbabilities probabilities_;
  std::unique_ptr<EntryDraws> draws_;
  long long T_ = 0, periods_ = 0;
  double passes_of_period_ = 0;
  Real n_ = 0, d_ = 0, tau_ = 0, sigma_ = 0;
  Vector x_, y_, p_, q_, row_square_, column_square_, row_size_, column_size_;
};

}  // namespace seesaw::test
