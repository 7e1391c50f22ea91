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
namespace {

// A method that gets worse: x grows tenfold with each epoch.
class Runaway final : public Solver {
 public:
  explicit Runaway(const Problem& p)
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

// A method that stays where it is.
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

class Running : public testing::Test {
 protected:
  Dataset data = test::random_data(50, 4, Target::sign, 1);
  Problem problem = [this] {
    Objective objective;
    objective.loss = "squared-hinge";
    return make_problem(data, objective);
  }();
};

TEST_F(Running, ends_as_diverged_with_the_best_point_kept) {
  Runaway solver(problem);
  const Outcome outcome = run(solver, problem, {});
  EXPECT_EQ(outcome.termination, Termination::diverged);
  EXPECT_EQ(outcome.point.x, std::vector<double>(4, 1.0));
  EXPECT_TRUE(std::isfinite(outcome.certificate.gap));
}

TEST_F(Running, ends_as_stalled_when_nothing_moves) {
  Idler solver(problem);
  const Outcome outcome = run(solver, problem, {});
  EXPECT_EQ(outcome.termination, Termination::stalled);
  EXPECT_LT(outcome.last.passes, 150);
}

TEST_F(Running, stops_within_one_epoch_when_asked_and_certifies) {
  Idler solver(problem);
  const Outcome outcome = run(solver, problem, {}, {}, [] { return true; });
  EXPECT_EQ(outcome.termination, Termination::interrupted);
  EXPECT_EQ(outcome.last.passes, 1);
}

TEST_F(Running, never_reports_a_primal_that_rises_or_a_dual_that_falls) {
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
  EXPECT_EQ(lines.front()["solver"], "sdca");
  EXPECT_EQ(lines.front()["n"], 50);
  EXPECT_EQ(lines[1]["passes"], 0);
  EXPECT_EQ(lines.back()["status"], "converged");
  LineFile unwritable("/nonexistent/trace.jsonl");
  TraceWriter nowhere([&](const std::string& line) { unwritable.put(line); });
  EXPECT_THROW(fit(data, spec, nullptr, {&nowhere}), Error);
}

// A method that knows its gap, has something to say once, and arrives at its 40th epoch.
class Believer final : public Solver {
 public:
  Believer(const Problem& p, Point arrived) : idle_(p), arrived_(std::move(arrived)) {}
  void epoch() override { idle_.epoch(); }
  void read(Point& point) override {
    if (there()) point = arrived_;
    else idle_.read(point);
  }
  Work work() const override { return idle_.work(); }
  std::optional<double> estimated_gap() const override { return there() ? 0.0 : 1.0; }
  std::string news() override { return std::exchange(news_, ""); }

 private:
  bool there() const { return idle_.work().passes >= 40; }
  Idler idle_;
  Point arrived_;
  std::string news_ = "Something changed.";
};

TEST_F(Running, checks_a_method_that_knows_its_gap_when_it_says_so_and_seldom_before) {
  Criteria criteria;
  criteria.gap = 1e-6;
  const Point solution = run(*make_solver(problem, {"sdca", {}, 1}, {}), problem, criteria).point;
  Believer believer(problem, solution);
  struct Listener final : Observer {
    void news(const std::string& sentence) override { heard.push_back(sentence); }
    std::vector<std::string> heard;
  } listener;
  const Outcome outcome = run(believer, problem, criteria, {&listener}, {}, nullptr, 7.5);
  EXPECT_EQ(outcome.termination, Termination::converged);
  EXPECT_EQ(outcome.last.passes, 40);
  EXPECT_LE(outcome.trace.size(), 9u);
  EXPECT_EQ(listener.heard, std::vector<std::string>{"Something changed."});
  EXPECT_GE(outcome.last.solve_seconds, 7.5) << "the seconds that making the solver took";
}

// Writes down what it is asked, in order; a solver of ours underneath.
class Diary final : public Solver {
 public:
  explicit Diary(std::unique_ptr<Solver> inner) : inner_(std::move(inner)) {}
  void epoch() override { note('e'), inner_->epoch(); }
  void read(Point& point) override { note('r'), inner_->read(point); }
  Work work() const override { return inner_->work(); }
  void on_check(const Checked&) override { note('h'); }
  bool overlaps_checks() const override { return true; }
  std::string written;

 private:
  void note(char what) { written += what; }
  std::unique_ptr<Solver> inner_;
};

TEST_F(Running, a_method_that_overlaps_checks_hears_of_each_one_epoch_later_but_for_the_first) {
  Criteria criteria;
  criteria.gap = 1e-9;
  criteria.check_every = 2;
  criteria.max_passes = 8;
  Diary diary(make_solver(problem, {"sdca", {{"shrink", "off"}}, 1}));
  const Outcome outcome = run(diary, problem, criteria);
  EXPECT_EQ(diary.written,
            "rhee"
            "rehe"
            "rehe"
            "rehe"
            "r");
  EXPECT_EQ(outcome.last.passes, 8);
}

TEST_F(Running, beside_an_epoch_a_check_finds_what_it_finds_between_them) {
  const Dataset large = test::random_data(4000, 40, Target::sign, 2);
  Objective objective;
  objective.loss = "hinge";
  const Problem hinge = make_problem(large, objective);
  for (const double max_passes : {6.0, 10000.0}) {
    std::vector<TraceRow> traces[2];
    std::string written[2];
    for (const std::size_t threads : {1, 2}) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      Criteria criteria;
      criteria.gap = 1e-5;
      criteria.max_passes = max_passes;
      Diary diary(make_solver(hinge, {"sdca", {}, 1}));
      traces[threads - 1] = run(diary, hinge, criteria).trace;
      written[threads - 1] = diary.written;
    }
    ASSERT_EQ(traces[0].size(), traces[1].size());
    for (std::size_t k = 0; k < traces[0].size(); ++k) {
      EXPECT_EQ(traces[0][k].passes, traces[1][k].passes);
      EXPECT_EQ(traces[0][k].gap, traces[1][k].gap);
    }
    // The epoch beside the last check was for nothing, and is not counted; at the limit of passes none is begun.
    EXPECT_EQ(written[0] + (traces[0].back().passes < max_passes ? "e" : ""), written[1]);
  }
}

TEST_F(Running, an_epoch_beside_a_check_is_followed_by_a_look_at_whether_to_stop) {
  const Dataset large = test::random_data(4000, 40, Target::sign, 2);
  Objective objective;
  objective.loss = "hinge";
  const Problem hinge = make_problem(large, objective);
  Criteria criteria;
  criteria.gap = 1e-12;
  criteria.check_every = 1;
  int looks = 0;
  Diary diary(make_solver(hinge, {"sdca", {}, 1}));
  const Outcome outcome = run(diary, hinge, criteria, {}, [&] { return ++looks == 5; });
  EXPECT_EQ(outcome.termination, Termination::interrupted);
  EXPECT_EQ(looks, 5);
}

}  // namespace
}  // namespace seesaw
