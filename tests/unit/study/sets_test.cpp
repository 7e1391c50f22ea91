// The sets of the papers: found, replaced, generated and prepared.
#include "study/sets.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "seesaw/error.h"
#include "study/papers.h"
#include "support/problems.h"

namespace seesaw {
namespace sets_test {

const std::string text = R"([real]
file = "real.svm"
published = "https://example.org/real"
n = 6
d = 2
stand_in = "other"
why = "much like it"
generate = { kind = "text", n = 50, d = 20, seed = 3 }
[other]
file = "other.svm"
positive = [1, 2]
divide = 2
[made]
generate = { kind = "decay", n = 30, d = 4, task = "regression" }
[nowhere]
file = "nowhere.svm"
published = "https://example.org/nowhere"
)";

class Folder : public ::testing::Test {
 public:
  ~Folder() override { std::filesystem::remove_all(path_); }

 protected:
  Folder() : path_(std::filesystem::temp_directory_path() / ("seesaw-sets-" + std::to_string(::getpid()))) {
    std::filesystem::create_directory(path_);
    sets_.add(text, "sets.toml");
  }
  void write(const std::string& name, const std::string& lines) { std::ofstream(path_ / name) << lines; }
  LoadedSet load(const std::string& name, std::optional<std::size_t> rows = {}) {
    return load_set(sets_, name, path_.string(), rows);
  }

  std::filesystem::path path_;
  PaperSets sets_;
};

TEST_F(Folder, an_existing_set_is_used_unchanged) {
  write("real.svm", "1 1:1\n-1 2:1\n");
  const LoadedSet set = load("real");
  EXPECT_EQ(set.used, "real");
  EXPECT_EQ(set.substitute, "");
  EXPECT_TRUE(set.as_file);
  EXPECT_EQ(set.data.n(), 2u);
}

TEST_F(Folder, an_absent_set_is_replaced_and_reported) {
  write("other.svm", "1 1:4\n2 1:6\n3 2:1\n4 2:2\n");
  const LoadedSet set = load("real");
  EXPECT_EQ(set.used, "other");
  EXPECT_EQ(set.substitute, "real is absent; other is used instead: much like it.");
  EXPECT_FALSE(set.as_file);
  EXPECT_EQ(set.data.labels, (std::vector<double>{1, 1, -1, -1}));
  EXPECT_EQ(squared_row_norms(set.data), (std::vector<double>{4, 9, 0.25, 1}));
}

TEST_F(Folder, in_an_empty_folder_sets_are_generated_and_reported) {
  const LoadedSet set = load("real");
  EXPECT_EQ(set.substitute, "real is absent; generated rows are used instead (text, 50 x 20).");
  EXPECT_EQ(set.data.n(), 50u);
  const LoadedSet own = load("made");
  EXPECT_EQ(own.used, "made");
  EXPECT_EQ(own.substitute, "");
  EXPECT_EQ(content_hash(own.data), content_hash(load("made").data));
  EXPECT_THROW(load("nowhere"), Error);
  EXPECT_THROW(load("unheard-of"), Error);
}

TEST_F(Folder, fewer_rows_are_evenly_spaced_and_reported) {
  write("real.svm", "1 1:1\n-1 1:2\n1 1:3\n-1 1:4\n1 1:5\n-1 1:6\n");
  const LoadedSet set = load("real", 3);
  EXPECT_EQ(set.substitute, "3 of 6 rows, evenly spaced.");
  EXPECT_FALSE(set.as_file);
  EXPECT_EQ(squared_row_norms(set.data), (std::vector<double>{1, 9, 25}));
  EXPECT_TRUE(load("real", 6).as_file);
  EXPECT_EQ(load("made", 7).data.n(), 7u);
  EXPECT_EQ(load("made", 7).substitute, "7 rows instead of 30.");
}

TEST_F(Folder, invalid_sets_are_reported_with_their_position) {
  const auto complaint = [](const std::string& bad) -> std::string {
    try {
      PaperSets().add(bad, "sets.toml");
    } catch (const ParseError& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(complaint("[a]\nfile = 3\n"), "sets.toml:2:1: 'file' must be a text in quotes.");
  EXPECT_EQ(complaint("[a]\nfile = \"a\"\nsize = 3\n").rfind("sets.toml:3:1: unknown key 'size' in [a]", 0), 0u);
  EXPECT_NE(complaint("[a]\ngenerate = { kind = \"noise\" }\n").find("'kind' cannot be 'noise'"), std::string::npos);
  EXPECT_NE(complaint("[a]\nn = 3\n").find("neither 'file' nor 'stand_in' nor 'generate'"), std::string::npos);
}

TEST(SetPreparation, scales_columns_rows_and_labels) {
  const Dataset data = test::random_data(20, 3, Target::number, 5);
  SetPreparation standard;
  standard.standardize = standard.constant = standard.standard_labels = true;
  const Dataset made = prepared(data, standard);
  EXPECT_EQ(made.d(), 4u);
  std::vector<double> sums(4), squares(4);
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.count(); ++i)
          for_each(rows.row(i), [&](std::size_t j, double value) {
            sums[j] += value / 20;
            squares[j] += value * value / 20;
          });
      },
      made.rows);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(sums[j], 0, 1e-12);
    EXPECT_NEAR(squares[j], 1, 1e-12);
  }
  EXPECT_NEAR(sums[3], 1, 1e-12);
  double mean = 0, square = 0;
  for (const double label : made.labels) {
    mean += label / 20;
    square += label * label / 20;
  }
  EXPECT_NEAR(mean, 0, 1e-12);
  EXPECT_NEAR(square, 1, 1e-12);

  SetPreparation unit;
  unit.unit_rows = true;
  const std::vector<double> norms = squared_row_norms(prepared(data, unit));
  for (std::size_t i = 0; i < norms.size(); ++i) EXPECT_NEAR(norms[i], i == 3 ? 0 : 1, 1e-12);  // row 3 is empty
  SetPreparation ranges;
  ranges.unit_ranges = true;
  double least = 0, most = 0;
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.count(); ++i)
          for_each(rows.row(i), [&](std::size_t, double value) {
            least = std::min(least, value);
            most = std::max(most, value);
          });
      },
      prepared(data, ranges).rows);
  EXPECT_EQ(least, -1);
  EXPECT_EQ(most, 1);
}

