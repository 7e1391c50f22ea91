#include "solvers/saddle/iteration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/scalar.h"
#include "base/stop.h"
#include "seesaw/error.h"

namespace seesaw::saddle {
namespace {

constexpr double safety = 1.01;  // of a norm that was found by power iterations, from below
constexpr int power_iterations = 200;
constexpr double safety_of_draws = 0.98;  // k of spdhg
constexpr const char* names[] = {"bpd", "spdc", "adaspdc", "spdhg", "sdca"};

double norm_of(std::span<const double> v) {
  double sum = 0;
  for (const double t : v) sum += t * t;
  return std::sqrt(sum);
}

}  // namespace

const char* name_of(Method method) { return names[static_cast<std::size_t>(method)]; }

Iteration::Iteration(const Problem& problem, const Settings& settings)
    : problem_(problem),
      settings_(settings),
      lambda_(problem.g().strong_convexity() + settings.perturb_primal),
      gamma_of_blocks_(infinity),
      gamma_(0),
      at_restart_(infinity),
      separable_(problem.dimension() > 0 && !std::isnan(problem.g().maximizer_of(0, 0))),
      x_(problem.dimension()),
      previous_(x_.size()),
      extrapolated_(x_.size()),
      s_(x_.size()),
      shifted_(x_.size()),
      y_(problem.scores()),
      rng_(settings.seed) {
  std::size_t largest = 0;
  for (std::size_t i = 0; i < problem.blocks(); ++i) {
    gamma_of_blocks_ = std::min(gamma_of_blocks_, problem.block(i).phi->strong_convexity());
    largest = std::max(largest, problem.block(i).size);
  }
  z_.resize(largest);
  next_.resize(largest);
  center_.resize(largest);
  set_steps();
}

void Iteration::pass() {
  switch (settings_.method) {
    case Method::bpd:
      return batch_iteration();
    case Method::sdca:
      return ascent_pass();
    case Method::spdhg:
      return drawn_pass();
    default:
      return block_pass();
  }
}

void Iteration::restart(double size) {
  if (!accelerated() || !(size <= 0.25 * at_restart_)) return;
  at_restart_ = size;
  tau_ = sigma_ = first_step_;
  extrapolated_ = x_;
}

void Iteration::set_dual_perturbation(double g) {
  settings_.perturb_dual = g;
  set_steps();
  begin_again();
}

void Iteration::begin_again() {
  if (settings_.method == Method::spdhg) std::fill(extrapolated_.begin(), extrapolated_.end(), 0.0);
  else extrapolated_ = x_;
}

std::span<double> Iteration::block_of(std::vector<double>& y, std::size_t i) const {
  return {y.data() + problem_.block(i).first, problem_.block(i).size};
}

double Iteration::coupling(std::size_t i) const {
  return problem_.block(i).weight * problem_.norm(i) * problem_.norm(i);
}

void Iteration::set_steps() {
  gamma_ = gamma_of_blocks_ + settings_.perturb_dual;
  steps_.clear();
  cumulative_.clear();
  order_.resize(problem_.blocks());
  std::iota(order_.begin(), order_.end(), 0u);
  switch (settings_.method) {
    case Method::bpd:
      return set_batch_steps();
    case Method::sdca:
      return set_ascent_steps();
    case Method::spdhg:
      return set_drawn_steps();
    default:
      return set_block_steps();
  }
}

void Iteration::set_batch_steps() {
  const double L = largest_norm();
  if (L == 0) return;
  first_step_ = 1 / L;
  if (lambda_ > 0 && gamma_ > 0) {
    tau_ = std::sqrt(gamma_ / lambda_) / L;
    sigma_ = std::sqrt(lambda_ / gamma_) / L;
    theta_ = 1 / (1 + 2 * std::sqrt(lambda_ * gamma_) / L);
  } else {
    tau_ = sigma_ = first_step_;
  }
}

void Iteration::require_strong_convexity() const {
  if (lambda_ > 0 && gamma_ > 0) return;
  throw Unsupported(
      fmt::format("{} needs a strongly convex `g` and strongly convex conjugates of all blocks, and {} is not; choose "
                  "the method bpd, or set `{}` to a small number.",
                  name_of(settings_.method), lambda_ > 0 ? "the conjugate of a block" : "`g`",
                  lambda_ > 0 ? "perturb_dual" : "perturb_primal"));
}

// Blocks without entries: their scores are 0, and their y is set when the point is measured.
void Iteration::leave_empty_blocks() {
  std::erase_if(order_, [&](std::uint32_t i) { return problem_.norm(i) == 0; });
}

void Iteration::set_ascent_steps() {
  if (settings_.perturb_primal > 0)
    throw InvalidOption("perturb_primal", fmt::format("{}", settings_.perturb_primal), "sdca does not use it");
  if (!(lambda_ > 0) || !problem_.g().maximizer(s_, x_))
    throw Unsupported("sdca needs a strongly convex `g` with a `maximizer`; choose the method bpd.");
  for (std::size_t i = 0; i < problem_.blocks(); ++i) steps_.push_back({0, lambda_ / coupling(i), 0});
  leave_empty_blocks();
}

void Iteration::set_drawn_steps() {
  require_strong_convexity();
  leave_empty_blocks();
  std::vector<double> w;
  for (const std::uint32_t i : order_)
    w.push_back(0.5 * (1 + std::sqrt(1 + coupling(i) / (safety_of_draws * lambda_ * gamma_))));
  const double W = std::accumulate(w.begin(), w.end(), 0.0);
  tau_ = 1 / (2 * lambda_ * std::max(W - 1, 1e-3));
  theta_ = W > 1 ? 1 - 1 / W : 0;
  steps_.resize(problem_.blocks());
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const double p = w[k] / W;
    steps_[order_[k]] = {.tau = tau_, .sigma = safety_of_draws * p / (tau_ * coupling(order_[k])), .theta = theta_ / p};
    cumulative_.push_back((cumulative_.empty() ? 0 : cumulative_.back()) + p);
  }
}

