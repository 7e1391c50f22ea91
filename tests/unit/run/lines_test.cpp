// Every type of line: its fields, null for numbers that are not finite, and text that is not UTF-8.
#include "run/lines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "run/fit.h"
#include "run/trace.h"
#include "support/problems.h"

namespace seesaw {
namespace lines_test {

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& item : object.items()) names.push_back(item.key());
  return names;
}

struct Line : testing::Test {
  Dataset data = test::random_data(40, 5, Target::sign, 3);
  SolverSpec solver{.name = "spdc", .options = {{"batch", "4"}}, .seed = 7};
  Criteria criteria;
  Objective objective = [] {
    Objective o;
    o.loss = "smooth-hinge";
    o.lambda = 0.01;
    return o;
  }();

  Json header(const Json& more = Json::object(), Scaling scaling = Scaling::none) {
    data.source = "some.svm";
    const Problem problem = make_problem(data, objective);
    return Json::parse(header_line({problem, solver, criteria, scaling}, more));
  }
};

TEST_F(Line, header_has_data_objective_method_and_limits) {
  const Json json = header();
  EXPECT_EQ(json["type"], "header");
  EXPECT_EQ(json["trace"], 3);
  EXPECT_EQ(json["data"], "some.svm");
  EXPECT_EQ(json["n"], 40);
  EXPECT_EQ(json["d"], 5);
  EXPECT_EQ(json["nnz"], data.nnz);
  EXPECT_EQ(json["loss"], "smooth-hinge");
  EXPECT_EQ(json["loss_parameter"], 1);
  EXPECT_EQ(json["regularizer"], "l2");
  EXPECT_EQ(json["lambda"], 0.01);
  EXPECT_EQ(json["l1"], 0);
  EXPECT_EQ(json["intercept"], "free");
  EXPECT_EQ(json["one_versus_rest"], false);
  EXPECT_EQ(json["labels"], Json({2, 5}));
  EXPECT_EQ(json["solver"], "spdc");
  EXPECT_EQ(json["family"], "primal dual");
  EXPECT_EQ(json["options"], Json({{"batch", "4"}}));
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["gap"], 1e-4);
  EXPECT_EQ(json["gap_abs"], 0);
  EXPECT_EQ(json["max_passes"], 10000);
  EXPECT_TRUE(json["seconds_limit"].is_null());  // there is none
  EXPECT_EQ(json["scale"], "none");
  EXPECT_GE(json["threads"], 1);
  for (const char* name : {"version", "compiler", "cpu"}) EXPECT_FALSE(json[name].get<std::string>().empty()) << name;
}

TEST_F(Line, header_has_null_for_absent_limits_and_parameters) {
  objective.loss = "hinge";
  criteria.choose_limits({}, 5.0);
  const Json json = header(Json::object(), Scaling::rows);
  EXPECT_TRUE(json["max_passes"].is_null());
  EXPECT_EQ(json["seconds_limit"], 5);
  EXPECT_TRUE(json["loss_parameter"].is_null());
  EXPECT_EQ(json["scale"], "rows");
}

TEST_F(Line, header_does_not_count_the_penalized_intercept_as_a_feature) {
  FitSpec spec;
  spec.objective = objective;
  spec.objective.intercept = Intercept::penalized;
  spec.solver.name = "sdca";
  std::vector<Json> lines;
  TraceWriter trace([&](const std::string& line) { lines.push_back(Json::parse(line)); });
  fit(data, spec, nullptr, {&trace});
  EXPECT_EQ(lines.front()["d"], 5);
}

// What `auto` selects is computed once: by the solver, when it is constructed.
TEST_F(Line, header_has_the_choice_of_the_solver_that_runs) {
  FitSpec spec;
  spec.objective = objective;
  spec.solver.name = "auto";
  std::vector<Json> lines;
  TraceWriter trace([&](const std::string& line) { lines.push_back(Json::parse(line)); });
  const Fit result = fit(data, spec, nullptr, {&trace});
  ASSERT_TRUE(lines.front().contains("choice"));
  EXPECT_NE(lines.front()["choice"].get<std::string>().find(result.outcome.method), std::string::npos);
  EXPECT_FALSE(header().contains("choice"));
}

TEST_F(Line, header_includes_the_fields_of_its_caller) {
  const Json json = header({{"label", "mine"}, {"command", "seesaw train \"a b\" </script>"}, {"data", "another"}});
  EXPECT_EQ(json["label"], "mine");
  EXPECT_EQ(json["command"], "seesaw train \"a b\" </script>");
  EXPECT_EQ(json["data"], "another");
}

