#include "data/extents.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <shared_mutex>
#include <system_error>
#include <utility>

#include "base/threads.h"
#include "data/norms_on_disk.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

constexpr std::size_t least_ahead = 2, most_ahead = 4;  // extents per thread
constexpr std::size_t readers = 4;                      // threads: a disk is faster with more than one request
constexpr std::size_t window_per_reader = 4;  // with fewer extents, what is read ahead would be dropped unused

std::size_t whole_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

// Addresses without access and without memory.
char* reserve(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* const begin = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) throw std::bad_alloc();
  return static_cast<char*>(begin);
}

void allow(const auto& place) {
  if (place.size == 0) return;
  if (mprotect(place.begin, place.size, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  madvise(place.begin, place.size, MADV_NOHUGEPAGE);  // a large page would be shared by extents
#ifdef MADV_POPULATE_WRITE  // all pages at once: a fault per page costs more than the copy. Linux 5.14; ignored before
  madvise(place.begin, place.size, MADV_POPULATE_WRITE);
#endif
}

// As reserve() made it. The system joins a new mapping with its neighbours, but not one that had memory: the number of
// mappings of a process is limited.
void forbid(const auto& place) {
  if (place.size == 0) return;
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (mmap(place.begin, place.size, PROT_NONE, flags, -1, 0) == MAP_FAILED) throw std::bad_alloc();
}

// Moves the memory of one place to another, reserved one: new pages cost more than reading into them. False: that is not
// possible (other sizes; before Linux 5.7), and the memory is gone.
bool move_memory(const auto& from, const auto& to) {
  bool moved = false;
#ifdef MREMAP_DONTUNMAP  // otherwise another mapping could take the addresses before they are reserved again
  moved =
      from.size == to.size && to.size > 0 &&
      mremap(from.begin, to.size, to.size, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to.begin) != MAP_FAILED;
#endif
  forbid(from);
  return moved;
}

std::uint64_t nanoseconds_since(std::chrono::steady_clock::time_point start) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count());
}

// The rows that begin in an extent end in it or, if they are longer, in one of those that follow.
std::size_t extents_per_hold(std::size_t longest_row) { return 2 + (longest_row - 1) / extent_entries; }

struct Registry {
  std::atomic<std::size_t> count = 0;
  std::shared_mutex mutex;
  struct Entry {
    const char* values;
    Extents* extents;
    std::shared_ptr<NormsOnDisk> norms;
  };
  std::vector<Entry> all;
};
Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace

std::size_t Extents::least_bytes(EntryBytes bytes, std::size_t longest_row) {
  const std::size_t least =
      available_threads() * (extents_per_hold(std::max<std::size_t>(longest_row, 1)) + least_ahead) + 1;
  return std::min(least, bytes.extents()) * bytes.per_extent();
}

Extents::Extents(EntryBytes bytes, std::size_t longest_row, std::shared_ptr<ExtentReader> reader,
                 std::shared_ptr<ExtentBudget> budget, std::size_t skew)
    : bytes_(bytes),
      longest_row_(std::max<std::size_t>(longest_row, 1)),
      skew_(skew),
      reader_(std::move(reader)),
      budget_(std::move(budget)),
      column_range_(whole_pages(bytes.entries * bytes.column)),
      value_range_(
          whole_pages(std::max<std::size_t>(bytes.entries, 1) * bytes.value)),  // an address, without entries too
      extents_(bytes.extents()) {
  const std::size_t least = least_bytes(bytes_, longest_row_);
  if (budget_->bytes < least)
    throw Error(fmt::format("{} bytes of memory for the rows are too few; {} are the least.", budget_->bytes, least));
  const std::size_t capacity = budget_->bytes / bytes_.per_extent(), threads = available_threads(),
                    held = extents_per_hold(longest_row_);
  ahead_ = std::clamp<std::size_t>(capacity / threads, held + least_ahead, held + most_ahead) - held;
  window_ = std::min(capacity, threads * (held + ahead_) + 1);
  kept_ = std::min(capacity - window_, extents_.size());
  columns_ = reserve(column_range_);
  values_ = reserve(value_range_);
  try {
    const std::size_t most = std::clamp<std::size_t>(window_ / window_per_reader, 1, readers);
    while (threads_.size() < std::min(most, extents_.size())) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    if (threads_.empty()) throw;  // fewer read as well
  }
  const std::unique_lock lock(registry().mutex);
  registry().all.push_back({static_cast<const char*>(values()), this, std::make_shared<NormsOnDisk>()});
  ++registry().count;
}

