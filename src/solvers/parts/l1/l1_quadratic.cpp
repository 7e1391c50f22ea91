#include "solvers/parts/l1/l1_quadratic.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/elementary.h"
#include "base/scalar.h"
#include "base/stop.h"

namespace seesaw {

void L1Quadratic::minimize(const Eigen::MatrixXd& H, const Eigen::VectorXd& s, const Penalty& penalty, double tolerance,
                           Eigen::VectorXd& u) {
  H_ = &H;
  penalty_ = penalty;
  f_ = s;
  u_ = u;
  all_.resize(static_cast<std::size_t>(u.size()));
  std::iota(all_.begin(), all_.end(), Eigen::Index{0});
  budget_ = 2000 * static_cast<double>(u.size()) * static_cast<double>(u.size()) + 1e6;
  while (budget_ > 0 && sweep(all_) > tolerance && !stop_requested()) solve_support(tolerance);
  u = u_;
}

// Minimizes over each coordinate in turn; returns the largest |derivative| found.
double L1Quadratic::sweep(const std::vector<Eigen::Index>& coordinates) {
  const Eigen::MatrixXd& H = *H_;
  double largest = 0, moves = 0;
  for (const Eigen::Index j : coordinates) {
    const double curvature = H(j, j) + penalty_.at(j).l2;
    const double minimizer = penalty_.minimizer(j, H(j, j) * u_[j] - f_[j], H(j, j));
    const double move = minimizer - u_[j];
    if (move == 0) continue;
    u_[j] = minimizer;
    f_ += move * H.col(j);
    largest = std::max(largest, curvature * std::abs(move));
    ++moves;
  }
  budget_ -= moves * static_cast<double>(f_.size()) + static_cast<double>(coordinates.size());
  return largest;
}

void L1Quadratic::solve_support(double tolerance) {
  constexpr int first_sweeps = 3;  // sweeps on a new support before a factorization is considered
  const auto find_support = [&] {
    support_.clear();
    for (const Eigen::Index j : all_)
      if (u_[j] != 0 && (penalty_.uniform() || is_inside(j))) support_.push_back(j);
  };
  find_support();
  double before = infinity, face_cost_factor = 1;
  StopPoll stop(static_cast<double>(support_.size()) * static_cast<double>(f_.size()));
  for (int sweeps = 1; budget_ > 0 && !support_.empty(); ++sweeps) {
    const double missed = sweep(support_);
    if (missed <= tolerance || stop.requested()) return;
    const double left = missed < before ? log_of(missed / tolerance) / log_of(before / missed) : infinity;
    before = missed;
    const auto size = static_cast<double>(support_.size()), all = static_cast<double>(f_.size());
    const double cost_of_face =
        face_cost_factor * (0.1 * size * size * size + 3 * size * all);  // in moves of an entry of f
    if (sweeps < first_sweeps || left * size * all < cost_of_face) continue;
    find_support();
    if (!step_to_face_minimum()) face_cost_factor *= 2;
    find_support();
    sweeps = 1;
    before = infinity;
  }
}

bool L1Quadratic::step_to_face_minimum() {
  const Eigen::MatrixXd& H = *H_;
  const auto size = static_cast<Eigen::Index>(support_.size());
  if (size == 0) return false;
  budget_ -= 0.1 * static_cast<double>(size * size * size) + 3 * static_cast<double>(size * f_.size());
  Eigen::MatrixXd face(size, size);
  Eigen::VectorXd derivative(size);
  for (Eigen::Index k = 0; k < size; ++k) {
    const Eigen::Index j = support_[static_cast<std::size_t>(k)];
    for (Eigen::Index l = k; l < size; ++l) face(l, k) = H(support_[static_cast<std::size_t>(l)], j);
    const Coordinate g = penalty_.at(j);
    face(k, k) += g.l2;
    derivative[k] = f_[j] + g.l2 * u_[j] + std::copysign(g.l1, u_[j]);
  }
  factor_.factor(face);
  if (stop_requested() || !factor_.ready()) return false;
  const Eigen::VectorXd direction = -factor_.solve(derivative);
  if (!direction.allFinite()) return false;

  const auto spread = [&](const Eigen::VectorXd& on_support, Eigen::VectorXd& move, Eigen::VectorXd& image) {
    move.setZero(f_.size());
    image.setZero(f_.size());
    for (Eigen::Index k = 0; k < size; ++k) {
      const Eigen::Index j = support_[static_cast<std::size_t>(k)];
      move[j] = on_support[k];
      image += on_support[k] * H.col(j);
    }
  };
  Eigen::VectorXd move, image, stopped = direction;
  spread(direction, move, image);
  bool crosses = false;
  double feasible = 1;  // the largest t for which u + t direction is within the bounds
  for (Eigen::Index k = 0; k < size; ++k) {
    const Eigen::Index j = support_[static_cast<std::size_t>(k)];
    const double u = u_[j], end = u + direction[k];
    if (!penalty_.uniform() && penalty_.at(j).clip(end) != end) {
      const double bound = penalty_.at(j).clip(end);
      stopped[k] = bound - u;
      feasible = std::min(feasible, (bound - u) / direction[k]);
      crosses = true;
    }
    if (u * end >= 0) continue;
    stopped[k] = -u;
    crosses = true;
  }
  if (crosses) {
    double curvature = move.dot(image) + (penalty_.uniform() ? penalty_.lambda * move.squaredNorm() : 0);
    if (!penalty_.uniform())
      for (const Eigen::Index j : support_) curvature += penalty_.at(j).l2 * move[j] * move[j];
    const double t = std::min(feasible, lowest_point(move, derivative.dot(direction), curvature));
    for (Eigen::Index k = 0; k < size; ++k) {  // exactly 0 if the line ends at a crossing
      const Eigen::Index j = support_[static_cast<std::size_t>(k)];
      const bool here = move[j] != 0 && -u_[j] / move[j] == t;
      move[j] = here ? -u_[j] : t * move[j];
    }
    image *= t;
    Eigen::VectorXd stopped_move, stopped_image;
    spread(stopped, stopped_move, stopped_image);
    if (decrease_of(stopped_move, stopped_image) > decrease_of(move, image)) {
      move.swap(stopped_move);
      image.swap(stopped_image);
    }
  }
  if (!(decrease_of(move, image) > 0)) return false;
  u_ += move;
  f_ += image;
  if (!penalty_.uniform())  // rounding
    for (const Eigen::Index j : support_) u_[j] = penalty_.at(j).clip(u_[j]);
  return true;
}

bool L1Quadratic::is_inside(Eigen::Index j) const {
  const Coordinate g = penalty_.at(j);
  return g.lo < u_[j] && u_[j] < g.hi;
}

// The decrease of the objective from u to u + move; image = H move.
double L1Quadratic::decrease_of(const Eigen::VectorXd& move, const Eigen::VectorXd& image) const {
  double decrease = 0;
  for (const Eigen::Index j : support_) {
    const double after = u_[j] + move[j];
    const Coordinate g = penalty_.at(j);
    decrease -= move[j] * (f_[j] + 0.5 * image[j] + g.l2 * (u_[j] + 0.5 * move[j])) +
                g.l1 * (std::abs(after) - std::abs(u_[j]));
  }
  return decrease;
}

// argmin over t in [0, 1] of the objective at u + t direction. Its derivative, derivative + t curvature, jumps by
// 2 l1 |direction_j| where coordinate j crosses 0.
double L1Quadratic::lowest_point(const Eigen::VectorXd& direction, double derivative, double curvature) const {
  std::vector<std::pair<double, double>> crossings;  // t, jump
  for (const Eigen::Index j : support_) {
    const double t = -u_[j] / direction[j];
    if (t > 0 && t < 1) crossings.emplace_back(t, 2 * penalty_.at(j).l1 * std::abs(direction[j]));
  }
  std::sort(crossings.begin(), crossings.end());
  for (const auto& [t, jump] : crossings) {
    if (derivative + t * curvature >= 0) break;
    derivative += jump;
    if (derivative + t * curvature >= 0) return t;
  }
  return curvature > 0 ? std::clamp(-derivative / curvature, 0.0, 1.0) : 1;
}

}  // namespace seesaw
