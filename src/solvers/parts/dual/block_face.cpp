#include "solvers/parts/dual/block_face.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/elementary.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "model/losses/simplex.h"
#include "solvers/parts/dual/block_rows.h"

namespace seesaw {
namespace {

constexpr int burst = 3;  // passes
constexpr int max_rounds = 8;
constexpr double first_cost = 160;  // expected entries of the first step, per entry of the face
constexpr double fast = 1e-2;       // passes whose gain falls to this within the entries of a step need none
constexpr std::size_t max_cg_steps = 200;
constexpr double precision = 0.05;  // |r| <= precision |r_0|
constexpr double crossing = 0.03;   // fraction of the rows of F that may leave their face
constexpr double in_use = 1e-12;    // p_k above: as MulticlassHinge::projected_gradient

double squared(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return sum;
}

// sum_i c_i (b.y_i - phi_i*(y_i)) - (lambda/2)|w|^2
double dual_value(const BlockState& now, const std::vector<double>& intercept) {
  const std::vector<std::uint32_t>& class_of_row = now.problem.block().class_of_row;
  const double rows = tree_sum<double>(now.problem.leaves(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double* y = &now.y[i * now.classes];
      double of_row = -y[class_of_row[i]];
      for (std::size_t k = 0; k < now.classes; ++k) of_row += intercept[k] * y[k];
      sum += now.problem.normalized_weight[i] * of_row;
    }
    return sum;
  });
  return rows - 0.5 * now.lambda * squared(now.w);
}

}  // namespace

BlockFace::Reads BlockFace::end_pass(const BlockState& now, const std::vector<double>& intercept,
                                     const std::vector<double>& q, std::uint64_t entries, double remaining) {
  if (++burst_ % burst != 0) return {};
  if (skip_ > 1) {
    --skip_;
    return {};
  }
  const double dual = dual_value(now, intercept);
  const int bursts = std::exchange(burst_, 0) / burst;
  const double gain = (dual - dual_) / bursts, read = static_cast<double>(entries - entries_) / bursts;
  ratio_ = gain_ > 0 ? std::clamp(gain / gain_, 0.0, 0.999) : 0;
  gain_ = gain;
  dual_ = dual;
  entries_ = entries;
  if (!ready(now, read, remaining)) return {};
  const Step step = ascend(now, intercept, q);
  dual_ += step.gain;
  entries_ += step.reads.entries;
  step_entries_ = static_cast<double>(step.reads.entries);
  // What the passes would have gained with as many entries.
  const double forecast = gain_ * ratio_ * (1 - power_of(ratio_, step_entries_ / read)) / (1 - ratio_);
  skip_ = skips_ = step.gain >= forecast ? 0 : std::clamp(2 * skips_, 1.0, 16.0);
  return step.reads;
}

// Few rows changed their classes in use during the last burst, the passes do not converge within the entries of a step,
// and the next step is not skipped. `read`: entries per burst.
bool BlockFace::ready(const BlockState& now, double read, double remaining) {
  const std::vector<std::uint32_t>& class_of_row = now.problem.block().class_of_row;
  place_.resize(now.problem.n());
  std::size_t free = 0, changed = 0;
  double face = 0;  // entries
  for (std::size_t i = 0; i < place_.size(); ++i) {
    const double* y = &now.y[i * now.classes];
    std::uint32_t place = 2166136261u, used = 0;
    for (std::size_t k = 0; k < now.classes; ++k)
      if ((k == class_of_row[i] ? y[k] + 1 : y[k]) > in_use) {
        place = (place ^ static_cast<std::uint32_t>(k)) * 16777619u;
        ++used;
      }
    if (used > 1) {
      ++free;
      face += static_cast<double>(now.problem.data->nnz) / static_cast<double>(place_.size());
    }
    changed += place != place_[i];
    place_[i] = place;
  }
  if (free == 0 || static_cast<double>(changed) >= 0.3 * static_cast<double>(free)) return false;
  const double cost =
      step_entries_ > 0 ? step_entries_ : first_cost * (face + static_cast<double>(now.problem.d()) / 2);
  if (power_of(ratio_, cost / std::max(read, 1.0)) < std::max(fast, remaining)) return false;
  if (skip_ == 0) return true;
  --skip_;
  return false;
}

