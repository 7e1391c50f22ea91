#include "model/registry.h"

#include <gtest/gtest.h>

namespace seesaw {
namespace registry_test {

struct Named {
  std::string name;
};

TEST(Registry, can_be_extended_until_it_is_read) {
  Registry<Named> registry({{"a"}, {"b"}});
  registry.add({"c"});
  EXPECT_THROW(registry.add({"a"}), std::logic_error) << "a name that exists";
  EXPECT_THROW(registry.add({"c"}), std::logic_error);
  const std::vector<Named>& entries = registry.entries();
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[2].name, "c");
  EXPECT_THROW(registry.add({"d"}), std::logic_error) << "after the first read";
  EXPECT_EQ(&registry.entries(), &entries);
}

}  // namespace registry_test
}  // namespace seesaw
