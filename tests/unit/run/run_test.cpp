#include "run/run.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "run/fit.h"
#include "run/trace.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/problems.h"

namespace seesaw {
namespace run_test {

// A method that diverges: x grows by a factor of 10 per epoch.
class Diverging final : public Solver {
 public:
  explicit Diverging(const Problem& p)
      : point_{std::vector<double>(p.d(), 1.0), {0.0}, std::vector<double>(p.n(), 0.0)} {}
  void epoch() override {
    for (double& x : point_.x) x *= 10;
    passes_ += 1;
  }
  void read(Point& point) override { point = point_; }
  Work work() const override { return {passes_, 0}; }

 private:
  Point point_;
  double passes_ = 0;
};

// A method that never moves.
class Idler final : public Solver {
 public:
  explicit Idler(const Problem& p) : point_{std::vector<double>(p.d(), 0.0), {0.0}, std::vector<double>(p.n(), 0.0)} {}
  void epoch() override { passes_ += 1; }
  void read(Point& point) override { point = point_; }
  Work work() const override { return {passes_, 0}; }

 private:
  Point point_;
  double passes_ = 0;
};

struct Counter final : Observer {
  void begin(const RunInfo&) override { ++begun; }
  void check(const TraceRow& row) override { rows.push_back(row); }
  void end(const Outcome&) override { ++ended; }
  int begun = 0, ended = 0;
  std::vector<TraceRow> rows;
};

// A method that never moves, and takes its point to be optimal.
class Optimist final : public Solver {
 public:
  explicit Optimist(const Problem& p)
      : point_{std::vector<double>(p.d(), 0.0), {0.0}, std::vector<double>(p.n(), 0.0)} {}
  void epoch() override { passes_ += 1; }
  void read(Point& point) override {
    point = point_;
    ++reads;
  }
  Work work() const override { return {passes_, 0, 0.0}; }
  int reads = 0;

