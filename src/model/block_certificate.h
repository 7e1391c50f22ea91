// The certificate of problems with a block loss: K scores per row, K free intercepts, p_i = y_i + e_b in the simplex.
#pragma once

#include <vector>

#include "model/certificate.h"

namespace seesaw {

class BlockCertifier {
 public:
  explicit BlockCertifier(const Problem& problem);

  // As Certifier's. P is taken at the intercepts given, which softmax improves first by a few monotone rounds.
  Certificate certify(Point& point, double accuracy);

 private:
  void improve_intercepts(std::vector<double>& intercept, double accuracy);
  void make_dual_feasible(std::vector<double>& y, Certificate& certificate);
  void balance(std::vector<double>& y, Certificate& certificate);
  void compute_products(const Point& point);  // z and v
  void confine_image(Point& point, Certificate& certificate);
  std::size_t class_of(std::size_t i) const { return problem_.block().class_of_row[i]; }

  const Problem& problem_;
  std::size_t classes_;               // K
  std::vector<double> class_weight_;  // n_k: c_i summed over the rows of class k
  std::vector<double> z_;             // A x
  std::vector<double> v_;             // -A^T C y
  std::vector<double> cy_;            // -c_i y_i
  std::vector<double> rest_;          // sum_i c_i y_ik of the balanced point: 0 up to rounding
  double dual_allowance_ = 0;         // for rounding in the constraints on y; subtracted from D
};

}  // namespace seesaw