// Rounds on the same rows, each from the projection of the last, whether D is higher there or not: what reached 0 is fixed
// there, and the next round corrects the others. If D is not higher after all rounds, the first is taken back and D is
// maximized on its segment.
BlockFace::Step BlockFace::ascend(const BlockState& now, const std::vector<double>& intercept,
                                  const std::vector<double>& q) {
  gather_rows(now, q);
  Step result;
  result.reads = {free_.size(), values_.size()};
  if (free_.empty()) return result;
  keep(now);
  bool done = false;
  for (int round = 0; round < max_rounds && !done && !stop_requested(); ++round) {
    result.gain += round_on_face(now, intercept, true, result.reads);
    done = !left_;
  }
  if (result.gain > 0) return result;
  restore(now);
  result.gain = round_on_face(now, intercept, false, result.reads);
  return result;
}

double BlockFace::round_on_face(const BlockState& now, const std::vector<double>& intercept, bool whole, Reads& reads) {
  gather_classes(now);
  set_gradients(now, intercept);
  const std::size_t steps = conjugate_gradients(now);
  cg_steps_ += static_cast<double>(steps);
  reads.rows += (1 + steps) * free_.size();  // a product by the system: one pass over F
  reads.entries += values_.size() + steps * (2 * values_.size() + now.problem.d());
  double gain = 0, length = 1;
  for (int k = 0; k < (whole ? 1 : 4) && gain == 0 && !stop_requested(); ++k, length *= 0.3) {
    gain = move(now, length, whole);
    reads.rows += free_.size();
    reads.entries += values_.size() + now.problem.d();
  }
  return gain;
}

void BlockFace::keep(const BlockState& now) {
  kept_w_ = now.w;
  kept_sum_ = now.sum;
  kept_y_.clear();
  for (const std::uint32_t i : free_)
    kept_y_.insert(kept_y_.end(), now.y.begin() + static_cast<std::ptrdiff_t>(i * now.classes),
                   now.y.begin() + static_cast<std::ptrdiff_t>((i + 1) * now.classes));
}

void BlockFace::restore(const BlockState& now) {
  now.w = kept_w_;
  now.sum = kept_sum_;
  for (std::size_t k = 0; k < free_.size(); ++k)
    std::copy_n(kept_y_.begin() + static_cast<std::ptrdiff_t>(k * now.classes), now.classes,
                now.y.begin() + static_cast<std::ptrdiff_t>(free_[k] * now.classes));
}

void BlockFace::gather_rows(const BlockState& now, const std::vector<double>& q) {
  const std::vector<std::uint32_t>& class_of_row = now.problem.block().class_of_row;
  free_.clear(), columns_.clear(), values_.clear(), c_.clear(), weight_.clear();
  offsets_.assign(1, 0);
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < now.problem.n(); ++i) {
          const double* y = &now.y[i * now.classes];
          std::size_t used = 0;
          for (std::size_t k = 0; k < now.classes; ++k) used += (k == class_of_row[i] ? y[k] + 1 : y[k]) > in_use;
          if (!(q[i] > 0) || used < 2) continue;
          for_each(rows.row(i), [&](std::size_t column, double value) {
            if (value == 0) return;
            columns_.push_back(static_cast<std::uint32_t>(column));
            values_.push_back(value);
          });
          free_.push_back(static_cast<std::uint32_t>(i));
          offsets_.push_back(values_.size());
          c_.push_back(now.problem.normalized_weight[i]);
          weight_.push_back(std::sqrt(c_.back() / q[i]));
        }
      },
      now.problem.data->rows);
  rows_ = static_cast<double>(free_.size());
}