TEST_F(Folder, only_some_labels_and_rows_of_a_set_are_kept) {
  sets_.add("[digits]\nfile = \"digits.svm\"\nkeep = [4, 9]\nrows = 2\npositive = [4]\n", "more.toml");
  write("digits.svm", "4 1:1\n3 1:2\n9 1:3\n9 1:4\n5 1:5\n4 1:6\n");
  const LoadedSet set = load("digits");
  EXPECT_EQ(squared_row_norms(set.data), (std::vector<double>{1, 16}));  // the first and the third of four
  EXPECT_EQ(set.data.labels, (std::vector<double>{1, -1}));
  EXPECT_FALSE(set.as_file);
}

TEST(ColumnProfile, multiplies_columns_and_sets_zeros_and_codes) {
  SynthOptions options;
  options.n = 4000;
  options.d = 4;
  const Dataset plain = synthesize("factors", options);
  const auto entries = [](const Dataset& data) {
    std::vector<std::vector<double>> columns(4);
    std::visit(
        [&](const auto& rows) {
          for (std::size_t i = 0; i < rows.count(); ++i)
            for_each(rows.row(i), [&](std::size_t j, double value) { columns[j].push_back(value); });
        },
        data.rows);
    return columns;
  };
  const Dataset sized = with_profile(plain, {.sizes = {10, 0}, .density = 1, .codes = {}}, 1);
  EXPECT_EQ(entries(sized)[1].size(), 0u);
  EXPECT_EQ(entries(sized)[3].size(), 0u);
  std::vector<double> tenfold = entries(plain)[2];
  for (double& value : tenfold) value *= 10;
  EXPECT_EQ(entries(sized)[2], tenfold);
  const Dataset coded = with_profile(plain, {.sizes = {}, .density = 0.3, .codes = {{999, {0, 3}}}}, 1);
  const auto columns = entries(coded);
  const auto count = [&](std::size_t j, double code) { return std::count(columns[j].begin(), columns[j].end(), code); };
  EXPECT_NEAR(static_cast<double>(count(0, 999)) / 4000, 0.5, 0.04);  // 5 standard deviations
  EXPECT_EQ(count(0, 999), count(3, 999));
  EXPECT_EQ(count(1, 999), 0);
  EXPECT_NEAR(static_cast<double>(columns[1].size()) / 4000, 0.3, 0.04);
  EXPECT_EQ(content_hash(coded),
            content_hash(with_profile(plain, {.sizes = {}, .density = 0.3, .codes = {{999, {0, 3}}}}, 1)));
}

