// Sizes of data sets that the papers print, against the files (docs/errata.md). Skipped where a file is absent.
#include "papers/unit_rows.h"

namespace seesaw {
namespace errata_tables_test {

using test::real_set;
using test::skip_reason;

// Zhu & Storkey, Table 1: "covertype" has 47,236 features there, the number of rcv1. The set has 54.
TEST(ErrataTables, covertype_has_54_features) {
  const char* file = "covtype.binary.scale.10k";
  if (const std::string why = skip_reason(file); !why.empty()) GTEST_SKIP() << why;
  EXPECT_EQ(real_set(file).d(), 54u);
}

// Liu, Wang & So, Table 2: 49,746.
TEST(ErrataTables, w8a_has_49749_rows) {
  if (const std::string why = skip_reason("w8a"); !why.empty()) GTEST_SKIP() << why;
  EXPECT_EQ(real_set("w8a").n(), 49749u);
}

}  // namespace errata_tables_test
}  // namespace seesaw
