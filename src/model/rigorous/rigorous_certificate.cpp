#include "model/rigorous/rigorous_certificate.h"

#include <algorithm>
#include <cmath>

#include "base/parallel_elements.h"
#include "base/tree_sum.h"
#include "data/extents.h"
#include "model/penalty/unpenalized.h"
#include "model/rigorous/curvature.h"
#include "model/rigorous/dual_domain.h"
#include "model/rigorous/dual_image.h"
#include "model/rigorous/losses.h"
#include "model/rigorous/problem_losses.h"
#include "model/rigorous/products.h"
#include "model/rigorous/round.h"
#include "model/rigorous/row_sums.h"
#include "model/rigorous/unpenalized_reach.h"

namespace seesaw {

using namespace rigorous;

namespace {

// Above this fraction of the gap, errors are reduced by twice the precision. Both bounds are off by at most twice their
// errors, so a gap above 1e-9 P is claimed within one part in a million.
constexpr double coarse = 4.5e-7;
constexpr double negligible = 9e-8;  // of the gap: what a free intercept may cost before its bounds are tightened

bool is_zero(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double xj) { return xj == 0; });
}

}  // namespace

RigorousCertifier::RigorousCertifier(const Problem& problem)
    : problem_(problem),
      outputs_(problem.outputs()),
      weights_(problem),
      total_(weights_.total(problem.leaves())),
      unpenalized_(unpenalized_features(problem.penalty, problem.d())) {}

template <class V>
void RigorousCertifier::read_both(const Point& point) {
  OfRows<V>& known = of_rows<V>();
  known.read_z.clear();
  known.read_q.clear();
  const Rows& rows = problem_.data->rows;
  const bool has_losses = known.losses && known.x == point.x && known.intercept == point.intercept,
             has_conjugates = known.has_y && known.y == point.y;
  const bool both = extents_of(rows) != nullptr && !has_losses && !has_conjugates && !is_zero(point.x);
  if (any_rank(problem_.leaves(), !both)) return;
  rigorous::multiply_both(rows, point.x.data(), known.read_z, weighted_dual<V>(problem_, weights_, point.y),
                          relative_error_of_row<V>(weights_, outputs_), outputs_, known.read_q);
}

// sum_i c_i phi_i(z_i) + penalty
template <class V>
RigorousCertifier::Sum RigorousCertifier::primal(const Point& point) {
  OfRows<V>& known = of_rows<V>();
  if (!known.losses || known.x != point.x || known.intercept != point.intercept) {
    known.losses = losses<V>(point);
    known.x = point.x;
    known.intercept = point.intercept;
  }
  return *known.losses / total_ + penalty<V>(point.x);
}

template <class V>
RigorousCertifier::Sum RigorousCertifier::losses(const Point& point) {
  const std::size_t n = problem_.n(), K = outputs_;
  const bool zero = is_zero(point.x), shifted = problem_.free_intercept();
  const bool kept = std::is_same_v<V, double> && shifted && !zero;
  if constexpr (std::is_same_v<V, double>) {
    products_.z.clear();
    if (!problem_.is_block()) {
      const std::vector<Bounded<double>> read = std::move(of_rows<double>().read_z);
      if (kept) products_.z.resize(n);
      return sum_of_losses(problem_, weights_, {zero ? nullptr : point.x.data(), read.empty() ? nullptr : read.data()},
                           shifted ? point.intercept[0] : 0, kept ? products_.z.data() : nullptr);
    }
  }
  std::vector<Bounded<V>> z;
  if (zero) z.resize(n * K);
  else if (!of_rows<V>().read_z.empty()) z = std::move(of_rows<V>().read_z);
  else rigorous::multiply(problem_.data->rows, point.x.data(), K, z);
  if constexpr (std::is_same_v<V, double>)
    if (kept) products_.z = z;
  if (shifted)
    parallel_elements(z.size(), [&](std::size_t at) { z[at] = z[at] + Bounded<V>(point.intercept[at % K]); });
  const auto row_sum = [&](const auto& value_of_row) {
    return tree_sum<BoundedSum<V>>(problem_.leaves(),
                                   [&](std::size_t begin, std::size_t end) {
                                     BoundedSum<V> sum;
                                     for (std::size_t i = begin; i < end; ++i)
                                       sum.add(weights_.times(i, value_of_row(i)));
                                     return sum;
                                   })
        .value();
  };
  if (problem_.is_block()) {
    const BlockForm& form = problem_.block();
    return std::visit(
        [&](const auto& loss) {
          return row_sum([&](std::size_t i) { return block_value(loss, form.class_of_row[i], &z[i * K]); });
        },
        form.loss);
  }
  const std::vector<double>& target = problem_.scalar().target;
  return with_loss(
      problem_, [&](const auto& loss) { return row_sum([&](std::size_t i) { return loss.value(target[i], z[i]); }); });
}

