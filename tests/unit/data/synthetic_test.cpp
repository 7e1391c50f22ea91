#include "data/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>

#include "seesaw/error.h"
#include "support/table.h"

namespace seesaw {
namespace {

using test::Matrix;
using test::matrix_of;

double mean(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double deviation(const std::vector<double>& numbers) {
  const double centre = mean(numbers);
  double squares = 0;
  for (const double number : numbers) squares += (number - centre) * (number - centre);
  return std::sqrt(squares / static_cast<double>(numbers.size()));
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Matrix transposed(const Matrix& rows) {
  Matrix columns(rows[0].size(), std::vector<double>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) columns[j][i] = rows[i][j];
  return columns;
}

// The relative norm of the residual of b on the columns (Gram-Schmidt, twice for accuracy).
double unexplained(const Matrix& rows, std::vector<double> b) {
  const double size = std::sqrt(product(b, b));
  std::vector<std::vector<double>> basis;
  const auto remove_basis = [&](std::vector<double>& vector) {
    for (int repetition = 0; repetition < 2; ++repetition)
      for (const auto& direction : basis) {
        const double fraction = product(direction, vector);
        for (std::size_t i = 0; i < vector.size(); ++i) vector[i] -= fraction * direction[i];
      }
  };
  for (std::vector<double>& column : transposed(rows)) {
    const double before = std::sqrt(product(column, column));
    remove_basis(column);
    const double length = std::sqrt(product(column, column));
    if (length <= 1e-12 * before) continue;
    for (double& value : column) value /= length;
    basis.push_back(column);
  }
  remove_basis(b);
  return std::sqrt(product(b, b)) / size;
}

SynthOptions regression(std::size_t n, std::size_t d) { return {.n = n, .d = d, .task = Task::regression}; }

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

TEST(Decay, columns_have_mean_zero_and_deviation_one_over_their_number) {
  const Matrix columns = transposed(matrix_of(synthesize("decay", {.n = 4000, .d = 30})));
  for (std::size_t j = 0; j < 30; ++j) {
    const double number = static_cast<double>(j + 1);
    EXPECT_NEAR(number * mean(columns[j]), 0, 0.08);  // 5 sigma
    EXPECT_NEAR(number * deviation(columns[j]), 1, 0.06);
  }
}

TEST(Decay, target_is_the_sum_of_the_row) {
  SynthOptions options = regression(50, 40);
  options.noise = 0;
  const Dataset data = synthesize("decay", options);
  const Matrix rows = matrix_of(data);
  for (std::size_t i = 0; i < 50; ++i)
    EXPECT_NEAR(data.labels[i], std::accumulate(rows[i].begin(), rows[i].end(), 0.0), 1e-14);
}

TEST(Decay, entries_are_normal_as_their_fourth_moment_and_tails_show) {
  const std::vector<double> draws = transposed(matrix_of(synthesize("decay", {.n = 100000, .d = 1})))[0];
  double fourth = 0;
  std::map<int, double> beyond;
  for (const double draw : draws) {
    fourth += draw * draw * draw * draw / 1e5;
    for (const int bound : {1, 2, 3}) beyond[bound] += std::abs(draw) > bound ? 1e-5 : 0;
  }
  EXPECT_NEAR(fourth, 3, 0.16);  // 5 sigma: sqrt(96 / 1e5)
  EXPECT_NEAR(beyond[1], 0.31731, 0.0075);
  EXPECT_NEAR(beyond[2], 0.04550, 0.0034);
  EXPECT_NEAR(beyond[3], 0.00270, 0.0009);
}

TEST(Spread, has_a_density_of_four_percent_that_decreases_with_the_column) {
  const Dataset data = synthesize("spread", {.n = 3000});
  ASSERT_EQ(data.d(), 200U);
  EXPECT_NEAR(static_cast<double>(data.nnz) / (3000 * 200), 0.04, 0.001);
  std::vector<double> tenths(10);
  for (const auto& row : matrix_of(data))
    for (std::size_t j = 0; j < 200; ++j) tenths[j / 20] += row[j] != 0;
  for (std::size_t tenth = 0; tenth < 10; ++tenth) {
    const double expected = 3000 * 20 * 0.08 * (0.95 - 0.1 * static_cast<double>(tenth));
    EXPECT_NEAR(tenths[tenth], expected, 5 * std::sqrt(expected));
  }
}

TEST(Spread, multiplies_rows_by_log_normal_factors) {
  const Matrix even = matrix_of(synthesize("spread", {.n = 3000, .spread = 0}));
  const Matrix spread = matrix_of(synthesize("spread", {.n = 3000, .spread = 2}));
  const Matrix half = matrix_of(synthesize("spread", {.n = 3000, .spread = 1}));
  std::vector<double> logs;
  for (std::size_t i = 0; i < even.size(); ++i) {
    const double factor = std::sqrt(product(spread[i], spread[i]) / product(even[i], even[i]));
    logs.push_back(std::log(factor));
    const double root = std::sqrt(product(half[i], half[i]) / product(even[i], even[i]));
    EXPECT_NEAR(root * root / factor, 1, 1e-13) << "exp(2 N) = exp(N)^2";
    for (std::size_t j = 0; j < even[i].size(); ++j)
      ASSERT_NEAR(spread[i][j], factor * even[i][j], 1e-13 * std::abs(spread[i][j]));
  }
  EXPECT_NEAR(mean(logs), 0, 0.15);  // 4 sigma
  EXPECT_NEAR(deviation(logs), 2, 0.11);
}

TEST(Spread, of_one_puts_the_largest_row_norm_12_to_30_times_above_the_mean) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    std::vector<double> norms = squared_row_norms(synthesize("spread", {.seed = seed}));
    for (double& norm : norms) norm = std::sqrt(norm);
    const double ratio = *std::max_element(norms.begin(), norms.end()) / mean(norms);
    EXPECT_GT(ratio, 8);
    EXPECT_LT(ratio, 45);
  }
}

TEST(Spread, has_no_empty_row) {
  for (const double norm : squared_row_norms(synthesize("spread", {.n = 2000, .d = 20}))) EXPECT_GT(norm, 0);
}

TEST(Correlated, has_the_covariance_of_the_paper) {
  for (const double correlation : {2.0, 100.0, 0.5}) {
    const Matrix columns =
        transposed(matrix_of(synthesize("correlated", {.n = 6000, .d = 60, .correlation = correlation})));
    for (const std::size_t j : {0, 1, 30, 59})
      for (const std::size_t k : {0, 2, 29, 31, 58, 59}) {
        const double distance = std::abs(static_cast<double>(j) - static_cast<double>(k));
        // The product of two standard normals has a variance of at most 2: 5 sigma.
        EXPECT_NEAR(product(columns[j], columns[k]) / 6000, std::exp2(-distance / correlation),
                    5 * std::sqrt(2.0 / 6000))
            << j << ' ' << k;
      }
  }
}

TEST(Correlated, signal_has_variance_one_on_average) {
  double variance = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SynthOptions options = regression(200, 200);
    options.noise = 0;
    options.seed = seed;
    const double size = deviation(synthesize("correlated", options).labels);
    variance += size * size / 20;
  }
  EXPECT_NEAR(variance, 1, 0.15);
}

TEST(Text, rows_have_norm_one_up_to_the_rounding_of_the_digits) {
  for (const double squared_norm : squared_row_norms(synthesize("text", {.n = 2000})))
    EXPECT_NEAR(std::sqrt(squared_norm), 1, 2e-5);
}

TEST(Text, values_are_positive_and_written_with_at_most_five_digits) {
  std::size_t digits[6] = {};
  for (const auto& row : matrix_of(synthesize("text", {.n = 300})))
    for (const double value : row) {
      if (value == 0) continue;
      ASSERT_GT(value, 0);
      int needed = 0;
      char written[32];
      do {
        ASSERT_LT(needed, 5) << value;
        std::snprintf(written, sizeof written, "%.*g", ++needed, value);
      } while (std::strtod(written, nullptr) != value);
      ++digits[needed];
    }
  EXPECT_GT(digits[5], 5 * (digits[1] + digits[2] + digits[3] + digits[4])) << "most of them need all five";
}

TEST(Text, row_sizes_are_log_normal_about_the_requested_mean) {
  for (const double row_size : {75.0, 20.0}) {
    const Dataset data = synthesize("text", {.n = 8000, .row_size = row_size});
    std::vector<double> sizes, logs;
    for (const auto& row : matrix_of(data)) {
      sizes.push_back(static_cast<double>(row.size() - std::count(row.begin(), row.end(), 0.0)));
      logs.push_back(std::log(sizes.back()));
    }
    EXPECT_NEAR(mean(sizes), row_size, 0.03 * row_size);
    EXPECT_NEAR(deviation(logs), 0.5, 0.03);
    EXPECT_NEAR(mean(logs), std::log(row_size) - 0.125, 0.03);
  }
}

TEST(Text, column_popularity_follows_zipf) {
  const Dataset data = synthesize("text", {});
  std::vector<std::pair<double, std::size_t>> popularity(data.d());
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.count(); ++i)
          for_each(rows.row(i), [&](std::size_t j, double value) { popularity[j].first += value != 0; });
      },
      data.rows);
  for (std::size_t j = 0; j < data.d(); ++j) popularity[j].second = j;
  std::sort(popularity.rbegin(), popularity.rend());

  // The r-th word is drawn with a rate proportional to 1 / (r + 10); rare words are drawn at most once per document, so
  // their document frequency is in that proportion. Common ones saturate.
  const auto fraction = [&](std::size_t first, std::size_t last) {
    double sum = 0;
    for (std::size_t rank = first; rank < last; ++rank) sum += popularity[rank].first;
    return sum;
  };
  for (const std::size_t first : {300, 600, 1200, 2400}) {
    const auto middle = static_cast<double>(first);
    const double expected = std::log((2 * middle + 10) / (middle + 10)) / std::log((4980.0 + 10) / (2490.0 + 10));
    EXPECT_NEAR(fraction(first, 2 * first) / fraction(2490, 4980), expected, 0.04) << first;
  }
  EXPECT_GT(popularity[0].first, 0.5 * 20000);
  EXPECT_LT(popularity[0].first, 0.9 * 20000);

  double place = 0;  // frequent words have random columns
  for (std::size_t rank = 0; rank < 400; ++rank) place += static_cast<double>(popularity[rank].second) / 400;
  EXPECT_NEAR(place, 2500, 5 * 5000 / std::sqrt(12.0 * 400));
}

