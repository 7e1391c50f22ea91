#include "model/certificate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/compensated_sum.h"
#include "base/parallel.h"
#include "base/ranks.h"
#include "base/tree_sum.h"
#include "data/both_products.h"
#include "model/block_certificate.h"
#include "model/certificate_sums.h"
#include "model/intercept.h"
#include "model/losses/row_terms.h"
#include "model/penalty/unpenalized.h"
#include "model/rigorous/rigorous_certificate.h"
#include "model/rigorous/round.h"
#include "model/unregularized_dual.h"

namespace seesaw {
namespace {

// P, D and gap of the rows: sum c_i phi_i(z_i + b), -sum c_i phi_i*(y_i), sum c_i [phi + phi* - y (z + b)] >= 0.
CertificateSums sums_of_rows(const Problem& problem, const std::vector<double>& z, const Point& point) {
  const ScalarForm& scalar = problem.scalar();
  const double *c = problem.normalized_weight.data(), *target = scalar.target.data(), *y = point.y.data(),
               *score = z.data();
  const double intercept = point.intercept[0];
  return std::visit(
      [&](const auto& loss) {
        return tree_sum<CertificateSums>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
          return CertificateSums(sum_in_lanes<3>(
              begin, end, [=](std::size_t i) __attribute__((always_inline)) {
                const auto [phi, conjugate] = value_and_conjugate(loss, target[i], score[i] + intercept, y[i]);
                const double gap = phi + conjugate - y[i] * (score[i] + intercept);
                return std::array{c[i] * phi, -c[i] * conjugate, c[i] * not_below_zero(gap)};
              }));
        });
      },
      scalar.loss);
}

// sum c_i y_i
CompensatedSum weighted_sum(const Problem& problem, const std::vector<double>& y) {
  return tree_sum<CompensatedSum>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
    const double *c = problem.normalized_weight.data(), *of = y.data();
    return sum_in_lanes<1>(
        begin, end, [=](std::size_t i) __attribute__((always_inline)) { return std::array{c[i] * of[i]}; })[0];
  });
}

// Moves `rest` to row i of this process, if the rows of the processes before it do not permit it.
void move_rest(const Problem& problem, std::vector<double>& y, const std::optional<std::size_t>& i,
               CompensatedSum& rest) {
  const Shares* const shares = problem.leaves().shares();
  int owner = i ? 0 : -1;
  if (shares != nullptr) {
    const std::vector<char> has_row = shares->ranks->gather(static_cast<char>(i.has_value()));
    const auto first = std::find(has_row.begin(), has_row.end(), 1);
    owner = first == has_row.end() ? -1 : static_cast<int>(first - has_row.begin());
  }
  if (owner < 0) return;
  if (shares == nullptr || owner == shares->ranks->rank()) {
    const double c = problem.normalized_weight[*i], moved = y[*i] - rest.value() / c;
    rest += -c * y[*i];
    rest += c * moved;
    y[*i] = moved;
  }
  if (shares != nullptr) shares->ranks->broadcast(owner, &rest, sizeof rest);
}

bool is_zero(const std::vector<double>& x) {  // as at most starts: no product is needed then
  return std::all_of(x.begin(), x.end(), [](double xj) { return xj == 0; });
}

// Whether A^T C y = 0 is needed over some features; y then depends on the scores.
bool has_unpenalized(const Problem& problem) {
  return problem.penalty.dual_bound() == 0 || !unpenalized_features(problem.penalty, problem.d()).empty();
}

void clip_to_domains(const Problem& problem, std::vector<double>& y) {
  std::visit(
      [&](const auto& loss) {
        const double* const target = problem.scalar().target.data();
        parallel_chunks(chunks_of(y.size()), [=, to = y.data()](std::size_t, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) to[i] = domain_of(loss, target[i]).clip(to[i]);
        });
      },
      problem.scalar().loss);
}