// sum_i s_i phi_i*(y_i), and w = s_i y_ik
template <class V>
RigorousCertifier::Sum RigorousCertifier::conjugates_of_rows(const std::vector<double>& y, std::vector<V>& w) const {
  const std::size_t K = outputs_;
  w.resize(problem_.n() * K);
  const double others_error = relative_error_of_others(K);
  const auto row_sum = [&](const auto& conjugate_of_row) {
    return tree_sum<BoundedSum<V>>(problem_.leaves(),
                                   [&](std::size_t begin, std::size_t end) {
                                     BoundedSum<V> sum;
                                     for (std::size_t i = begin; i < end; ++i)
                                       sum.add(weights_.times(i, conjugate_of_row(i)));
                                     return sum;
                                   })
        .value();
  };
  const auto narrowed = [](Twofold o) {
    if constexpr (std::is_same_v<V, double>) return o.high;
    else return o;
  };
  if (problem_.is_block()) {
    const BlockForm& form = problem_.block();
    return std::visit(
        [&](const auto& loss) {
          return row_sum([&](std::size_t i) {
            const std::size_t b = form.class_of_row[i];
            const double* const block = &y[i * K];
            const Twofold sum = sum_of_others(b, block, K);
            for (std::size_t k = 0; k < K; ++k)
              w[i * K + k] = weights_.times_value(i, k == b ? narrowed(-sum) : V(block[k]));
            const Bounded<V> others(narrowed(sum), (others_error + rounding<V>)*sum.high);
            return block_conjugate(loss, b, block, others);
          });
        },
        form.loss);
  }
  const std::vector<double>& target = problem_.scalar().target;
  return with_loss(problem_, [&](const auto& loss) {
    return row_sum([&](std::size_t i) -> Bounded<V> {
      w[i] = weights_.times_value(i, V(y[i]));
      return y[i] == 0 ? Bounded<V>() : loss.template conjugate<V>(target[i], y[i]);
    });
  });
}

template <class V>
void RigorousCertifier::sum_over_rows(const std::vector<double>& y, std::optional<double> scaled) {
  OfRows<V>& known = of_rows<V>();
  if (known.has_y && !any_rank(problem_.leaves(), known.y != y)) return;
  const bool has_product = known.has_y && scaled.has_value() && std::is_same_v<V, double>;
  known.has_y = false;
  const bool plain = std::is_same_v<V, double> && !problem_.is_block();  // one sum over rows, and y for w where s = 1
  std::vector<V> w;
  if (plain && !(weights_.all_one() || has_product)) w = weighted_dual<V>(problem_, weights_, y);
  if constexpr (std::is_same_v<V, double>)
    if (plain) known.conjugates = sum_of_conjugates(problem_, weights_, y.data());
  if (!plain) known.conjugates = conjugates_of_rows(y, w);
  known.scaled = has_product;
  if (has_product) {
    // y_i = s y'_i (1 + e), |e| <= u, changes q by s u sum_i |s_i y'_i a_ij|, and the error of q' is at least that.
    for (Bounded<V>& qj : known.q) {
      const V value = V(*scaled) * qj.value;
      qj = {value, 2 * *scaled * qj.error + rounding<V> * size_of(value) + underflow};
    }
  } else if (!known.read_q.empty()) {
    known.q = std::move(known.read_q);
  } else {
    const double relative = relative_error_of_row<V>(weights_, outputs_);
    if constexpr (std::is_same_v<V, double>)
      rigorous::multiply_transposed(problem_.data->rows, w.empty() ? y.data() : w.data(), relative, outputs_, known.q);
    else rigorous::multiply_transposed(problem_.data->rows, w, relative, outputs_, known.q);
  }
  parallel_copy(y, known.y);
  known.has_y = true;
}

