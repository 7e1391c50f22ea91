// Which row comes next. A sampler fills blocks of indices, so that it costs one call a block and no template parameter.
//
// The probabilities change only in feedback() and end_pass(), never in fill(): between a draw and its feedback,
// probability(row) is both that of the next draw and the one `row` was drawn with, which is what a step has to be
// weighted with. So: fill, ask, step, feed back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace seesaw {

class Sampler {
 public:
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  virtual ~Sampler() = default;

  virtual void fill(std::span<std::uint32_t> block) = 0;

  // Of the next draw being `row`; 0 for rows that are never drawn. O(1).
  virtual double probability(std::uint32_t row) const = 0;

  // How far the dual variable of a drawn row wants to move (not negative). Once a draw, 0 included.
  virtual void feedback(std::uint32_t row, double size) {
    static_cast<void>(row);
    static_cast<void>(size);
  }

  virtual void end_pass() {}

  // How many rows may be drawn at once: no draw is to come before a feedback that matters for it.
  virtual std::size_t block() const { return unlimited; }
};

}  // namespace seesaw
