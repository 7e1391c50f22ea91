// What a run reports to its observers: at the start, at each check and at the end.
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

// One-versus-rest: the class whose problem was checked.
struct ClassOfRow {
  double label;
  std::size_t number, count;  // number: 1 .. count
};

// One check. The bounds are the best so far: the lowest P and the highest D.
struct TraceRow : Bounds {
  double passes = 0;
  double entry_passes = 0;   // entries of A used / nnz
  double solve_seconds = 0;  // two clocks: checks are not charged to the method
  double check_seconds = 0;
  double latest_primal = infinity;  // of the point just checked
  double latest_dual = -infinity;
  std::size_t nonzeros = 0;  // of the x just checked
  DualPoint dual_point = DualPoint::as_given;
  std::vector<Diagnostic> diagnostics = {};  // of the method, when its point was read
  std::optional<ClassOfRow> of_class = {};   // one-versus-rest: all numbers are those of this class
  std::optional<RuleProgress> settled = {};  // of Criteria::until
};

struct RunInfo {
  const Problem& problem;
  const SolverSpec& solver;
  const Criteria& criteria;
  Scaling scaling = Scaling::none;  // how the rows of the problem were scaled
  double factor = 1;                // Scaling::max: every entry was multiplied by it
  std::string remark = {};          // a warning of the method: the end of "NAME ..."; empty: none
  std::string choice = {};          // `auto`: the method selected first, and why: the end of "auto ..."
};

struct Outcome {
  Point point;                                 // the best x with its intercept, and the best feasible y
  Certificate certificate;                     // of that pair, computed from the data
  std::vector<ClassCertificate> classes = {};  // one-versus-rest: per class; `certificate` is their sum
  std::optional<OptimumBounds> optimum = {};   // where Criteria::region requests it and the certificate proves it
  std::string proved_signs = {};               // of x*, where Criteria::signs requests them
  Termination termination = Termination::converged;
  std::string method;  // `auto`: the methods used, in order
  TraceRow last;
  std::vector<TraceRow> trace;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void begin(const RunInfo&) {}
  virtual void check(const TraceRow&) {}
  virtual void message(const std::string&) {}  // one sentence: `auto` changed the method
  virtual void end(const Outcome&) {}
};

using Observers = std::vector<Observer*>;

}  // namespace seesaw
