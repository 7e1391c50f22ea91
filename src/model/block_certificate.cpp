#include "model/block_certificate.h"

#include <algorithm>
#include <cmath>

#include "base/compensated_sum.h"
#include "base/elementary.h"
#include "base/parallel.h"
#include "base/tree_sum.h"
#include "data/both_products.h"
#include "model/certificate_sums.h"
#include "model/intercept.h"
#include "model/losses/simplex.h"

namespace seesaw {
namespace {

constexpr std::size_t grain = 256;  // rows per chunk, K numbers each

// sum_i c_i at(i, k) for every class k, where at(i, block) writes the K numbers of row i.
template <class At>
std::vector<double> weighted_sums(const Problem& problem, const At& at) {
  const std::size_t classes = problem.outputs();
  std::vector<CompensatedSum> sums(classes);
  tree_sum(problem.leaves(), classes, sums.data(), [&](std::size_t begin, std::size_t end, CompensatedSum* part) {
    std::vector<double> block(classes);
    for (std::size_t i = begin; i < end; ++i) {
      at(i, block.data());
      for (std::size_t k = 0; k < classes; ++k) part[k] += problem.normalized_weight[i] * block[k];
    }
  });
  std::vector<double> values;
  for (const CompensatedSum& sum : sums) values.push_back(sum.value());
  return values;
}

std::vector<double> weighted_sums(const Problem& problem, const std::vector<double>& y) {
  const std::size_t classes = problem.outputs();
  return weighted_sums(problem, [&](std::size_t i, double* block) { std::copy_n(&y[i * classes], classes, block); });
}

// P, D and gap of the rows: sum c_i phi_i(z_i + b), -sum c_i phi_i*(y_i), sum c_i [phi + phi* - y.(z + b)] >= 0.
CertificateSums sums_of_blocks(const Problem& problem, const std::vector<double>& z, const Point& point) {
  const std::size_t classes = problem.outputs();
  const BlockForm& block = problem.block();
  return std::visit(
      [&](const auto& loss) {
        return tree_sum<CertificateSums>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
          CertificateSums sums;
          std::vector<double> score(classes);
          for (std::size_t i = begin; i < end; ++i) {
            const std::size_t b = block.class_of_row[i];
            const double c = problem.normalized_weight[i], *y = &point.y[i * classes];
            double product = 0;
            for (std::size_t k = 0; k < classes; ++k) score[k] = z[i * classes + k] + point.intercept[k];
            for (std::size_t k = 0; k < classes; ++k) product += y[k] * (score[k] - score[b]);  // sum y = 0
            const double phi = loss.value(b, score.data()), conjugate = loss.conjugate(b, y);
            sums.primal += c * phi;
            sums.dual += -c * conjugate;
            sums.gap += c * not_below_zero(phi + conjugate - product);
          }
          return sums;
        });
      },
      block.loss);
}

// Into the simplex: negative entries become 0, the others are scaled to the sum 1.
void clip_to_simplex(std::size_t b, double* y, std::size_t classes) {
  double sum = y[b] = std::max(0.0, y[b] + 1);
  for (std::size_t k = 0; k < classes; ++k)
    if (k != b) sum += y[k] = std::max(0.0, y[k]);
  const bool usable = sum > 0 && std::isfinite(sum);
  if (!usable || std::abs(sum - 1) > 1e-12)  // rounding is left to the last line: feasible points stay as they are
    for (std::size_t k = 0; k < classes; ++k) y[k] = usable ? y[k] / sum : 0;
  close_simplex(b, y, classes);
}

}  // namespace

BlockCertifier::BlockCertifier(const Problem& problem)
    : problem_(problem),
      classes_(problem.outputs()),
      class_weight_(class_totals(problem)),
      z_(problem.n() * classes_),
      v_(problem.d() * classes_),
      cy_(problem.n() * classes_) {}

Certificate BlockCertifier::certify(Point& point, double accuracy) {
  Certificate certificate;
  make_dual_feasible(point.y, certificate);
  compute_products(point);
  point.intercept.resize(classes_);
  if (problem_.free_intercept()) improve_intercepts(point.intercept, accuracy);
  else point.intercept.assign(classes_, 0.0);
  confine_image(point, certificate);

  CertificateSums sums = sums_of_blocks(problem_, z_, point);
  sums += over_coordinates(problem_.penalty, point.x, v_, classes_);
  sums.put_into(certificate, dual_allowance_, problem_.penalty.strong_convexity());
  return certificate;
}

