// The sets of the papers: found, replaced, generated and prepared.
#include "study/sets.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "seesaw/error.h"
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

}  // namespace sets_test
}  // namespace seesaw