TEST_F(Line, bytes_that_are_not_utf8_are_replaced) {
  const std::string latin1 = "caf\xe9";
  EXPECT_EQ(header({{"label", latin1}})["label"], "caf\xef\xbf\xbd");
  EXPECT_EQ(Json::parse(message_line(latin1))["message"], "caf\xef\xbf\xbd");
  EXPECT_EQ(Json::parse(message_line("one\ntwo"))["message"], "one\ntwo");
  EXPECT_EQ(message_line("one\ntwo").find('\n'), std::string::npos);
}

TEST_F(Line, check_has_every_number_and_null_where_one_is_not_finite) {
  TraceRow row{{.primal = 0.75, .dual = -infinity, .gap = infinity}};
  row.passes = 2.5;
  row.entry_passes = 3;
  row.solve_seconds = 0.25;
  row.check_seconds = 0.5;
  row.latest_primal = NAN;
  row.latest_dual = 0.125;
  row.nonzeros = 4;
  row.dual_point = DualPoint::balanced;
  Json json = Json::parse(check_line(row));
  EXPECT_EQ(json, Json({{"type", "check"},
                        {"passes", 2.5},
                        {"entry_passes", 3},
                        {"solve_seconds", 0.25},
                        {"check_seconds", 0.5},
                        {"primal", 0.75},
                        {"dual", nullptr},
                        {"gap", nullptr},
                        {"latest_primal", nullptr},
                        {"latest_dual", 0.125},
                        {"nonzeros", 4},
                        {"dual_point", "balanced"}}));
  TraceRow with_state = row;
  with_state.diagnostics = {{"tau", 0.25}, {"damping", infinity}};
  EXPECT_EQ(Json::parse(check_line(with_state))["diagnostics"], Json({{"tau", 0.25}, {"damping", nullptr}}));
  TraceRow of_class = row;
  of_class.of_class = {.label = 5, .number = 2, .count = 3};
  EXPECT_EQ(Json::parse(check_line(of_class))["class"], 5);
}

TEST_F(Line, end_has_status_certificate_and_methods) {
  Outcome outcome;
  outcome.certificate = {{0.5, 0.25, 0.25}};
  outcome.termination = Termination::pass_limit;
  outcome.last.passes = 12;
  outcome.last.entry_passes = 24;
  Json json = Json::parse(end_line(outcome));
  EXPECT_EQ(json, Json({{"type", "end"},
                        {"status", "pass-limit"},
                        {"primal", 0.5},
                        {"dual", 0.25},
                        {"gap", 0.25},
                        {"distance_bound", nullptr},
                        {"passes", 12},
                        {"entry_passes", 24}}));
  outcome.certificate.distance_bound = 2;
  outcome.method = "sdca, then newton";
  outcome.classes = {{{0.25, -infinity, infinity}, 1}};
  json = Json::parse(end_line(outcome, {{"proved_zero", 3}}));
  EXPECT_EQ(json["distance_bound"], 2);
  EXPECT_EQ(json["method"], "sdca, then newton");
  EXPECT_EQ(json["classes"], Json::array({Json{{"label", 1}, {"primal", 0.25}, {"dual", nullptr}, {"gap", nullptr}}}));
  EXPECT_EQ(json["proved_zero"], 3);
}

TEST_F(Line, refused_names_the_method_its_family_and_why) {
  const Json json = Json::parse(refused_line("dspdc", "dspdc needs a smooth loss.", {{"problem", "a9a, hinge"}}));
  EXPECT_EQ(keys(json), (std::vector<std::string>{"type", "refused", "label", "family", "why", "problem"}));
  EXPECT_EQ(json["refused"], "dspdc");
  EXPECT_EQ(json["family"], "doubly stochastic");
  EXPECT_EQ(json["why"], "dspdc needs a smooth loss.");
}

TEST_F(Line, of_a_run_are_in_order_and_the_header_has_further_fields) {
  FitSpec spec;
  spec.objective = objective;
  spec.solver.name = "sdca";
  std::vector<Json> lines;
  TraceWriter trace([&](const std::string& line) { lines.push_back(Json::parse(line)); },
                    [](const RunInfo& info) {
                      return Json{{"label", info.solver.name + " of mine"}};
                    });
  const Fit result = fit(data, spec, nullptr, {&trace});
  ASSERT_EQ(lines.size(), 1 + result.outcome.trace.size());  // no closing line by itself
  trace.finish(result.outcome, {{"proved_zero", 2}});
  EXPECT_EQ(lines.front()["label"], "sdca of mine");
  for (std::size_t k = 0; k < result.outcome.trace.size(); ++k)
    EXPECT_EQ(lines[k + 1]["gap"], result.outcome.trace[k].gap);
  EXPECT_EQ(lines.back()["status"], "converged");
  EXPECT_EQ(lines.back()["proved_zero"], 2);
}

}  // namespace lines_test
}  // namespace seesaw
