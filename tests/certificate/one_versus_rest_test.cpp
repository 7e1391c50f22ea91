// One-versus-rest: K binary fits, a certificate for each, and the effect of limits and interrupts.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/block_formulas.h"
#include "support/expectations.h"
#include "support/multiclass.h"
#include "support/problems.h"

namespace seesaw {
namespace one_versus_rest_test {

using test::add_weights;
using test::spec_of;
using test::verification_problems;

TEST(OneVersusRest, is_one_binary_fit_for_each_class_bit_for_bit) {
  Dataset data = test::random_classes(80, 5, 4, 13);
  add_weights(data);
  for (const char* loss : {"logistic", "hinge"})
    for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free}) {
      const FitSpec spec = spec_of(loss, 0.02, 0, intercept, 1e-7);
      const Fit whole = fit(data, spec);
      EXPECT_EQ(whole.outcome.termination, Termination::converged);
      EXPECT_EQ(verification_problems(data, whole), "") << loss;
      ASSERT_EQ(whole.model.classes.size(), 4u);
      long double primal = 0, dual = 0, gap = 0;  // exact sums of four doubles of like size
      double passes = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        Dataset two = data;
        for (double& label : two.labels) label = label == whole.model.labels[k] ? 1 : -1;
        const Fit one = fit(two, spec);
        for (std::size_t j = 0; j < one.model.x.size(); ++j) EXPECT_EQ(whole.model.x[j * 4 + k], one.model.x[j]);
        for (std::size_t i = 0; i < 80; ++i) EXPECT_EQ(whole.model.y[i * 4 + k], one.model.y[i]);
        EXPECT_EQ(whole.model.intercept[k], one.model.intercept[0]);
        EXPECT_EQ(whole.model.classes[k].label, 10 + double(k));
        EXPECT_EQ(whole.model.classes[k].gap, one.outcome.certificate.gap);
        primal += one.outcome.certificate.primal;
        dual += one.outcome.certificate.dual;
        gap += one.outcome.certificate.gap;
        passes += one.outcome.last.passes;
      }
      const Certificate& total = whole.outcome.certificate;  // rounded outward
      EXPECT_GE(total.primal, primal);
      EXPECT_LE(total.dual, dual);
      EXPECT_GE(total.gap, gap);
      EXPECT_LE(total.primal, primal * (1 + 1e-15L));
      EXPECT_GE(total.dual, dual * (1 - 1e-15L));
      EXPECT_LE(total.gap, gap + 2e-15L * primal);
      EXPECT_EQ(whole.outcome.last.passes, passes);
      ASSERT_TRUE(total.distance_bound);
      EXPECT_GE(*total.distance_bound, std::sqrt(2 * static_cast<long double>(total.gap) / 0.02));
      EXPECT_LE(*total.distance_bound, std::sqrt(2 * static_cast<long double>(total.gap) / 0.02) * (1 + 1e-14L));
    }
}

// Counts the calls, and records the classes of the checks.
struct Listener final : Observer {
  void begin(const RunInfo& info) override {
    ++begun;
    EXPECT_TRUE(info.problem.is_one_versus_rest());
  }
  void check(const TraceRow& row) override {
    ASSERT_TRUE(row.of_class.has_value());
    if (labels.empty() || labels.back() != row.of_class->label) labels.push_back(row.of_class->label);
  }
  void end(const Outcome&) override { ++ended; }
  int begun = 0, ended = 0;
  std::vector<double> labels;
};

TEST(OneVersusRest, reports_the_class_of_each_check_and_begins_and_ends_once) {
  Listener listener;
  fit(test::random_classes(80, 5, 3, 13), spec_of("logistic", 0.02, 0, Intercept::free, 1e-6), nullptr, {&listener});
  EXPECT_EQ(listener.begun, 1);
  EXPECT_EQ(listener.ended, 1);
  EXPECT_EQ(listener.labels, (std::vector<double>{10, 11, 12}));
}

