// The mean of a vector over at least the last half of its history, for a history of unknown length: sums over dyadic
// windows, the older of two dropped whenever the count doubles. Or over all of it except the first vectors.
#pragma once

#include <bit>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/archive.h"

namespace seesaw {

class RunningMean {
 public:
  explicit RunningMean(std::size_t size, std::optional<std::size_t> skip = std::nullopt)
      : closed_(size, 0.0), open_(size, 0.0), skip_(skip) {}

  // The number of first vectors that the mean of `seen` vectors leaves out: between a quarter and half of them.
  static std::size_t left_out(std::size_t seen) { return std::bit_floor(seen) / 2; }

  template <class At>
  void add(const At& at) {  // at(i): entry i of the newest vector
    ++seen_;
    if (skip_ && seen_ <= *skip_) return;
    ++in_open_;
    for (std::size_t i = 0; i < open_.size(); ++i) open_[i] += at(i);
    if (skip_ || seen_ != boundary_) return;
    boundary_ *= 2;
    closed_.swap(open_);
    in_closed_ = in_open_;
    in_open_ = 0;
    open_.assign(open_.size(), 0.0);
  }

  void read(std::vector<double>& mean) const {
    const double count = static_cast<double>(in_closed_ + in_open_);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = (closed_[i] + open_[i]) / count;
  }
  bool empty() const { return in_closed_ + in_open_ == 0; }
  void serialize(Archive& archive) {
    archive.numbers("mean", seen_, in_closed_, in_open_, boundary_);
    archive.rows("closed", closed_);
    archive.rows("open", open_);
  }

 private:
  std::vector<double> closed_, open_;
  std::optional<std::size_t> skip_;
  std::size_t seen_ = 0, in_closed_ = 0, in_open_ = 0, boundary_ = 1;
};

}  // namespace seesaw
