#include "model/model_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/rng.h"
#include "seesaw/error.h"
#include "support/expectations.h"
#include "support/scratch_folder.h"

namespace seesaw {
namespace model_file_test {

using test::begins;
using test::contains;
using test::ScratchFolder;
using test::sentence_of;

// Every field differs from its default.
LinearModel full_model() {
  LinearModel model;
  model.objective = {.loss = "smooth-hinge",
                     .loss_parameter_name = "gamma",
                     .loss_parameter = 0.3,
                     .lambda = 1.0 / 3,
                     .l1 = 1e-5,
                     .intercept = Intercept::penalized,
                     .class_weights = {{-1.5, 2}, {4, 0.1}}};
  model.labels = {-1.5, 4};
  model.transform = {.constant_feature = true,
                     .constant_value = 2.5,
                     .scaling = Scaling::columns_std,
                     .factor = 0.7,
                     .column_factors = {0.1, 1.0 / 7, 3e-300}};
  model.x = {0.1, -2.0 / 3, 5e-324, 1.7976931348623157e308};
  model.intercept = {-0.3};
  model.certificate = Certificate{{.primal = 0.51, .dual = 0.49, .gap = 0.02}, 0.125, DualPoint::balanced};
  model.y = {-0.1, 2.2250738585072014e-308, 1e-310, 123456789.123456789, 1e22};
  model.n = 5;
  model.data_hash = 0x0123456789abcdef;
  model.single_precision = true;
  model.solver = "sdca";
  model.status = "pass-limit";
  model.passes = 12.5;
  model.seed = 18446744073709551615u;
  model.feature_names = {"age", "a \"quoted\"\nname", "größe"};
  return model;
}

LinearModel written_and_read(const LinearModel& model) {
  const ScratchFolder folder;
  write_model(model, folder.path("m.model"));
  return read_model(folder.path("m.model"));
}

void expect_same(const LinearModel& read, const LinearModel& model) {
  EXPECT_EQ(read.objective.loss, model.objective.loss);
  EXPECT_EQ(read.objective.loss_parameter_name, model.objective.loss_parameter_name);
  EXPECT_EQ(read.objective.loss_parameter, model.objective.loss_parameter);
  EXPECT_EQ(read.objective.lambda, model.objective.lambda);
  EXPECT_EQ(read.objective.l1, model.objective.l1);
  EXPECT_EQ(read.objective.intercept, model.objective.intercept);
  EXPECT_EQ(read.objective.class_weights, model.objective.class_weights);
  EXPECT_EQ(read.objective.penalty_factors, model.objective.penalty_factors);
  EXPECT_EQ(read.objective.lower, model.objective.lower);
  EXPECT_EQ(read.objective.upper, model.objective.upper);
  EXPECT_EQ(read.labels, model.labels);
  EXPECT_EQ(read.transform.constant_feature, model.transform.constant_feature);
  EXPECT_EQ(read.transform.constant_value, model.transform.constant_value);
  EXPECT_EQ(read.transform.scaling, model.transform.scaling);
  EXPECT_EQ(read.transform.factor, model.transform.factor);
  EXPECT_EQ(read.transform.column_factors, model.transform.column_factors);
  EXPECT_EQ(read.x, model.x);
  EXPECT_EQ(read.intercept, model.intercept);
  ASSERT_EQ(read.certificate.has_value(), model.certificate.has_value());
  if (model.certificate) {
    EXPECT_EQ(read.certificate->primal, model.certificate->primal);
    EXPECT_EQ(read.certificate->dual, model.certificate->dual);
    EXPECT_EQ(read.certificate->gap, model.certificate->gap);
    EXPECT_EQ(read.certificate->distance_bound, model.certificate->distance_bound);
    EXPECT_EQ(read.certificate->dual_point, model.certificate->dual_point);
  }
  EXPECT_EQ(read.y, model.y);
  EXPECT_EQ(read.n, model.n);
  EXPECT_EQ(read.data_hash, model.data_hash);
  EXPECT_EQ(read.single_precision, model.single_precision);
  EXPECT_EQ(read.solver, model.solver);
  EXPECT_EQ(read.status, model.status);
  EXPECT_EQ(read.passes, model.passes);
  EXPECT_EQ(read.seed, model.seed);
  EXPECT_EQ(read.feature_names, model.feature_names);
}

// The message for a model file with this text.
std::string refusal_of(const std::string& text) {
  const ScratchFolder folder;
  return sentence_of<Error>([&] { read_model(folder.file("m.model", text)); });
}

std::string text_of(const LinearModel& model) {
  const ScratchFolder folder;
  write_model(model, folder.path("m.model"));
  return folder.text_of("m.model");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  return text.replace(text.find(from), from.size(), to);
}

TEST(ModelFile, every_field_is_read_back_unchanged) { expect_same(written_and_read(full_model()), full_model()); }

TEST(ModelFile, every_enumerator_is_read_back) {
  LinearModel model = full_model();
  for (const DualPoint point : {DualPoint::as_given, DualPoint::balanced, DualPoint::scaled, DualPoint::projected,
                                DualPoint::zero, DualPoint::curvature}) {
    model.certificate->dual_point = point;
    expect_same(written_and_read(model), model);
  }
  for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free}) {
    model.objective.intercept = intercept;
    expect_same(written_and_read(model), model);
  }
  model.transform.column_factors.clear();
  for (const Scaling scaling : {Scaling::none, Scaling::rows, Scaling::max}) {
    model.transform.scaling = scaling;
    expect_same(written_and_read(model), model);
  }
  model.transform.column_factors = {1, 2, 3};
  for (const Scaling scaling : {Scaling::columns_max, Scaling::columns_std}) {
    model.transform.scaling = scaling;
    expect_same(written_and_read(model), model);
  }
}

