// A run of steps, one drawn row each. Rows come at random, so the next ones are fetched ahead.
#pragma once

#include <cstdint>
#include <vector>

#include "sampling/sampler.h"

namespace seesaw {

template <class Fetch, class Step>
void draw_rows(Sampler& sampler, std::vector<std::uint32_t>& order, std::size_t count, const Fetch& fetch,
               const Step& step) {
  constexpr std::size_t ahead = 4;
  order.resize(count);
  sampler.fill(order);
  for (std::size_t k = 0; k < count; ++k) {
    if (k + ahead < count) fetch(order[k + ahead]);
    step(order[k]);
  }
}

}  // namespace seesaw