Extents::~Extents() {
  {
    const std::unique_lock lock(registry().mutex);
    std::erase_if(registry().all, [&](const auto& entry) { return entry.extents == this; });
    --registry().count;
  }
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wanted_.notify_all();
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  {
    const std::lock_guard lock(budget_->mutex);
    if (budget_->active == this) budget_->active = nullptr;
  }
  if (columns_ != nullptr) munmap(columns_, column_range_);
  if (values_ != nullptr) munmap(values_, value_range_);
}

Extents* extents_at(const void* values) {
  Registry& all = registry();
  if (all.count.load(std::memory_order_acquire) == 0) return nullptr;
  const std::shared_lock lock(all.mutex);
  for (const Registry::Entry& entry : all.all)
    if (entry.values == values && entry.values != nullptr) return entry.extents;
  return nullptr;
}

std::shared_ptr<NormsOnDisk> norms_on_disk(const Extents* extents) {
  if (extents == nullptr) return nullptr;
  const std::shared_lock lock(registry().mutex);
  for (const Registry::Entry& entry : registry().all)
    if (entry.extents == extents) return entry.norms;
  return nullptr;
}

Extents::Place Extents::columns_of(std::size_t extent) const {
  const std::size_t begin = extent * extent_entries * bytes_.column;
  return {columns_ + begin, std::min(extent_entries * bytes_.column, column_range_ - begin)};
}

Extents::Place Extents::values_of(std::size_t extent) const {
  const std::size_t begin = extent * extent_entries * bytes_.value;
  return {values_ + begin, std::min(extent_entries * bytes_.value, value_range_ - begin)};
}

std::size_t Extents::resident() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::count_if(extents_.begin(), extents_.end(),
                                                [](const Extent& extent) { return extent.state == State::resident; }));
}

// Within half of a pass: reading it ahead would be for the next pass.
bool Extents::recently_used(std::size_t extent) const {
  return extents_[extent].used && reads_ - extents_[extent].last_use < (extents_.size() - kept_) / 2;
}

void Extents::hold(Range range, Range next) {
  if (budget_->active != this) {
    const std::lock_guard lock(budget_->mutex);
    Extents* const before = budget_->active;
    if (before != this) {
      if (before != nullptr) before->drop_all();
      budget_->active = this;
    }
  }
  std::unique_lock lock(mutex_);
  // More threads than the window is made for: some wait here, without a part of it.
  changed_.wait(lock, [&] { return error_ || held_ + not_held(range) <= window_; });
  held_ += not_held(range);
  bool complete = true;
  for (std::size_t e = range.begin; e < range.end; ++e) {
    Extent& extent = extents_[e];
    ++extent.holders;
    if (extent.state == State::resident) continue;
    complete = false;
    if (extent.state == State::taken || extent.state == State::reading) continue;
    extent.state = State::requested;
    demanded_.push_back(e);
  }
  if (next.begin < next.end && next.begin <= range.end) next = {range.end, extents_.size()};  // what follows
  const std::size_t last = std::min(next.begin + ahead_, next.end);
  for (std::size_t e = next.begin; e < last; ++e)
    if (extents_[e].state == State::absent && !recently_used(e)) {
      extents_[e].state = State::requested;
      read_ahead_.push_back(e);
    }
  if (const std::size_t more = demanded_.size() + read_ahead_.size(); more > 1) wanted_.notify_all();
  else if (more == 1) wanted_.notify_one();
  if (!complete) {
    const auto start = std::chrono::steady_clock::now();
    changed_.wait(lock, [&] {
      return error_ || std::all_of(extents_.begin() + static_cast<std::ptrdiff_t>(range.begin),
                                   extents_.begin() + static_cast<std::ptrdiff_t>(range.end),
                                   [](const Extent& extent) { return extent.state == State::resident; });
    });
    budget_->wait_nanoseconds += nanoseconds_since(start);
  }
  if (error_) {
    for (std::size_t e = range.begin; e < range.end; ++e) --extents_[e].holders;
    held_ -= not_held(range);
    std::rethrow_exception(error_);
  }
}

void Extents::release(Range range) {
  const std::lock_guard lock(mutex_);
  bool free = false;
  for (std::size_t e = range.begin; e < range.end; ++e) {
    free = --extents_[e].holders == 0 || free;
    extents_[e].used = true;
    extents_[e].last_use = reads_;
  }
  held_ -= not_held(range);
  if (free) changed_.notify_all();
}

