// The proof that comes with every fit: P from above, D from below, computed from the data alone.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "model/problem.h"

namespace seesaw {

// How the dual point was made feasible.
enum class DualPoint { as_given, balanced, scaled, projected, zero };
std::string_view name_of(DualPoint point);

struct Certificate {
  double primal = infinity;
  double dual = -infinity;
  double gap = infinity;                      // in split form: a sum of terms that are all >= 0
  std::optional<double> distance_bound = {};  // |x - x*| <= it, where g is strongly convex
  DualPoint dual_point = DualPoint::as_given;
  bool guaranteed = true;  // false: no lower bound of the optimum can be guaranteed; then `dual` is what plain sums say

  double relative_gap() const { return gap == 0 ? 0 : gap / primal; }
};

// A primal and a dual point. With K outputs (classes that each have a score), x holds K numbers a feature, y K numbers
// a row: x[j K + k], y[i K + k].
struct Point {
  std::vector<double> x;
  std::vector<double> intercept = {0.0};  // one an output
  std::vector<double> y;
};

class BlockCertifier;

// Computes certificates of one problem; keeps its scratch memory between them. Costs about one product by A and one by
// A^T, in parallel, with the same bits for any number of threads.
class Certifier {
 public:
  explicit Certifier(const Problem& problem);
  ~Certifier();

  // Makes the point's intercept the best for its x (K of them: good ones), and its y feasible, then evaluates both.
  // `accuracy`: P may be this much above its minimum over the intercept (a free intercept costs a few O(n) loops more
  // the smaller it is); any value keeps the certificate valid.
  Certificate certify(Point& point, double accuracy = 0);

 private:
  void make_dual_feasible(Point& point, Certificate& certificate);
  void balance(std::vector<double>& y, Certificate& certificate);
  void dual_image(const std::vector<double>& y);  // v = -A^T C y

  const Problem& problem_;
  std::unique_ptr<BlockCertifier> block_;  // for the losses of all classes at once; the rest is for those of one score
  std::vector<double> z_;                  // A x
  std::vector<double> v_;                  // -A^T C y
  std::vector<double> cy_;                 // c_i y_i
  double dual_allowance_ = 0;              // what rounding in the constraints on y may be worth; taken off D
};

}  // namespace seesaw
