// Independent formulas of the losses, from the table in docs/notation.md: the reference for the tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

namespace seesaw::test {

// Of losses that are added from outside (tests/extension).
struct Formulas {
  double (*value)(double parameter, double b, double z);
  double (*conjugate)(double parameter, double b, double y);
};
inline std::map<std::string, Formulas>& formulas_from_outside() {
  static std::map<std::string, Formulas> formulas;
  return formulas;
}

template <class Real>
Real phi_by_hand(const std::string& name, Real k, Real b, Real z) {
  const Real r = z - b, m = b * z, hinge = std::max(Real(0), 1 - m), tube = std::max(Real(0), std::abs(r) - k);
  if (name == "squared") return r * r / 2;
  if (name == "absolute") return std::abs(r);
  if (name == "quantile") return r < 0 ? -k * r : (1 - k) * r;
  if (name == "huber") return std::abs(r) <= k ? r * r / 2 : k * std::abs(r) - k * k / 2;
  if (name == "epsilon-insensitive") return tube;
  if (name == "squared-epsilon-insensitive") return tube * tube;
  if (name == "hinge") return hinge;
  if (name == "smooth-hinge") return m >= 1 ? Real(0) : m <= 1 - k ? 1 - m - k / 2 : hinge * hinge / (2 * k);
  if (name == "squared-hinge") return hinge * hinge;
  if (name == "logistic") return m > 0 ? std::log1p(std::exp(-m)) : std::log1p(std::exp(m)) - m;
  if (const auto found = formulas_from_outside().find(name); found != formulas_from_outside().end())
    return Real(found->second.value(double(k), double(b), double(z)));
  throw std::logic_error("no formula by hand for the loss " + name + ": add it to tests/support/formulas.h");
}

template <class Real>
Real conjugate_by_hand(const std::string& name, Real k, Real b, Real y) {
  const Real p = -b * y, outside = std::numeric_limits<Real>::infinity();
  if (name == "squared") return y * y / 2 + b * y;
  if (name == "absolute") return std::abs(y) <= 1 ? b * y : outside;
  if (name == "quantile") return -k <= y && y <= 1 - k ? b * y : outside;
  if (name == "huber") return std::abs(y) <= k ? b * y + y * y / 2 : outside;
  if (name == "epsilon-insensitive") return std::abs(y) <= 1 ? b * y + k * std::abs(y) : outside;
  if (name == "squared-epsilon-insensitive") return b * y + k * std::abs(y) + y * y / 4;
  if (const auto found = formulas_from_outside().find(name); found != formulas_from_outside().end())
    return Real(found->second.conjugate(double(k), double(b), double(y)));
  if (name == "squared-hinge") return p >= 0 ? -p + p * p / 4 : outside;
  if (p < 0 || p > 1) return outside;
  if (name == "hinge") return -p;
  if (name == "smooth-hinge") return -p + k * p * p / 2;
  const auto entropy = [](Real t) { return t > 0 ? t * std::log(t) : Real(0); };
  if (name == "logistic") return entropy(p) + entropy(1 - p);
  throw std::logic_error("no conjugate by hand for the loss " + name + ": add it to tests/support/formulas.h");
}

}  // namespace seesaw::test