void Iteration::set_block_steps() {
  require_strong_convexity();
  const auto n = static_cast<double>(problem_.blocks());
  double largest = 0;
  std::vector<double> norms;
  for (std::size_t i = 0; i < problem_.blocks(); ++i) {
    norms.push_back(std::sqrt(n * problem_.block(i).weight) * problem_.norm(i));
    largest = std::max(largest, norms.back());
  }
  leave_empty_blocks();
  for (const double R : norms)
    steps_.push_back(spdc_steps(settings_.method == Method::spdc ? largest : R, n, 1, lambda_, gamma_));
}

// |[sqrt(c_i) A_i]| by power iterations.
double Iteration::largest_norm() {
  std::vector<double> v(x_.size()), w(x_.size());
  for (double& t : v) t = rng_.uniform() - 0.5;
  double size = 0;
  for (int round = 0; round < power_iterations; ++round) {
    const double scale = norm_of(v);
    if (scale == 0) return 0;
    for (double& t : v) t /= scale;
    std::fill(w.begin(), w.end(), 0.0);
    for (std::size_t i = 0; i < problem_.blocks(); ++i) {
      const Problem::Block& block = problem_.block(i);
      for (std::size_t r = block.first; r < block.first + block.size; ++r)
        problem_.add_to(w, r, block.weight * problem_.score(r, v));
    }
    const double before = size;
    size = norm_of(w);
    v.swap(w);
    if (size == 0 || std::abs(size - before) <= 1e-6 * size) break;
  }
  return safety * std::sqrt(size);
}

void Iteration::scores(std::size_t i, std::span<const double> x) {
  const Problem::Block& block = problem_.block(i);
  for (std::size_t k = 0; k < block.size; ++k) z_[k] = problem_.score(block.first + k, x);
}

// The dual step with the perturbation: phi* + (g/2)|y|^2 has the step of phi* for q + g from q y0/(q + g).
void Iteration::dual_step(std::size_t i, std::span<const double> y0, double q, double perturbation) {
  const std::size_t size = problem_.block(i).size;
  for (std::size_t k = 0; k < size; ++k) center_[k] = q / (q + perturbation) * y0[k];
  problem_.block(i).phi->dual_step({z_.data(), size}, {center_.data(), size}, q + perturbation, {next_.data(), size});
}

// prox of tau (g + (mu/2)|x|^2)
void Iteration::primal_step(double tau) {
  const double mu = settings_.perturb_primal, scale = 1 / (1 + tau * mu);
  if (mu > 0)
    for (double& t : shifted_) t *= scale;
  previous_.swap(x_);
  problem_.g().prox(shifted_, tau * scale, x_);
}

void Iteration::extrapolate(double theta) {
  for (std::size_t j = 0; j < x_.size(); ++j) extrapolated_[j] = x_[j] + theta * (x_[j] - previous_[j]);
}

void Iteration::batch_iteration() {
  for (std::size_t i = 0; i < problem_.blocks(); ++i) {
    scores(i, extrapolated_);
    dual_step(i, block_of(y_, i), 1 / sigma_, settings_.perturb_dual);
    std::copy_n(next_.begin(), problem_.block(i).size, block_of(y_, i).begin());
  }
  recompute_sum();
  for (std::size_t j = 0; j < x_.size(); ++j) shifted_[j] = x_[j] - tau_ * s_[j];
  primal_step(tau_);
  if (accelerated()) {
    theta_ = 1 / std::sqrt(1 + 2 * lambda_ * tau_);
    tau_ *= theta_;
    sigma_ /= theta_;
  }
  extrapolate(theta_);
}

