// The objective and its dual in quad precision, from their definitions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/certificate.h"
#include "support/quad.h"
#include "support/table.h"

namespace seesaw::test {

// P and D of a point in quad precision, c_i = s_i / sum s not rounded.
struct QuadObjective {
  Quad primal = 0, dual = 0, largest_v = 0;
  std::vector<Quad> rest;  // sum_i c_i y_ik
};

inline Quad positive(Quad x) { return x > 0 ? x : 0; }

inline Quad quad_loss(const Problem& p, double b, Quad z) {
  const std::string name(p.kind->name);
  const Quad k = p.loss_parameter, r = z - b, m = b * z, hinge = positive(1 - m), tube = positive(size(r) - k);
  if (name == "squared") return r * r / 2;
  if (name == "absolute") return size(r);
  if (name == "quantile") return r < 0 ? -k * r : (1 - k) * r;
  if (name == "huber") return size(r) <= k ? r * r / 2 : k * size(r) - k * k / 2;
  if (name == "epsilon-insensitive") return tube;
  if (name == "squared-epsilon-insensitive") return tube * tube;
  if (name == "hinge") return hinge;
  if (name == "smooth-hinge") return m >= 1 ? 0 : m <= 1 - k ? 1 - m - k / 2 : hinge * hinge / (2 * k);
  if (name == "squared-hinge") return hinge * hinge;
  return positive(-m) + quad_log1p(quad_exp(-size(m)));
}

inline Quad entropy(Quad p) { return p > 0 ? p * quad_log(p) : 0; }

inline Quad quad_conjugate(const Problem& p, double b, double y) {
  const std::string name(p.kind->name);
  const Quad k = p.loss_parameter, q = -Quad(b) * y;
  if (name == "quantile") {
    EXPECT_TRUE(-k <= y && y <= 1 - k);
    return Quad(b) * y;
  }
  if (name == "squared" || name == "huber") return Quad(y) * y / 2 + Quad(b) * y;
  if (name == "absolute") return Quad(b) * y;
  if (name == "epsilon-insensitive") return Quad(b) * y + k * size(y);
  if (name == "squared-epsilon-insensitive") return Quad(b) * y + k * size(y) + Quad(y) * y / 4;
  if (name == "squared-hinge") return -q + q * q / 4;
  EXPECT_TRUE(q >= 0 && q <= 1);
  if (name == "hinge") return -q;
  if (name == "smooth-hinge") return -q + k * q * q / 2;
  return entropy(q) + entropy(1 - q);
}

inline QuadObjective quad_objective(const Problem& p, const Point& point) {
  const Matrix a = matrix_of(*p.data);
  const std::size_t K = p.outputs();
  const bool block = p.is_block();
  std::vector<Quad> s(a.size(), 1), v(p.d() * K);
  Quad total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!p.data->weights.empty()) s[i] *= p.data->weights[i];
    if (p.class_weight_of_row) s[i] *= (*p.class_weight_of_row)[i];
    total += s[i];
  }
  QuadObjective truth{.rest = std::vector<Quad>(K)};
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::vector<Quad> z(K), y(K);
    const std::size_t b = block ? p.block().class_of_row[i] : 0;
    for (std::size_t k = 0; k < K; ++k) {
      z[k] = p.free_intercept() ? point.intercept[k] : 0;
      for (std::size_t j = 0; j < p.d(); ++j) z[k] += Quad(a[i][j]) * point.x[j * K + k];
      y[k] = point.y[i * K + k];
    }
    Quad value = 0, dual = 0;
    if (block) {
      y[b] = 0;
      Quad others = 0, sum = 0, most = 0, highest = z[b];
      for (std::size_t k = 0; k < K; ++k) highest = std::max(highest, z[k]);
      for (std::size_t k = 0; k < K; ++k) {
        if (highest > z[b]) sum += k == b ? quad_exp(z[b] - highest) : 0;
        if (k == b) continue;
        others += y[k];
        dual += p.kind->name == "softmax" ? entropy(y[k]) : 0;
        sum += quad_exp(z[k] - highest);
        most = std::max<Quad>(most, 1 + z[k] - z[b]);
      }
      y[b] = -others;
      EXPECT_TRUE(others <= 1);
      const bool softmax = p.kind->name == "softmax";
      value = !softmax ? most : highest > z[b] ? highest - z[b] + quad_log(sum) : quad_log1p(sum);
      dual = softmax ? dual + entropy(1 - others) : -others;
    } else {
      value = quad_loss(p, p.scalar().target[i], z[0]);
      dual = quad_conjugate(p, p.scalar().target[i], point.y[i]);
    }
    truth.primal += s[i] / total * value;
    truth.dual -= s[i] / total * dual;
    for (std::size_t k = 0; k < K; ++k) {
      truth.rest[k] += s[i] / total * y[k];
      for (std::size_t j = 0; j < p.d(); ++j) v[j * K + k] -= s[i] / total * y[k] * a[i][j];
    }
  }
  for (std::size_t at = 0; at < v.size(); ++at) {
    const Quad size = test::size(v[at]), x = point.x[at], over = positive(size - Quad(p.penalty.l1()));
    truth.primal += Quad(p.penalty.l2()) / 2 * x * x + Quad(p.penalty.l1()) * test::size(x);
    if (p.penalty.l2() > 0) truth.dual -= over * over / (2 * Quad(p.penalty.l2()));
    truth.largest_v = std::max(truth.largest_v, size);
  }
  return truth;
}

}  // namespace seesaw::test
