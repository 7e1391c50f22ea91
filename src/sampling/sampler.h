// Which row comes next. A sampler fills blocks of indices, so that it costs one call a block and no template parameter.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"

namespace seesaw {

class Sampler {
 public:
  virtual ~Sampler() = default;
  virtual void fill(std::span<std::uint32_t> block) = 0;
  virtual double probability(std::uint32_t row) const = 0;  // of the next draw being `row`, before anything is drawn
};

// Draws with replacement, every listed row with the same probability.
class UniformSampler final : public Sampler {
 public:
  UniformSampler(std::vector<std::uint32_t> rows, Rng rng);
  void fill(std::span<std::uint32_t> block) override;
  double probability(std::uint32_t row) const override;

 private:
  std::vector<std::uint32_t> rows_;
  Rng rng_;
};

// Without replacement: a fresh random order of the listed rows for every pass, one pass behind another.
class ShuffledSampler final : public Sampler {
 public:
  ShuffledSampler(std::vector<std::uint32_t> rows, Rng rng);
  void fill(std::span<std::uint32_t> block) override;
  double probability(std::uint32_t row) const override;

 private:
  std::vector<std::uint32_t> rows_;
  std::size_t next_;
  Rng rng_;
};

}  // namespace seesaw