// All calls of an observer, in order.
struct CallLog final : Observer {
  void begin(const RunInfo&) override { lines.push_back("begin"); }
  void check(const TraceRow& row) override {
    lines.push_back(fmt::format("{} {} {} {}", row.of_class->number, row.passes, row.primal, row.gap));
  }
  void end(const Outcome&) override { lines.push_back("end"); }
  std::vector<std::string> lines;
};

TEST(OneVersusRest, has_the_same_bits_and_reports_the_same_for_one_thread_and_several) {
  const Dataset data = test::random_classes(3000, 12, 7, 13);
  const auto run_with = [&](std::size_t threads, const char* loss, CallLog& calls) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return fit(data, spec_of(loss, 1e-3, 0, Intercept::free, 1e-7), nullptr, {&calls});
  };
  for (const char* loss : {"logistic", "squared-hinge"}) {
    CallLog alone, together;
    const Fit one = run_with(1, loss, alone), several = run_with(4, loss, together);
    EXPECT_EQ(one.outcome.termination, Termination::converged);
    EXPECT_EQ(one.model.x, several.model.x);
    EXPECT_EQ(one.model.y, several.model.y);
    EXPECT_EQ(one.model.intercept, several.model.intercept);
    EXPECT_EQ(one.model.certificate->gap, several.model.certificate->gap);
    EXPECT_EQ(one.outcome.last.passes, several.outcome.last.passes);
    EXPECT_EQ(alone.lines, together.lines);
    EXPECT_GT(alone.lines.size(), 16u);
    EXPECT_EQ(alone.lines.front(), "begin");
    EXPECT_EQ(alone.lines.back(), "end");
  }
}

// In parallel or not: there is one caller at any time, and an exception ends the whole run.
TEST(OneVersusRest, calls_observers_from_one_thread_at_a_time_and_propagates_their_exceptions) {
  struct Alone final : Observer {
    void check(const TraceRow& row) override {
      EXPECT_FALSE(busy.exchange(true));
      std::this_thread::yield();
      busy = false;
      if (row.of_class->number == 3) throw Error("enough");
    }
    std::atomic<bool> busy = false;
  } alone;
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 4);
  const Dataset data = test::random_classes(500, 6, 8, 13);
  FitSpec spec = spec_of("logistic", 1e-6, 0, Intercept::free, 1e-300);
  spec.criteria.max_passes = 300;
  EXPECT_THROW(fit(data, spec, nullptr, {&alone}), Error);
}

TEST(OneVersusRest, is_refused_before_any_observer_is_called) {
  Listener listener;
  FitSpec spec = spec_of("hinge", 0.02, 0, Intercept::free, 1e-6);
  spec.solver = {"sdca", {{"draw", "no-such"}}, 1};
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 4);
  EXPECT_THROW(fit(test::random_classes(80, 5, 5, 13), spec, nullptr, {&listener}), Error);
  EXPECT_EQ(listener.begun, 0);
}

TEST(OneVersusRest, has_a_valid_certificate_of_every_class_when_stopped) {
  const Dataset data = test::random_classes(80, 5, 3, 13);
  FitSpec spec = spec_of("logistic", 0.02, 0, Intercept::free, 1e-12);
  const auto check = [&](const Fit& stopped, Termination how) {
    EXPECT_EQ(stopped.outcome.termination, how);
    EXPECT_EQ(verification_problems(data, stopped), "");
    ASSERT_EQ(stopped.model.classes.size(), 3u);
    for (const ClassCertificate& one : stopped.model.classes) {
      EXPECT_TRUE(std::isfinite(one.gap));
      EXPECT_LE(one.dual, one.primal);
    }
    for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(stopped.model.x[j * 3 + 2], 0);  // not reached
  };
  int looks = 0;
  check(fit(data, spec, nullptr, {}, [&] { return ++looks > 4; }), Termination::interrupted);
  spec.criteria.seconds = 0;
  check(fit(data, spec), Termination::time_limit);
}

