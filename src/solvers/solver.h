// The one type-erased boundary: a method owns an epoch and its state, and nothing else. Clocks, gaps, stopping and
// printing are `run`'s.
#pragma once

#include "model/certificate.h"

namespace seesaw {

struct Work {
  double passes = 0;   // as docs/notation.md defines a pass
  double entries = 0;  // entries of A read or used, each time counted
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual void epoch() = 0;             // about one pass; neither throws nor prints, and allocates only now and then
  virtual void read(Point& point) = 0;  // the current x, intercept and y
  virtual Work work() const = 0;        // since the start
};

// Where to start: empty parts mean the method's own start.
struct Start {
  std::vector<double> y;
  double intercept = 0;
};

}  // namespace seesaw
