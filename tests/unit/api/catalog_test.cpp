// The catalog of the C++ interface: the enumerations have a value for every loss, and every method can be named.
#include "seesaw/catalog.h"

#include <gtest/gtest.h>

#include <set>

#include "seesaw/error.h"
#include "seesaw/seesaw.h"

namespace seesaw {
namespace catalog_test {

TEST(Losses, are_those_of_the_enumeration) {
  const std::vector<LossInfo> all = losses();
  std::set<LossName> named;
  for (const LossInfo& loss : all) {
    EXPECT_EQ(name_of(loss_of(loss.name)), loss.name);
    named.insert(loss_of(loss.name));
    EXPECT_FALSE(loss.formula.empty());
    EXPECT_EQ(loss.parameter.empty(), loss.parameter_rule.empty());
  }
  EXPECT_EQ(named.size(), all.size());
  EXPECT_EQ(static_cast<std::size_t>(LossName::multiclass_hinge) + 1, all.size()) << "the last of the enumeration";
  EXPECT_THROW(loss_of("Hinge"), InvalidOption);
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
