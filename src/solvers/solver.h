// The one type-erased interface of the methods: a method owns its state and one epoch of work. Clocks, gaps, stopping and
// output belong to `run`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/rigorous/point_proof.h"

namespace seesaw {

class Archive;

// What was done since the start, and what `run` schedules checks by.
struct Work {
  double passes = 0;   // as docs/notation.md defines a pass
  double entries = 0;  // entries of A read or used, each time counted
  // The gap that a check would find now, where the method computes one: `run` then checks when it is below the tolerance,
  // and rarely before. It schedules, it proves nothing.
  std::optional<double> estimated_gap = std::nullopt;
  // Whether an epoch may run while the point of the last read() is certified; on_check() then follows that epoch, with
  // any number of threads.
  bool overlaps_checks = false;
};

// The result of a check, for the problem as posed: the best bounds so far, and the gap that ends the run.
struct Checked : Bounds {
  double target;
};

// One number of a method's state, for the trace. Names are those of the papers (tau, sigma, theta, kappa) or words:
// docs/formats.md lists them. Counts are totals since the start.
struct Diagnostic {
  std::string_view name;  // static
  double value;
};

struct Diagnostics {
  std::vector<Diagnostic> values = {};
  std::string methods = {};    // `auto`: the methods used so far, in order
  std::string selection = {};  // `auto`: why the current one was selected
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual void epoch() = 0;             // about one pass; neither throws nor prints, and allocates rarely
  virtual void read(Point& point) = 0;  // the current x, intercept and y
  virtual Work work() const = 0;        // O(1)
  // A rigorous certificate of the point of the last read(), where the method's own sums prove one without a pass.
  virtual std::optional<PointProof> proof() const { return std::nullopt; }
  // P(0) without an intercept, where the method has it without a pass.
  virtual std::optional<double> primal_at_zero() const { return std::nullopt; }
  virtual void on_check(const Checked&) {
  }  // after each check: methods that solve a smoothed problem reduce the smoothing
  virtual Diagnostics diagnostics() const { return {}; }  // O(1)
  // Saves or restores the state between two epochs (base/archive.h). A method that was constructed for the same problem
  // with the same options, and then restored, takes the same steps. Only if resumable().
  virtual void serialize(Archive&) {}
  virtual bool resumable() const { return false; }
};

// Where to start: empty parts mean the method's own start.
struct Start {
  std::vector<double> y = {};
  std::vector<double> x = {};  // for methods with their own primal point; empty: grad g*(v) of y
  std::vector<double> intercept = {0.0};
};

}  // namespace seesaw
