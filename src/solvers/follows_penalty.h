// Methods that can follow a path: when the penalty of their problem changes, x and everything that depends on the data
// alone is kept. The problem they were made for is changed in place by its owner.
#pragma once

#include <vector>

namespace seesaw {

class FollowsPenalty {
 public:
  virtual ~FollowsPenalty() = default;
  virtual void penalty_changed() = 0;  // between two epochs: l1 and lambda of the problem have new values
  virtual double primal() = 0;         // P at the current x
  // A x + b at the x of read(), with the bits of multiply(); null where the method does not have it.
  virtual const std::vector<double>* scores() { return nullptr; }
};

}  // namespace seesaw