// A row that has reached a corner keeps one class, and does not move.
void BlockFace::gather_classes(const BlockState& now) {
  const std::vector<std::uint32_t>& class_of_row = now.problem.block().class_of_row;
  class_.clear(), p_.clear();
  first_.assign(1, 0);
  for (const std::uint32_t i : free_) {
    const double* y = &now.y[i * now.classes];
    for (std::size_t k = 0; k < now.classes; ++k)
      if (const double p = k == class_of_row[i] ? y[k] + 1 : y[k]; p > in_use) {
        class_.push_back(static_cast<std::uint32_t>(k));
        p_.push_back(p);
      }
    first_.push_back(class_.size());
  }
}

// P_S G of the rows of F; `intercept`: those at the start of the step.
void BlockFace::set_gradients(const BlockState& now, const std::vector<double>& intercept) {
  gradient_.resize(class_.size());
  block_.assign(now.stride, 0.0);
  z_.resize(now.stride);
  shift_.resize(now.stride);
  for (std::size_t k = 0; k < now.classes; ++k)  // the intercepts now
    shift_[k] = intercept[k] - now.curvature_of_intercept * (now.sum[k] - kept_sum_[k]);
  for (std::size_t k = 0; k < free_.size(); ++k) {
    std::copy_n(shift_.begin(), now.classes, z_.begin());
    add_block_scores(a(k), now.w.data(), now.stride, z_.data());
    z_[now.problem.block().class_of_row[free_[k]]] -= 1;
    double mean = 0;
    for (std::size_t at = first_[k]; at < first_[k + 1]; ++at) mean += gradient_[at] = z_[class_[at]];
    mean /= static_cast<double>(first_[k + 1] - first_[k]);
    for (std::size_t at = first_[k]; at < first_[k + 1]; ++at) gradient_[at] -= mean;
  }
}

std::size_t BlockFace::conjugate_gradients(const BlockState& now) {
  const std::size_t size = class_.size();
  u_.assign(size, 0.0);
  residual_.resize(size);
  image_.resize(size);
  for (std::size_t k = 0; k < free_.size(); ++k)
    for (std::size_t at = first_[k]; at < first_[k + 1]; ++at) residual_[at] = weight_[k] * gradient_[at];
  direction_ = residual_;
  const double first = squared(residual_);
  double square = first;
  std::size_t step = 0;
  while (step < max_cg_steps && square > precision * precision * first && !stop_requested()) {
    ++step;
    apply(now);
    double curvature = 0;
    for (std::size_t at = 0; at < size; ++at) curvature += direction_[at] * image_[at];
    if (!(curvature > 0)) break;  // curvature 0 up to rounding
    const double length = square / curvature;
    for (std::size_t at = 0; at < size; ++at) {
      u_[at] += length * direction_[at];
      residual_[at] -= length * image_[at];
    }
    const double before = square;
    square = squared(residual_);
    if (step > 4 && step % 2 == 1 && too_many_leave(now)) break;
    for (std::size_t at = 0; at < size; ++at) direction_[at] = residual_[at] + square / before * direction_[at];
  }
  return step;
}

// image = the system times the direction.
void BlockFace::apply(const BlockState& now) {
  const double inverse_kappa_b = now.curvature_of_intercept / now.lambda;
  back_.assign(now.w.size(), 0.0);
  block_.assign(now.stride, 0.0);
  shift_.assign(now.stride, 0.0);
  for (std::size_t k = 0; k < free_.size(); ++k) {
    for (std::size_t at = first_[k]; at < first_[k + 1]; ++at) {
      const double moved = weight_[k] * direction_[at];
      block_[class_[at]] = moved / now.lambda;
      shift_[class_[at]] -= inverse_kappa_b * moved;
    }
    subtract_block(a(k), block_.data(), now.stride, back_.data());
    for (std::size_t at = first_[k]; at < first_[k + 1]; ++at) block_[class_[at]] = 0;
  }
  for (std::size_t k = 0; k < free_.size(); ++k) {
    std::copy(shift_.begin(), shift_.end(), z_.begin());
    add_block_scores(a(k), back_.data(), now.stride, z_.data());
    double mean = 0;
    for (std::size_t at = first_[k]; at < first_[k + 1]; ++at) mean += z_[class_[at]];
    mean /= static_cast<double>(first_[k + 1] - first_[k]);
    for (std::size_t at = first_[k]; at < first_[k + 1]; ++at) image_[at] = -weight_[k] * (z_[class_[at]] - mean);
  }
}

