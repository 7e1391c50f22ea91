// Extents: the entries of rows that are larger than memory. The columns and values have their places in two reserved
// ranges of addresses, so that the views of data/rows.h point to them as to any array; extent k has the entries
// [k extent_entries, (k + 1) extent_entries). An extent that is not resident cannot be accessed at all (PROT_NONE): an
// access outside of resident() of data/resident.h ends the program instead of reading the file page by page.
//
// Threads of its own read, with read-ahead. The memory of resident extents never exceeds the budget. Some extents stay
// resident once they were read, as many as the budget has beyond a window that moves over the others: of repeated passes
// in the order of the rows, which read nothing twice, this one reads the least. They are spread over all extents, so that
// the disk is busy for the whole pass.
//
// Memory per extent: 256 KB of columns (none for dense rows), 256 KB (float) or 512 KB (double) of values. That is long
// enough to be read at the full rate of a disk, short enough that a budget of 16 MB has twenty, and a whole number of pages.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "data/rows.h"

namespace seesaw {

inline constexpr std::size_t extent_entries = std::size_t{1} << 16;
inline constexpr const char* disk_thread_name = "seesaw-disk";  // of the threads that read

struct EntryBytes {
  std::size_t entries;
  std::size_t column, value;  // bytes of one; column = 0: dense rows

  std::size_t extents() const { return (entries + extent_entries - 1) / extent_entries; }
  std::size_t per_extent() const { return extent_entries * (column + value); }
  std::size_t total() const { return entries * (column + value); }
};

// Writes the entries of an extent to memory. Called by several threads of one Extents at a time, for different extents.
// Throws Error.
class ExtentReader {
 public:
  virtual ~ExtentReader() = default;
  virtual void read(std::size_t extent, void* columns, void* values) = 0;
};

class Extents;

// The memory for resident extents, shared by all views of one file (the data as stored, and scaled). Views are used one
// after another: the first hold of another view drops the extents of the one before.
struct ExtentBudget {
  explicit ExtentBudget(std::size_t most) : bytes(most) {}

  const std::size_t bytes;
  std::size_t file_bytes = 0;  // of all entries as they are stored
  // The memory for the rows as the options determine it, whatever memory and threads the program has: what may decide
  // a result.
  std::size_t nominal = 0;
  std::size_t copies = 0;  // bytes that a copy of a part of the rows may have in memory, beside the extents
  std::string folder;      // for larger copies: the path of the file
  std::uint64_t hash = 0;  // content_hash of the data, with the weights of the file
  std::atomic<std::uint64_t> bytes_read = 0;
  std::atomic<std::uint64_t> read_nanoseconds = 0;  // at least one thread was reading
  std::atomic<std::uint64_t> wait_nanoseconds = 0;  // summed over the threads that waited for them
  std::mutex mutex;
  std::atomic<Extents*> active = nullptr;
};

class Extents {
 public:
  // longest_row: entries of the longest row, which has to be resident at once. skew: the entries of the first extent that
  // come before the rows, where these are a part of a file; the last extent may have entries after them. Throws Error if
  // the budget is below least_bytes().
  Extents(EntryBytes bytes, std::size_t longest_row, std::shared_ptr<ExtentReader> reader,
          std::shared_ptr<ExtentBudget> budget, std::size_t skew = 0);
  ~Extents();
  Extents(const Extents&) = delete;
  Extents& operator=(const Extents&) = delete;

  // The least budget: one range of rows per thread, and one extent of read-ahead.
  static std::size_t least_bytes(EntryBytes bytes, std::size_t longest_row);

  // Waits until the extents first .. last are resident, and keeps them so until release(). `next`: the extents that are
  // needed after these, to be read ahead: {last + 1, all that follow} or a certain range; empty: none.
  struct Range {
    std::size_t begin, end;
  };
  void hold(Range range, Range next);
  void release(Range range);
  // Reads the range when nothing else is to be read and the budget allows it.
  void read_ahead(Range range);
  // For passes in random order: no extent stays resident for its number, all memory is for those that were used last.
  // Not while extents are held.
  void keep_none();

  EntryBytes bytes() const { return bytes_; }
  std::size_t skew() const { return skew_; }
  std::size_t file_bytes() const {  // at least 1
    return budget_->file_bytes > 0 ? budget_->file_bytes : std::max<std::size_t>(bytes_.total(), 1);
  }
  std::size_t longest_row() const { return longest_row_; }
  const std::shared_ptr<ExtentReader>& reader() const { return reader_; }
  const std::shared_ptr<ExtentBudget>& budget() const { return budget_; }
  // Of the first entry of the rows.
  const void* columns() const { return columns_ + skew_ * bytes_.column; }
  const void* values() const { return values_ + skew_ * bytes_.value; }
  std::size_t resident() const;  // extents, for tests

 private:
  enum class State : std::uint8_t { absent, requested, taken, reading, resident, failed };
  struct Extent {
    State state = State::absent;
    bool used = false;
    std::uint32_t holders = 0;
    std::uint64_t last_use = 0;  // in reads
  };

  void work();
  bool make_room(std::size_t wanted);
  std::size_t not_held(Range range) const;
  void drop(std::size_t extent);
  void drop_all();
  bool keeps(std::size_t extent) const {  // kept_ of all, at equal distances
    return (extent + 1) * kept_ / extents_.size() > extent * kept_ / extents_.size();
  }
  bool recently_used(std::size_t extent) const;
  struct Place {
    char* begin;
    std::size_t size;
  };
  Place columns_of(std::size_t extent) const;
  Place values_of(std::size_t extent) const;

  EntryBytes bytes_;
  std::size_t longest_row_, skew_;
  std::shared_ptr<ExtentReader> reader_;
  std::shared_ptr<ExtentBudget> budget_;
  std::size_t kept_;    // extents that are never dropped
  std::size_t window_;  // the most that are resident of the others
  std::size_t ahead_;   // extents of read-ahead per hold
  char *columns_ = nullptr, *values_ = nullptr;
  std::size_t column_range_ = 0, value_range_ = 0;  // bytes

  mutable std::mutex mutex_;
  std::condition_variable wanted_, changed_;
  std::vector<Extent> extents_;
  std::vector<std::size_t> in_window_;  // resident or being read, beyond the kept ones
  std::deque<std::size_t> demanded_, read_ahead_;
  std::size_t held_ = 0;  // extents of the window that are held, resident or not yet
  std::uint64_t reads_ = 0;
  std::size_t reading_ = 0;  // threads
  std::chrono::steady_clock::time_point reading_since_;
  bool stop_ = false;
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

// The extents that an array belongs to; null: it is in memory.
Extents* extents_at(const void* values);

template <class RowsOf>
Extents* extents_of(const RowsOf& rows) {
  return extents_at(rows.values().data());
}
inline Extents* extents_of(const Rows& rows) {
  return std::visit([](const auto& a) { return extents_at(a.values().data()); }, rows);
}

}  // namespace seesaw