// -C y; false if y = 0 on all processes: no product is needed then.
bool weigh(const Problem& problem, const std::vector<double>& y, std::vector<double>& weighted) {
  if (!any_rank(problem.leaves(), !is_zero(y))) return false;
  parallel_chunks(chunks_of(y.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) weighted[i] = -problem.normalized_weight[i] * y[i];
  });
  return true;
}

}  // namespace

std::string_view name_of(DualPoint point) {
  static constexpr std::array<std::string_view, 6> names = {"as given",  "balanced", "scaled",
                                                            "projected", "zero",     "curvature"};
  return names[static_cast<std::size_t>(point)];
}

void add_rigorously(Certificate& sum, const Certificate& part) {
  sum.primal = rigorous::sum_up(sum.primal, part.primal);
  sum.dual = -rigorous::sum_up(-sum.dual, -part.dual);
  sum.gap = rigorous::sum_up(sum.gap, part.gap);
  if (!std::isfinite(sum.gap)) sum.gap = infinity;
  sum.gap = std::max(sum.gap, rigorous::difference_up(sum.primal, sum.dual));
  sum.guaranteed = sum.guaranteed && part.guaranteed;
}

std::optional<double> distance_bound(double gap, double lambda) {
  if (!(lambda > 0)) return std::nullopt;
  return rigorous::distance_bound(gap, lambda);
}

Certifier::Certifier(const Problem& problem) : problem_(problem) {
  if (problem.is_block()) block_ = std::make_unique<BlockCertifier>(problem);
}

Certifier::~Certifier() = default;

Certificate Certifier::certify(Point& point, double accuracy) {
  if (block_) return block_->certify(point, accuracy);
  Certificate certificate;
  dual_allowance_ = 0;
  z_.resize(problem_.n());
  v_.resize(problem_.d());
  cy_.resize(problem_.n());
  clip_to_domains(problem_, point.y);
  const bool projects = has_unpenalized(problem_), free = problem_.free_intercept(), no_scores = is_zero(point.x);
  if (!projects && free) balance(point.y, certificate);
  if (no_scores) std::fill(z_.begin(), z_.end(), 0.0);
  if (projects || no_scores || !weigh(problem_, point.y, cy_)) {
    if (!no_scores) multiply(problem_.data->rows, point.x.data(), z_.data());
    if (!projects) dual_image(point.y);
  } else {
    multiply_both(problem_.data->rows, point.x.data(), z_.data(), cy_.data(), v_.data());
  }
  point.intercept.resize(1);
  point.intercept[0] = free ? best_intercept(problem_, z_, point.intercept[0], accuracy) : 0;
  make_dual_feasible(point, certificate);

  CertificateSums sums = sums_of_rows(problem_, z_, point);
  sums += over_coordinates(problem_.penalty, point.x, v_);
  sums.put_into(certificate, dual_allowance_, problem_.penalty.strong_convexity());
  return certificate;
}

Certificate Certifier::certify_rigorously(Point& point, double enough) {
  if (!rigorous_) rigorous_ = std::make_unique<RigorousCertifier>(problem_);
  return rigorous_->prove(point, enough, *this);
}

