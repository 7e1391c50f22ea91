#include "data/compact_rows.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "data/own_rows.h"

namespace seesaw {
namespace {

enum class Rounding { none, small, too_large };

struct Narrowed {
  Buffer<float> values;
  Rounding rounding;
};

template <class Value>
Narrowed narrow(std::span<const Value> values) {
  Buffer<float> floats(values.size());
  const Chunks chunks = chunks_of(values.size(), 32768);
  std::vector<Rounding> worst(chunks.count, Rounding::none);
  parallel_chunks(chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    bool some = false, large = false;
    for (std::size_t k = begin; k < end; ++k) {
      const double value = values[k];
      floats[k] = static_cast<float>(value);
      const double error = std::abs(static_cast<double>(floats[k]) - value);
      some |= error != 0;
      large |= error > 0x1p-24 * std::abs(value);
    }
    worst[chunk] = large ? Rounding::too_large : some ? Rounding::small : Rounding::none;
  });
  return {std::move(floats), *std::max_element(worst.begin(), worst.end())};
}

template <class To, class From>
Buffer<To> copy_as(std::span<const From> from) {
  Buffer<To> to(from.size());
  parallel_chunks(chunks_of(from.size(), 32768), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) to[k] = static_cast<To>(from[k]);
  });
  return to;
}

template <class Value>
std::optional<CompactRows> compact(const SparseRows<Value>& rows) {
  const bool narrow_columns = rows.width() <= 65536;
  if (std::is_same_v<Value, float> && !narrow_columns) return std::nullopt;
  Narrowed values = narrow(rows.values());
  if (values.rounding == Rounding::too_large) return std::nullopt;
  const bool exact = values.rounding == Rounding::none;
  auto offsets = copy_as<std::uint64_t>(rows.offsets());
  const auto own = [&](auto columns) {
    return CompactRows{own_sparse_rows(rows.width(), std::move(offsets), std::move(columns), std::move(values.values)),
                       exact};
  };
  return narrow_columns ? own(copy_as<std::uint16_t>(rows.columns())) : own(copy_as<std::uint32_t>(rows.columns()));
}

template <class Value>
std::optional<CompactRows> compact(const DenseRows<Value>& rows) {
  if (std::is_same_v<Value, float>) return std::nullopt;
  Narrowed values = narrow(rows.values());
  if (values.rounding == Rounding::too_large) return std::nullopt;
  return CompactRows{own_dense_rows(rows.count(), rows.width(), std::move(values.values)),
                     values.rounding == Rounding::none};
}

}  // namespace

WorkingRows working_view(const Rows& rows) {
  return std::visit([](const auto& r) -> WorkingRows { return r; }, rows);
}

std::optional<CompactRows> compact_copy(const Rows& rows) {
  return std::visit([](const auto& r) { return compact(r); }, rows);
}

}  // namespace seesaw