 private:
  Point point_;
  double passes_ = 0;
};

class Running : public testing::Test {
 protected:
  Dataset data = test::random_data(50, 4, Target::sign, 1);
  Problem problem = [this] {
    Objective objective;
    objective.loss = "squared-hinge";
    return make_problem(data, objective);
  }();
};

// A method that estimates its gap is first checked at x = 0 and y = 0, but a warm start where it is.
TEST_F(Running, begins_with_the_check_of_zero_where_the_method_schedules_checks) {
  const Dataset numbers = test::random_data(200, 5, Target::number, 3);
  FitSpec spec;
  spec.objective.loss = "squared";
  spec.objective.intercept = Intercept::none;
  spec.criteria.gap = 1e-6;
  double at_zero = 0;
  for (const double b : numbers.labels) at_zero += 0.5 * b * b / static_cast<double>(numbers.n());
  for (const char* method : {"newton", "lbfgs"}) {
    spec.solver.name = method;
    const Fit result = fit(numbers, spec);
    const TraceRow& first = result.outcome.trace.front();
    EXPECT_NEAR(first.primal, at_zero, 1e-14 * at_zero);
    EXPECT_EQ(first.dual, 0);
    EXPECT_EQ(first.gap, first.primal);
    EXPECT_GT(result.outcome.trace.size(), 1u);
    EXPECT_EQ(result.outcome.termination, Termination::converged);
    EXPECT_LT(fit(numbers, spec, &result.model).outcome.trace.front().gap, 1e-5 * at_zero);
  }
}

TEST_F(Running, ends_as_diverged_with_the_best_point_kept) {
  Diverging solver(problem);
  const Outcome outcome = run(solver, problem, {});
  EXPECT_EQ(outcome.termination, Termination::diverged);
  EXPECT_EQ(outcome.point.x, std::vector<double>(4, 1.0));
  EXPECT_TRUE(std::isfinite(outcome.certificate.gap));
}

// The constants of dual ascent, 1/(lambda n), overflow.
TEST_F(Running, keeps_the_zero_point_if_the_first_one_is_not_a_number) {
  for (const char* loss : {"hinge", "logistic"}) {
    FitSpec spec;
    spec.objective.loss = loss;
    spec.objective.lambda = 5e-324;
    spec.solver.name = "sdca";
    const Fit result = fit(data, spec);
    EXPECT_EQ(result.outcome.termination, Termination::diverged);
    EXPECT_EQ(result.model.x, std::vector<double>(4, 0.0));
    EXPECT_TRUE(std::isfinite(result.model.intercept[0]));
    EXPECT_LE(result.outcome.certificate.gap, 1.0);
  }
}

TEST_F(Running, ends_as_stalled_if_nothing_changes) {
  Idler solver(problem);
  const Outcome outcome = run(solver, problem, {});
  EXPECT_EQ(outcome.termination, Termination::stalled);
  EXPECT_LT(outcome.last.passes, 150);
}

TEST_F(Running, does_not_rely_on_an_estimate_that_the_certificate_does_not_confirm) {
  Optimist solver(problem);
  Counter counter;
  const Outcome outcome = run(solver, problem, {}, {&counter});
  EXPECT_EQ(outcome.termination, Termination::stalled);
  EXPECT_EQ(outcome.certificate.gap, outcome.certificate.primal);  // y = 0
  ASSERT_GT(counter.rows.size(), 1u);
  for (const TraceRow& row : counter.rows) EXPECT_GT(row.gap, 0.1);
  EXPECT_LE(solver.reads, 2 * static_cast<int>(counter.rows.size()));  // again after a proof that missed
}

// The rigorous certificate alone ends a run by a method that estimates its gap: the trace is monotone all the same.
TEST_F(Running, proves_the_last_point_of_a_method_that_estimates_its_gap) {
  for (const char* loss : {"squared-hinge", "logistic"}) {
    FitSpec spec;
    spec.objective.loss = loss;
    spec.objective.lambda = 1e-3;
    spec.objective.intercept = Intercept::none;
    spec.solver.name = "newton";
    spec.criteria.gap = 1e-6;
    Counter counter;
    const Fit result = fit(data, spec, nullptr, {&counter});
    const Certificate& proved = result.outcome.certificate;
    ASSERT_GT(counter.rows.size(), 1u);
    EXPECT_EQ(result.outcome.termination, Termination::converged);
    EXPECT_TRUE(proved.guaranteed);
    EXPECT_LE(proved.gap, 1e-6 * proved.primal);
    EXPECT_LE(counter.rows.back().primal, counter.rows.front().primal);
    EXPECT_GE(counter.rows.back().dual, counter.rows.front().dual);
    EXPECT_EQ(counter.rows.back().primal, proved.primal);
    EXPECT_EQ(counter.rows.back().dual, proved.dual);
    Objective objective = spec.objective;
    const Problem same = make_problem(data, objective);
    EXPECT_GE(static_cast<long double>(proved.primal), test::slow_primal(same, result.model.x, 0));
    EXPECT_LE(static_cast<long double>(proved.dual), test::slow_dual(same, result.model.y));
  }
}

TEST_F(Running, stops_within_one_epoch_on_request_and_certifies) {
  Idler solver(problem);
  const Outcome outcome = run(solver, problem, {}, {}, [] { return true; });
  EXPECT_EQ(outcome.termination, Termination::interrupted);
  EXPECT_EQ(outcome.last.passes, 1);
}

TEST_F(Running, never_reports_an_increasing_primal_or_a_decreasing_dual) {
  FitSpec spec;
  spec.objective.loss = "hinge";
  spec.objective.lambda = 1e-3;
  spec.solver.name = "sdca";
  spec.criteria.gap = 1e-6;
  Counter counter;
  const Fit result = fit(data, spec, nullptr, {&counter});
  EXPECT_EQ(counter.begun, 1);
  EXPECT_EQ(counter.ended, 1);
  ASSERT_GT(counter.rows.size(), 3u);
  for (std::size_t k = 1; k < counter.rows.size(); ++k) {
    EXPECT_LE(counter.rows[k].primal, counter.rows[k - 1].primal);
    EXPECT_GE(counter.rows[k].dual, counter.rows[k - 1].dual);
    EXPECT_GT(counter.rows[k].passes, counter.rows[k - 1].passes);
  }
  EXPECT_LE(result.outcome.certificate.gap, 1e-6 * result.outcome.certificate.primal * (1 + 1e-9));
}

TEST_F(Running, writes_a_trace_of_json_lines) {
  const std::string path = testing::TempDir() + "trace.jsonl";
  FitSpec spec;
  spec.objective.loss = "logistic";
  spec.solver.name = "sdca";
  {
    LineFile lines(path);
    TraceWriter trace([&](const std::string& line) { lines.put(line); });
    trace.finish(fit(data, spec, nullptr, {&trace}).outcome);
  }
  std::ifstream file(path);
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(nlohmann::json::parse(line));
  ASSERT_GE(lines.size(), 3u);
  EXPECT_EQ(lines.front()["type"], "header");
  EXPECT_EQ(lines[1]["type"], "check");
  EXPECT_EQ(lines.back()["type"], "end");
  EXPECT_TRUE(lines[1]["diagnostics"]["active_rows"].is_number());
  EXPECT_EQ(lines.front()["solver"], "sdca");
  EXPECT_EQ(lines.front()["n"], 50);
  EXPECT_EQ(lines[1]["passes"], 0);
  EXPECT_EQ(lines.back()["status"], "converged");
  LineFile unwritable("/nonexistent/trace.jsonl");
  TraceWriter nowhere([&](const std::string& line) { unwritable.put(line); });
  EXPECT_THROW(fit(data, spec, nullptr, {&nowhere}), Error);
}

// A method that estimates its gap, reports another selection once, and converges at its 40th epoch.
class Estimating final : public Solver {
 public:
  Estimating(const Problem& p, Point solution) : idle_(p), solution_(std::move(solution)) {}
  void epoch() override { idle_.epoch(); }
  void read(Point& point) override {
    if (converged()) point = solution_;
    else idle_.read(point);
  }
  Work work() const override {
    Work work = idle_.work();
    work.estimated_gap = converged() ? 0.0 : 1.0;
    return work;
  }
  void on_check(const Checked&) override { selection_ = "Another method."; }
  Diagnostics diagnostics() const override { return {{{"tau", 0.5}}, "one, other", selection_}; }

