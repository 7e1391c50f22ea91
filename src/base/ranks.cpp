#include "base/ranks.h"

#include <algorithm>
#include <cstring>

namespace seesaw {

void Ranks::exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) {
  for (const Outgoing& block : outgoing) counts_.bytes += block.bytes;
  counts_.messages += outgoing.size();
  transfer(outgoing, incoming);
}

void Ranks::send(int to, const void* data, std::size_t bytes) {
  const Outgoing block{to, data, bytes};
  exchange({&block, 1}, {});
}

void Ranks::receive(int from, void* data, std::size_t bytes) {
  const Incoming block{from, data, bytes};
  exchange({}, {&block, 1});
}

// A binomial tree: in the round of width w, the ranks below w (counted from the root) send to those w above.
void Ranks::broadcast(int root, void* data, std::size_t bytes) {
  ++counts_.operations;
  if (bytes == 0) return;
  const int all = size(), own = (rank() - root + all) % all;
  for (int width = 1; width < all; width *= 2) {
    if (own < width) {
      if (own + width < all) send((own + width + root) % all, data, bytes);
    } else if (own < 2 * width) {
      receive((own - width + root) % all, data, bytes);
    }
  }
}

// In the round of width w, every rank has the blocks of the w ranks from its own on, and receives those of the next w.
void Ranks::gather(const void* own, std::size_t bytes, void* all) {
  ++counts_.operations;
  const auto count = static_cast<std::size_t>(size()), here = static_cast<std::size_t>(rank());
  std::vector<std::byte> blocks(count * bytes);
  if (bytes > 0) std::memcpy(blocks.data(), own, bytes);
  for (std::size_t width = 1; width < count; width *= 2) {
    const std::size_t next = std::min(width, count - width);
    const Outgoing out{static_cast<int>((here + count - width) % count), blocks.data(), next * bytes};
    const Incoming in{static_cast<int>((here + width) % count), blocks.data() + width * bytes, next * bytes};
    exchange({&out, 1}, {&in, 1});
  }
  auto* const to = static_cast<std::byte*>(all);
  for (std::size_t k = 0; k < count && bytes > 0; ++k)
    std::memcpy(to + (here + k) % count * bytes, blocks.data() + k * bytes, bytes);
}

// A ring: in every round each rank passes on the block that it received in the round before.
void Ranks::complete(std::span<const std::size_t> bounds, void* all) {
  ++counts_.operations;
  const auto count = static_cast<std::size_t>(size()), here = static_cast<std::size_t>(rank());
  auto* const base = static_cast<std::byte*>(all);
  const auto bytes = [&](std::size_t of) { return bounds[of + 1] - bounds[of]; };
  for (std::size_t round = 0; round + 1 < count; ++round) {
    const std::size_t given = (here + count - round) % count, taken = (here + count - round - 1) % count;
    const Outgoing out{static_cast<int>((here + 1) % count), base + bounds[given], bytes(given)};
    const Incoming in{static_cast<int>((here + count - 1) % count), base + bounds[taken], bytes(taken)};
    exchange({&out, bytes(given) > 0 ? 1U : 0U}, {&in, bytes(taken) > 0 ? 1U : 0U});
  }
}

// Up a binomial tree to rank 0, and back.
void Ranks::add_up(std::vector<std::uint32_t>& numbers) {
  const std::size_t bytes = numbers.size() * sizeof(std::uint32_t);
  std::vector<std::uint32_t> received(numbers.size());
  for (int width = 1; width < size(); width *= 2) {
    if (rank() % (2 * width) == width) {
      send(rank() - width, numbers.data(), bytes);
      break;
    }
    if (rank() + width >= size()) continue;
    receive(rank() + width, received.data(), bytes);
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] += received[k];
  }
  broadcast(0, numbers.data(), bytes);
}

}  // namespace seesaw
