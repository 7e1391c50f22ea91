// The catalog of the C++ interface: the enumerations have a value for every loss, and every method can be named.
#include "seesaw/catalog.h"

#include <gtest/gtest.h>

#include <set>

#include "seesaw/error.h"
#include "seesaw/seesaw.h"

namespace seesaw {
namespace catalog_test {

TEST(Losses, are_those_of_the_enumeration) {
  std::set<LossName> named;
  std::size_t of_rows = 0;
  for (const LossInfo& loss : losses()) {
    if (loss.of_groups) continue;
    ++of_rows;
    EXPECT_EQ(name_of(loss_of(loss.name)), loss.name);
    named.insert(loss_of(loss.name));
    EXPECT_FALSE(loss.formula.empty());
    EXPECT_EQ(loss.parameter.empty(), loss.parameter_rule.empty());
  }
  EXPECT_EQ(named.size(), of_rows);
  EXPECT_EQ(static_cast<std::size_t>(LossName::multiclass_hinge) + 1, of_rows) << "the last of the enumeration";
  EXPECT_THROW(loss_of("Hinge"), InvalidOption);
}

// Two groups of two rows: every loss of groups that is listed trains with `blocks`, and is refused without.
TEST(Losses, of_groups_need_blocks) {
  const std::vector<double> values = {1, 0, 0, 1, 1, 1, 2, 1}, labels = {-1, 1, 1, -1};
  const Data data = Data::copy(DenseArrays{4, 2, values}, {.labels = labels});
  std::size_t count = 0;
  for (const LossInfo& loss : losses()) {
    if (!loss.of_groups) continue;
    ++count;
    EXPECT_FALSE(loss.formula.empty());
    EXPECT_TRUE(loss.parameter.empty()) << "the number of groups follows from the data";
    Training training;
    training.loss.name = loss.name;
    EXPECT_THROW(train(data, training), Error) << loss.name;
    training.blocks = {1, 1, 2, 2};
    EXPECT_EQ(train(data, training).status, Termination::converged) << loss.name;
  }
  EXPECT_EQ(count, 2U);
}

TEST(Penalties, have_names) {
  for (const PenaltyName name :
       {PenaltyName::automatic, PenaltyName::l2, PenaltyName::l1, PenaltyName::elastic_net, PenaltyName::none})
    EXPECT_EQ(penalty_of(name_of(name)), name);
  EXPECT_THROW(penalty_of("l3"), InvalidOption);
}

TEST(Methods, are_described) {
  std::set<std::string> names;
  for (const MethodInfo& method : methods()) {
    EXPECT_TRUE(names.insert(method.name).second);
    EXPECT_FALSE(method.summary.empty()) << method.name;
    EXPECT_FALSE(method.family.empty()) << method.name;
    for (const MethodOption& option : method.options) EXPECT_FALSE(option.meaning.empty()) << option.name;
  }
  EXPECT_TRUE(names.contains("auto"));
  EXPECT_TRUE(names.contains("sdca"));
}

}  // namespace catalog_test
}  // namespace seesaw
