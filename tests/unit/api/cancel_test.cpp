// with_cancellation(): after a request nothing returns a result, whatever it was doing; without one nothing changes.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "base/rng.h"
#include "seesaw/seesaw.h"

namespace seesaw {
namespace cancel_test {

Data rows(std::size_t n, std::size_t d, std::size_t classes = 2) {
  Rng rng(5);
  std::vector<double> values, labels;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < d; ++j) sum += values.emplace_back(rng.normal());
    labels.push_back(classes == 2 ? (sum + rng.normal() > 0) : static_cast<double>(i % classes));
  }
  return Data::copy({n, d, values}, {labels});
}

TEST(Cancellation, every_call_throws_after_the_request) {
  const Data data = rows(200, 5);
  const Model model = train(data).model;
  std::stop_source source;
  source.request_stop();
  const auto cancelled = [&](const std::function<void()>& call) {
    EXPECT_THROW(with_cancellation(source.get_token(), call), Cancelled);
  };
  cancelled([&] { train(data); });
  cancelled([&] { train(data, {.solver = "sdca", .gap = 1e-12}); });
  cancelled([&] { train(data, {.penalty = {.name = PenaltyName::none}}); });
  cancelled([&] { train_path(data, {}, {.C = ValueRange{0.1, 1}}); });
  cancelled([&] { verify(data, model); });
  cancelled([&] { model.decision(data); });
  cancelled([&] { rows(100, 3); });
  const std::string path = testing::TempDir() + "cancelled.svm";
  std::ofstream(path) << "1 1:0.5\n-1 2:1\n";
  cancelled([&] { Data::read(path); });
  EXPECT_EQ(Data::read(path).rows(), 2U);  // the scope has ended
  std::remove(path.c_str());
  EXPECT_EQ(train(data).model.to_bytes(), model.to_bytes());
}

// The request comes during the run, at each of its checks in turn: also where classes run in parallel, and where a check
// runs in parallel with an epoch (data of 50,000 entries and more).
TEST(Cancellation, ends_a_run_at_any_check) {
  struct Case {
    Data data;
    Training training;
  };
  const std::vector<Case> cases = {
      {rows(300, 5), {.solver = "sdca", .gap = 1e-9, .check_every = 1}},
      {rows(300, 5), {.solver = "newton", .gap = 1e-9}},
      {rows(300, 5), {.loss = LossName::hinge, .solver = "auto", .gap = 1e-9}},
      {rows(300, 5, 4), {.loss = LossName::logistic, .solver = "sdca", .gap = 1e-6, .check_every = 1}},
      {rows(1000, 60), {.solver = "sdca", .gap = 1e-9, .check_every = 1}}};
  for (const Case& one : cases)
    for (const unsigned threads : {1U, 3U}) {
      Training training = one.training;
      training.threads = threads;
      const TrainingResult whole = train(one.data, training);
      for (std::size_t last = 1; last <= std::min<std::size_t>(whole.trace.size(), 6); ++last) {
        std::stop_source source;
        std::size_t checks = 0;
        training.observer = [&](const Progress& progress) {
          checks += progress.is_check;
          if (checks == last) source.request_stop();
          return true;
        };
        EXPECT_THROW(with_cancellation(source.get_token(), [&] { train(one.data, training); }), Cancelled)
            << training.solver << ", check " << last;
        EXPECT_EQ(checks, last);
      }
      training.observer = {};
      std::stop_source never;
      std::string bytes;
      with_cancellation(never.get_token(), [&] { bytes = train(one.data, training).model.to_bytes(); });
      EXPECT_EQ(bytes, whole.model.to_bytes());
    }
}

}  // namespace cancel_test
}  // namespace seesaw
