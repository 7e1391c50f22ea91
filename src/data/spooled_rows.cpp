#include "data/spooled_rows.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/buffer.h"
#include "data/resident.h"
#include "data/spool.h"

namespace seesaw {
namespace {

class SpoolReader final : public ExtentReader {
 public:
  SpoolReader(const std::string& beside, std::shared_ptr<ExtentBudget> budget)
      : columns(beside), values(beside), budget_(std::move(budget)) {}

  void read(std::size_t extent, void* to_columns, void* to_values) override {
    if (column_bytes > 0) load(columns, extent, column_bytes, to_columns);
    load(values, extent, value_bytes, to_values);
  }

  Spool columns, values;
  std::size_t column_bytes = 0, value_bytes = 0;

 private:
  void load(const Spool& from, std::size_t extent, std::size_t bytes, void* to) {
    budget_->bytes_read += from.load(extent * extent_entries * bytes, to, extent_entries * bytes);
  }
  std::shared_ptr<ExtentBudget> budget_;
};

struct SpooledOwner {
  Buffer<std::uint64_t> offsets;
  std::shared_ptr<Extents> extents;
};

template <class RowsOf>
std::optional<Rows> spooled(const RowsOf& rows, std::span<const std::uint32_t> which, const RowsOf* more) {
  using Value = typename RowsOf::Value;
  constexpr bool sparse = requires { rows.offsets(); };
  Extents* const source = extents_of(rows);
  if (source == nullptr) return std::nullopt;
  std::size_t entries = 0, longest = 0;
  for (const std::uint32_t i : which) {
    entries += rows.entries(i);
    longest = std::max(longest, rows.entries(i));
  }
  const std::size_t added = more == nullptr ? 0 : more->count();
  for (std::size_t i = 0; i < added; ++i) {
    entries += more->entries(i);
    longest = std::max(longest, more->entries(i));
  }
  const EntryBytes bytes{entries, sparse ? sizeof(std::uint32_t) : 0, sizeof(Value)};
  if (bytes.total() <= source->budget()->copies || source->budget()->folder.empty()) return std::nullopt;

  const auto reader = std::make_shared<SpoolReader>(source->budget()->folder, source->budget());
  reader->column_bytes = bytes.column;
  reader->value_bytes = bytes.value;
  auto owner = std::make_shared<SpooledOwner>();
  owner->offsets.push_back(0);
  const auto append = [&](const auto& row) {
    if constexpr (sparse) {
      reader->columns.append(row.column, row.size * sizeof *row.column);
      owner->offsets.push_back(owner->offsets[owner->offsets.size() - 1] + row.size);
    }
    reader->values.append(row.value, row.size * sizeof *row.value);
  };
  resident(rows, which, 0, which.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) append(rows.row(which[k]));
  });
  for (std::size_t i = 0; i < added; ++i) append(more->row(i));
  reader->columns.flush();
  reader->values.flush();
  owner->extents = std::make_shared<Extents>(bytes, longest, reader, source->budget());
  const std::span values(static_cast<const Value*>(owner->extents->values()), entries);
  if constexpr (sparse) {
    const std::span columns(static_cast<const std::uint32_t*>(owner->extents->columns()), entries);
    return SparseRows<Value>(rows.width(), owner->offsets.span(), columns, values, owner);
  } else {
    return DenseRows<Value>(which.size() + added, rows.width(), values, owner);
  }
}

}  // namespace

std::optional<Rows> spooled_rows(const Rows& rows, std::span<const std::uint32_t> which, const Rows* more) {
  return std::visit(
      [&]<class RowsOf>(const RowsOf& a) {
        return spooled(a, which, more == nullptr ? nullptr : &std::get<RowsOf>(*more));
      },
      rows);
}

}  // namespace seesaw