TEST(OneVersusRest, divides_the_time_among_the_classes_and_gives_the_rest_to_the_slow_ones) {
  Dataset data = test::random_classes(4000, 20, 2, 13);
  for (std::size_t i = 0; i < data.n();
       ++i)  // two rare classes that converge at once, and two that cannot be separated
    data.labels[i] = i % 400 == 0 ? 12 : i % 400 == 1 ? 13 : 10 + double(i * i / 7 % 2);
  FitSpec spec = spec_of("logistic", 1e-8, 0, Intercept::free, 0.05);
  spec.criteria.max_passes = infinity;
  spec.criteria.seconds = 0.4;
  Listener listener;
  const Fit stopped = fit(data, spec, nullptr, {&listener});
  EXPECT_EQ(stopped.outcome.termination, Termination::time_limit);
  EXPECT_EQ(verification_problems(data, stopped), "");
  // Each class in order, then again those that reached their time limit; which ones depends on the machine.
  ASSERT_GE(listener.labels.size(), 4u);
  const auto again = listener.labels.begin() + 4;
  EXPECT_EQ(std::vector<double>(listener.labels.begin(), again), (std::vector<double>{10, 11, 12, 13}));
  EXPECT_TRUE(std::is_sorted(again, listener.labels.end()));
  const TraceRow& last = stopped.outcome.last;
  double passes = 0;
  const std::vector<TraceRow>& trace = stopped.outcome.trace;
  for (std::size_t at = 0; at < trace.size(); ++at) {
    const bool of_next = at + 1 == trace.size() || trace[at + 1].of_class->number != trace[at].of_class->number;
    if (of_next) passes += trace[at].passes;
    else EXPECT_LE(trace[at].passes, trace[at + 1].passes) << "a class that goes on counts on";
  }
  EXPECT_NEAR(passes, last.passes, 1e-9 * passes);
}

TEST(OneVersusRest, starts_warm_from_its_own_model_and_from_one_of_a_block_loss) {
  const Dataset data = test::random_classes(200, 8, 4, 6);
  FitSpec spec = spec_of("logistic", 1e-3, 0, Intercept::free, 1e-6);
  const Fit cold = fit(data, spec), warm = fit(data, spec, &cold.model);
  EXPECT_GT(cold.outcome.last.passes, 8);
  EXPECT_LE(warm.outcome.last.passes, 4);  // one for each class at most
  const Fit blocks = fit(data, spec_of("softmax", 1e-3, 0, Intercept::free, 1e-6));
  const Fit from_blocks = fit(data, spec, &blocks.model);
  EXPECT_EQ(from_blocks.outcome.termination, Termination::converged);
  for (const Fit* one : {&cold, &warm, &blocks, &from_blocks}) EXPECT_EQ(verification_problems(data, *one), "");
  spec.criteria.max_passes = 0;
  EXPECT_LT(fit(data, spec, &blocks.model).outcome.certificate.primal, fit(data, spec).outcome.certificate.primal);
}

// The first class ends at its limit of passes, then the user interrupts: the run ends as interrupted.
TEST(OneVersusRest, ends_with_the_most_severe_termination_of_its_classes) {
  Dataset data = test::random_data(60, 4, Target::number, 8);
  for (double& label : data.labels) label = label < -1 ? 2 : label < 1 ? 3 : 7;
  FitSpec spec = spec_of("logistic", 1e-3, 0, Intercept::free, 1e-300);
  spec.criteria.max_passes = 5;
  EXPECT_EQ(fit(data, spec).outcome.termination, Termination::pass_limit);
  int polls = 0;
  const Fit stopped = fit(data, spec, nullptr, {}, [&] { return ++polls > 8; });
  EXPECT_EQ(stopped.outcome.termination, Termination::interrupted);
  EXPECT_EQ(verification_problems(data, stopped), "");
}

}  // namespace one_versus_rest_test
}  // namespace seesaw
