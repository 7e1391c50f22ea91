// The dual point in the text of a model, which is parsed without a tree of JSON.
#include "model/model_input.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "base/rng.h"
#include "model/model_file.h"
#include "seesaw/error.h"
#include "support/expectations.h"

namespace seesaw {
namespace model_input_test {

LinearModel model_with(std::vector<double> y) {
  LinearModel model;
  model.objective.loss = "squared";
  model.x = {1, 2};
  model.n = y.size();
  model.y = std::move(y);
  return model;
}

TEST(ModelInput, takes_the_dual_point_with_all_its_bits) {
  Rng rng(5);
  std::vector<double> y = {0, -0.0, 5e-324, -1.7976931348623157e308, 1e22, 123456789, 2.2250738585072014e-308};
  for (int k = 0; k < 70000; ++k) y.push_back(rng.normal());  // written in several pieces
  std::string text = model_file_text(model_with(y));
  const std::string whole = text;
  const auto taken = take_dual(text);
  ASSERT_TRUE(taken);
  ASSERT_EQ(taken->size(), y.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint64_t>((*taken)[i]), std::bit_cast<std::uint64_t>(y[i])) << y[i];
  EXPECT_TRUE(text.ends_with("\"dual\": []\n}\n"));
  EXPECT_EQ(parse_model_file(whole, "m").y, y);
}

TEST(ModelInput, leaves_every_other_form_to_the_parser) {
  const std::string text = model_file_text(model_with({1, 2}));
  const std::string written = "[1, 2]\n}\n";
  ASSERT_TRUE(text.ends_with(written));
  const auto with = [&](const std::string& other) { return text.substr(0, text.size() - written.size()) + other; };
  for (const char* valid : {"[1,2]\n}\n", "[1, 2]}", "[ 1, 2]\n}\n", "[1,\n2]\n}\n", "[1, 2]\n}\n\n"}) {
    std::string other = with(valid);
    EXPECT_FALSE(take_dual(other)) << valid;
    EXPECT_EQ(other, with(valid));
    EXPECT_EQ(parse_model_file(other, "m").y, (std::vector<double>{1, 2})) << valid;
  }
  for (const char* damaged : {"[01, 2]\n}\n", "[1., 2]\n}\n", "[.5, 2]\n}\n", "[+1, 2]\n}\n", "[1e, 2]\n}\n",
                              "[1, 2, ]\n}\n", "[1, , 2]\n}\n", "[nan, 2]\n}\n", "[1e999, 2]\n}\n", "[[1], 2]\n}\n",
                              "[1, \"2\"]\n}\n", "[1, 2]]\n}\n", "[0x1, 2]\n}\n", "[-, 2]\n}\n", "[1 2]\n}\n"}) {
    std::string other = with(damaged);
    EXPECT_FALSE(take_dual(other)) << damaged;
    EXPECT_EQ(other, with(damaged));
    EXPECT_THROW(parse_model_file(other, "m"), Error) << damaged;
  }
  std::string none = with("[]\n}\n");
  EXPECT_FALSE(take_dual(none));
  EXPECT_TRUE(parse_model_file(none, "m").y.empty());
}

}  // namespace model_input_test
}  // namespace seesaw
