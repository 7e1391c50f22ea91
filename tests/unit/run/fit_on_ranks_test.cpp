// Fits on several ranks (threads, support/thread_ranks.h) against those of one process: the same model, bit for bit.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/rng.h"
#include "data/rows_builder.h"
#include "data/share_rows.h"
#include "run/fit.h"
#include "seesaw/error.h"
#include "support/thread_ranks.h"

namespace seesaw {
namespace {

enum class Labels { two, three, numbers };

Dataset generated(std::size_t rows, std::size_t width, std::size_t row_size, Labels kind, bool weighted = false) {
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

struct Case {
  std::string name;
  const Dataset* data;
  FitSpec spec;
};

FitSpec spec_of(const std::string& solver, const std::string& loss, double lambda, double l1 = 0) {
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

void expect_same(const Fit& found, const Fit& expected) {
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

TEST(FitOnRanks, has_the_bits_of_one_process) {
  const Dataset sparse = generated(6000, 400, 25, Labels::two, true), dense = generated(4000, 40, 40, Labels::two),
                wide = generated(1500, 20000, 120, Labels::two), classes = generated(5000, 40, 20, Labels::three),
                numbers = generated(5000, 60, 30, Labels::numbers);
  std::vector<Case> cases = {{"lbfgs sparse", &sparse, spec_of("lbfgs", "logistic", 1e-3)},
                             {"lbfgs wide", &wide, spec_of("lbfgs", "logistic", 1e-3)},
                             {"lbfgs softmax", &classes, spec_of("lbfgs", "softmax", 1e-3)},
                             {"newton dense", &dense, spec_of("newton", "logistic", 1e-3)},
                             {"newton sparse", &sparse, spec_of("newton", "squared-hinge", 1e-3)},
                             {"newton wide", &wide, spec_of("newton", "logistic", 1e-2)},
                             {"newton sampled", &dense, spec_of("newton", "logistic", 1e-3)},
                             {"newton softmax", &classes, spec_of("newton", "softmax", 1e-3)},
                             {"newton one-versus-rest", &classes, spec_of("newton", "logistic", 1e-3)},
                             {"ws sparse", &sparse, spec_of("ws", "logistic", 0, 1e-3)},
                             {"ws net", &dense, spec_of("ws", "squared", 1e-2, 1e-2)},
                             {"ws wide", &wide, spec_of("ws", "logistic", 1e-3, 1e-3)},
                             {"ssn dense", &dense, spec_of("ssn", "hinge", 1e-3)},
                             {"ssn sparse", &sparse, spec_of("ssn", "hinge", 1e-2)},
                             {"ssn wide", &wide, spec_of("ssn", "hinge", 1e-2)},
                             {"ssn numbers", &numbers, spec_of("ssn", "absolute", 1e-2)}};
  cases[6].spec.solver.options = {{"system", "sampled"}, {"start", "sampled"}};
  for (std::size_t k = 0; k < cases.size(); ++k) {
    Case& one = cases[k];
    SCOPED_TRACE(one.name);
    if (k % 2 == 0) one.spec.objective.intercept = Intercept::free;
    if (k % 5 == 1) one.spec.objective.intercept = Intercept::penalized;
    if (k % 3 == 0) one.spec.scaling = Scaling::columns_std;
    const Fit expected = fit(*one.data, one.spec);
    EXPECT_EQ(expected.model.status, "converged");
    const std::vector<int> some = {2, 3, 7};
    for (const int size : k == 0 ? some : std::vector{some[k % 3]}) {
      SCOPED_TRACE(size);
      EXPECT_TRUE(test::on_ranks(size, [&](Ranks& ranks) {
        FitSpec spec = one.spec;
        spec.data_hash = content_hash(*one.data, ranks);
        const Dataset share = own_share(*one.data, ranks);
        const Fit found = fit(share, spec);
        expect_same(found, expected);
        if (ranks.first()) {
          EXPECT_EQ(found.model.y, expected.model.y);
        }
      }));
    }
  }
}

TEST(FitOnRanks, refuses_methods_that_draw_rows) {
  const Dataset data = generated(500, 20, 10, Labels::two);
  for (const char* name : {"sdca", "spdc", "saga"})
    test::on_ranks(2, [&](Ranks& ranks) {
      FitSpec spec = spec_of(name, "logistic", 1e-2);
      spec.data_hash = 0;
      try {
        fit(own_share(data, ranks), spec);
        ADD_FAILURE() << name;
      } catch (const Unsupported& error) {
        EXPECT_NE(std::string(error.what()).find("draws single rows"), std::string::npos) << error.what();
      }
    });
}

}  // namespace
}  // namespace seesaw