// y is in its domain and, where all features have a penalty, sum c_i y_i = 0 for a free intercept, and v is its image.
// What remains: A^T C y = 0 over the features without a penalty, then v inside the box where g* is finite.
void Certifier::make_dual_feasible(Point& point, Certificate& certificate) {
  const double bound = problem_.penalty.dual_bound();
  const std::vector<std::uint32_t> unpenalized = unpenalized_features(problem_.penalty, problem_.d());
  if (has_unpenalized(problem_)) {
    std::vector<std::uint32_t> columns;
    if (bound == 0) {
      columns.resize(problem_.d());
      std::iota(columns.begin(), columns.end(), 0u);
    } else {
      std::copy_if(unpenalized.begin(), unpenalized.end(), std::back_inserter(columns), [&](std::uint32_t j) {
        const Interval box = problem_.penalty.bounds(j);  // at a bound v_j need not be 0
        return point.x[j] != box.lo && point.x[j] != box.hi;
      });
    }
    const bool projected = project_to_unregularized_dual(problem_, columns, z_, point.intercept[0], point.y);
    certificate.dual_point = projected ? DualPoint::projected : DualPoint::zero;
    if (!projected) std::fill(point.y.begin(), point.y.end(), 0.0);
    if (problem_.free_intercept()) dual_allowance_ = std::abs(weighted_sum(problem_, point.y).value());
    dual_image(point.y);
  }
  if (problem_.free_intercept()) dual_allowance_ *= 1 + 2 * std::abs(point.intercept[0]);
  for (const std::uint32_t j : unpenalized) {
    const double inside = problem_.penalty.coordinate(j).dual_domain().clip(v_[j]);
    dual_allowance_ += std::abs(v_[j] - inside) * (1 + 2 * std::abs(point.x[j]));
    v_[j] = inside;
  }
  if (std::isinf(bound)) return;
  if (bound == 0) {  // v is 0 up to rounding, which changes D by at most |v_j| |x_j| near x: an allowance
    for (std::size_t j = 0; j < v_.size(); ++j) dual_allowance_ += std::abs(v_[j]) * (1 + 2 * std::abs(point.x[j]));
    std::fill(v_.begin(), v_.end(), 0.0);
    return;
  }
  if (const double s = scale_into_dual_domain(problem_.penalty, v_); s < 1) {
    for (double& yi : point.y) yi *= s;
    for (double& vj : v_) vj *= s;
    dual_allowance_ *= s;
    certificate.dual_point = DualPoint::scaled;
  }
}

// Scales down the entries of the sign with the larger sum: every domain contains 0, so y stays feasible. The rounding
// error of the sum is moved to one entry if its domain permits; the rest is the allowance.
void Certifier::balance(std::vector<double>& y, Certificate& certificate) {
  const Leaves& leaves = problem_.leaves();
  const double* c = problem_.normalized_weight.data();
  double* const to = y.data();
  const auto sides = tree_sum<std::array<CompensatedSum, 2>>(leaves, [&](std::size_t begin, std::size_t end) {
    return sum_in_lanes<2>(
        begin, end, [=](std::size_t i) __attribute__((always_inline)) {
          return std::array{c[i] * std::max(to[i], 0.0), c[i] * std::max(-to[i], 0.0)};
        });
  });
  const double up = sides[0].value(), down = sides[1].value();
  if (up == down) return;
  const double shrink_positive = up > down ? down / up : 1, shrink_negative = up > down ? 1 : up / down;
  certificate.dual_point = DualPoint::balanced;
  CompensatedSum rest = tree_sum<CompensatedSum>(leaves, [&](std::size_t begin, std::size_t end) {
    return sum_in_lanes<1>(
        begin, end, [=](std::size_t i) __attribute__((always_inline)) {
          to[i] *= to[i] > 0 ? shrink_positive : shrink_negative;
          return std::array{c[i] * to[i]};
        })[0];
  });
  if (rest.value() != 0) {
    const std::optional<std::size_t> i = std::visit(
        [&](const auto& loss) -> std::optional<std::size_t> {
          for (std::size_t at = 0; at < y.size(); ++at) {
            const double moved = y[at] - rest.value() / problem_.normalized_weight[at];
            const Interval box = loss.domain(problem_.scalar().target[at]);
            if (y[at] != 0 && box.lo < moved && moved < box.hi) return at;
          }
          return std::nullopt;
        },
        problem_.scalar().loss);
    move_rest(problem_, y, i, rest);
  }
  dual_allowance_ = std::abs(rest.value());
}

void Certifier::dual_image(const std::vector<double>& y) {
  if (weigh(problem_, y, cy_)) multiply_transposed(problem_.data->rows, cy_.data(), v_.data());
  else std::fill(v_.begin(), v_.end(), 0.0);
}

}  // namespace seesaw
