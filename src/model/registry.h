// A list of named entries that can be extended before it is first read: the built-in ones, then those that were added, in
// their order. Afterwards it does not change, so references to its entries stay valid and reading needs no lock.
#pragma once

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace seesaw {

template <class Entry>  // with a member `name`
class Registry {
 public:
  explicit Registry(std::vector<Entry> built_in) : entries_(std::move(built_in)) {}

  void add(Entry entry) {
    const std::lock_guard lock(adding_);
    const std::string name(entry.name);
    if (read_) throw std::logic_error(name + " was added after the list was read; add it at the start of main()");
    for (const Entry& other : entries_)
      if (other.name == entry.name) throw std::logic_error(name + " exists already; choose another name");
    entries_.push_back(std::move(entry));
  }

  const std::vector<Entry>& entries() {
    if (!read_) {
      const std::lock_guard lock(adding_);
      read_ = true;
    }
    return entries_;
  }

 private:
  std::mutex adding_;
  std::atomic<bool> read_ = false;
  std::vector<Entry> entries_;
};

}  // namespace seesaw