// Extents of the window.
std::size_t Extents::not_held(Range range) const {
  std::size_t count = 0;
  for (std::size_t e = range.begin; e < range.end; ++e) count += !keeps(e) && extents_[e].holders == 0;
  return count;
}

void Extents::read_ahead(Range range) {
  const std::lock_guard lock(mutex_);
  for (std::size_t e = range.begin; e < range.end; ++e)
    if (extents_[e].state == State::absent) {
      extents_[e].state = State::requested;
      read_ahead_.push_back(e);
    }
  wanted_.notify_all();
}

void Extents::keep_none() {
  drop_all();
  const std::lock_guard lock(mutex_);
  kept_ = 0;
  window_ = budget_->bytes / bytes_.per_extent();
}

void Extents::drop(std::size_t extent) {
  forbid(columns_of(extent));
  forbid(values_of(extent));
  extents_[extent].state = State::absent;
}

// Another view begins: no extent of this one remains.
void Extents::drop_all() {
  std::unique_lock lock(mutex_);
  for (const std::size_t e : read_ahead_)
    if (extents_[e].state == State::requested && extents_[e].holders == 0) extents_[e].state = State::absent;
  read_ahead_.clear();
  changed_.wait(lock, [&] { return reading_ == 0; });
  for (std::size_t e = 0; e < extents_.size(); ++e)
    if (extents_[e].state == State::resident && extents_[e].holders == 0) drop(e);
  std::erase_if(in_window_, [&](std::size_t e) { return extents_[e].state == State::absent; });
}

// If the window is full, moves the extent that was used least recently to its end: that one is dropped, and its memory is
// for the new one. Extents that were read ahead and not used yet are dropped only for one that a thread waits for. False:
// none can be dropped.
bool Extents::make_room(std::size_t wanted) {
  if (keeps(wanted) || in_window_.size() < window_) return true;
  const bool urgent = extents_[wanted].holders > 0;
  auto best = in_window_.end();
  for (auto at = in_window_.begin(); at != in_window_.end(); ++at) {
    const Extent& extent = extents_[*at];
    if (extent.holders > 0 || extent.state != State::resident) continue;
    if (!extent.used && !urgent) continue;
    if (best == in_window_.end() || extent.last_use < extents_[*best].last_use) best = at;
  }
  if (best == in_window_.end()) return false;
  extents_[*best].state = State::reading;  // its memory is in use until it was moved: work()
  std::swap(*best, in_window_.back());
  return true;
}

void Extents::work() {
  pthread_setname_np(pthread_self(), disk_thread_name);
  std::unique_lock lock(mutex_);
  for (;;) {
    wanted_.wait(lock, [&] { return stop_ || !demanded_.empty() || !read_ahead_.empty(); });
    if (stop_) return;
    std::deque<std::size_t>& queue = demanded_.empty() ? read_ahead_ : demanded_;
    const std::size_t e = queue.front();
    queue.pop_front();
    if (extents_[e].state != State::requested) continue;
    extents_[e].state = State::taken;  // while this thread waits for room, no other may read it
    bool room = make_room(e);
    while (!room && extents_[e].holders > 0) {  // read ahead: only within the budget
      changed_.wait(lock);
      if (stop_) return;
      room = make_room(e);
    }
    if (!room) {
      extents_[e].state = State::absent;
      continue;
    }
    std::optional<std::size_t> instead;  // dropped; its memory is here still
    if (!keeps(e) && in_window_.size() >= window_) {
      instead = in_window_.back();
      in_window_.pop_back();
    }
    extents_[e].state = State::reading;
    if (!keeps(e)) in_window_.push_back(e);
    if (reading_++ == 0) reading_since_ = std::chrono::steady_clock::now();
    lock.unlock();
    std::exception_ptr failure;
    const Place columns = columns_of(e), values = values_of(e);
    try {
      if (!instead || !move_memory(columns_of(*instead), columns)) allow(columns);
      if (!instead || !move_memory(values_of(*instead), values)) allow(values);
      if (instead) {
        lock.lock();
        Extent& moved = extents_[*instead];
        moved.state = moved.holders > 0 ? State::requested : State::absent;
        if (moved.holders > 0) demanded_.push_back(*instead);
        lock.unlock();
      }
      reader_->read(e, columns.begin, values.begin);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    ++reads_;
    extents_[e].last_use = reads_;
    extents_[e].used = false;
    extents_[e].state = failure ? State::failed : State::resident;
    if (failure && !error_) error_ = failure;
    if (--reading_ == 0) budget_->read_nanoseconds += nanoseconds_since(reading_since_);
    changed_.notify_all();
  }
}

}  // namespace seesaw