TEST(ModelFile, a_model_without_certificate_is_read_back_without) {
  LinearModel model;
  model.objective.loss = "squared";
  model.x = {1, 2};
  expect_same(written_and_read(model), model);
}

TEST(ModelFile, doubles_are_read_back_exactly) {
  LinearModel model = full_model();
  model.transform = {};
  model.feature_names.clear();
  model.x.clear();
  Rng rng(3);
  while (model.x.size() < 100000)
    if (const double number = std::bit_cast<double>(rng.bits()); std::isfinite(number)) model.x.push_back(number);
  for (std::uint64_t bits = 1; bits < (std::uint64_t{1} << 52); bits *= 3)  // subnormal
    model.x.push_back(std::bit_cast<double>(bits));
  EXPECT_EQ(written_and_read(model).x, model.x);
}

TEST(ModelFile, a_long_dual_point_is_read_back_exactly_and_written_equally_by_any_number_of_threads) {
  const ScratchFolder folder;
  Rng rng(8);
  LinearModel model = full_model();
  model.n = 30001;
  model.y.clear();
  for (std::size_t i = 0; i < model.n; ++i) model.y.push_back(i % 3 == 0 ? 0 : rng.normal());
  for (const std::size_t threads : {1u, 2u}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    write_model(model, folder.path(threads == 1 ? "one" : "two"));
  }
  EXPECT_EQ(folder.text_of("one"), folder.text_of("two"));
  expect_same(read_model(folder.path("two")), model);
}

TEST(ModelFile, numbers_that_are_not_finite_are_null) {
  LinearModel model = full_model();
  model.certificate = Certificate{};  // P = infinity, D = -infinity
  const std::string text = text_of(model);
  EXPECT_TRUE(contains(text, R"("primal": null, "dual": null, "gap": null, "relative_gap": null)"));
  expect_same(written_and_read(model), model);

  model.x[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(refusal_of(text_of(model)), "\"weights\" contains null, which is not a number"));
}

TEST(ModelFile, feature_names_that_are_not_utf8_do_not_break_the_file) {
  LinearModel model = full_model();
  model.feature_names[0] =
      "gr\xf6\xdf"
      "e";
  EXPECT_EQ(written_and_read(model).feature_names[0],
            "gr\uFFFD\uFFFD"
            "e");
}

TEST(ModelFile, the_file_is_json_with_one_key_per_line_and_the_long_arrays_last) {
  const std::string text = text_of(full_model());
  std::vector<std::string> keys;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('"')) keys.push_back(line.substr(1, line.find('"', 1) - 1));
  EXPECT_EQ(keys, (std::vector<std::string>{"format", "version", "objective", "labels", "intercept", "certificate",
                                            "data", "solver", "transform", "feature_names", "weights", "dual"}));
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["format"], "seesaw-model");
  EXPECT_EQ(json["version"], 3);
  EXPECT_EQ(json["certificate"]["guaranteed"], true);
  EXPECT_EQ(json["data"]["hash"], "0123456789abcdef");
  EXPECT_EQ(json["data"]["d"], 3);
  EXPECT_EQ(json["certificate"]["relative_gap"], full_model().certificate->relative_gap());
}

