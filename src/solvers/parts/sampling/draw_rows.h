// A sequence of steps on drawn rows. Rows are visited in random order, so the next ones are prefetched. Returns false if
// stopped early. `work`: cost of a step, in entries read.
#pragma once

#include <cstdint>
#include <vector>

#include "base/stop.h"
#include "sampling/sampler.h"

namespace seesaw {

template <class Fetch, class Step>
bool draw_rows(Sampler& sampler, std::vector<std::uint32_t>& order, std::size_t count, double work, const Fetch& fetch,
               const Step& step) {
  constexpr std::size_t ahead = 4;
  StopPoll stop(work);
  order.resize(count);
  sampler.fill(order);
  for (std::size_t k = 0; k < count; ++k) {
    if (k + ahead < count) fetch(order[k + ahead]);
    step(order[k]);
    if (stop.requested()) return false;
  }
  return true;
}

}  // namespace seesaw
