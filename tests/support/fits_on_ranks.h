// Generated data and fits for tests of several ranks.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/rng.h"
#include "data/rows_builder.h"
#include "run/fit.h"

namespace seesaw::test {

enum class Labels { two, three, numbers };

inline Dataset generated(std::size_t rows, std::size_t width, std::size_t row_size, Labels kind,
                         bool weighted = false) {
  Rng rng(rows + width);
  RowsBuilder builder;
  Dataset data{.rows = SparseRows<double>(0, {}, {}, {}, nullptr), .labels = {}};
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<std::uint32_t> columns;
    std::vector<double> values;
    double score = 0.3 * rng.normal() + 0.2;
    const std::size_t step = width / row_size;
    for (std::size_t j = step == 1 ? 0 : rng.below(static_cast<std::uint32_t>(step)); j < width;
         j += step == 1 ? 1 : 1 + rng.below(static_cast<std::uint32_t>(2 * step - 1))) {
      columns.push_back(static_cast<std::uint32_t>(j));
      values.push_back(rng.normal());
      score += values.back() * (static_cast<double>(j % 7) - 3) / 4;
    }
    builder.add_row(columns, values);
    data.labels.push_back(kind == Labels::numbers ? score
                          : kind == Labels::two   ? (score > 0 ? 1 : -1)
                          : score > 1             ? 2
                          : score > -1            ? 1
                                                  : 0);
    if (weighted) data.weights.push_back(0.25 + rng.uniform());
  }
  data.nnz = builder.entries();
  data.rows = std::move(builder).finish(width, Precision::exact);
  data.source = "generated";
  return data;
}

inline FitSpec spec_of(const std::string& solver, const std::string& loss, double lambda, double l1 = 0) {
  FitSpec spec;
  spec.solver.name = solver;
  spec.objective.loss = loss;
  spec.objective.lambda = lambda;
  if (l1 > 0) spec.objective.l1 = l1;
  spec.objective.intercept = Intercept::none;
  spec.criteria.gap = 1e-5;
  spec.criteria.max_passes = 300;
  return spec;
}

inline void expect_same(const Fit& found, const Fit& expected) {
  EXPECT_EQ(found.model.x, expected.model.x);
  EXPECT_EQ(found.model.intercept, expected.model.intercept);
  EXPECT_EQ(found.model.certificate->primal, expected.model.certificate->primal);
  EXPECT_EQ(found.model.certificate->dual, expected.model.certificate->dual);
  EXPECT_EQ(found.model.certificate->gap, expected.model.certificate->gap);
  EXPECT_EQ(found.model.passes, expected.model.passes);
  EXPECT_EQ(found.model.status, expected.model.status);
  EXPECT_EQ(found.model.n, expected.model.n);
  EXPECT_EQ(found.model.data_hash, expected.model.data_hash);
  EXPECT_EQ(found.proved_zero, expected.proved_zero);
}

}  // namespace seesaw::test