TEST(ModelFile, json_of_any_layout_is_read) {
  const auto json = nlohmann::json::parse(text_of(full_model()));
  const ScratchFolder folder;
  expect_same(read_model(folder.file("m.model", "  " + json.dump(4))), full_model());
}

TEST(ModelFile, an_older_file_is_replaced_as_a_whole) {
  const ScratchFolder folder;
  folder.file("m.model", std::string(1000000, 'x'));
  write_model(full_model(), folder.path("m.model"));
  expect_same(read_model(folder.path("m.model")), full_model());
}

TEST(ModelFile, a_file_that_cannot_be_read_is_reported) {
  const ScratchFolder folder;
  EXPECT_TRUE(begins(sentence_of<Error>([&] { read_model(folder.path("none.model")); }), "cannot open the model "));
  EXPECT_TRUE(contains(sentence_of<Error>([&] { read_model(folder.path("none.model")); }), "none.model: No such file"));
  EXPECT_TRUE(contains(sentence_of<Error>([&] { read_model(folder.path("")); }), "is a directory, not a model"));
}

TEST(ModelFile, a_place_that_cannot_be_written_is_an_error) {
  const ScratchFolder folder;
  EXPECT_TRUE(contains(sentence_of<Error>([&] { write_model(full_model(), folder.path("")); }), "directory"));
  EXPECT_THROW(write_model(full_model(), folder.path("no/such/folder/m.model")), Error);
}

TEST(ModelFile, a_file_that_is_not_a_model_is_refused) {
  EXPECT_TRUE(contains(refusal_of(""), "is empty"));
  EXPECT_TRUE(contains(refusal_of(" \n"), "is empty"));
  EXPECT_TRUE(contains(refusal_of("+1 1:0.5\n"), "neither Seesaw's JSON nor the text model of LIBLINEAR"));
  EXPECT_TRUE(contains(refusal_of("{\"format\": \"other\"}"), "not a model of Seesaw"));
  EXPECT_TRUE(contains(refusal_of("{}"), "not a model of Seesaw"));
}

TEST(ModelFile, an_unknown_version_is_reported) {
  EXPECT_TRUE(contains(refusal_of("{\"format\": \"seesaw-model\", \"version\": 9, \"layers\": []}"),
                       "version 9, and this Seesaw reads versions 1 to 8: update Seesaw"));
  EXPECT_TRUE(contains(refusal_of("{\"format\": \"seesaw-model\", \"version\": 0}"), "reads versions 1 to 8."));
  EXPECT_TRUE(contains(refusal_of("{\"format\": \"seesaw-model\", \"version\": 6}"), "which no Seesaw writes"));
}

TEST(ModelFile, the_first_version_is_read_with_its_number) {
  auto json = nlohmann::json::parse(text_of(full_model()));
  json["version"] = 1;
  json["certificate"].erase("guaranteed");
  const ScratchFolder folder;
  const LinearModel model = read_model(folder.file("m.model", json.dump()));
  EXPECT_EQ(model.version, 1u);
  EXPECT_EQ(model.x, full_model().x);
  EXPECT_EQ(model.intercept, full_model().intercept);
}

TEST(ModelFile, a_truncated_file_is_reported_with_its_position) {
  const std::string text = text_of(full_model());
  const ScratchFolder folder;
  const std::string path = folder.path("m.model");
  for (std::size_t size = 1; size + 2 < text.size(); size += 13) {
    folder.file("m.model", text.substr(0, size));
    const std::string sentence = sentence_of<ParseError>([&] { read_model(path); });
    ASSERT_TRUE(begins(sentence, path + ":"));
    ASSERT_TRUE(contains(sentence, "truncated")) << size;
  }
}

TEST(ModelFile, damage_is_reported_with_line_and_column) {
  const std::string text = text_of(full_model());
  const ScratchFolder folder;
  const std::string path = folder.file("m.model", replaced(text, "\"labels\": [", "\"labels\": #"));
  try {
    read_model(path);
    FAIL() << "damage was not detected";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.file, path);
    EXPECT_EQ(error.line, 5u);
    EXPECT_EQ(error.column, 11u);
    EXPECT_TRUE(contains(error.what(), "damaged here"));
  }
}

