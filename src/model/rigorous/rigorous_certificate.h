// P from above and D from below with every rounding error included; docs/certificates.md has the bounds.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <type_traits>
#include <vector>

#include "model/certificate.h"
#include "model/rigorous/bounded.h"
#include "model/rigorous/intercept_bounds.h"
#include "model/rigorous/proof_products.h"
#include "model/rigorous/row_weights.h"

namespace seesaw {

class RigorousCertifier {
 public:
  explicit RigorousCertifier(const Problem& problem);

  struct Precision {
    double enough = 0;                                    // a gap that twice the precision need not make smaller,
    const std::function<double(double)>* of_p = nullptr;  // or as a function of P
    bool fine = false;                                    // twice the precision at once, for measurements
  };
  // As Certifier::certify_rigorously; plain sums, which guarantee nothing, are those of `plain`.
  Certificate prove(Point& point, const Precision& precision, Certifier& plain);
  Certificate prove(Point& point, double enough, Certifier& plain) { return prove(point, {.enough = enough}, plain); }

  // Nothing if the problem has unpenalized features and nothing bounds them.
  std::optional<Certificate> certify(Point& point, const Precision& precision);

  // Without a penalty: D from the curvature of loss and data around the point; y only comes into its domain. D = 0
  // where that does not reach the optimum yet, nothing where they do not curve.
  std::optional<Certificate> certify_by_curvature(Point& point);

  // Those of the point that certify() returned last, as far as they are known: z where the intercept is free.
  rigorous::ProofProducts& products() { return products_; }
  // sum_i s_i y_i a_i with bounds, perhaps as a multiple of another product; null: not computed for this y.
  const std::vector<rigorous::Bounded<double>>* image_of(const std::vector<double>& y) const {
    return of_rows_.has_y && of_rows_.y == y ? &of_rows_.q : nullptr;
  }

 private:
  using Sum = rigorous::Bounded<rigorous::Twofold>;
  struct Dual {
    Sum value;             // D of y, without the parts of the free intercept and the unpenalized features
    double intercept = 0;  // those parts, from below
    bool feasible = true;  // l1 alone: |v|_inf <= l1
    double shrink = 1;     // if not: what y must be scaled by
    std::vector<std::size_t> unpenalized = {};  // features whose v_j is to be charged
  };

  // What depends on the rows, of the last x and of the last y: the same for every penalty, so that certificates of one
  // point along a path cost O(d) and two comparisons.
  template <class V>
  struct OfRows {
    std::vector<double> x, intercept, y;
    bool has_y = false, scaled = false;                // scaled: q is that of another y, scaled
    std::optional<Sum> losses;                         // sum_i s_i phi_i(z_i)
    Sum conjugates;                                    // sum_i s_i phi_i*(y_i)
    std::vector<rigorous::Bounded<V>> q;               // sum_i s_i y_i a_i
    std::vector<rigorous::Bounded<V>> read_z, read_q;  // of the point that is evaluated, by read_both()
  };
  template <class V>
  OfRows<V>& of_rows() {
    if constexpr (std::is_same_v<V, double>) return of_rows_;
    else return fine_of_rows_;
  }

  // Rows on disk: z and q of the point in one read of the file, for primal() and dual().
  template <class V>
  void read_both(const Point& point);
  template <class V>
  Sum primal(const Point& point);
  template <class V>
  Sum losses(const Point& point);  // sum_i s_i phi_i(z_i)
  // scaled: y is the one before times this number, rounded.
  template <class V>
  Dual dual(const std::vector<double>& y, double primal_high, std::optional<double> scaled = {});
  template <class V>
  void sum_over_rows(const std::vector<double>& y, std::optional<double> scaled);
  template <class V>
  Sum conjugates_of_rows(const std::vector<double>& y, std::vector<V>& w) const;
  // D of y, q = sum_i s_i y_i a_i, and r_k = sum_i c_i y_ik where the intercept is free.
  template <class V>
  Dual dual_parts(const std::vector<double>& y, std::vector<Sum>& r, std::optional<double> scaled = {});
  template <class V>
  double least_of_unpenalized(const std::vector<double>& y, double primal_high, const Dual& dual,
                              const std::vector<rigorous::Bounded<V>>& q, const std::vector<Sum>& r);
  template <class V>
  Sum penalty(const std::vector<double>& x) const;
  template <class V>
  void bound_conjugate(const std::vector<rigorous::Bounded<V>>& q, Dual& dual) const;
  template <class V>
  Certificate evaluate(Point& point, bool zero, double& slack);

  const Problem& problem_;
  std::size_t outputs_;
  rigorous::RowWeights weights_;
  Sum total_;                                                  // sum s
  std::optional<rigorous::InterceptBounds> intercept_bounds_;  // made when first needed
  std::vector<std::uint32_t> unpenalized_;                     // features
  bool reach_missing_ = false;                                 // nothing bounds them
  OfRows<double> of_rows_;
  OfRows<rigorous::Twofold> fine_of_rows_;
  rigorous::ProofProducts products_;
};

}  // namespace seesaw
