// What newton, ssn and ws send on several ranks (threads, support/thread_ranks.h), counted and compared with the formulas of
// docs/scale.md: a sum of more than 32 KB costs (p + 1)(P - 1) messages and its size times (p + 1)(P - 1)/P per rank, a
// smaller one log2 P of each on the first rank. The data has 32 leaves of the same size, so that p = 1.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "data/share_rows.h"
#include "solvers/catalog.h"
#include "support/fits_on_ranks.h"
#include "support/thread_ranks.h"

namespace seesaw {
namespace counts_on_ranks_test {

using test::generated;
using test::Labels;

struct Sent {
  double messages = 0, bytes = 0;
  Sent operator*(double times) const { return {times * messages, times * bytes}; }
  Sent operator+(const Sent& other) const { return {messages + other.messages, bytes + other.bytes}; }
};

Sent sum_of(double numbers, int ranks) {
  const double bytes = 8 * numbers, P = ranks, rounds = std::log2(P);
  if (bytes <= 32768) return {rounds, rounds * bytes};
  return {2 * (P - 1), bytes * 2 * (P - 1) / P};
}

// The numbers of a method's state that the formulas use, and what the first rank has sent.
struct State {
  std::map<std::string, double> numbers;
  Sent sent;
};
State state_of(const Solver& solver, const Ranks& ranks) {
  State state;
  for (const Diagnostic& one : solver.diagnostics().values) state.numbers[std::string(one.name)] = one.value;
  state.numbers["passes"] = solver.work().passes;
  state.sent = {static_cast<double>(ranks.counts().messages), static_cast<double>(ranks.counts().bytes)};
  return state;
}

// check(before, after, ranks) for each of `epochs` epochs, on the first rank.
template <class Check>
void for_epochs(const Dataset& data, const Objective& objective, const SolverSpec& spec, int epochs,
                const Check& check) {
  for (const int size : {2, 4})
    EXPECT_TRUE(test::on_ranks(size, [&](Ranks& ranks) {
      const Dataset share = own_share(data, ranks);
      const Problem problem = make_problem(share, objective);
      const auto solver = make_solver(problem, spec);
      solver->epoch();
      State before = state_of(*solver, ranks);
      for (int epoch = 0; epoch < epochs; ++epoch) {
        solver->epoch();
        const State after = state_of(*solver, ranks);
        if (ranks.first()) check(before, after, size);
        before = after;
      }
    }));
}

double change(const State& before, const State& after, const char* name) {
  return after.numbers.at(name) - before.numbers.at(name);
}
Sent sent_between(const State& before, const State& after) { return after.sent + before.sent * -1; }

Objective objective_of(const std::string& loss, double lambda, double l1, Intercept intercept) {
  Objective objective;
  objective.loss = loss;
  objective.lambda = lambda;
  if (l1 > 0) objective.l1 = l1;
  objective.intercept = intercept;
  return objective;
}

constexpr std::size_t rows = 8192, width = 127;  // (width + 1) rows = 32 leaves
constexpr double with_intercept = 128;

// A step is one sum of d numbers for the gradient, one for each product with the Hessian, and one of d^2 numbers where the
// Hessian is assembled. The rest, the sums of the line search and the agreement on stops, is below 3 % of the bytes.
TEST(CountsOnRanks, newton_sends_its_gradients_products_and_hessians) {
  const Dataset data = generated(rows, width, width, Labels::two);
  double assembled = 0;
  for_epochs(data, objective_of("logistic", 1e-4, 0, Intercept::free), {"newton", {{"system", "cholesky"}}, 1}, 4,
             [&](const State& before, const State& after, int ranks) {
               const double steps = change(before, after, "newton_steps"),
                            products = change(before, after, "cg_iterations"),
                            hessians = change(before, after, "passes") - 2 * steps - products;
               const Sent expected = sum_of(width, ranks) * steps + sum_of(with_intercept, ranks) * products +
                                     sum_of(with_intercept * with_intercept, ranks) * hessians;
               const Sent sent = sent_between(before, after);
               EXPECT_GE(sent.bytes, expected.bytes);
               EXPECT_GE(sent.messages, expected.messages);
               EXPECT_LE(sent.bytes, expected.bytes + 0.03 * sum_of(with_intercept * with_intercept, ranks).bytes);
               assembled += hessians;
             });
  EXPECT_GE(assembled, 2);
}

// A step is at most two Gram matrices (rows that enter and rows that leave) and the sum of the change of A^T y, a refresh
// at most two more sums of d numbers. A working set is chosen by a histogram of 4096 counts.
TEST(CountsOnRanks, ssn_sends_two_gram_matrices_per_step_at_most) {
  const Dataset data = generated(rows, width, width, Labels::two);
  double steps_of_all = 0, bytes_of_all = 0;
  for_epochs(data, objective_of("hinge", 1e-4, 0, Intercept::free), {"ssn", {}, 1}, 6,
             [&](const State& before, const State& after, int ranks) {
               const double steps = change(before, after, "newton_steps");
               const Sent matrix = sum_of(with_intercept * with_intercept, ranks), vector = sum_of(width, ranks);
               const Sent most = matrix * (2 * steps) + vector * (steps + 4) + sum_of(2048, ranks);
               const Sent sent = sent_between(before, after);
               EXPECT_LE(sent.bytes, 1.03 * most.bytes + 4096);
               steps_of_all += steps;
               bytes_of_all += sent.bytes / matrix.bytes;
             });
  EXPECT_GE(steps_of_all, 8);
  EXPECT_GE(bytes_of_all, 0.5 * steps_of_all);  // they are what is sent
}

// An epoch is the sum of d numbers for all features, and per step one of |W| numbers and at most one of |W|^2.
TEST(CountsOnRanks, ws_sends_the_matrix_of_its_set_once_per_step_at_most) {
  const Dataset data = generated(rows, width, width, Labels::two);
  double largest_set = 0;
  for_epochs(data, objective_of("logistic", 0, 1e-4, Intercept::none), {"ws", {}, 1}, 2,
             [&](const State& before, const State& after, int ranks) {
               const double steps = change(before, after, "newton_steps"), set = after.numbers.at("working_set");
               const Sent most =
                   sum_of(set * set, ranks) * steps + sum_of(set, ranks) * (steps + 2) + sum_of(width, ranks) * 2;
               EXPECT_LE(sent_between(before, after).bytes, 1.03 * most.bytes + 4096);
               largest_set = std::max(largest_set, set);
             });
  EXPECT_GE(largest_set, 70);  // its matrix is more than 32 KB
}

}  // namespace counts_on_ranks_test
}  // namespace seesaw
