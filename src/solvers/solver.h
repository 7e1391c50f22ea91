// The type-erased interface of all methods: a method owns its epoch and its state. Clocks, gaps, stopping and printing
// belong to `run`.
#pragma once

#include <optional>
#include <string>

#include "model/certificate.h"

namespace seesaw {

struct Work {
  double passes = 0;   // as defined in docs/notation.md
  double entries = 0;  // entries of A read or used, with repetitions
};

// The result of a check for the original problem: the lowest P so far, the gap, and the gap that ends the run.
struct Checked {
  double primal, gap, target;
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual void epoch() = 0;                 // about one pass; does not throw or print, and rarely allocates
  virtual void read(Point& point) = 0;      // the current x, intercept and y
  virtual Work work() const = 0;            // since the start
  virtual void on_check(const Checked&) {}  // after each check: e.g. reduces smoothing
  // The gap of the current point, if the method can estimate it: `run` then checks when the estimate reaches the target,
  // and rarely before. It only schedules checks; it is not a certificate.
  virtual std::optional<double> estimated_gap() const { return std::nullopt; }
  // Whether an epoch may run while the point of the last read() is being certified. on_check() is then called after that
  // epoch, for any number of threads.
  virtual bool overlaps_checks() const { return false; }
  // A message to the user since the last call, as a sentence: that `auto` switched methods. Usually empty.
  virtual std::string news() { return {}; }
  virtual std::string method() const { return {}; }  // of `auto`: the names of the methods used, in order
};

// Where to start: empty parts mean the method's own start.
struct Start {
  std::vector<double> y = {};
  std::vector<double> x = {};  // for methods with their own primal point; empty: grad g*(v) of y
  std::vector<double> intercept = {0.0};
};

}  // namespace seesaw
