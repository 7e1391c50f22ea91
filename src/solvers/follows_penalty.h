// Methods that can follow a path: when the penalty of their problem changes, x and everything that depends on the data
// alone is kept. The problem they were made for is changed in place by its owner.
#pragma once

namespace seesaw {

class FollowsPenalty {
 public:
  virtual ~FollowsPenalty() = default;
  virtual void penalty_changed() = 0;  // between two epochs: l1 and lambda of the problem have new values
  virtual double primal() = 0;         // P at the current x
};

}  // namespace seesaw