TEST(Text, rare_words_have_larger_values_than_common_ones) {
  const Matrix columns = transposed(matrix_of(synthesize("text", {.n = 3000, .d = 1000, .row_size = 40})));
  std::vector<std::pair<double, double>> words;  // document frequency, mean value where present
  for (const auto& column : columns) {
    const double present =
        static_cast<double>(column.size()) - static_cast<double>(std::count(column.begin(), column.end(), 0.0));
    if (present > 0) words.emplace_back(present, std::accumulate(column.begin(), column.end(), 0.0) / present);
  }
  std::sort(words.begin(), words.end());
  double rare = 0, common = 0;
  for (std::size_t k = 0; k < 20; ++k) {
    rare += words[k].second;
    common += words[words.size() - 1 - k].second;
  }
  EXPECT_GT(rare, 2 * common);
}

TEST(Text, one_word_in_ten_has_a_true_weight) {
  // With one word per row its value is 1 and the target without noise is the word's true weight.
  SynthOptions options = regression(20000, 400);
  options.row_size = 1;
  options.noise = 0;
  const Dataset data = synthesize("text", options);
  std::map<std::size_t, double> weight_of;
  const auto& rows = std::get<SparseRows<double>>(data.rows);
  for (std::size_t i = 0; i < rows.count(); ++i)
    if (const auto a = rows.row(i); a.size == 1) weight_of[a.column[0]] = data.labels[i];
  ASSERT_GT(weight_of.size(), 350U);
  double decisive = 0, squares = 0;
  for (const auto& [column, weight] : weight_of) {
    decisive += weight != 0;
    squares += weight * weight;
  }
  const auto seen = static_cast<double>(weight_of.size());
  EXPECT_NEAR(decisive / seen, 0.1, 0.06);                              // 4 sigma
  EXPECT_NEAR(squares / decisive, 10, 40 * std::sqrt(2.0 / decisive));  // 4 sigma
}

