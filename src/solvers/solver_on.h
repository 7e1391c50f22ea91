// A method together with what it works on, which must outlive it: another form of the problem. All calls are passed on.
#pragma once

#include <memory>
#include <utility>

#include "solvers/solver.h"

namespace seesaw {

template <class Owned>
class SolverOn : public Solver {
 public:
  SolverOn(std::unique_ptr<Owned> owned, std::unique_ptr<Solver> method)
      : owned_(std::move(owned)), method_(std::move(method)) {}

  void epoch() override { method_->epoch(); }
  void read(Point& point) override { method_->read(point); }
  Work work() const override { return method_->work(); }
  void on_check(const Checked& checked) override { method_->on_check(checked); }
  Diagnostics diagnostics() const override { return method_->diagnostics(); }
  bool resumable() const override { return method_->resumable(); }
  void serialize(Archive& archive) override { method_->serialize(archive); }

 protected:
  const Owned& owned() const { return *owned_; }

 private:
  std::unique_ptr<Owned> owned_;
  std::unique_ptr<Solver> method_;
};

}  // namespace seesaw
