// Every method can be stopped within an epoch or while it is constructed: it returns after few further polls, and the
// point that can then be read has a valid certificate. Polls without a stop request change nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include "base/optional_work.h"
#include "base/stop.h"
#include "solvers/catalog.h"
#include "support/problems.h"

namespace seesaw {
namespace stops_test {

// Requests a stop from the given poll on, with polls as frequent as possible.
class FromPoll final : public StopRequest {
 public:
  explicit FromPoll(int poll) : StopRequest(1), from_(poll) {}
  bool requested() override { return ++polls_ >= from_; }
  int after() const { return std::max(0, polls_ - from_); }  // polls after the first request
  int polls() const { return polls_; }

 private:
  int from_;
  std::atomic<int> polls_ = 0;
};

struct Case {
  std::string loss;
  double lambda, l1;
};
const std::vector<Case> cases = {{"logistic", 1e-3, 0},    {"hinge", 1e-3, 0},   {"squared", 1e-3, 0},
                                 {"logistic", 1e-3, 5e-3}, {"squared", 0, 0.05}, {"hinge", 0.02, 5e-3},
                                 {"smooth-hinge", 4, 0},   {"softmax", 1e-3, 0}, {"multiclass-hinge", 1e-3, 0}};

class Stops : public testing::TestWithParam<std::size_t> {
 protected:
  const Recipe& recipe = catalog()[GetParam()];

  // body(problem, what) for every case that the method solves.
  template <class Body>
  void for_each_problem(const Body& body) const {
    int tried = 0;
    for (const Case& one : cases)
      for (const test::Storage storage : {test::Storage::sparse, test::Storage::dense}) {
        const LossKind& kind = loss_kind(one.loss);
        const Dataset data = kind.target == Target::index ? test::random_classes(120, 9, 3, 5, storage)
                                                          : test::random_data(120, 9, kind.target, 5, storage);
        Objective objective;
        objective.loss = one.loss;
        objective.lambda = one.lambda;
        objective.l1 = one.l1;
        objective.intercept = storage == test::Storage::sparse ? Intercept::free : Intercept::none;
        const Problem problem = make_problem(data, objective);
        if (missing(recipe, problem)) continue;
        ++tried;
        body(problem,
             fmt::format("{} {} lambda {} l1 {} storage {}", recipe.name, one.loss, one.lambda, one.l1, int(storage)));
      }
    EXPECT_GT(tried, 0);
  }
};

TEST_P(Stops, within_few_polls_with_a_valid_certificate) {
  constexpr int most_epochs = 30, few = 100;
  for_each_problem([&](const Problem& problem, const std::string& what) {
    for (const int poll : {1, 2, 7, 40, 130, 500}) {
      FromPoll request(poll);
      std::unique_ptr<Solver> solver;
      {
        const StopScope scope(&request);
        solver = make_solver(problem, {recipe.name, {}, 1});
        for (int epoch = 0; epoch < most_epochs && request.polls() < poll; ++epoch) solver->epoch();
      }
      EXPECT_LE(request.after(), few) << what << ", stopped at poll " << poll;
      Point point;
      solver->read(point);
      Certifier certifier(problem);
      certifier.certify(point);
      const Certificate certificate = certifier.certify_rigorously(point);
      EXPECT_TRUE(std::isfinite(certificate.primal)) << what << ", stopped at poll " << poll;
      EXPECT_GE(certificate.gap, 0) << what << ", stopped at poll " << poll;
      EXPECT_LE(certificate.dual, certificate.primal) << what << ", stopped at poll " << poll;
    }
  });
}

TEST_P(Stops, polls_without_a_request_change_no_bit) {
  for_each_problem([&](const Problem& problem, const std::string& what) {
    const auto after_epochs = [&](StopRequest* request) {
      const StopScope scope(request);
      const auto solver = make_solver(problem, {recipe.name, {}, 1});
      for (int epoch = 0; epoch < 5; ++epoch) solver->epoch();
      Point point;
      solver->read(point);
      return point;
    };
    FromPoll never(1 << 30);
    const Point polled = after_epochs(&never), alone = after_epochs(nullptr);
    EXPECT_GT(never.polls(), 0) << what;
    EXPECT_EQ(polled.x, alone.x) << what;
    EXPECT_EQ(polled.y, alone.y) << what;
    EXPECT_EQ(polled.intercept, alone.intercept) << what;
  });
}

// The projection of the dual point and the bound from the curvature, by d x d matrices: the work of a certificate that
// requests to stop end, since D = 0 is valid as well.
TEST(StopsCertificates, without_a_penalty_within_few_polls) {
  constexpr int few = 100;
  for (const char* const loss : {"logistic", "squared"})
    for (const test::Storage storage : {test::Storage::sparse, test::Storage::dense}) {
      Objective objective;
      objective.loss = loss;
      objective.lambda = objective.l1 = 0.0;
      const Dataset data = test::random_data(300, 9, loss_kind(loss).target, 5, storage);
      const Problem problem = make_problem(data, objective);
      const auto solver = make_solver(problem, {"newton", {}, 1});
      for (int epoch = 0; epoch < 20; ++epoch) solver->epoch();
      Point read;
      solver->read(read);
      struct Both {
        Certificate plain, rigorous;
      };
      const auto certify = [&](StopRequest* plain, StopRequest* rigorous) {
        Point point = read;
        Certifier certifier(problem);
        Both both;
        {
          const OptionalWorkScope scope(plain);
          both.plain = certifier.certify(point);
        }
        const OptionalWorkScope scope(rigorous);
        both.rigorous = certifier.certify_rigorously(point);
        return both;
      };
      const std::string what = fmt::format("{} storage {}", loss, int(storage));
      FromPoll first(1 << 30), second(1 << 30);
      const Both polled = certify(&first, &second), alone = certify(nullptr, nullptr);
      EXPECT_GT(first.polls(), 100) << what;  // per row, and
      EXPECT_GT(second.polls(), 10) << what;  // per 128 rows and per column of a factor
      EXPECT_EQ(alone.plain.dual_point, DualPoint::projected) << what;
      EXPECT_LT(alone.rigorous.gap, 1e-6 * alone.rigorous.primal) << what;
      EXPECT_EQ(polled.plain.dual, alone.plain.dual) << what;
      EXPECT_EQ(polled.rigorous.dual, alone.rigorous.dual) << what;
      for (const int poll : {1, 2, 7}) {
        FromPoll plain(poll), rigorous(poll);
        const Both stopped = certify(&plain, &rigorous);
        EXPECT_LE(std::max(plain.after(), rigorous.after()), few) << what << ", stopped at poll " << poll;
        EXPECT_EQ(stopped.plain.dual_point, DualPoint::zero) << what;
        for (const Certificate& one : {stopped.plain, stopped.rigorous}) {
          EXPECT_EQ(one.dual, 0) << what;
          EXPECT_EQ(one.gap, one.primal) << what;
        }
        EXPECT_TRUE(stopped.rigorous.guaranteed) << what;
        EXPECT_EQ(stopped.rigorous.primal, alone.rigorous.primal) << what;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, Stops, testing::Range<std::size_t>(0, catalog().size()),
                         [](const auto& instance) {
                           std::string name = catalog()[instance.param].name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace stops_test
}  // namespace seesaw
