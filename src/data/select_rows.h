// A copy of a subset of the rows, in the same storage format.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.h"

namespace seesaw {

Rows select_rows(const Rows& rows, std::span<const std::uint32_t> which);
// The same rows, as a part of the data and not as data of their own: their leaves are those of the list.
Rows sample_rows(const Rows& rows, std::span<const std::uint32_t> which);
// These rows and, after them, those of `more`, of the same storage. Of rows on disk, a copy that is too large for memory is
// on disk as well.
Rows select_and_append(const Rows& rows, std::span<const std::uint32_t> which, const Rows& more);

// With the labels and weights of these rows, in ascending order of `which`.
Dataset select_rows(Dataset data, std::span<const std::uint32_t> which);
// The same in any order; a row can be listed several times.
Dataset arrange_rows(const Dataset& data, std::span<const std::uint32_t> which);

// Rows of data in memory as data of their own, without a copy of their entries.
Dataset row_range(const Dataset& data, std::size_t begin, std::size_t end);

// The data with these row weights, all >= 0 and one at least > 0. Rows of weight 0 are removed: they do not change the
// objective. Weights that are all 1 are not stored.
Dataset with_row_weights(Dataset data, std::vector<double> weights);

}  // namespace seesaw
