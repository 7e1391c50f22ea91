// exp and log in __float128 (113 bits) for references, by series and Newton; relative error about 1e-32.
#pragma once

namespace seesaw::test {

using Quad = __float128;

inline Quad size(Quad x) { return x < 0 ? -x : x; }

inline Quad quad_exp(Quad x) {
  if (x < -11000) return 0;
  if (x < 0) return 1 / quad_exp(-x);  // all terms of one sign
  int halvings = 0;
  while (size(x) > Quad(0.01)) {
    x /= 2;
    ++halvings;
  }
  Quad term = 1, sum = 0;  // e^x - 1: no cancellation when it is squared
  for (int k = 1; k < 20; ++k) sum += term *= x / k;
  for (; halvings > 0; --halvings) sum = sum * (2 + sum);
  return 1 + sum;
}

inline Quad quad_log1p(Quad e) {  // e > -1
  if (size(e) < Quad(0.01)) {
    Quad power = e, sum = 0;
    for (int k = 1; k < 20; ++k) {
      sum += k % 2 == 1 ? power / k : -power / k;
      power *= e;
    }
    return sum;
  }
  Quad log = __builtin_log1p((double)e);
  for (int round = 0; round < 2; ++round) log += (1 + e) * quad_exp(-log) - 1;
  return log;
}
inline Quad quad_log(Quad x) {
  int doublings = 0;
  while (x < Quad(0.5)) {
    x *= 2;
    ++doublings;
  }
  const Quad ln2 = quad_log1p(1);
  return quad_log1p(x - 1) - doublings * ln2;
}

}  // namespace seesaw::test