template <class V>
RigorousCertifier::Dual RigorousCertifier::dual_parts(const std::vector<double>& y, std::vector<Sum>& r,
                                                      std::optional<double> scaled) {
  const std::size_t K = outputs_;
  const double others_error = relative_error_of_others(K);
  sum_over_rows<V>(y, scaled);
  Dual result;
  result.value = -(of_rows<V>().conjugates / total_);
  bound_conjugate(of_rows<V>().q, result);

  if (problem_.free_intercept() && result.feasible) {
    std::vector<BoundedSum<Twofold>> sums(K);  // one per class
    tree_sum(problem_.leaves(), K, sums.data(), [&](std::size_t begin, std::size_t end, BoundedSum<Twofold>* part) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t b = problem_.is_block() ? problem_.block().class_of_row[i] : K;
        for (std::size_t k = 0; k < K; ++k) {
          const Twofold yk = k == b ? -sum_of_others(b, &y[i * K], K) : Twofold(y[i * K + k]);
          if (yk.high == 0) continue;
          const Twofold product = weights_.times_value(i, yk);
          part[k].add({product, (others_error + 0x1p-100) * std::abs(product.high)});
        }
      }
    });
    r.clear();
    for (const BoundedSum<Twofold>& sum : sums) r.push_back(sum.value() / total_);
  }
  return result;
}

template <class V>
RigorousCertifier::Dual RigorousCertifier::dual(const std::vector<double>& y, double primal_high,
                                                std::optional<double> scaled) {
  std::vector<Sum> r;
  Dual result = dual_parts<V>(y, r, scaled);
  if (!result.feasible) return result;
  std::vector<Bounded<V>> q = of_rows<V>().q;  // kept: least_of_unpenalized() computes those of other points
  if (!unpenalized_.empty()) {
    result.intercept = least_of_unpenalized(y, primal_high, result, q, r);
  } else if (problem_.free_intercept()) {
    if (!intercept_bounds_) intercept_bounds_.emplace(problem_, weights_, total_);
    result.intercept = intercept_bounds_->least(primal_high, r);
    const double gap = primal_high - leading(result.value.value);
    if (!(-result.intercept <= negligible * gap) && !intercept_bounds_->tight()) {
      intercept_bounds_->tighten();
      result.intercept = intercept_bounds_->least(primal_high, r);
    }
  }
  if (of_rows<V>().scaled) q.clear();  // not the bits of a product
  if constexpr (std::is_same_v<V, double>) products_.q = std::move(q);
  else products_.fine_q = std::move(q);
  return result;
}

// -sum_j |v_j| reach_j over the unpenalized features and the free intercept.
template <class V>
double RigorousCertifier::least_of_unpenalized(const std::vector<double>& y, double primal_high, const Dual& dual,
                                               const std::vector<Bounded<V>>& q, const std::vector<Sum>& r) {
  const auto evaluate = [&](std::vector<double>& moved) -> std::optional<UnpenalizedReach::At> {
    std::vector<Sum> moved_r;
    for (int round = 0; round < 3; ++round) {
      if (!into_domain(problem_, weights_, moved)) return std::nullopt;
      const Dual found = dual_parts<double>(moved, moved_r);
      const std::vector<Bounded<double>>& moved_q = of_rows_.q;
      if (found.feasible) {
        UnpenalizedReach::At at{rounded_down(found.value), {}};
        for (const std::uint32_t j : unpenalized_)
          at.w.push_back(Sum(Twofold(moved_q[j].value), moved_q[j].error) / total_);
        if (problem_.free_intercept()) at.w.push_back(moved_r[0]);
        return at;
      }
      for (double& yi : moved) yi *= found.shrink;
    }
    return std::nullopt;
  };
  const auto reach = UnpenalizedReach::bound(problem_, unpenalized_, y, primal_high, evaluate);
  reach_missing_ = !reach;
  if (!reach) return -infinity;
  double charge = 0;
  for (const std::size_t j : dual.unpenalized) {
    const auto k = std::lower_bound(unpenalized_.begin(), unpenalized_.end(), j) - unpenalized_.begin();
    charge += greatest_size(q[j]) / lower(total_) * (*reach)[static_cast<std::size_t>(k)];
  }
  if (problem_.free_intercept()) charge += greatest_size(r[0]) * reach->back();
  return -charge * (1 + 0x1p-20);
}