 private:
  bool converged() const { return idle_.work().passes >= 40; }
  Idler idle_;
  Point solution_;
  std::string selection_ = "The first method.";
};

TEST_F(Running, checks_a_method_that_estimates_its_gap_when_the_estimate_reaches_the_target) {
  Criteria criteria;
  criteria.gap = 1e-6;
  const Point solution = run(*make_solver(problem, {"sdca", {}, 1}, {}), problem, criteria).point;
  Estimating estimating(problem, solution);
  struct Messages final : Observer {
    void message(const std::string& sentence) override { all.push_back(sentence); }
    std::vector<std::string> all;
  } messages;
  const Outcome outcome = run(estimating, problem, criteria, {&messages}, {}, nullptr, 7.5);
  EXPECT_EQ(outcome.termination, Termination::converged);
  EXPECT_EQ(outcome.last.passes, 40);
  EXPECT_LE(outcome.trace.size(), 9u);
  EXPECT_EQ(messages.all, std::vector<std::string>{"Another method."});
  EXPECT_EQ(outcome.method, "one, other");
  for (const TraceRow& row : outcome.trace) {
    ASSERT_EQ(row.diagnostics.size(), 1u);
    EXPECT_EQ(row.diagnostics[0].name, "tau");
    EXPECT_EQ(row.diagnostics[0].value, 0.5);
  }
  EXPECT_GE(outcome.last.solve_seconds, 7.5) << "the seconds of constructing the solver";
}

// Records its calls in order: epoch, read, check. The work is done by another solver.
class Recorder final : public Solver {
 public:
  explicit Recorder(std::unique_ptr<Solver> inner) : inner_(std::move(inner)) {}
  void epoch() override { record('e'), inner_->epoch(); }
  void read(Point& point) override { record('r'), inner_->read(point); }
  Work work() const override {
    Work work = inner_->work();
    work.overlaps_checks = true;
    return work;
  }
  void on_check(const Checked&) override { record('c'); }
  std::string calls;

 private:
  void record(char call) { calls += call; }
  std::unique_ptr<Solver> inner_;
};

TEST_F(Running, a_method_that_overlaps_checks_receives_each_but_the_first_one_epoch_later) {
  Criteria criteria;
  criteria.gap = 1e-9;
  criteria.check_every = 2;
  criteria.max_passes = 8;
  Recorder recorder(make_solver(problem, {"sdca", {{"shrink", "off"}}, 1}));
  const Outcome outcome = run(recorder, problem, criteria);
  EXPECT_EQ(recorder.calls,
            "rcee"
            "rece"
            "rece"
            "rece"
            "r");
  EXPECT_EQ(outcome.last.passes, 8);
}

TEST_F(Running, a_check_in_parallel_with_an_epoch_gives_the_same_result) {
  const Dataset large = test::random_data(4000, 40, Target::sign, 2);
  Objective objective;
  objective.loss = "hinge";
  const Problem hinge = make_problem(large, objective);
  for (const double max_passes : {6.0, 10000.0}) {
    std::vector<TraceRow> traces[2];
    std::string calls[2];
    for (const std::size_t threads : {1, 2}) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      Criteria criteria;
      criteria.gap = 1e-5;
      criteria.max_passes = max_passes;
      Recorder recorder(make_solver(hinge, {"sdca", {}, 1}));
      traces[threads - 1] = run(recorder, hinge, criteria).trace;
      calls[threads - 1] = recorder.calls;
    }
    ASSERT_EQ(traces[0].size(), traces[1].size());
    for (std::size_t k = 0; k < traces[0].size(); ++k) {
      EXPECT_EQ(traces[0][k].passes, traces[1][k].passes);
      EXPECT_EQ(traces[0][k].gap, traces[1][k].gap);
    }
    // The epoch in parallel with the last check is not needed and not counted; at the limit of passes none is started.
    EXPECT_EQ(calls[0] + (traces[0].back().passes < max_passes ? "e" : ""), calls[1]);
  }
}

TEST_F(Running, the_stop_predicate_is_called_after_an_epoch_in_parallel_with_a_check) {
  const Dataset large = test::random_data(4000, 40, Target::sign, 2);
  Objective objective;
  objective.loss = "hinge";
  const Problem hinge = make_problem(large, objective);
  Criteria criteria;
  criteria.gap = 1e-12;
  criteria.check_every = 1;
  int calls = 0;
  Recorder recorder(make_solver(hinge, {"sdca", {}, 1}));
  const Outcome outcome = run(recorder, hinge, criteria, {}, [&] { return ++calls == 5; });
  EXPECT_EQ(outcome.termination, Termination::interrupted);
  EXPECT_EQ(calls, 5);
}

}  // namespace run_test
}  // namespace seesaw
