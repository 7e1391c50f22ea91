// What is particular to each generator: distributions, against their formulas.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "data/synthetic.h"
#include "unit/data/sample_statistics.h"

namespace seesaw {
namespace generators_test {

using namespace test;

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

}  // namespace generators_test
}  // namespace seesaw
