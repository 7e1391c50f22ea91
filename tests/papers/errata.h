// For the tests of docs/errata.md: one-dimensional maxima of concave functions, and the losses of the papers by hand. No
// part of the library is used, so that a formula of a paper is compared with a definition only.
#pragma once

#include <algorithm>
#include <cmath>

namespace seesaw::test {

// The maximizer of a concave function on [lo, hi], to about 1e-7 of the interval; the maximum is exact to rounding.
template <class Function>
double argmax(const Function& f, double lo, double hi) {
  for (int k = 0; k < 200; ++k) {
    const double left = lo + (hi - lo) / 3, right = hi - (hi - lo) / 3;
    (f(left) < f(right) ? lo : hi) = f(left) < f(right) ? left : right;
  }
  return (lo + hi) / 2;
}

template <class Function>
double maximum(const Function& f, double lo, double hi) {
  return f(argmax(f, lo, hi));
}

template <class Function>
double argmin(const Function& f, double lo, double hi) {
  return argmax([&](double t) { return -f(t); }, lo, hi);
}

// phi*(y) = max_z y z - phi(z)
template <class Loss>
double conjugate_of(const Loss& phi, double y) {
  return maximum([&](double z) { return y * z - phi(z); }, -60, 60);
}

inline double hinge(double margin) { return std::max(0.0, 1 - margin); }
inline double smooth_hinge(double margin, double gamma) {
  if (margin >= 1) return 0;
  return margin <= 1 - gamma ? 1 - gamma / 2 - margin : (1 - margin) * (1 - margin) / (2 * gamma);
}
inline double logistic(double margin) {
  return margin > 0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin;
}
inline double sigmoid(double t) { return 1 / (1 + std::exp(-t)); }
inline double entropy(double p) {  // p log p + (1 - p) log(1 - p)
  const auto term = [](double t) { return t > 0 ? t * std::log(t) : 0; };
  return term(p) + term(1 - p);
}

}  // namespace seesaw::test
