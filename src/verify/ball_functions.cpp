#include "verify/ball_functions.h"

namespace seesaw::verifier {
namespace {

// e^x by its series, |x| <= 1: 40 terms, truncation error below 2^-150.
Ball exp_series(const Ball& x) {
  Ball sum = 1;
  for (int n = 40; n >= 1; --n) sum = Ball(1) + x * sum / Ball(n);
  return sum.widened(0x1p-140);
}

// log((1 + s)/(1 - s)) by its series, |s| <= 0.2: 30 terms.
Ball log_series(const Ball& s) {
  const Ball q = square(s);
  Ball sum = 0;
  for (int n = 30; n >= 0; --n) sum = Ball(1) / Ball(2 * n + 1) + q * sum;
  return (Ball(2) * s * sum).widened(0x1p-140);
}

FunctionTables make_tables() {
  FunctionTables made;
  for (int j = 0; j < 64; ++j) made.power[static_cast<std::size_t>(j)] = exp_series(ln2() * (Ball(j) / Ball(64)));
  for (int j = 44; j <= 92; ++j) made.log_of[static_cast<std::size_t>(j)] = log_series(Ball(j - 64) / Ball(j + 64));
  Ball factorial = 1;
  for (int n = 0; n < 6; ++n) {
    if (n > 0) factorial = factorial * Ball(n);
    made.reciprocal[static_cast<std::size_t>(n)] = Ball(1) / factorial;
  }
  made.third = Ball(1) / Ball(3);
  made.fifth = Ball(1) / Ball(5);
  made.seventh = Ball(1) / Ball(7);
  return made;
}

}  // namespace

const FunctionTables tables = make_tables();

Ball log_of_tiny(const Ball& x) {
  const double scale = 0x1p200;
  return log_of(Ball(x.high * scale, x.low * scale, x.radius * scale)) - Ball(200) * ln2();
}

Ball one_minus_exp_of_minus(const Ball& q) {
  if (!(q.high <= 0.5)) return q.high > 700 ? Ball(1).widened(0x1p-1000) : Ball(1) - exp_of(-q);
  Ball sum = 1;  // 1 - e^-q = q (1 - q/2 (1 - q/3 (1 - ...)))
  for (int n = 30; n >= 2; --n) sum = Ball(1) - q * sum / Ball(n);
  return q * sum.widened(0x1p-130);
}

}  // namespace seesaw::verifier
