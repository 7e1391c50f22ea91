// Products with a dense row: the loops compiled for every level, and inlined for short rows.
#pragma once

#include <cstddef>

namespace seesaw {

[[gnu::always_inline]] inline double sum_of_eight(const double (&s)[8]) {
  return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

template <class Value>
[[gnu::always_inline]] inline double dense_dot(const Value* a, const double* x, std::size_t size) {
  double s[8] = {};
  std::size_t j = 0;
  for (; j + 8 <= size; j += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) s[lane] += static_cast<double>(a[j + lane]) * x[j + lane];
  for (; j < size; ++j) s[0] += static_cast<double>(a[j]) * x[j];
  return sum_of_eight(s);
}

// As soft_threshold of base/scalar.h.
[[gnu::always_inline]] inline double soft(double t, double e) {
  const double above = t < -e ? -e : t;
  return t - (e < above ? e : above);
}

template <class Value>
[[gnu::always_inline]] inline double dense_dot_soft(const Value* a, const double* x, std::size_t size, double e) {
  double s[8] = {};
  std::size_t j = 0;
  for (; j + 8 <= size; j += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) s[lane] += static_cast<double>(a[j + lane]) * soft(x[j + lane], e);
  for (; j < size; ++j) s[0] += static_cast<double>(a[j]) * soft(x[j], e);
  return sum_of_eight(s);
}

template <class Value>
[[gnu::always_inline]] inline void dense_add(double* x, double scale, const Value* a, std::size_t size) {
  for (std::size_t j = 0; j < size; ++j) x[j] += scale * static_cast<double>(a[j]);
}

}  // namespace seesaw
