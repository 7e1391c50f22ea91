#include "data/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "seesaw/error.h"
#include "unit/data/sample_statistics.h"

namespace seesaw {
namespace synthetic_test {

using namespace test;

struct ForEveryGenerator : testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Synthetic, ForEveryGenerator, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const Generator& generator : generators()) names.push_back(generator.name);
                           return names;
                         }()),
                         [](const auto& test) { return test.param; });

TEST_P(ForEveryGenerator, has_the_documented_default_size) {
  const std::map<std::string, std::pair<std::size_t, std::size_t>> sizes = {{"decay", {1000, 1000}},
                                                                            {"spread", {1000, 200}},
                                                                            {"correlated", {5000, 3000}},
                                                                            {"text", {20000, 5000}},
                                                                            {"factors", {5000, 500}}};
  ASSERT_TRUE(sizes.contains(GetParam()));
  EXPECT_EQ(synthesize(GetParam(), {.d = 20}).n(), sizes.at(GetParam()).first);
  EXPECT_EQ(synthesize(GetParam(), {.n = 5}).d(), sizes.at(GetParam()).second);
}

TEST_P(ForEveryGenerator, is_bitwise_identical_on_every_machine) {
  const std::map<std::string, std::uint64_t> hashes = {{"decay", 15037652360268654909U},
                                                       {"spread", 4111416542753790422U},
                                                       {"correlated", 15566279633190256475U},
                                                       {"text", 7507941074170217603U},
                                                       {"factors", 7111775680421307778U}};
  ASSERT_TRUE(hashes.contains(GetParam()));
  EXPECT_EQ(content_hash(synthesize(GetParam(), regression(500, 300))), hashes.at(GetParam()));
}

TEST_P(ForEveryGenerator, makes_other_data_from_another_seed) {
  const auto hash = [&](std::uint64_t seed) {
    return content_hash(synthesize(GetParam(), {.n = 50, .d = 40, .seed = seed}));
  };
  EXPECT_EQ(hash(1), hash(1));
  EXPECT_NE(hash(1), hash(2));
}

TEST_P(ForEveryGenerator, begins_with_the_same_rows_for_any_number) {
  const Dataset few = synthesize(GetParam(), regression(30, 50));
  const Dataset many = synthesize(GetParam(), regression(60, 50));
  const Matrix few_rows = matrix_of(few), many_rows = matrix_of(many);
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_EQ(few_rows[i], many_rows[i]);
    EXPECT_EQ(few.labels[i], many.labels[i]);
  }
}

TEST_P(ForEveryGenerator, labels_by_a_linear_function_when_there_is_no_noise) {
  SynthOptions options = regression(400, 60);
  options.noise = 0;
  const Dataset exact = synthesize(GetParam(), options);
  EXPECT_LT(unexplained(matrix_of(exact), exact.labels), 1e-12);
  options.noise = -1;
  const Dataset noisy = synthesize(GetParam(), options);
  EXPECT_GT(unexplained(matrix_of(noisy), noisy.labels), 0.01) << "the default has noise";
}

TEST_P(ForEveryGenerator, adds_normal_noise_of_the_given_deviation) {
  SynthOptions options = regression(4000, 50);
  options.noise = 0;
  const std::vector<double> exact = synthesize(GetParam(), options).labels;
  options.noise = 3;
  std::vector<double> noise = synthesize(GetParam(), options).labels;
  std::size_t beyond_two = 0;
  for (std::size_t i = 0; i < noise.size(); ++i) beyond_two += std::abs(noise[i] -= exact[i]) > 6;
  EXPECT_NEAR(mean(noise), 0, 0.2);        // 4 sigma
  EXPECT_NEAR(deviation(noise), 3, 0.15);  // 4 sigma
  EXPECT_NEAR(static_cast<double>(beyond_two) / 4000, 0.0455, 0.0135);
}

TEST_P(ForEveryGenerator, classifies_by_the_sign_of_the_regression_target) {
  SynthOptions options = regression(200, 100);
  const std::vector<double> targets = synthesize(GetParam(), options).labels;
  options.task = Task::classification;
  const Dataset data = synthesize(GetParam(), options);
  for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(data.labels[i], targets[i] < 0 ? -1 : 1);
  const auto counts = count_labels(data);
  ASSERT_EQ(counts.size(), 2U);
  EXPECT_GT(std::min(counts[0].count, counts[1].count), 50U) << "neither class is rare";
}

TEST_P(ForEveryGenerator, counts_its_entries_and_names_itself) {
  const Dataset data = synthesize(GetParam(), {.n = 80, .d = 70});
  std::size_t entries = 0;
  for (const auto& row : matrix_of(data)) entries += row.size() - std::count(row.begin(), row.end(), 0.0);
  EXPECT_EQ(data.nnz, entries);
  EXPECT_NE(data.source.find(GetParam()), std::string::npos);
}

