// The columns of A, for methods that draw features as well as rows: A^T, stored as rows of the same storage.
#pragma once

#include <mutex>
#include <optional>

#include "data/rows.h"

namespace seesaw {

// A^T: column j of A is row j of it, its entries in the order of the rows of A. Two passes over the entries.
Rows transpose(const Rows& rows);

// A^T of one matrix, computed at the first call and kept. Thread-safe.
class ColumnCache {
 public:
  const Rows& of(const Rows& rows) {
    std::call_once(made_, [&] { columns_ = transpose(rows); });
    return *columns_;
  }

 private:
  std::once_flag made_;
  std::optional<Rows> columns_;
};

}  // namespace seesaw
