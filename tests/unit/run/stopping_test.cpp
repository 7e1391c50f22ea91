// The time and requests to stop are honoured within an epoch, whatever else takes time; certificates are complete.
#include "run/stopping.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>
#include <utility>
#include <vector>

#include "run/run.h"
#include "support/problems.h"

namespace seesaw {
namespace stopping_test {

// A method whose epoch ends only when it is stopped. `overlaps`: the next epoch runs in parallel with a check.
class Endless final : public Solver {
 public:
  explicit Endless(const Problem& p, bool overlaps = false)
      : point_{std::vector<double>(p.d(), 0.0), {0.0}, std::vector<double>(p.n(), 0.0)}, overlaps_(overlaps) {}
  void epoch() override {
    while (!stop_requested()) std::this_thread::yield();
    passes_ += 1;
  }
  void read(Point& point) override {
    EXPECT_FALSE(stop_requested()) << "what is read is complete";
    point = point_;
  }
  Work work() const override { return {.passes = passes_, .overlaps_checks = overlaps_}; }

 private:
  Point point_;
  bool overlaps_;
  double passes_ = 0;
};

class Stopped : public testing::Test {
 protected:
  Dataset data = test::random_data(50, 4, Target::sign, 1);
  Problem problem = [this] {
    Objective objective;
    objective.loss = "squared-hinge";
    return make_problem(data, objective);
  }();
};

TEST_F(Stopped, by_the_time_within_an_epoch) {
  for (const bool overlaps : {false, true}) {
    Endless solver(problem, overlaps);
    const Outcome outcome = run(solver, problem, {.max_passes = infinity, .seconds = 0.05});
    EXPECT_EQ(outcome.termination, Termination::time_limit);
    EXPECT_TRUE(std::isfinite(outcome.certificate.gap));
  }
}

TEST_F(Stopped, by_a_request_within_an_epoch) {
  Endless solver(problem);
  int polls = 0;
  const Outcome outcome = run(solver, problem, {}, {}, [&] { return ++polls == 20; });  // once: it is remembered
  EXPECT_EQ(outcome.termination, Termination::interrupted);
  EXPECT_EQ(polls, 20);
  EXPECT_EQ(outcome.last.passes, 1);
}

TEST_F(Stopped, by_the_time_of_construction) {
  Endless solver(problem);
  const Outcome outcome = run(solver, problem, {.max_passes = infinity, .seconds = 10}, {}, {}, nullptr, /*spent=*/11);
  EXPECT_EQ(outcome.termination, Termination::time_limit);
  EXPECT_EQ(outcome.last.passes, 0);
}

// Slow observers: the time limit ends the run although its own clocks do not count them.
TEST_F(Stopped, by_the_time_of_observers) {
  struct Slow final : Observer {
    void check(const TraceRow&) override { std::this_thread::sleep_for(std::chrono::milliseconds(60)); }
  } slow;
  Endless solver(problem);
  const Outcome outcome = run(solver, problem, {.max_passes = infinity, .seconds = 0.05}, {&slow});
  EXPECT_EQ(outcome.termination, Termination::time_limit);
}

TEST(StopScope, holds_for_its_thread_and_ends_with_its_block) {
  struct Always final : StopRequest {
    bool requested() override { return true; }
  } always;
  EXPECT_FALSE(stop_requested());
  {
    const StopScope scope(&always);
    EXPECT_TRUE(stop_requested());
    bool elsewhere = true;
    std::thread([&] { elsewhere = stop_requested(); }).join();
    EXPECT_FALSE(elsewhere);
    {
      const StopScope complete(nullptr);
      EXPECT_FALSE(stop_requested());
    }
    EXPECT_TRUE(stop_requested());
  }
  EXPECT_FALSE(stop_requested());
}

// Certificates without a penalty are made better for a while after a request, then no more.
TEST(StopAfterGrace, is_later_than_the_request) {
  const StopPredicate never;
  Stopping late(0, never), in_time(1e9, never);
  StopAfterGrace at_once(late, 0), much_later(late, 1e9), unasked(in_time, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_FALSE(much_later.requested());
  EXPECT_FALSE(late.stopped());
  EXPECT_TRUE(at_once.requested());
  EXPECT_TRUE(late.stopped());
  EXPECT_FALSE(unasked.requested());
}

TEST(StopPoll, asks_as_often_as_the_work_of_a_step_says) {
  struct Counting final : StopRequest {
    using StopRequest::StopRequest;
    bool requested() override { return ++polls > 1000000; }
    int polls = 0;
  };
  for (const auto& [work, expected] : {std::pair(1.0, 10), std::pair(10.0, 100), std::pair(1e9, 1000)}) {
    Counting request(100);
    const StopScope scope(&request);
    StopPoll poll(work);
    for (int step = 0; step < 1000; ++step) EXPECT_FALSE(poll.requested());
    EXPECT_EQ(request.polls, expected);
  }
  StopPoll without(1);
  for (int step = 0; step < 1000; ++step) EXPECT_FALSE(without.requested());
}

}  // namespace stopping_test
}  // namespace seesaw
