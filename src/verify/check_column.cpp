#include "verify/check_column.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "verify/formulas.h"
#include "verify/scaled_rows.h"

namespace seesaw::verifier {
namespace {

class ColumnCheck {
 public:
  ColumnCheck(const Dataset& data, const LinearModel& model, std::size_t k, Problems& problems)
      : data_(data),
        model_(model),
        k_(k),
        formula_(formula_of(model.objective.loss)),
        positive_label_(!formula_.of_sign      ? 0
                        : model.outputs() == 1 ? model.labels[1]
                                               : model.labels[k]),
        problems_(problems) {}

  Sums sums(const std::vector<Real>& shares) {
    add_rows(shares);
    add_coordinates();
    if (model_.objective.intercept == Intercept::free) add_intercept();
    return sums_;
  }

 private:
  Real x(std::size_t j) const { return model_.x[j * model_.outputs() + k_]; }
  double y(std::size_t i) const { return model_.y[i * model_.outputs() + k_]; }
  Real target(std::size_t i) const {  // b_i
    if (!formula_.of_sign) return data_.labels[i];
    return data_.labels[i] == positive_label_ ? 1 : -1;
  }

  // The dual number of row i, or p = -b y for a sign, brought back into its domain from no further than rounding.
  Real inside_domain(std::size_t i, Real y_or_p) {
    const auto [lo, hi] = formula_.domain(model_.objective.loss_parameter);
    const Real clipped = std::min(std::max(y_or_p, lo), hi), width = hi - lo < inf ? hi - lo : 1;
    if (!(std::abs(y_or_p - clipped) <= rounding * width) && ++rows_outside_ == 1)
      problems_.add(
          "The dual point is not feasible: in row {} it is {}, where the conjugate of the loss {} is infinite.", i + 1,
          y(i), formula_.name);
    return clipped;
  }

  // sum c_i phi_i(z_i) into P, -sum c_i phi_i*(y_i) into D, and v = -sum c_i y_i a_i.
  void add_rows(const std::vector<Real>& shares) {
    const Real t = model_.objective.loss_parameter;
    v_.assign(model_.x.size() / model_.outputs(), 0);
    v_size_ = v_;
    ScaledRows rows(data_, model_);
    for (std::size_t i = 0; i < data_.n(); ++i) {
      const Real c = shares[i], b = target(i);
      const Real p = inside_domain(i, formula_.of_sign ? -b * y(i) : y(i));
      const Real yi = formula_.of_sign ? -b * p : p;

      Real z = model_.intercept[k_], z_size = std::abs(z);
      for (const auto& [j, a] : rows.row(i)) {
        z += a * x(j);
        z_size += std::abs(a * x(j));
        v_[j] -= c * yi * a;
        v_size_[j] += c * std::abs(a) * (std::abs(yi) + std::abs(b));
      }
      balance_ += c * yi;
      balance_size_ += c * (std::abs(yi) + std::abs(b));

      const Real phi = formula_.value(formula_.of_sign ? b * z : z - b, t);
      const Real conjugate = formula_.conjugate(p, t) + (formula_.of_sign ? 0 : b * yi);
      sums_.primal += c * phi;
      sums_.dual -= c * conjugate;
      sums_.size += c * (phi + std::abs(conjugate) + std::abs(yi) * (z_size + (formula_.of_sign ? 0 : std::abs(b))));
    }
    if (rows_outside_ > 1) problems_.add("{} more rows have dual numbers that are not feasible.", rows_outside_ - 1);
    sums_.feasible = rows_outside_ == 0;
  }

  void add_coordinates() {
    const SolvedObjective& objective = model_.objective;
    for (std::size_t j = 0; j < v_.size(); ++j)
      if (!sums_.add_coordinate(objective.lambda, objective.l1, x(j), v_[j], v_size_[j]) &&
          std::exchange(sums_.feasible, false))
        problems_.add(
            "The dual point is not feasible: for feature {} the data's sum |v| is {:.6g}, and l1 = {} allows no more.",
            j + 1, std::abs(v_[j]), objective.l1);
  }

  void add_intercept() {
    if (!sums_.add_free_intercept(model_.intercept[k_], balance_, balance_size_) &&
        std::exchange(sums_.feasible, false))
      problems_.add(
          "The dual point is not feasible: with a free intercept its weighted sum must be 0, and it is {:.6g}.",
          balance_);
  }

  const Dataset& data_;
  const LinearModel& model_;
  const std::size_t k_;
  const Formula& formula_;
  const double positive_label_;  // of a sign: whose b is +1
  Problems& problems_;
  Sums sums_;
  std::vector<Real> v_, v_size_;
  Real balance_ = 0, balance_size_ = 0;  // sum c_i y_i
  std::size_t rows_outside_ = 0;         // whose y_i is not in its domain
};

}  // namespace

Sums check_column(const Dataset& data, const LinearModel& model, std::size_t k, const std::vector<Real>& shares,
                  Problems& problems) {
  return ColumnCheck(data, model, k, problems).sums(shares);
}

}  // namespace seesaw::verifier
