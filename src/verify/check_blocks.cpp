#include "verify/check_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "verify/formulas.h"
#include "verify/scaled_rows.h"

namespace seesaw::verifier {
namespace {

using Block = std::vector<Real>;

// With r the index of the row's class, and p = y + e_r in the simplex:
struct BlockFormula {
  std::string_view name;
  Real (*value)(const Block& z, std::size_t r);
  Real (*conjugate)(const Block& p, std::size_t r);
};

Real log_sum_exp_above(const Block& z, std::size_t r) {
  const Real largest = *std::max_element(z.begin(), z.end());
  Real sum = 0;
  for (const Real zk : z) sum += std::exp(zk - largest);
  return std::log(sum) + (largest - z[r]);
}

Real negative_entropy(const Block& p, std::size_t) {
  Real sum = 0;
  for (const Real pk : p) sum += entropy(pk);
  return sum;
}

Real worst_margin(const Block& z, std::size_t r) {
  Real worst = 0;
  for (std::size_t k = 0; k < z.size(); ++k)
    if (k != r) worst = std::max(worst, 1 + z[k] - z[r]);
  return worst;
}

Real share_lost(const Block& p, std::size_t r) { return p[r] - 1; }

const std::array<BlockFormula, 2> block_formulas{
    {{"softmax", log_sum_exp_above, negative_entropy}, {"multiclass-hinge", worst_margin, share_lost}}};

class BlockCheck {
 public:
  BlockCheck(const Dataset& data, const LinearModel& model, const BlockFormula& formula, Problems& problems)
      : data_(data), model_(model), formula_(formula), problems_(problems), classes_(model.outputs()) {}

  Sums sums(const std::vector<Real>& shares) {
    add_rows(shares);
    add_coordinates();
    if (model_.objective.intercept == Intercept::free) add_intercepts();
    return sums_;
  }

 private:
  std::size_t class_of_row(std::size_t i) const {
    const auto found = std::find(model_.labels.begin(), model_.labels.end(), data_.labels[i]);
    return static_cast<std::size_t>(found - model_.labels.begin());
  }

  // p = y + e_r of row i, brought back into the simplex from no further than rounding.
  Block in_simplex(std::size_t i, std::size_t r) {
    Block p(classes_);
    Real sum = 0;
    std::size_t most_negative = 0;
    bool numbers = true;
    for (std::size_t k = 0; k < classes_; ++k) {
      p[k] = Real(model_.y[i * classes_ + k]) + (k == r ? 1 : 0);
      sum += p[k];
      numbers = numbers && std::isfinite(p[k]);
      if (p[k] < p[most_negative]) most_negative = k;
    }
    const bool inside = numbers && p[most_negative] >= -rounding && std::abs(sum - 1) <= rounding;
    if (!inside && ++rows_outside_ == 1) complain_of_row(i, p, most_negative, sum, numbers);
    if (!inside) return p;
    Real kept = 0;
    for (Real& pk : p) kept += pk = positive(pk);
    for (Real& pk : p) pk /= kept;
    return p;
  }

  void complain_of_row(std::size_t i, const Block& p, std::size_t most_negative, Real sum, bool numbers) {
    const std::string wrong = !numbers ? "are not all numbers"
                              : p[most_negative] < -rounding
                                  ? fmt::format("must not be negative, and that of class {} is {:.6g}",
                                                model_.labels[most_negative], p[most_negative])
                                  : fmt::format("must sum to 1, and they sum to {:.12g}", sum);
    problems_.add(
        "The dual point is not feasible: in row {} the shares of the classes (y, plus 1 for the row's own class) {}.",
        i + 1, wrong);
  }

  // sum c_i phi_i(z_i) into P, -sum c_i phi_i*(y_i) into D, and v_k = -sum c_i y_ik a_i.
  void add_rows(const std::vector<Real>& shares) {
    v_.assign(model_.x.size(), 0);
    v_size_ = v_;
    balance_.assign(classes_, 0);
    balance_size_ = balance_;
    Block z(classes_), z_size(classes_);
    ScaledRows rows(data_, model_);
    for (std::size_t i = 0; i < data_.n(); ++i) {
      const Real c = shares[i];
      const std::size_t r = class_of_row(i);
      const Block p = in_simplex(i, r);
      const auto& row = rows.row(i);
      Real moved = 0;  // sum_k |y_k| of the sizes of z_k
      for (std::size_t k = 0; k < classes_; ++k) {
        const Real own = k == r ? 1 : 0, y = p[k] - own;
        z[k] = model_.intercept[k];
        z_size[k] = std::abs(z[k]);
        for (const auto& [j, a] : row) {
          const std::size_t at = j * classes_ + k;
          z[k] += a * model_.x[at];
          z_size[k] += std::abs(a * model_.x[at]);
          v_[at] -= c * y * a;
          v_size_[at] += c * std::abs(a) * (std::abs(y) + own);
        }
        balance_[k] += c * y;
        balance_size_[k] += c * (std::abs(y) + own);
        moved += std::abs(y) * z_size[k];
      }
      const Real phi = formula_.value(z, r), conjugate = formula_.conjugate(p, r);
      sums_.primal += c * phi;
      sums_.dual -= c * conjugate;
      sums_.size += c * (phi + std::abs(conjugate) + moved);
      // Differences of scores: where phi is small they cancel, whatever y is.
      sums_.allowance_size += c * *std::max_element(z_size.begin(), z_size.end());
    }
    if (rows_outside_ > 1) problems_.add("{} more rows have dual numbers that are not feasible.", rows_outside_ - 1);
    sums_.feasible = rows_outside_ == 0;
  }

  void add_coordinates() {
    const SolvedObjective& objective = model_.objective;
    for (std::size_t at = 0; at < v_.size(); ++at)
      if (!sums_.add_coordinate(objective.lambda, objective.l1, model_.x[at], v_[at], v_size_[at]) &&
          std::exchange(sums_.feasible, false))
        problems_.add(
            "The dual point is not feasible: for feature {} and class {} the data's sum |v| is {:.6g}, and l1 = {} "
            "allows no more.",
            at / classes_ + 1, model_.labels[at % classes_], std::abs(v_[at]), objective.l1);
  }

  void add_intercepts() {
    for (std::size_t k = 0; k < classes_; ++k)
      if (!sums_.add_free_intercept(model_.intercept[k], balance_[k], balance_size_[k]) &&
          std::exchange(sums_.feasible, false))
        problems_.add(
            "The dual point is not feasible: with free intercepts its weighted sum over the rows must be 0 for every "
            "class, and for class {} it is {:.6g}.",
            model_.labels[k], balance_[k]);
  }

  const Dataset& data_;
  const LinearModel& model_;
  const BlockFormula& formula_;
  Problems& problems_;
  const std::size_t classes_;
  Sums sums_;
  Block v_, v_size_;
  Block balance_, balance_size_;  // sum c_i y_ik
  std::size_t rows_outside_ = 0;  // whose p is not in the simplex
};

const BlockFormula* find_formula(std::string_view loss) {
  for (const BlockFormula& formula : block_formulas)
    if (formula.name == loss) return &formula;
  return nullptr;
}

}  // namespace

bool is_block_loss(std::string_view loss) { return find_formula(loss) != nullptr; }

Sums check_blocks(const Dataset& data, const LinearModel& model, const std::vector<Real>& shares, Problems& problems) {
  return BlockCheck(data, model, *find_formula(model.objective.loss), problems).sums(shares);
}

}  // namespace seesaw::verifier
