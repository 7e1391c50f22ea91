// The mean of the dual variables over the iterates, in place of the last point: over the points at the ends of passes, or
// over the points before every step, the alpha^(t-1), t = T0 + 1 .. T, of Procedure SDCA. It leaves out the first T0, or
// between a quarter and half of them (parts/dual/running_mean.h).
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/archive.h"
#include "solvers/parts/dual/running_mean.h"

namespace seesaw {

enum class Average { off, passes, steps };

struct AverageOptions {
  Average over = Average::off;
  std::optional<double> from = std::nullopt;  // T0 in passes; nullopt: the last half
};

// Over every step, at the cost of O(1) per change: y_i counts once for every step in which it stayed.
class StepMean {
 public:
  StepMean(std::size_t size, std::optional<std::uint64_t> first)
      : sum_(size),
        closed_(size),
        since_(size, first.value_or(0)),
        begin_(first.value_or(0)),
        fixed_(first.has_value()) {}

  void changed(std::size_t i, double y, std::uint64_t t) {  // in step t, the first being 0; y: before it
    if (t + 1 <= since_[i]) return;
    sum_[i] += y * static_cast<double>(t + 1 - since_[i]);
    since_[i] = t + 1;
  }

  template <class At>
  void end_pass(std::uint64_t t, const At& at) {  // after t steps, at(i): y_i
    if (fixed_ || ++passes_ != boundary_) return;
    boundary_ *= 2;
    for (std::size_t i = 0; i < sum_.size(); ++i) {
      closed_[i] = sum_[i] + at(i) * static_cast<double>(t - since_[i]);
      sum_[i] = 0;
      since_[i] = t;
    }
    begin_ = open_;
    open_ = t;
  }

  bool empty(std::uint64_t t) const { return t <= begin_; }
  template <class At>
  void read(std::vector<double>& mean, std::uint64_t t, const At& at) const {
    for (std::size_t i = 0; i < mean.size(); ++i) {
      const double stayed = t > since_[i] ? at(i) * static_cast<double>(t - since_[i]) : 0;
      mean[i] = (sum_[i] + stayed + closed_[i]) / static_cast<double>(t - begin_);
    }
  }
  void serialize(Archive& archive) {
    archive.numbers("step-mean", begin_, open_, passes_, boundary_);
    archive.rows("sums", sum_);
    archive.rows("since", since_);
    archive.rows("closed-sums", closed_);
  }

 private:
  std::vector<double> sum_, closed_;  // closed: of the window before, if the last half is averaged
  std::vector<std::uint64_t> since_;  // the first step in which y_i, as it is now, has not been added
  std::uint64_t begin_, open_ = 0;    // the first step of the mean, and of the open window
  std::uint64_t passes_ = 0, boundary_ = 1;
  bool fixed_;
};

class IterateMean {
 public:
  IterateMean(std::size_t n, const AverageOptions& options) {
    const auto whole = [](double count) { return static_cast<std::uint64_t>(std::ceil(count)); };
    const std::optional<double>& from = options.from;
    if (options.over == Average::passes)
      passes_.emplace(n, from ? std::optional<std::size_t>(whole(*from)) : std::nullopt);
    if (options.over == Average::steps)
      steps_.emplace(n, from ? std::optional(whole(*from * static_cast<double>(n))) : std::nullopt);
  }

  void changed(std::size_t i, double y, std::uint64_t t) {
    if (steps_) steps_->changed(i, y, t);
  }
  template <class At>
  void end_pass(std::uint64_t t, const At& at) {
    if (passes_) passes_->add(at);
    if (steps_) steps_->end_pass(t, at);
  }
  template <class At>
  bool read(std::vector<double>& mean, std::uint64_t t, const At& at) const {  // false if there is none yet
    if (passes_ && !passes_->empty()) passes_->read(mean);
    else if (steps_ && !steps_->empty(t)) steps_->read(mean, t, at);
    else return false;
    return true;
  }
  void serialize(Archive& archive) {
    if (passes_) passes_->serialize(archive);
    if (steps_) steps_->serialize(archive);
  }

 private:
  std::optional<RunningMean> passes_;
  std::optional<StepMean> steps_;
};

}  // namespace seesaw
