#include "model/table_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "model/model_file.h"
#include "seesaw/error.h"

namespace seesaw {
namespace table_json_test {

LinearModel small_model() {
  LinearModel model;
  model.objective.loss = "logistic";
  model.objective.lambda = 0.5;
  model.labels = {0, 1};
  model.solver = "sdca";
  model.status = "converged";
  model.table = TableEncoding{
      .header = true,
      .width = 7,
      .label = {"bought", {"n\xc3\xb6", "yes \"really\""}, false},
      .columns = {{.name = "age", .fill = 0.1, .indicator = true},
                  {.name = "member", .kind = ColumnKind::yes_no, .fill = 1, .levels = {"no", "yes"}},
                  {.name = "when", .kind = ColumnKind::date, .fill = 19723.5},
                  {.name = "city", .kind = ColumnKind::levels, .levels = {"a\n", "b"}, .rare = true, .missing = true},
                  {.name = "id", .kind = ColumnKind::hashed}},
      .hash_size = 4};
  model.x.resize(model.table->features());
  return model;
}

std::string refusal_of(const std::string& text) {
  try {
    parse_model_file(text, "m");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TableJson, reads_back_what_is_written) {
  const LinearModel model = small_model();
  EXPECT_EQ(model.table->features(), 12u);
  const std::string text = model_file_text(model);
  const LinearModel again = parse_model_file(text, "m");
  EXPECT_EQ(again.version, 5u);
  EXPECT_EQ(*again.table, *model.table);
  EXPECT_EQ(model_file_text(again), text);
}

TEST(TableJson, models_without_a_table_have_no_trace_of_it) {
  LinearModel model = small_model();
  model.table.reset();
  const nlohmann::json json = nlohmann::json::parse(model_file_text(model));
  EXPECT_EQ(json["version"], 3);
  EXPECT_FALSE(json.contains("table"));
}

TEST(TableJson, damaged_tables_are_refused) {
  const nlohmann::json good = nlohmann::json::parse(model_file_text(small_model()));
  EXPECT_EQ(refusal_of(good.dump()), "accepted");
  const auto changed = [&](const std::string& pointer, const nlohmann::json& value) {
    nlohmann::json json = good;
    json[nlohmann::json::json_pointer("/table" + pointer)] = value;
    return refusal_of(json.dump());
  };
  EXPECT_EQ(changed("/hash_size", 8), "m: there are 16 features of the table, expected 12; the model is damaged.");
  EXPECT_EQ(changed("/hash_size", 3),
            "m: the table is inconsistent: the number of hashed features is not a power of two; the model is damaged.");
  EXPECT_EQ(
      changed("/columns/3/levels", {"b", "a\n"}),
      "m: the table is inconsistent: of column 'city', the levels are not in ascending order; the model is damaged.");
  EXPECT_EQ(changed("/columns/0/kind", "picture"),
            "m: \"table.columns.kind\" is not a word of this version; the model is damaged.");
  EXPECT_EQ(changed("/columns/0/name", "city"),
            "m: the table is inconsistent: column 'city' occurs twice; the model is damaged.");
  EXPECT_EQ(changed("/label/classes", {"one"}), "m: the label 1 is not a class of the table; the model is damaged.");
  EXPECT_EQ(changed("/columns/0/fill", nullptr), "m: \"table.columns.fill\" contains null, which is not a number.");
  EXPECT_EQ(
      changed("/columns/1/levels", {"no"}),
      "m: the table is inconsistent: of column 'member', a yes-no column has not two levels; the model is damaged.");
}

}  // namespace table_json_test
}  // namespace seesaw
