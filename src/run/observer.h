// What a run tells whoever listens: at its beginning, at each check, at its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/linear_model.h"
#include "run/criteria.h"
#include "solvers/recipe.h"

namespace seesaw {

// One-versus-rest: the class that a check is of.
struct ClassOfRow {
  double label;
  std::size_t number, count;  // the first of them has number 1
};

struct TraceRow {
  double passes = 0;
  double entry_passes = 0;   // entries touched / nnz
  double solve_seconds = 0;  // two clocks: checking is not charged to the method
  double check_seconds = 0;
  double primal = infinity;  // best so far, from above
  double dual = -infinity;   // best so far, from below
  double gap = infinity;
  double latest_primal = infinity;
  double latest_dual = -infinity;
  std::size_t nonzeros = 0;  // of the x just checked
  DualPoint dual_point = DualPoint::as_given;
  std::optional<ClassOfRow> of_class = {};  // one-versus-rest: passes, seconds, P, D and gap are those of this class
};

struct RunInfo {
  const Problem& problem;
  const SolverSpec& solver;
  const Criteria& criteria;
  Scaling scaling = Scaling::none;  // how the rows of the problem were prepared
};

struct Outcome {
  Point point;                                 // best x with its intercept, best feasible y
  Certificate certificate;                     // of that pair, computed from the data
  std::vector<ClassCertificate> classes = {};  // one-versus-rest: of each class; their sums are `certificate`
  Termination termination = Termination::converged;
  std::string method;  // where `auto` was asked: who did the work
  TraceRow last;
  std::vector<TraceRow> trace;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void begin(const RunInfo&) {}
  virtual void check(const TraceRow&) {}
  virtual void news(const std::string&) {}  // a sentence
  virtual void end(const Outcome&) {}
};

using Observers = std::vector<Observer*>;

}  // namespace seesaw