TEST(Factors, columns_have_forty_common_factors) {
  // The effective number of directions (tr S)^2 / tr S^2 of S = F F' + I/4: F F' has 40 eigenvalues of mean d/40 = 5
  // and mean square 25 (1 + 40/d) = 30 (Marchenko-Pastur); independent columns would have 200.
  const Matrix columns = transposed(matrix_of(synthesize("factors", {.n = 4000, .d = 200})));
  double trace = 0, trace_of_square = 0;
  for (std::size_t j = 0; j < 200; ++j) {
    for (std::size_t k = 0; k < 200; ++k) {
      const double covariance = product(columns[j], columns[k]) / 4000;
      trace += j == k ? covariance : 0;
      trace_of_square += covariance * covariance;
    }
  }
  EXPECT_NEAR(trace / 200, 1.25, 0.1);
  const double expected =
      (40 * 5.25 + 160 * 0.25) * (40 * 5.25 + 160 * 0.25) / (40 * (30 + 2.5 + 0.0625) + 160 * 0.0625);
  EXPECT_NEAR(trace * trace / trace_of_square, expected, 3);
}

TEST(Factors, are_dense) { EXPECT_TRUE(synthesize("factors", {.n = 50, .d = 50}).dense()); }

TEST(Text, is_sparse) { EXPECT_FALSE(synthesize("text", {.n = 50}).dense()); }

}  // namespace
}  // namespace seesaw
