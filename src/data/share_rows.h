// The rows of a data set, divided among the processes of a run (base/ranks.h): every rank has a contiguous range of leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/ranks.h"
#include "data/dataset.h"

namespace seesaw {

// The first leaf of each rank, and the number of leaves: about the same number per rank. Borders are multiples of a power
// of two, at most an eighth of what a rank has, so that few subtrees per rank remain to be joined; and borders of the
// groups of leaves_for_vectors where a rank has at least two of them. Dense rows always have those: their products add
// blocks of rows, which are not divided (kernels/table.h).
std::vector<std::size_t> divide_leaves(std::size_t leaves, std::size_t leaves_per_group, bool dense, std::size_t ranks);

// The leaves of this rank, of rows that all ranks can look up: entries_before(i) of the rows before row i, 0 <= i <= rows.
// It is called for O((leaves of this rank + ranks) log(rows)) rows.
struct RowSizes {
  std::size_t rows, entries, width;
  bool dense, weighted;
  std::function<std::size_t(std::size_t)> entries_before;
};
std::shared_ptr<const Leaves> leaves_of_share(const RowSizes& sizes, Ranks& ranks);

// The rows of this rank of a data set that all ranks have read. Copied: the whole can be released.
Dataset own_share(const Dataset& whole, Ranks& ranks);

// Rows that are in the order of the ranks, with leaves of their own: moved between neighbouring ranks to the borders of the
// leaves of the whole. `nnz`, d and the storage are already those of the whole.
Dataset settle_shares(Dataset data, Ranks& ranks);

// content_hash of a data set that all ranks have read: each hashes a part of it.
std::uint64_t content_hash(const Dataset& whole, Ranks& ranks);

// The same of rows that are divided among the ranks: up to 255 rows move to the rank in which their leaf begins.
std::uint64_t content_hash_of_shares(const Dataset& data);
// The hashes of `count` leaves of hash_leaf_rows rows, from a row on.
std::vector<std::uint64_t> leaf_hashes_from(const Dataset& data, std::size_t row, std::size_t count);

// The rank of this process, of rows that are divided.
std::size_t rank_of(const Leaves& leaves);

// The numbers of all rows on rank 0, in their order; empty elsewhere. `per_row` numbers per row.
std::vector<double> collect_rows(const Shares& shares, std::vector<double> own, std::size_t per_row);
// The numbers of the rows of this rank, of those of all rows.
std::vector<double> rows_of_rank(const Leaves& leaves, const std::vector<double>& all, std::size_t per_row);

// Throws Error on all ranks unless the file has the same hash on each: processes on several hosts may open other copies.
void require_equal_copies(const std::string& path, std::uint64_t hash, Ranks& ranks);

}  // namespace seesaw