// Iterative scaling: with m_k = sum_i c_i softmax_k(z_i + b), the step b_k += log(n_k / m_k) lowers P by at least
// sum_k n_k log(n_k / m_k) >= 0. Ends when that is below `accuracy`, or after a few rounds: any intercepts are valid.
void BlockCertifier::improve_intercepts(std::vector<double>& intercept, double accuracy) {
  const auto* loss = std::get_if<Softmax>(&problem_.block().loss);
  if (loss == nullptr) return;
  for (int round = 0; round < 5; ++round) {
    const std::vector<double> excess = weighted_sums(problem_, [&](std::size_t i, double* block) {  // m_k - n_k
      std::vector<double> score(classes_);
      for (std::size_t k = 0; k < classes_; ++k) score[k] = z_[i * classes_ + k] + intercept[k];
      loss->derivative(class_of(i), score.data(), block);
    });
    double gain = 0;
    std::vector<double> step(classes_);
    for (std::size_t k = 0; k < classes_; ++k) {
      step[k] = -log1p_of(excess[k] / class_weight_[k]);
      gain += class_weight_[k] * step[k];
    }
    if (!std::isfinite(gain) || gain <= std::max(accuracy, 1e-16)) return;
    for (std::size_t k = 0; k < classes_; ++k) intercept[k] += step[k];
  }
}

// Every p_i into the simplex, then sum_i c_i y_i = 0 for free intercepts. No regularization: A^T C y = 0, which y = 0
// (p = e_b) fulfils.
void BlockCertifier::make_dual_feasible(std::vector<double>& y, Certificate& certificate) {
  rest_.assign(classes_, 0.0);
  if (problem_.penalty.dual_bound() == 0) {
    std::fill(y.begin(), y.end(), 0.0);
    certificate.dual_point = DualPoint::zero;
    return;
  }
  parallel_chunks(chunks_of(problem_.n(), grain), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) clip_to_simplex(class_of(i), &y[i * classes_], classes_);
  });
  if (problem_.free_intercept()) balance(y, certificate);
}

// v inside the box where g* is finite.
void BlockCertifier::confine_image(Point& point, Certificate& certificate) {
  dual_allowance_ = 0;
  for (std::size_t k = 0; k < classes_; ++k)
    dual_allowance_ += std::abs(rest_[k]) * (1 + 2 * std::abs(point.intercept[k]));
  const double bound = problem_.penalty.dual_bound();
  if (std::isinf(bound) || bound == 0) return;
  if (const double s = scale_into_dual_domain(problem_.penalty, v_, classes_);
      s < 1) {  // towards y = 0, that is p = e_b: stays in the simplex
    for (double& yi : point.y) yi *= s;
    for (double& vj : v_) vj *= s;
    dual_allowance_ *= s;
    certificate.dual_point = DualPoint::scaled;
  }
}

// With n_k = sum of c_i over class k, m_k = sum_i c_i p_ik and t = max(0, 1 - min n_k/m_k):  p_i <- (1-t) p_i + t q,
// t q_k = n_k - (1-t) m_k >= 0. Written for y, with r_k = m_k - n_k = sum_i c_i y_ik: t = max r_k/m_k, t q_k = t m_k -
// r_k.
void BlockCertifier::balance(std::vector<double>& y, Certificate& certificate) {
  std::vector<double>& excess = rest_;
  excess = weighted_sums(problem_, y);
  double t = 0;
  for (std::size_t k = 0; k < classes_; ++k)
    if (excess[k] > 0) t = std::max(t, excess[k] / (class_weight_[k] + excess[k]));
  if (t > 1e-15) {
    std::vector<double> added(classes_);  // t q
    for (std::size_t k = 0; k < classes_; ++k) added[k] = std::max(0.0, t * (class_weight_[k] + excess[k]) - excess[k]);
    parallel_chunks(chunks_of(problem_.n(), grain), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        double* block = &y[i * classes_];
        for (std::size_t k = 0; k < classes_; ++k) block[k] = (1 - t) * block[k] + added[k];
        close_simplex(class_of(i), block, classes_);
      }
    });
    certificate.dual_point = DualPoint::balanced;
    excess = weighted_sums(problem_, y);
  }
}

void BlockCertifier::compute_products(const Point& point) {
  const std::vector<double>& y = point.y;
  if (problem_.penalty.dual_bound() == 0) {
    std::fill(v_.begin(), v_.end(), 0.0);
    return multiply(problem_.data->rows, point.x.data(), z_.data(), classes_);
  }
  parallel_chunks(chunks_of(problem_.n(), grain), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t k = 0; k < classes_; ++k)
        cy_[i * classes_ + k] = -problem_.normalized_weight[i] * y[i * classes_ + k];
  });
  multiply_both(problem_.data->rows, point.x.data(), z_.data(), cy_.data(), v_.data(), classes_);
}

}  // namespace seesaw
