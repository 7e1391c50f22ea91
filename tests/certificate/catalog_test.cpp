// Every method x loss x penalty x storage x intercept x weights is a test of its own on a tiny problem: if supported, the
// gap reaches its tolerance and the independent verifier confirms it; otherwise it is refused with the missing
// requirement. Run one combination alone:
//     test_certificate --gtest_filter='*sdca_hinge_l2_sparse_free_weighted'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "data/synthetic.h"
#include "model/model_file.h"
#include "run/fit.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/problems.h"
#include "support/specs.h"
#include "verify/verify.h"

namespace seesaw {
namespace catalog_test {

using test::spec_of;
using test::Storage;

// One combination of method, loss, penalty, storage, intercept and weights.
struct Combination {
  const Recipe* recipe;
  const LossKind* kind;
  const char* penalty;
  double lambda, l1;
  Storage storage;
  Intercept intercept;
  bool weighted;
};

// "sdca_hinge_l2_sparse_free_weighted"
std::string name_of(const Combination& c) {
  static const std::map<Storage, std::string> storages = {{Storage::sparse, "sparse"},
                                                          {Storage::sparse_float, "sparse_float"},
                                                          {Storage::dense, "dense"},
                                                          {Storage::dense_float, "dense_float"}};
  const char* intercept = c.intercept == Intercept::none        ? "no_intercept"
                          : c.intercept == Intercept::penalized ? "penalized"
                                                                : "free";
  std::string name = fmt::format("{}_{}_{}_{}_{}_{}", c.recipe->name, c.kind->name, c.penalty, storages.at(c.storage),
                                 intercept, c.weighted ? "weighted" : "unweighted");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
void PrintTo(const Combination& c, std::ostream* out) { *out << name_of(c); }

Dataset with_weights(Dataset data, bool weighted) {
  if (weighted)
    for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
  return data;
}

// ---- losses of one score ----

struct Penalty {
  const char* name;
  double lambda, l1;
};
// The last is so strong that lambda n gamma > R^2, which some methods need.
constexpr Penalty penalties[] = {{"l2", 0.05, 0.0},
                                 {"elastic_net", 0.05, 0.02},
                                 {"l1", 0.0, 0.02},
                                 {"none", 0.0, 0.0},
                                 {"strong_elastic_net", 4.0, 0.02}};

std::vector<Combination> scalar_combinations() {
  std::vector<Combination> all;
  for (const Recipe& recipe : catalog())
    for (const LossKind& kind : loss_kinds())
      for (const Penalty& penalty : penalties)
        for (const Storage storage : test::all_storages)
          for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free})
            for (const bool weighted : {false, true})
              all.push_back({&recipe, &kind, penalty.name, penalty.lambda, penalty.l1, storage, intercept, weighted});
  return all;
}

class Catalog : public testing::TestWithParam<Combination> {};

TEST_P(Catalog, is_solved_and_verified_or_refused) {
  const Combination& c = GetParam();
  const Recipe& recipe = *c.recipe;
  const Dataset data = with_weights(test::random_data(40, 5, c.kind->target, 31, c.storage), c.weighted);
  const FitSpec spec = spec_of(recipe, *c.kind, c.lambda, c.l1, c.intercept);
  const Dataset prepared = apply(fit_transform(data, Scaling::none, c.intercept == Intercept::penalized), data);
  if (const auto reason = missing(recipe, make_problem(prepared, spec.objective))) {
    try {
      fit(data, spec);
      ADD_FAILURE() << "not refused";
    } catch (const Unsupported& refusal) {
      const std::string sentence = refusal.what();
      EXPECT_NE(sentence.find(recipe.name + " needs " + *reason), std::string::npos) << sentence;
      EXPECT_TRUE(sentence.find("choose `solver`") != std::string::npos ||
                  sentence.find("choose `penalty`") != std::string::npos)
          << sentence;
    }
    return;
  }
  const Fit result = fit(data, spec);
  EXPECT_EQ(result.outcome.termination, Termination::converged) << "gap " << result.outcome.certificate.gap;
  const Verification verification = verify(data, result.model);
  EXPECT_TRUE(verification.holds) << (verification.problems.empty() ? "" : verification.problems[0]);
  EXPECT_LE(verification.gap, spec.criteria.gap_abs * 1.0001);
}

INSTANTIATE_TEST_SUITE_P(Scalar, Catalog, testing::ValuesIn(scalar_combinations()),
                         [](const auto& instance) { return name_of(instance.param); });

// A method supports some combination, and refuses some if it has requirements.
TEST(CatalogRequirements, decide_which_combinations_are_supported) {
  std::map<std::string, std::pair<int, int>> counts;  // supported, refused
  for (const Combination& c : scalar_combinations()) {
    if (c.storage != Storage::sparse || c.weighted) continue;
    const Dataset data = test::random_data(40, 5, c.kind->target, 31, c.storage);
    const Problem problem = make_problem(data, spec_of(*c.recipe, *c.kind, c.lambda, c.l1, c.intercept).objective);
    auto& [supported, refused] = counts[c.recipe->name];
    ++(missing(*c.recipe, problem) ? refused : supported);
  }
  for (const Recipe& recipe : catalog()) {
    const auto [supported, refused] = counts.at(recipe.name);
    EXPECT_GT(supported, 0) << recipe.name;
    EXPECT_EQ(refused > 0, describe(recipe.needs) != describe(Needs{}) || recipe.unsupported_reason != nullptr)
        << recipe.name;
  }
}

// ---- losses of all classes, and one-versus-rest ----

std::vector<Combination> multiclass_combinations() {
  std::vector<const LossKind*> kinds = {&loss_kind("smooth-hinge")};
  for (const LossKind& kind : block_loss_kinds()) kinds.push_back(&kind);
  std::vector<Combination> all;
  for (const Recipe& recipe : catalog())
    for (const LossKind* kind : kinds)
      for (const bool l1 : {false, true})
        for (const Storage storage : {Storage::sparse, Storage::dense_float})
          for (const Intercept intercept : {Intercept::none, Intercept::free})
            for (const bool weighted : {false, true})
              all.push_back(
                  {&recipe, kind, l1 ? "elastic_net" : "l2", 0.05, l1 ? 0.02 : 0.0, storage, intercept, weighted});
  return all;
}

class MulticlassCatalog : public testing::TestWithParam<Combination> {};

TEST_P(MulticlassCatalog, is_solved_and_verified_or_refused) {
  const Combination& c = GetParam();
  Dataset data = with_weights(test::random_data(45, 5, Target::number, 31, c.storage), c.weighted);
  for (double& label : data.labels) label = label < -1 ? 2 : label < 1 ? 3 : 7;
  const FitSpec spec = spec_of(*c.recipe, *c.kind, c.lambda, c.l1, c.intercept);
  const Problem whole = make_problem(data, spec.objective);
  if (missing(*c.recipe, whole.is_one_versus_rest() ? class_problem(whole, 0) : whole)) {
    EXPECT_THROW(fit(data, spec), Unsupported);
    return;
  }
  const Fit result = fit(data, spec);
  EXPECT_EQ(result.outcome.termination, Termination::converged) << "gap " << result.outcome.certificate.gap;
  EXPECT_EQ(result.model.outputs(), 3u);
  const Verification verification = verify(data, result.model);
  EXPECT_TRUE(verification.holds) << (verification.problems.empty() ? "" : verification.problems[0]);
  EXPECT_LE(verification.gap, 3 * spec.criteria.gap_abs * 1.0001);
}

INSTANTIATE_TEST_SUITE_P(Multiclass, MulticlassCatalog, testing::ValuesIn(multiclass_combinations()),
                         [](const auto& instance) { return name_of(instance.param); });

}  // namespace catalog_test
}  // namespace seesaw