void Iteration::block_pass() {
  const auto n = static_cast<double>(problem_.blocks());
  rng_.shuffle(std::span(order_));
  StopPoll poll(static_cast<double>(x_.size()));
  for (const std::uint32_t i : order_) {
    if (poll.requested()) break;
    scores(i, extrapolated_);
    const double tau = steps_[i].tau;
    for (std::size_t j = 0; j < x_.size(); ++j) shifted_[j] = x_[j] - tau * s_[j];
    update_block(i, steps_[i].sigma, shifted_, -tau * n);
    primal_step(tau);
    extrapolate(steps_[i].theta);
  }
  recompute_sum();  // removes accumulated rounding errors
}

void Iteration::drawn_pass() {
  StopPoll poll(static_cast<double>(x_.size()));
  for (std::size_t step = 0; step < order_.size() && !poll.requested(); ++step) {
    for (std::size_t j = 0; j < x_.size(); ++j) shifted_[j] = x_[j] - tau_ * (s_[j] + extrapolated_[j]);
    primal_step(tau_);
    const auto at = std::upper_bound(cumulative_.begin(), cumulative_.end(), rng_.uniform() * cumulative_.back());
    const auto place = static_cast<std::size_t>(at - cumulative_.begin());
    const std::uint32_t i = order_[std::min(place, order_.size() - 1)];
    std::fill(extrapolated_.begin(), extrapolated_.end(), 0.0);  // e
    scores(i, x_);
    update_block(i, steps_[i].sigma, extrapolated_, steps_[i].theta);  // theta/p_i
  }
  recompute_sum();
}

void Iteration::ascent_pass() {
  rng_.shuffle(std::span(order_));
  StopPoll poll(static_cast<double>(x_.size()));
  exact_primal();
  for (const std::uint32_t i : order_) {
    if (poll.requested()) break;
    scores(i, x_);
    update_block(i, steps_[i].sigma, s_, 0);
    if (separable_) exact_primal_of(i);
    else exact_primal();
  }
  recompute_sum();
  exact_primal();
}

void Iteration::exact_primal() {
  for (std::size_t j = 0; j < x_.size(); ++j) shifted_[j] = -s_[j];
  problem_.g().maximizer(shifted_, x_);
}

void Iteration::exact_primal_of(std::size_t i) {
  const Problem::Block& block = problem_.block(i);
  for (std::size_t r = block.first; r < block.first + block.size; ++r)
    for (const std::uint32_t j : problem_.columns(r)) x_[j] = problem_.g().maximizer_of(j, -s_[j]);
}

// The dual step of block i at the scores z_;  s += c_i A_i dy,  also += scale c_i A_i dy.
void Iteration::update_block(std::size_t i, double sigma, std::vector<double>& also, double scale) {
  const Problem::Block& block = problem_.block(i);
  const std::span<double> y = block_of(y_, i);
  dual_step(i, y, 1 / sigma, settings_.perturb_dual);
  for (std::size_t k = 0; k < block.size; ++k) {
    const double change = block.weight * (next_[k] - y[k]);
    problem_.add_to(also, block.first + k, scale * change);
    problem_.add_to(s_, block.first + k, change);
    y[k] = next_[k];
  }
}

void Iteration::recompute_sum() {
  std::fill(s_.begin(), s_.end(), 0.0);
  for (std::size_t i = 0; i < problem_.blocks(); ++i) {
    const Problem::Block& block = problem_.block(i);
    for (std::size_t r = block.first; r < block.first + block.size; ++r) problem_.add_to(s_, r, block.weight * y_[r]);
  }
}

Sizes Iteration::measure() {
  Sizes sizes;
  double conjugates = 0, moved = 0;
  sizes.primal = problem_.g().value(x_);
  for (std::size_t i = 0; i < problem_.blocks(); ++i) {
    const Problem::Block& block = problem_.block(i);
    const std::span<double> y = block_of(y_, i);
    scores(i, x_);
    if (problem_.norm(i) == 0) {  // never drawn by spdc: its best y, by a step that hardly depends on y0
      dual_step(i, y, 1e-12, 0);
      std::copy_n(next_.begin(), block.size, y.begin());
    }
    sizes.primal += block.weight * block.phi->value({z_.data(), block.size});
    conjugates += block.weight * block.phi->conjugate(y);
    dual_step(i, y, 1, 0);
    for (std::size_t k = 0; k < block.size; ++k) moved += (next_[k] - y[k]) * (next_[k] - y[k]);
  }
  sizes.dual_residual = std::sqrt(moved);
  for (std::size_t j = 0; j < x_.size(); ++j) shifted_[j] = -s_[j];
  sizes.dual = -problem_.g().conjugate(shifted_) - conjugates;
  sizes.gap = sizes.primal - sizes.dual;
  std::vector<double> fixed(x_.size());
  for (std::size_t j = 0; j < x_.size(); ++j) shifted_[j] = x_[j] - s_[j];
  problem_.g().prox(shifted_, 1, fixed);
  for (std::size_t j = 0; j < x_.size(); ++j) fixed[j] -= x_[j];
  sizes.primal_residual = norm_of(fixed);
  return sizes;
}

}  // namespace seesaw::saddle
