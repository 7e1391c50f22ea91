// The encoding of tables against typed data from which the text was written.
#include "data/table/table_encoding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "data/readers/read.h"
#include "files.h"
#include "seesaw/error.h"

namespace seesaw {
namespace table_encoding_test {

using testing_files::matrix_of;
using testing_files::message_of;
using testing_files::TemporaryFile;
using Names = std::vector<std::string>;

LoadedData load(const std::string& text, const TableOptions& options = {}, const std::string& label = {}) {
  const TemporaryFile file(text, ".csv");
  return load_data(file.path(), {.label_column = label}, options);
}

LoadedData encode(const std::string& text, const TableEncoding& encoding, bool labels_required = false) {
  const TemporaryFile file(text, ".csv");
  return load_data(file.path(), {.width_of = "the model m"}, encoding, 0, labels_required);
}

std::string refusal(const std::string& text, const TableOptions& options = {}, const std::string& label = {}) {
  const TemporaryFile file(text, ".csv");
  std::string words = message_of([&] { load_data(file.path(), {.label_column = label}, options); });
  for (std::size_t at; (at = words.find(file.path())) != words.npos;) words.replace(at, file.path().size(), "T");
  return words;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

std::map<std::string, std::vector<double>> columns_of(const Dataset& data) {
  std::map<std::string, std::vector<double>> columns;
  const auto matrix = matrix_of(data);
  for (std::size_t j = 0; j < data.d(); ++j)
    for (const auto& row : matrix) columns[data.feature_names[j]].push_back(row[j]);
  return columns;
}

struct Typed {
  std::vector<std::optional<double>> age;
  std::vector<std::string> city;  // empty: missing
  std::vector<bool> member;
  std::vector<std::string> bought;
};

Typed random_table(Rng& rng, std::size_t rows) {
  Typed table;
  const Names cities = {"Paris", "New \"York\"", "Oslo, N", "Rome", "Zug"};
  for (std::size_t i = 0; i < rows; ++i) {
    table.age.push_back(rng.below(5) == 0 ? std::nullopt : std::optional<double>(rng.below(90) / 2.0));
    table.city.push_back(rng.below(6) == 0 ? "" : cities[rng.below(static_cast<std::uint32_t>(rng.below(5) + 1))]);
    table.member.push_back(rng.below(2) == 0);
    table.bought.push_back(rng.below(2) == 0 ? "yes" : "no");
  }
  table.city[0] = "Paris";  // at least one of each
  table.bought[0] = "yes";
  table.bought[1] = "no";
  table.age[1] = 3;
  return table;
}

std::string csv(const Typed& table, Rng& rng) {
  std::string text = "age,city,member,bought\n";
  for (std::size_t i = 0; i < table.age.size(); ++i) {
    std::string city;
    for (const char c : table.city[i]) city += c == '"' ? std::string("\"\"") : std::string(1, c);
    const char* const missing[] = {"", "NA", "?", "nan"};
    text += (table.age[i] ? std::to_string(*table.age[i]) : missing[rng.below(4)]) + std::string(",\"") + city + "\"," +
            (table.member[i] ? "True" : "false") + "," + table.bought[i] + "\n";
  }
  return text;
}

TEST(TableEncoding, agrees_with_typed_data) {
  Rng rng(3);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t rows = 4 + rng.below(40), min_count = 1 + rng.below(3);
    const Typed table = random_table(rng, rows);
    const LoadedData loaded = load(csv(table, rng), {.min_count = min_count}, "bought");
    const auto columns = columns_of(loaded.data);

    std::vector<double> known;
    for (const auto& age : table.age)
      if (age) known.push_back(*age);
    std::sort(known.begin(), known.end());
    const std::size_t k = known.size();
    const double median = k % 2 == 1 ? known[k / 2] : (known[k / 2 - 1] + known[k / 2]) / 2;
    std::map<std::string, std::size_t> counts;
    for (const std::string& city : table.city)
      if (!city.empty()) ++counts[city];
    const bool any_rare =
        std::any_of(counts.begin(), counts.end(), [&](const auto& c) { return c.second < min_count; });

    std::size_t features = 2;
    for (std::size_t i = 0; i < rows; ++i) {
      EXPECT_EQ(columns.at("age")[i], table.age[i].value_or(median));
      if (k < rows) {
        EXPECT_EQ(columns.at("age (missing)")[i], table.age[i] ? 0 : 1);
      }
      EXPECT_EQ(columns.at("member=true")[i], table.member[i] ? 1 : 0);
      EXPECT_EQ(loaded.data.labels[i], table.bought[i] == "yes" ? 1 : 0);
      const std::string& city = table.city[i];
      for (const auto& [level, count] : counts) {
        if (count >= min_count) {
          EXPECT_EQ(columns.at("city=" + level)[i], city == level ? 1 : 0);
        }
      }
      if (any_rare) {
        EXPECT_EQ(columns.at("city (rare)")[i], !city.empty() && counts.at(city) < min_count ? 1 : 0);
      }
      if (columns.contains("city (missing)")) {
        EXPECT_EQ(columns.at("city (missing)")[i], city.empty() ? 1 : 0);
      }
    }
    features += (k < rows) + any_rare;
    features += std::count(table.city.begin(), table.city.end(), "") > 0;
    for (const auto& [level, count] : counts) features += count >= min_count;
    EXPECT_EQ(loaded.data.d(), features);
    EXPECT_EQ(loaded.table->features(), features);
    EXPECT_EQ(loaded.table->label.classes, (Names{"no", "yes"}));
    EXPECT_EQ(inconsistency_of(*loaded.table), "");
  }
}

TEST(TableEncoding, the_same_data_whatever_the_order_of_columns) {
  const LoadedData trained = load("y,age,city\nno,1,a\nyes,,b\nno,3,a\n");
  const LoadedData again = encode("city;x;age;y\na;?;1;no\nb;5;;yes\na;6;3;no\n", *trained.table, true);
  EXPECT_EQ(content_hash(again.data), content_hash(trained.data));
  EXPECT_EQ(again.data.feature_names, trained.data.feature_names);
  ASSERT_EQ(again.notes.size(), 1u);
  EXPECT_TRUE(contains(again.notes[0], "not used by the model m: x"));
}

TEST(TableEncoding, numbers_without_gaps_are_read_as_before) {
  const std::string text = "y,a,b\n1,2,3\n0,0,5\n";
  const LoadedData loaded = load(text);
  EXPECT_FALSE(loaded.table);
  EXPECT_TRUE(loaded.notes.empty());
  const TemporaryFile file(text, ".csv");
  EXPECT_EQ(content_hash(loaded.data), content_hash(read_dataset(file.path())));
  EXPECT_TRUE(load(text, {.drop = {"a"}}).table);
}

TEST(TableEncoding, the_value_of_empty_cells) {
  const std::string text = "y,a\n1,1\n2,\n3,2\n4,6\n5,7\n";
  EXPECT_EQ(load(text).table->columns[0].fill, 4);
  EXPECT_EQ(load(text, {.impute = Impute::mean}).table->columns[0].fill, 4);
  EXPECT_EQ(load("y,a\n1,1\n2,\n3,2\n4,6\n", {.impute = Impute::mean}).table->columns[0].fill, 3);
  EXPECT_EQ(load(text, {.impute = Impute::constant, .constant = -1}).table->columns[0].fill, -1);
  EXPECT_EQ(columns_of(load(text).data).at("a (missing)"), (std::vector<double>{0, 1, 0, 0, 0}));
}

TEST(TableEncoding, levels_and_cells_that_training_did_not_have) {
  const LoadedData trained = load("y,n,c,f\n1,1,a,yes\n2,2,b,no\n3,3,a,no\n4,4,c,no\n", {.min_count = 2});
  EXPECT_EQ(trained.data.feature_names, (Names{"n", "c=a", "c (rare)", "f=yes"}));
  const LoadedData other = encode("n,c,f\n,z,maybe\n5,,YES\n", *trained.table);
  EXPECT_FALSE(other.data.labelled);
  EXPECT_EQ(matrix_of(other.data), (std::vector<std::vector<double>>{{2.5, 0, 1, 0}, {5, 0, 0, 1}}));
  const LoadedData plain = load("y,c\n1,a\n2,b\n");
  EXPECT_EQ(matrix_of(encode("c,y\nz,1\nb,2\n", *plain.table).data),
            (std::vector<std::vector<double>>{{0, 0}, {0, 1}}));
}

TEST(TableEncoding, columns_of_the_model_must_be_there) {
  const LoadedData trained = load("y,a,b,c\n1,u,2,3\n2,v,3,4\n");
  EXPECT_TRUE(contains(message_of([&] { encode("y,b\n1,2\n3,4\n", *trained.table); }),
                       "has no column 'a', 'c', which the model m uses; give data with the columns of training."));
  EXPECT_TRUE(contains(message_of([&] { encode("a,b,c\nu,x1,3\n", *trained.table); }), ":2:3: 'x1' in column 2 'b'"));
  EXPECT_TRUE(
      contains(message_of([&] { encode("a,b,c\nu,1,3\n", *trained.table, true); }), "has no column 'y', the label"));
}

TEST(TableEncoding, text_labels_and_their_unknown_classes) {
  const LoadedData trained = load("y,a\nb,1\nB,2\naa,3\n");
  EXPECT_EQ(trained.table->label.classes, (Names{"B", "aa", "b"}));
  EXPECT_EQ(trained.data.labels, (std::vector<double>{2, 0, 1}));
  EXPECT_EQ(encode("a,y\n1,z\n2,B\n", *trained.table).data.labels, (std::vector<double>{-1, 0}));
  const LoadedData gap = encode("a,y\n1,\n2,B\n", *trained.table);
  EXPECT_FALSE(gap.data.labelled);
}

TEST(TableEncoding, log_target) {
  const LoadedData trained = load("y,a\n1,1\n2.5,2\n", {.log_target = true});
  EXPECT_NEAR(trained.data.labels[1], std::log(2.5), 1e-15);
  EXPECT_EQ(trained.data.labels[0], 0);
  EXPECT_TRUE(contains(refusal("y,a\n1,1\n0,2\n", {.log_target = true}), "T:3:1: the label '0'"));
  EXPECT_TRUE(contains(refusal("y,a\nu,1\nv,2\n", {.log_target = true}), "needs labels that are numbers"));
}

TEST(TableEncoding, dates_need_a_decision) {
  const std::string text = "y,when\n1,1970-01-02\n2,1970-01-05\n";
  EXPECT_EQ(refusal(text),
            "T:2:3: column 2 'when' contains dates ('1970-01-02'); use `date` when for days since "
            "1970-01-01, or `drop` when.");
  EXPECT_EQ(matrix_of(load(text, {.dates = {"when"}}).data), (std::vector<std::vector<double>>{{1}, {4}}));
  EXPECT_EQ(load(text, {.categorical = {"when"}}).data.d(), 2u);
  EXPECT_TRUE(contains(refusal("y,when\n1,1/2/2024\n2,3/4/2024\n"), "order of day and month"));
  EXPECT_TRUE(contains(refusal("y,when\n1,1970-01-02\n2,soon\n", {.dates = {"when"}}), "T:3:3: 'soon'"));
}

TEST(TableEncoding, hashed_columns) {
  std::string text = "y,id,k\n";
  for (int i = 0; i < 1500; ++i) text += std::to_string(i % 2) + ",u" + std::to_string(i) + ",a\n";
  const LoadedData loaded = load(text, {.hash_size = 64});
  EXPECT_EQ(loaded.data.d(), 65u);
  const auto matrix = matrix_of(loaded.data);
  for (int i = 0; i < 1500; ++i) {
    const std::uint64_t at = hashed_feature("id", "u" + std::to_string(i), 64);
    for (std::uint64_t j = 0; j < 64; ++j) ASSERT_EQ(matrix[static_cast<std::size_t>(i)][1 + j], j == at ? 1 : 0);
  }
  EXPECT_EQ(load(text).data.d(), 1501u);
}

TEST(TableEncoding, too_many_levels_are_refused) {
  std::string text = "y,id\n";
  for (int i = 0; i < 10001; ++i) text += std::to_string(i % 2) + ",u" + std::to_string(i) + "\n";
  EXPECT_EQ(refusal(text),
            "T: column 2 'id' has 10001 levels, more than 10000; use `drop` id, `hash` 2^20, or `min_count` to "
            "pool rare ones.");
  EXPECT_EQ(load(text, {.min_count = 2}).data.d(), 1u);
}

TEST(TableEncoding, decimal_commas_where_they_do_not_separate) {
  const LoadedData loaded = load("y;a\n1,5;2\n2;0,25\n");
  EXPECT_EQ(loaded.data.labels, (std::vector<double>{1.5, 2}));
  EXPECT_EQ(matrix_of(loaded.data), (std::vector<std::vector<double>>{{2}, {0.25}}));
  EXPECT_TRUE(contains(loaded.notes[0], "separator semicolon, decimal comma"));
  EXPECT_TRUE(
      contains(refusal("y;a\n1;2.5\n2;0,25\n"), "T:3:3: '0,25' in column 2 'a' has a decimal comma, but '2.5'"));
  EXPECT_TRUE(contains(refusal("y;a\n1,5;2.5\n2;x\n1;0.5\n"), "T:3:3: 'x' in column 2 'a' is not a number"));
}

TEST(TableEncoding, columns_without_cells_have_no_feature) {
  const LoadedData loaded = load("y,a,b\n1,,2\n2,NA,3\n");
  EXPECT_EQ(loaded.data.feature_names, (Names{"b"}));
  EXPECT_TRUE(contains(refusal("y,a\n,\n,\n"), "all cells of the label column, column 1 'y', are empty"));
  EXPECT_TRUE(contains(refusal("y,a\n1,\n2,\n"), "no column is left"));
}

TEST(TableEncoding, infinite_numbers_are_refused_and_not_encoded_as_levels) {
  EXPECT_TRUE(contains(refusal("y,a\n1,1e400\n2,-1e400\n"),
                       "T:2:3: '1e400' in column 2 'a' is infinite; give finite numbers, or use `drop` a"));
  EXPECT_TRUE(contains(refusal("y,a\n1,4\n2,inf\n"), "T:3:3: 'inf' in column 2 'a' is infinite"));
  EXPECT_TRUE(
      contains(refusal("y,a,b\ninf,4,x\n2,3,y\n"), "T:2:1: 'inf' in the label column, column 1 'y', is infinite"));
  EXPECT_EQ(load("y,a\n1,inf\n2,sup\n").data.feature_names, (Names{"a=inf", "a=sup"}));
  EXPECT_EQ(load("y,a\n1,inf\n2,1\n", {.categorical = {"a"}}).data.feature_names, (Names{"a=1", "a=inf"}));
}

TEST(TableEncoding, all_problems_are_reported_at_once) {
  const std::string several = refusal(
      "y,when,age,age,n\n1,2020-01-01,1,2,\"1,234\"\n,2020-01-02,x,3,5\n0,2020-01-03,4,5\n2,2020-01-04,5,6,7\n");
  EXPECT_TRUE(contains(several, "T: has 6 problems:\n")) << several;
  EXPECT_TRUE(contains(several, "\n  T: columns 3 and 4 have the same name, 'age'; rename one of them."));
  EXPECT_TRUE(contains(several, "\n  T:4:16: this row has 4 fields, the first line has 5"));
  EXPECT_TRUE(
      contains(several, "\n  T:3:1: the value in the label column, column 1 'y', is missing in 1 row, here first"));
  EXPECT_TRUE(contains(several, "\n  T:2:3: column 2 'when' contains dates"));
  EXPECT_TRUE(contains(several,
                       "\n  T:3:13: 'x' in column 3 'age' is not a number, as 2 of its cells are; correct it, or use "
                       "`drop` age or `categorical` age."));
  EXPECT_TRUE(contains(several, "\n  T:2:18: '1,234' in column 5 'n' has separators of thousands"));
  const std::string no_label = refusal("y,when\n1,2020-01-01\n2,2020-01-02\n", {}, "z");
  EXPECT_TRUE(contains(no_label,
                       "T: has 2 problems:\n  T: has no column 'z'; its columns are 'y', 'when'.\n  T:2:3: column 2"));
  std::string ragged = "y,a\nx,1\n";
  for (int i = 0; i < 25; ++i) ragged += "1\n";
  const std::string words = refusal(ragged);
  EXPECT_TRUE(contains(words, "has 25 problems:\n"));
  EXPECT_EQ(std::count(words.begin(), words.end(), '\n'), 11);
  EXPECT_TRUE(words.ends_with("\n  and 15 more."));
}

TEST(TableEncoding, options_name_columns) {
  EXPECT_TRUE(contains(refusal("y,a\n1,2\n2,3\n", {.drop = {"b"}}), "there is no column 'b', which `drop` names."));
  EXPECT_TRUE(contains(refusal("y,a\n1,2\n2,3\n", {.drop = {"y"}}), "is the label and cannot be dropped"));
  const std::string text = "y,a,b,c\n1,2,x,4\n2,3,y,5\n";
  EXPECT_EQ(load(text, {.keep = {"c", "a"}}).data.feature_names, (Names{"a", "c"}));
  EXPECT_EQ(load(text, {.drop = {"a", "b"}}).data.feature_names, (Names{"c"}));
  EXPECT_EQ(load(text, {.categorical = {"a"}}).data.feature_names, (Names{"a=2", "a=3", "b=x", "b=y", "c"}));
}

TEST(TableEncoding, tables_without_a_header_are_encoded_by_position) {
  const LoadedData trained = load("1,Paris,no\n2,Rome,yes\n3,Rome,no\n", {}, "3");
  EXPECT_FALSE(trained.table->header);
  EXPECT_EQ(trained.data.feature_names, (Names{"1", "2=Paris", "2=Rome"}));
  EXPECT_EQ(matrix_of(encode("7,Rome\n", *trained.table).data), (std::vector<std::vector<double>>{{7, 0, 1}}));
  EXPECT_EQ(encode("7,Rome,yes\n", *trained.table).data.labels, (std::vector<double>{1}));
  const LoadedData first = load("no,1,Paris\nyes,2,Rome\nno,3,Rome\n");
  EXPECT_EQ(matrix_of(encode("7,Rome\n", *first.table).data), (std::vector<std::vector<double>>{{7, 0, 1}}));
}

TEST(TableEncoding, a_million_columns) {
  std::string header = "y", row = "no", other = "yes";
  constexpr std::size_t columns = 1000000;
  header.reserve(8 * columns);
  for (std::size_t j = 1; j < columns; ++j) {
    header += ",c" + std::to_string(j);
    row += ",1";
    other += ",";
  }
  EXPECT_EQ(load(header + "\n" + row + "\n" + other + "\n", {.keep = {"c5", "c999999"}}).data.d(), 4u);
}

}  // namespace table_encoding_test
}  // namespace seesaw
