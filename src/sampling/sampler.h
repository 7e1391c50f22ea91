// Chooses the next rows. A sampler fills blocks of indices: one virtual call per block, no template parameter.
//
// The probabilities change only in feedback() and end_pass(), never in fill(): between a draw and its feedback,
// probability(row) is both that of the next draw and the one with which `row` was drawn, by which a step must be
// weighted. Order of calls: fill, probability, step, feedback.
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

  // The probability that the next draw is `row`; 0 for rows that are never drawn. O(1).
  virtual double probability(std::uint32_t row) const = 0;

  // The size >= 0 of the undamped change of a drawn row's dual variable. Called once per draw, also for size 0.
  virtual void feedback(std::uint32_t row, double size) {
    static_cast<void>(row);
    static_cast<void>(size);
  }

  virtual void end_pass() {}

  // The maximal number of rows per fill(): no row may be drawn before a feedback that changes its probability.
  virtual std::size_t block() const { return unlimited; }
};

}  // namespace seesaw