TEST_P(ForEveryGenerator, supports_a_single_row_and_a_single_column) {
  EXPECT_EQ(synthesize(GetParam(), {.n = 1, .d = 7}).n(), 1U);
  EXPECT_EQ(synthesize(GetParam(), {.n = 7, .d = 1}).d(), 1U);
}

TEST(Synthetic, refuses_an_unknown_generator_with_the_names_that_exist) {
  try {
    synthesize("noise", {});
    FAIL() << "accepted";
  } catch (const InvalidOption& error) {
    const std::string message = error.what();
    for (const Generator& generator : generators())
      EXPECT_NE(message.find(generator.name), std::string::npos) << message;
  }
}

TEST(Synthetic, refuses_invalid_parameters) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {-1.0, nan, infinity, 51.0})
    EXPECT_THROW(synthesize("spread", {.n = 5, .spread = bad}), InvalidOption) << bad;
  for (const double bad : {0.0, -1.0, nan, infinity})
    EXPECT_THROW(synthesize("correlated", {.n = 5, .correlation = bad}), InvalidOption) << bad;
  for (const double bad : {0.0, -1.0, nan, infinity})
    EXPECT_THROW(synthesize("text", {.n = 5, .row_size = bad}), InvalidOption) << bad;
  for (const double bad : {nan, infinity})
    EXPECT_THROW(synthesize("decay", {.n = 5, .noise = bad}), InvalidOption) << bad;
}

struct ForEveryGeneratorOfClasses : testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Synthetic, ForEveryGeneratorOfClasses,
                         testing::Values("spread", "correlated", "text", "factors"));

TEST_P(ForEveryGeneratorOfClasses, numbers_the_classes_from_one_and_none_is_rare) {
  for (const std::size_t classes : {3, 5}) {
    const auto counts = count_labels(synthesize(GetParam(), {.n = 3000, .d = 100, .classes = classes}));
    ASSERT_EQ(counts.size(), classes);
    for (std::size_t k = 0; k < classes; ++k) {
      EXPECT_EQ(counts[k].label, static_cast<double>(k + 1));
      EXPECT_GT(counts[k].count, 300 / classes) << "a tenth of n / classes";
    }
  }
}

TEST_P(ForEveryGeneratorOfClasses, same_seed_same_classes_and_more_rows_begin_with_the_same_rows) {
  const Dataset data = synthesize(GetParam(), {.n = 40, .d = 30, .classes = 4});
  const Dataset more = synthesize(GetParam(), {.n = 60, .d = 30, .classes = 4});
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(data.labels[i], more.labels[i]);
  const Matrix rows = matrix_of(data), more_rows = matrix_of(more);
  EXPECT_TRUE(std::equal(rows.begin(), rows.end(), more_rows.begin()));
  EXPECT_NE(data.labels, synthesize(GetParam(), {.n = 40, .d = 30, .classes = 4, .seed = 2}).labels);
}

// Centroids of half of the rows classify the other half far better than chance.
TEST_P(ForEveryGeneratorOfClasses, classes_can_be_learnt) {
  const Dataset data = synthesize(GetParam(), {.n = 4000, .d = 20, .classes = 4, .noise = 0, .row_size = 5});
  const Matrix rows = matrix_of(data);
  Matrix centroid(4, std::vector<double>(20));
  for (std::size_t i = 0; i < 2000; ++i)
    for (std::size_t j = 0; j < 20; ++j)
      centroid[static_cast<std::size_t>(data.labels[i]) - 1][j] += rows[i][j] / std::sqrt(product(rows[i], rows[i]));
  for (std::vector<double>& centre : centroid) {
    const double length = std::sqrt(product(centre, centre));
    for (double& value : centre) value /= length;
  }
  std::size_t right = 0;
  for (std::size_t i = 2000; i < 4000; ++i) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < 4; ++k)
      if (product(centroid[k], rows[i]) > product(centroid[best], rows[i])) best = k;
    right += static_cast<double>(best + 1) == data.labels[i];
  }
  EXPECT_GT(right, 800U) << "chance: 500, or slightly more if classes differ in size";
}

TEST(Synthetic, refuses_classes_for_regression_and_decay) {
  EXPECT_THROW(synthesize("decay", {.n = 5, .classes = 3}), InvalidOption);
  for (const std::size_t bad : {0, 1, 1001})
    EXPECT_THROW(synthesize("text", {.n = 5, .classes = bad}), InvalidOption) << bad;
  EXPECT_THROW(synthesize("text", {.n = 5, .task = Task::regression, .classes = 3}), InvalidOption);
}

}  // namespace synthetic_test
}  // namespace seesaw
