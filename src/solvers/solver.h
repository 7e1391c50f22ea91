// The one type-erased boundary: a method owns an epoch and its state, and nothing else. Clocks, gaps, stopping and
// printing are `run`'s.
#pragma once

#include <optional>
#include <string>

#include "model/certificate.h"

namespace seesaw {

struct Work {
  double passes = 0;   // as docs/notation.md defines a pass
  double entries = 0;  // entries of A read or used, each time counted
};

// What a check found, of the problem as it was posed: the best P so far, the gap, and the gap that would end the run.
struct Checked {
  double primal, gap, target;
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual void epoch() = 0;             // about one pass; neither throws nor prints, and allocates only now and then
  virtual void read(Point& point) = 0;  // the current x, intercept and y
  virtual Work work() const = 0;        // since the start
  virtual void on_check(const Checked&) {}  // after each check: methods that solve a smoothed problem come nearer
  // The gap that the method would be certified at now, where it knows that from its own work: `run` then checks when it
  // is small enough, and seldom before. It steers, it proves nothing.
  virtual std::optional<double> estimated_gap() const { return std::nullopt; }
  // Whether an epoch may run while the point of the last read() is being certified; what was found is then heard after
  // that epoch, with any number of threads.
  virtual bool overlaps_checks() const { return false; }
  // What a user should know since this was last asked, as a sentence: that another method took over. Mostly nothing.
  virtual std::string news() { return {}; }
  virtual std::string method() const { return {}; }  // of `auto`: the names of those that worked, in order
};

// Where to start: empty parts mean the method's own start.
struct Start {
  std::vector<double> y = {};
  std::vector<double> x = {};  // for methods that keep a primal point of their own; empty: grad g*(v) of y
  std::vector<double> intercept = {0.0};
};

}  // namespace seesaw
