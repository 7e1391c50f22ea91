#include "run/incumbent.h"

#include <algorithm>
#include <cmath>

#include "base/parallel_elements.h"
#include "model/penalty/unpenalized.h"
#include "model/rigorous/optimum_region.h"
#include "model/rigorous/proved_signs.h"
#include "run/criteria.h"
#include "run/run_state.h"

namespace seesaw {
namespace {

constexpr double intercept_accuracy = 1e-4;  // of the gap: how exactly a check minimizes over the intercept

bool finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double value) { return std::isfinite(value); });
}

// The start of a method whose constants overflow is not a number: x = 0, or the nearest point within the bounds, is a
// point of every problem.
void move_to_zero(const Problem& problem, Point& point) {
  const std::size_t K = problem.outputs();
  for (std::size_t j = 0; j < problem.d(); ++j) {
    const Interval box = problem.penalty.bounds(j);
    std::fill_n(point.x.begin() + static_cast<std::ptrdiff_t>(j * K), K, std::clamp(0.0, box.lo, box.hi));
  }
  std::fill(point.intercept.begin(), point.intercept.end(), 0.0);
}

}  // namespace

bool proved_as_given(const Problem& problem) {
  return !problem.free_intercept() && !problem.penalty.none() &&
         unpenalized_features(problem.penalty, problem.d()).empty();
}

void Incumbent::begin_at_zero(double primal, Point& candidate) {
  const std::size_t K = problem_.outputs();
  candidate = {std::vector<double>(problem_.d() * K), std::vector<double>(K), {}};
  latest = {};
  latest.primal = latest.gap = primal;
  latest.dual = 0;
  latest.dual_point = dual_point_ = DualPoint::zero;
  bounds = static_cast<const Bounds&>(latest);
  point = {candidate.x, candidate.intercept, {}};
}

void Incumbent::complete_point() {
  if (dual_point_ == DualPoint::zero && point.y.empty()) point.y.resize(problem_.n() * problem_.outputs());
}

void Incumbent::update(Point& candidate) {
  if (point.x.empty() && !(finite(candidate.x) && finite(candidate.intercept))) move_to_zero(problem_, candidate);
  latest = certifier_.certify(candidate, std::isfinite(bounds.gap) ? intercept_accuracy * bounds.gap : 0);
  const bool first = point.x.empty();
  const bool lower = first || latest.primal < bounds.primal;
  const bool higher = first || latest.dual > bounds.dual;
  if (lower) {
    bounds.primal = latest.primal;
    point.x = candidate.x;
    point.intercept = candidate.intercept;
  }
  if (higher) {
    bounds.dual = latest.dual;
    dual_point_ = latest.dual_point;
    parallel_copy(candidate.y, point.y);
  }
  if (lower && higher) bounds.gap = latest.gap;  // a sum of terms >= 0: no cancellation
  else if (lower || higher) bounds.gap = std::max(0.0, bounds.primal - bounds.dual);
  if (lower || higher) proof_.reset();
}

const Certificate& Incumbent::prove(double enough) {
  if (proof_) return *proof_;
  complete_point();
  proved_point = point;
  if (!rigorous_) rigorous_ = std::make_unique<RigorousCertifier>(problem_);
  Certificate result = rigorous_->prove(proved_point, enough, certifier_);
  if (result.dual_point == DualPoint::as_given) result.dual_point = dual_point_;
  if (!result.guaranteed && !(result.gap <= bounds.gap)) {  // its work was stopped: the pair as it was certified before
    static_cast<Bounds&>(result) = bounds;
    result.dual_point = dual_point_;
    proved_point = point;
  }
  proof_ = result;
  has_products_ = true;
  own_proof_.reset();
  return *proof_;
}

bool Incumbent::prove_candidate(Point& candidate, std::optional<PointProof> own,
                                const std::function<double(double)>& target) {
  const std::function<double(double)> enough = [&](double primal) { return well_below * target(primal); };
  Point proved{candidate.x, candidate.intercept, std::move(candidate.y)};
  if (own && !(own->certificate.gap <= enough(own->certificate.primal))) own.reset();
  if (!own && !rigorous_) rigorous_ = std::make_unique<RigorousCertifier>(problem_);
  has_products_ = false;  // a candidate that is rejected leaves its own there
  const Certificate result = own ? own->certificate : rigorous_->prove(proved, {.of_p = &enough}, certifier_);
  const bool better = result.primal <= bounds.primal && result.dual >= bounds.dual;
  if (!result.guaranteed || !better || !(result.gap <= target(result.primal))) return false;
  latest = result;
  bounds = static_cast<const Bounds&>(result);
  proved_point = std::move(proved);
  proof_ = result;
  has_products_ = !own;
  own_proof_ = std::move(own);
  return true;
}

std::string Incumbent::signs() const {
  if (!proof_ || !proof_->guaranteed) return {};
  if (own_proof_) return proved_signs_by(problem_, proved_point.y, *own_proof_);
  return proved_signs(problem_, proved_point.y, {static_cast<const Bounds&>(*proof_)},
                      rigorous_ ? rigorous_->image_of(proved_point.y) : nullptr);
}

std::optional<OptimumBounds> Incumbent::region() {
  if (!proof_ || !proof_->guaranteed) return std::nullopt;
  rigorous::ProofProducts products;
  if (own_proof_) products.q = own_proof_->image;
  else if (has_products_) products = std::move(rigorous_->products());
  return optimum_region(problem_, proved_point, *proof_, std::move(products));
}

void Incumbent::serialize(Archive& archive, std::size_t outputs) {
  seesaw::serialize(archive, bounds);
  seesaw::serialize(archive, latest);
  if (archive.saving()) complete_point();
  seesaw::serialize(archive, point, outputs);
  bool proved = proof_.has_value();
  if (!archive.saving()) {
    has_products_ = false;
    own_proof_.reset();
  }
  archive.numbers("dual_point", dual_point_, proved);
  if (!proved) return proof_.reset();
  if (!proof_) proof_.emplace();
  seesaw::serialize(archive, *proof_);
  seesaw::serialize(archive, proved_point, outputs);
}

}  // namespace seesaw
