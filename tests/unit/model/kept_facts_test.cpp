// What is known of a data set for several problems, against the numbers of its rows.
#include "model/kept_facts.h"

#include <gtest/gtest.h>

#include <memory>

#include "model/problem.h"
#include "seesaw/error.h"
#include "support/problems.h"

namespace seesaw {
namespace kept_facts_test {

Dataset four_rows(std::vector<double> labels) {
  Dataset data = test::table({{1, 0}, {0, 1}, {1, 1}, {2, 0}});
  data.labels = std::move(labels);
  return data;
}

TEST(KeptFacts, are_those_of_the_data) {
  Dataset data = four_rows({1, 3, 3, 1});
  data.weights = {1, 2, 1, 1};
  const auto facts = std::make_shared<KeptFacts>();
  Objective o;
  const Problem first = make_problem(data, o, facts), second = make_problem(data, o, facts),
                alone = make_problem(data, o);
  EXPECT_EQ(&first.squared_row_norms(), &second.squared_row_norms());
  EXPECT_EQ(first.squared_row_norms(), alone.squared_row_norms());
  EXPECT_EQ(first.squared_row_norms(), (std::vector<double>{1, 1, 2, 4}));
  EXPECT_EQ(&first.column_moments(), &second.column_moments());
  EXPECT_EQ(first.column_moments().second, (std::vector<double>{1 + 1 + 4, 2 + 1}));  // weighted
  EXPECT_EQ(first.labels, alone.labels);
  EXPECT_EQ(first.scalar().target, alone.scalar().target);

  o.class_weights = {{3, 10}};  // columns have other sums, rows the same
  const Problem weighted = make_problem(data, o, facts);
  EXPECT_EQ(&weighted.squared_row_norms(), &first.squared_row_norms());
  EXPECT_EQ(weighted.column_moments().second, (std::vector<double>{1 + 10 + 4, 20 + 10}));

  const Dataset other = four_rows({1, 3, 3, 1});  // transformed, say
  const Problem moved = with_data(first, other);
  EXPECT_NE(&moved.squared_row_norms(), &first.squared_row_norms());
  EXPECT_EQ(moved.column_moments().second, (std::vector<double>{6, 2}));
}

TEST(KeptFacts, refuse_what_overflows_every_time) {
  Dataset data = four_rows({1, 2, 1e200, 1});
  const auto facts = std::make_shared<KeptFacts>();
  Objective o;
  o.loss = "squared";
  for (int fit = 0; fit < 2; ++fit) EXPECT_THROW(make_problem(data, o, facts), Error);
  o.loss = "huber";
  EXPECT_NO_THROW(make_problem(data, o, facts));
  Dataset large = test::table({{1e200, 0}, {0, 1}});
  large.labels = {1, 2};
  const auto of_large = std::make_shared<KeptFacts>();
  for (int fit = 0; fit < 2; ++fit) EXPECT_THROW(make_problem(large, o, of_large), Error);
}

}  // namespace kept_facts_test
}  // namespace seesaw
