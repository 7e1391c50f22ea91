// A growing array without two costs of std::vector that matter for large data: elements are not zeroed, and growth
// remaps pages instead of copying them, so that peak memory is the size of the data.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "base/large_memory.h"

namespace seesaw {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) { resize(size); }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() { free_memory(data_, capacity_ * sizeof(T)); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  std::span<const T> span() const { return {data_, size_}; }

  void clear() { size_ = 0; }
  void resize(std::size_t size) {  // new elements are not initialized
    if (size > capacity_) reserve(size < 2 * capacity_ ? 2 * capacity_ : size);
    size_ = size;
  }
  void push_back(T value) {
    resize(size_ + 1);
    data_[size_ - 1] = value;
  }
  void append(std::span<const T> more) {
    if (more.empty()) return;
    const std::size_t old = size_;
    resize(old + more.size());
    std::memcpy(data_ + old, more.data(), more.size_bytes());
  }
  void shrink_to_fit() {
    if (size_ > 0 && size_ < capacity_) reallocate(size_);
  }

  // Returns the memory of the first `count` elements to the system; they must not be read again. The size is unchanged.
  void release_front(std::size_t count) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    auto first = reinterpret_cast<std::size_t>(data_);
    auto last = reinterpret_cast<std::size_t>(data_ + count);
    first = (first + page - 1) / page * page;
    last = last / page * page;
    if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
  }

  // The same bytes as elements of a smaller type, for narrowing in place. Precondition: the caller has rewritten them.
  template <class Narrow>
  Buffer<Narrow> narrowed() && {
    static_assert(sizeof(T) % sizeof(Narrow) == 0);
    Buffer<Narrow> result;
    result.data_ = reinterpret_cast<Narrow*>(std::exchange(data_, nullptr));
    result.size_ = std::exchange(size_, 0);
    result.capacity_ = std::exchange(capacity_, 0) * (sizeof(T) / sizeof(Narrow));
    result.shrink_to_fit();
    return result;
  }

 private:
  template <class>
  friend class Buffer;

  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  void reserve(std::size_t capacity) { reallocate(capacity); }
  void reallocate(std::size_t capacity) {
    data_ = static_cast<T*>(resize_memory(data_, capacity_ * sizeof(T), capacity * sizeof(T)));
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace seesaw