TEST(ModelFile, damage_in_the_first_line_is_reported_with_its_column) {
  const ScratchFolder folder;
  try {
    read_model(folder.file("m.model", "{ !"));
    FAIL() << "damage was not detected";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.line, 1u);
    EXPECT_EQ(error.column, 3u);
  }
}

TEST(ModelFile, a_missing_key_is_reported) {
  const auto whole = nlohmann::json::parse(text_of(full_model()));
  for (const auto& [key, value] : whole.items()) {
    auto less = whole;
    less.erase(key);
    EXPECT_TRUE(contains(refusal_of(less.dump()),
                         key == "format" ? "not a model of Seesaw" : "the model has no \"" + key + "\""));
    if (!value.is_object()) continue;
    for (const auto& [inner, part] : value.items()) {
      if (inner == "loss_parameter" || inner == "relative_gap" || inner == "constant_value") continue;  // may be absent
      auto fewer = whole;
      fewer[key].erase(inner);
      EXPECT_TRUE(contains(refusal_of(fewer.dump()), fmt::format("the model has no \"{}.{}\"", key, inner)));
    }
  }
}

TEST(ModelFile, a_value_of_the_wrong_type_is_reported) {
  const auto whole = nlohmann::json::parse(text_of(full_model()));
  for (const auto& [key, value] : whole.items())
    for (const auto& wrong : {nlohmann::json(-1), nlohmann::json("word"), nlohmann::json::array({true})}) {
      if (key == "intercept" && wrong == -1) continue;
      auto other = whole;
      other[key] = wrong;
      EXPECT_TRUE(contains(refusal_of(other.dump()), "\"" + key + "\"")) << wrong;
      if (!value.is_object()) continue;
      for (const auto& [inner, part] : value.items()) {
        if ((wrong == -1 && part.is_number_float()) || (wrong == "word" && part.is_string())) continue;
        auto damaged = whole;
        damaged[key][inner] = wrong;
        EXPECT_TRUE(contains(refusal_of(damaged.dump()), fmt::format("\"{}.{}\"", key, inner))) << wrong;
      }
    }
  for (const double claimed : {-1.0, 0.0, 0.999 * full_model().certificate->relative_gap()}) {
    auto better = whole;
    better["certificate"]["relative_gap"] = claimed;
    EXPECT_TRUE(contains(refusal_of(better.dump()), "\"certificate.relative_gap\" is not gap / primal"));
  }
  const std::string text = whole.dump();
  EXPECT_TRUE(contains(refusal_of(replaced(text, "penalized", "sometimes")), "objective.intercept"));
  EXPECT_TRUE(contains(refusal_of(replaced(text, "columns-std", "columns")), "transform.scaling"));
  EXPECT_TRUE(contains(refusal_of(replaced(text, "0123456789abcdef", "0123x")), "data.hash"));
  EXPECT_TRUE(contains(refusal_of(replaced(text, "smooth-hinge", "smoother-hinge")), "smoother-hinge"));
  EXPECT_TRUE(contains(refusal_of(replaced(text, "0.51", "1e999")), "a number beyond 1.8e308"));
}

TEST(ModelFile, arrays_that_do_not_fit_together_are_refused) {
  LinearModel model = full_model();
  model.labels.pop_back();
  EXPECT_TRUE(contains(refusal_of(text_of(model)), "1 labels, expected 2"));
  model = full_model();
  model.transform.column_factors.pop_back();
  EXPECT_TRUE(contains(refusal_of(text_of(model)), "2 column factors, expected 3"));
  model = full_model();
  model.y.pop_back();
  EXPECT_TRUE(contains(refusal_of(text_of(model)), "4 dual numbers, expected 5"));
  model = full_model();
  model.feature_names.push_back("one more");
  EXPECT_TRUE(contains(refusal_of(text_of(model)), "4 feature names, expected 3"));
  auto json = nlohmann::json::parse(text_of(full_model()));
  json["weights"].erase(0);
  EXPECT_TRUE(contains(refusal_of(json.dump()), "3 weights, expected 4"));
}

TEST(ModelFile, liblinear_models_are_read_by_the_same_function) {
  const ScratchFolder folder;
  const LinearModel model = read_model(
      folder.file("m.model", "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n0.5 \n-0.25 \n"));
  EXPECT_EQ(model.x, (std::vector<double>{0.5, -0.25}));
  EXPECT_FALSE(model.certificate.has_value());
}

}  // namespace model_file_test
}  // namespace seesaw