TEST(ColumnProfile, labels_the_largest_scores) {
  std::vector<double> scores = {0.5, -1, 3, 2, 0};
  label_largest(scores, 0.4);
  EXPECT_EQ(scores, (std::vector<double>{-1, -1, 1, 1, -1}));
}

// The eigenvalues of a symmetric matrix by Jacobi rotations.
std::vector<double> eigenvalues(std::vector<std::vector<double>> a) {
  const std::size_t d = a.size();
  for (int sweep = 0; sweep < 12; ++sweep)
    for (std::size_t p = 0; p < d; ++p)
      for (std::size_t q = p + 1; q < d; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < d; ++k) {
          const double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y;
          a[q][k] = s * x + c * y;
        }
        for (std::size_t k = 0; k < d; ++k) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y;
          a[k][q] = s * x + c * y;
        }
      }
  std::vector<double> values;
  for (std::size_t j = 0; j < d; ++j) values.push_back(a[j][j]);
  std::sort(values.begin(), values.end());
  return values;
}

// The largest eigenvalue of A^T A divided by the smallest that is not 0.
double condition_of(const Dataset& data) {
  std::vector<std::vector<double>> gram(data.d(), std::vector<double>(data.d()));
  std::vector<std::pair<std::size_t, double>> row;
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.count(); ++i) {
          row.clear();
          for_each(rows.row(i), [&](std::size_t j, double value) { row.emplace_back(j, value); });
          for (const auto& [j, x] : row)
            for (const auto& [k, y] : row) gram[j][k] += x * y / static_cast<double>(data.n());
        }
      },
      data.rows);
  const std::vector<double> values = eigenvalues(gram);
  for (const double value : values)
    if (value > 1e-12 * values.back()) return values.back() / value;
  return 1;
}

// Without files: the sets that are generated for quantum and protein are ill-conditioned as they are, and well conditioned
// with standardized columns.
TEST(PaperSets, of_the_kdd_cup_are_generated_with_columns_of_very_different_sizes) {
  const PaperSets sets = built_in().sets;
  const auto condition = [&](const char* name) { return condition_of(load_set(sets, name, "", 1500).data); };
  const double quantum = condition("quantum"), protein = condition("protein");
  EXPECT_GT(quantum, 1e9) << quantum;
  EXPECT_GT(protein, 1e7) << protein;
  EXPECT_LT(condition("quantum-columns"), 1e3);
  EXPECT_LT(condition("protein-columns"), 1e3);
  const LoadedSet set = load_set(sets, "quantum", "", 4000);
  EXPECT_NEAR(static_cast<double>(set.data.nnz) / (4000 * 78), 0.4344, 0.01);  // as printed
  const LoadedSet homologous = load_set(sets, "protein", "", 4000);
  EXPECT_EQ(std::count(homologous.data.labels.begin(), homologous.data.labels.end(), 1.0), 35);  // 0.89 % of 4000
}

}  // namespace sets_test
}  // namespace seesaw
