#include "data/gathered_rows.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "data/resident.h"

namespace seesaw {
namespace {

// Addresses for an array of the full size, of which only pages that are written have memory.
template <class T>
class SparseArray {
 public:
  explicit SparseArray(std::size_t size) : size_(size) {
    void* const begin = mmap(nullptr, std::max<std::size_t>(bytes(), 1), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin == MAP_FAILED) throw std::bad_alloc();
    madvise(begin, bytes(), MADV_NOHUGEPAGE);
    data_ = static_cast<T*>(begin);
  }
  ~SparseArray() { munmap(data_, std::max<std::size_t>(bytes(), 1)); }
  SparseArray(const SparseArray&) = delete;
  SparseArray& operator=(const SparseArray&) = delete;

  T* data() { return data_; }
  std::span<const T> span() const { return {data_, size_}; }

 private:
  std::size_t bytes() const { return size_ * sizeof(T); }
  std::size_t size_;
  T* data_;
};

// Selected rows contiguous, the others empty.
template <class Value>
std::optional<Rows> gathered(const SparseRows<Value>& rows, std::span<const std::uint32_t> which, std::size_t most) {
  struct Arrays {
    std::vector<std::uint64_t> offsets;
    SparseArray<std::uint32_t> columns;
    SparseArray<Value> values;
    Arrays(std::size_t n, std::size_t entries) : offsets(n + 1), columns(entries), values(entries) {}
  };
  std::size_t entries = 0;
  for (const std::uint32_t i : which) entries += rows.entries(i);
  if (entries * (sizeof(std::uint32_t) + sizeof(Value)) + rows.offsets().size_bytes() > most) return std::nullopt;
  auto arrays = std::make_shared<Arrays>(rows.count(), rows.entries());
  for (const std::uint32_t i : which) arrays->offsets[i + 1] = rows.entries(i);
  for (std::size_t i = 0; i < rows.count(); ++i) arrays->offsets[i + 1] += arrays->offsets[i];
  resident(rows, which, 0, which.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      const auto row = rows.row(which[k]);
      std::copy_n(row.column, row.size, arrays->columns.data() + arrays->offsets[which[k]]);
      std::copy_n(row.value, row.size, arrays->values.data() + arrays->offsets[which[k]]);
    }
  });
  return SparseRows<Value>(rows.width(), arrays->offsets, arrays->columns.span(), arrays->values.span(), arrays,
                           rows.leaves());
}

// Selected rows at their places: the pages that they are on have memory.
template <class Value>
std::optional<Rows> gathered(const DenseRows<Value>& rows, std::span<const std::uint32_t> which, std::size_t most) {
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), bytes = rows.width() * sizeof(Value);
  std::size_t pages = 0, next = 0;  // next: the first page that is not counted
  for (const std::uint32_t i : which) {
    const std::size_t first = std::max(next, i * bytes / page), end = ((i + 1) * bytes + page - 1) / page;
    pages += end - std::min(first, end);
    next = std::max(next, end);
  }
  if (pages * page > most) return std::nullopt;
  auto values = std::make_shared<SparseArray<Value>>(rows.entries());
  resident(rows, which, 0, which.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k)
      std::copy_n(rows.row(which[k]).value, rows.width(), values->data() + which[k] * rows.width());
  });
  return DenseRows<Value>(rows.count(), rows.width(), values->span(), values, rows.leaves());
}

}  // namespace

std::optional<Rows> gathered_rows(const Rows& rows, std::span<const std::uint32_t> which) {
  const Extents* const extents = extents_of(rows);
  if (extents == nullptr) return std::nullopt;
  return std::visit([&](const auto& a) { return gathered(a, which, extents->budget()->copies); }, rows);
}

}  // namespace seesaw