// One level of precision. `slack`: a bound on its rounding.
template <class V>
Certificate RigorousCertifier::evaluate(Point& point, bool zero, double& slack) {
  Certificate certificate;
  if (!zero) read_both<V>(point);
  const Sum P = primal<V>(point);
  certificate.primal = rounded_up(P);
  if (std::isnan(certificate.primal)) certificate.primal = infinity;
  slack = P.error;
  bool usable = !zero && std::isfinite(certificate.primal);
  if (usable) {
    Dual D = dual<V>(point.y, certificate.primal);
    for (int round = 0; round < 3 && !D.feasible && D.shrink > 0 && D.shrink < 1; ++round) {
      for (double& yi : point.y) yi *= D.shrink;
      const std::vector<double> product = point.y;
      if (!into_domain(problem_, weights_, point.y)) break;
      certificate.dual_point = DualPoint::scaled;
      const bool only_scaled = !any_rank(problem_.leaves(), problem_.is_block() || point.y != product);
      D = dual<V>(point.y, certificate.primal, only_scaled ? std::optional(D.shrink) : std::nullopt);
    }
    slack += D.value.error;
    certificate.dual = rounded_down(D.value + Sum(D.intercept));
    usable = D.feasible && certificate.dual >= 0;  // NaN is not
  }
  if (!usable) {
    if constexpr (std::is_same_v<V, double>) products_.q.clear();
    else products_.fine_q.clear();
    std::fill(point.y.begin(), point.y.end(), 0.0);
    certificate.dual = 0;
    certificate.dual_point = DualPoint::zero;
  }
  of_rows<V>().read_q.clear();  // not used if P is infinite
  certificate.gap = difference_up(certificate.primal, certificate.dual);
  return certificate;
}

Certificate RigorousCertifier::prove(Point& point, const Precision& precision, Certifier& plain) {
  std::optional<Certificate> certificate;
  products_.q.clear();
  products_.fine_q.clear();
  if (!problem_.penalty.none()) certificate = certify(point, precision);
  else if (!problem_.is_block()) certificate = certify_by_curvature(point);  // no double y has A^T C y = 0 exactly
  if (certificate) return *certificate;
  Certificate not_guaranteed = plain.certify(point);  // no bound on features without a penalty
  not_guaranteed.guaranteed = false;
  return not_guaranteed;
}

std::optional<Certificate> RigorousCertifier::certify(Point& point, const Precision& precision) {
  reach_missing_ = !unpenalized_.empty() && problem_.is_block();
  if (reach_missing_) return std::nullopt;
  point.y.resize(problem_.n() * outputs_);
  point.intercept.resize(outputs_);
  const bool zero = !into_domain(problem_, weights_, point.y);
  double slack = 0;
  const std::vector<double> given = point.y;
  Certificate result = precision.fine ? Certificate{} : evaluate<double>(point, zero, slack);
  const double enough = precision.of_p != nullptr ? (*precision.of_p)(result.primal) : precision.enough;
  const bool decided = slack <= coarse * result.gap || result.gap <= enough;
  if (precision.fine || !decided) {
    std::vector<double> coarser = point.y;
    if (result.dual_point == DualPoint::zero) point.y = given;
    Certificate finer = evaluate<Twofold>(point, zero, slack);
    if (finer.dual_point == DualPoint::as_given && result.dual_point == DualPoint::scaled)
      finer.dual_point = DualPoint::scaled;
    const bool finer_is_better = finer.gap <= result.gap;
    if (point.y != coarser) finer_is_better ? products_.q.clear() : products_.fine_q.clear();
    if (finer_is_better) result = finer;
    else point.y = std::move(coarser);
  }
  if (reach_missing_) {
    point.y = given;
    return std::nullopt;
  }
  result.distance_bound = seesaw::distance_bound(result.gap, problem_.penalty.strong_convexity());
  return result;
}

std::optional<Certificate> RigorousCertifier::certify_by_curvature(Point& point) {
  point.y.resize(problem_.n());
  point.intercept.resize(1);
  into_domain(problem_, weights_, point.y);
  const CurvatureBound bound = curvature_bound(problem_, weights_, total_, point);
  if (!bound.curved) return std::nullopt;
  const Sum P = primal<Twofold>(point);
  Certificate certificate;
  certificate.primal = rounded_up(P);
  if (std::isnan(certificate.primal)) certificate.primal = infinity;
  certificate.dual = std::isfinite(bound.charge) ? rounded_down(P - Sum(bound.charge)) : 0;
  certificate.dual_point = DualPoint::curvature;
  if (!(certificate.dual > 0)) {
    std::fill(point.y.begin(), point.y.end(), 0.0);
    certificate.dual = 0;
    certificate.dual_point = DualPoint::zero;
  }
  certificate.gap = difference_up(certificate.primal, certificate.dual);
  return certificate;
}

}  // namespace seesaw