bool BlockFace::too_many_leave(const BlockState&) const {
  std::size_t leaving = 0;
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const double scale = weight_[k] / c_[k];  // dy = u / sqrt(c q)
    bool leaves = false;
    for (std::size_t at = first_[k]; at < first_[k + 1]; ++at) leaves |= p_[at] + scale * u_[at] < 0;
    leaving += leaves;
  }
  return static_cast<double>(leaving) > crossing * static_cast<double>(free_.size());
}

// moved_ = the projection of p + length dy onto the simplex of the classes in use, less p.
void BlockFace::project(const double* p, double length, std::size_t k) {
  const double scale = length * weight_[k] / c_[k];
  const std::size_t begin = first_[k], end = first_[k + 1];
  for (std::size_t at = begin; at < end; ++at) moved_[at] = p[at] + scale * u_[at];
  double nu = -infinity;
  for (std::size_t before = 0;;) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t at = begin; at < end; ++at) {
      if (!(moved_[at] > nu)) continue;
      sum += moved_[at];
      ++count;
    }
    if (count == 0 || count == before) break;
    nu = (sum - 1) / static_cast<double>(count);
    before = count;
  }
  for (std::size_t at = begin; at < end; ++at) moved_[at] = std::max(0.0, moved_[at] - nu) - p[at];
}

// Moves to the projection of p + length dy, or to the best point of the segment to it.
double BlockFace::move(const BlockState& now, double length, bool whole) {
  const std::vector<std::uint32_t>& class_of_row = now.problem.block().class_of_row;
  moved_.resize(class_.size());
  back_.assign(now.w.size(), 0.0);
  shift_.assign(now.stride, 0.0);
  double derivative = 0;
  for (std::size_t k = 0; k < free_.size(); ++k) {
    project(p_.data(), length, k);
    const double weight = c_[k] / now.lambda;
    for (std::size_t at = first_[k]; at < first_[k + 1]; ++at) {
      derivative += c_[k] * gradient_[at] * moved_[at];
      block_[class_[at]] = weight * moved_[at];
      shift_[class_[at]] += weight * moved_[at];
    }
    subtract_block(a(k), block_.data(), now.stride, back_.data());
    for (std::size_t at = first_[k]; at < first_[k + 1]; ++at) block_[class_[at]] = 0;
  }
  const double curvature = now.lambda * (squared(back_) + now.curvature_of_intercept * squared(shift_));
  const double t = whole ? 1 : std::min(1.0, derivative / curvature);
  if (!(t > 0)) return 0;
  for (std::size_t at = 0; at < now.w.size(); ++at) now.w[at] += t * back_[at];
  for (std::size_t k = 0; k < now.classes; ++k) now.sum[k] += t * shift_[k];
  left_ = false;
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const std::size_t b = class_of_row[free_[k]];
    double* y = &now.y[free_[k] * now.classes];
    for (std::size_t at = first_[k]; at < first_[k + 1]; ++at) left_ |= p_[at] + t * moved_[at] <= in_use;
    for (std::size_t at = first_[k]; at < first_[k + 1]; ++at)
      if (class_[at] != b) y[class_[at]] = std::max(0.0, p_[at] + t * moved_[at]);
    close_simplex(b, y, now.classes);
  }
  return t * derivative - 0.5 * t * t * curvature;
}

void BlockFace::serialize(Archive& archive) {
  archive.numbers("face", burst_, skip_, skips_, dual_, gain_, ratio_, step_entries_, cg_steps_, entries_, rows_);
  archive.array("places", place_);
}

}  // namespace seesaw
