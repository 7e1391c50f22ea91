#include "select/folds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "seesaw/error.h"
#include "select/fold_problem.h"
#include "support/problems.h"
#include "support/scratch_folder.h"

namespace seesaw {
namespace folds_test {

std::vector<double> labels_of(const std::vector<std::size_t>& counts) {
  std::vector<double> labels;
  for (std::size_t round = 0; round < 1000; ++round)
    for (std::size_t k = 0; k < counts.size(); ++k)
      if (round < counts[k]) labels.push_back(static_cast<double>(k));
  return labels;
}

TEST(Folds, StratifiedCountsDifferByAtMostOne) {
  for (const std::size_t count : {2, 3, 5, 10}) {
    const std::vector<double> labels = labels_of({103, 17, 4, 61});
    const Folds folds = stratified_folds(labels, count, 7);
    std::map<double, std::vector<std::size_t>> of_label;
    std::vector<std::size_t> sizes(count);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      auto& counts = of_label[labels[i]];
      counts.resize(count);
      ++counts.at(folds.of_row[i]);
      ++sizes.at(folds.of_row[i]);
    }
    of_label[-1] = sizes;
    for (const auto& [label, counts] : of_label)
      EXPECT_LE(*std::max_element(counts.begin(), counts.end()) - *std::min_element(counts.begin(), counts.end()), 1U)
          << label;
  }
}

TEST(Folds, DependOnTheSeedAlone) {
  const std::vector<double> labels = labels_of({40, 60});
  EXPECT_EQ(stratified_folds(labels, 5, 3).of_row, stratified_folds(labels, 5, 3).of_row);
  EXPECT_NE(stratified_folds(labels, 5, 3).of_row, stratified_folds(labels, 5, 4).of_row);
  EXPECT_EQ(shuffled_folds(100, 5, 3).of_row, shuffled_folds(100, 5, 3).of_row);
  EXPECT_NE(shuffled_folds(100, 5, 3).of_row, shuffled_folds(100, 5, 4).of_row);
}

TEST(Folds, EveryRowIsValidatedOnceAndTrainedOnOtherwise) {
  const Folds folds = shuffled_folds(53, 4, 1);
  std::vector<int> validated(53);
  for (std::size_t f = 0; f < 4; ++f) {
    for (const std::uint32_t i : folds.validation(f)) ++validated[i];
    EXPECT_EQ(folds.training(f).size() + folds.validation(f).size(), 53U);
    for (const std::uint32_t i : folds.training(f)) EXPECT_NE(folds.of_row[i], f);
  }
  EXPECT_EQ(validated, std::vector<int>(53, 1));
}

TEST(Folds, RefusesCountsThatAreNoFolds) {
  EXPECT_THROW(shuffled_folds(10, 1, 1), InvalidOption);
  EXPECT_THROW(shuffled_folds(10, 11, 1), InvalidOption);
}

class FoldFile : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    std::ofstream(folder_.path("folds")) << text;
    return folder_.path("folds");
  }
  test::ScratchFolder folder_;
};

TEST_F(FoldFile, GroupsByWords) {
  const Folds folds = read_folds(write("b\na\n-\nb\n"), 4, false);
  EXPECT_EQ(folds.count, 2U);
  EXPECT_EQ(folds.of_row, (std::vector<std::uint32_t>{1, 0, Folds::never, 1}));
  EXPECT_EQ(folds.training(0), (std::vector<std::uint32_t>{0, 2, 3}));
  EXPECT_EQ(folds.validation(1), (std::vector<std::uint32_t>{0, 3}));
}

TEST_F(FoldFile, ForwardTrainsOnTheFoldsBefore) {
  const Folds folds = read_folds(write("10\n9\n-\n10\n11\n"), 5, true);  // by number, not as text
  EXPECT_EQ(folds.first_validated(), 1U);
  EXPECT_EQ(folds.training(1), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(folds.training(2), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(folds.validation(2), (std::vector<std::uint32_t>{4}));
}

// The rows of every fold, in the order of the folds; weights and labels go with them.
TEST(FoldRows, AreTheTrainingAndValidationRowsOfEveryFold) {
  for (const auto storage : test::all_storages)
    for (const bool forward : {false, true})
      for (const bool with_rows_never_validated : {false, true}) {
        Dataset data = test::random_data(60, 5, Target::number, 3, storage);
        for (std::size_t i = 0; i < data.n(); ++i) {
          data.labels[i] = static_cast<double>(i);
          data.weights.push_back(1 + static_cast<double>(i) / 8);
        }
        const test::Matrix a = test::matrix_of(data);
        Folds folds = shuffled_folds(60, 4, 9);
        folds.forward = forward;
        if (with_rows_never_validated)
          for (std::size_t i = 0; i < 60; i += 7) folds.of_row[i] = Folds::never;
        const FoldRows rows(data, folds);
        for (std::size_t f = folds.first_validated(); f < folds.count; ++f) {
          const Dataset training = rows.training(f), validation = rows.validation(f);
          for (const Dataset* part : {&training, &validation}) {
            const test::Matrix of_part = test::matrix_of(*part);
            std::vector<std::uint32_t> which;
            for (std::size_t k = 0; k < part->n(); ++k) {
              const auto i = static_cast<std::uint32_t>(part->labels[k]);
              which.push_back(i);
              EXPECT_EQ(part->weights[k], data.weights[i]);
              EXPECT_EQ(of_part[k], a[i]);
            }
            if (part == &training) std::sort(which.begin(), which.end());
            EXPECT_EQ(which, part == &training ? folds.training(f) : folds.validation(f));
          }
        }
      }
}

TEST_F(FoldFile, RefusesFilesThatDoNotFit) {
  EXPECT_THROW(read_folds(write("1\n2\n"), 3, false), Error);
  EXPECT_THROW(read_folds(write("1\n1\n1\n"), 3, false), Error);
  EXPECT_THROW(read_folds(write("1\n\n2\n"), 3, false), ParseError);
  EXPECT_THROW(read_folds(write("1 2\n1\n2\n"), 3, false), ParseError);
  EXPECT_THROW(read_folds("/nonexistent/folds", 3, false), Error);
}

}  // namespace folds_test
}  // namespace seesaw
