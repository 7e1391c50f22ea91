// Ranks as threads of one process: the tests of sums over ranks need no MPI.
#pragma once

#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "base/ranks.h"

namespace seesaw::test {

class ThreadRanks final : public Ranks {
 public:
  // Blocks on their way, by sender and receiver.
  class Mail {
   public:
    void post(int from, int to, std::vector<std::byte> block) {
      const std::lock_guard lock(mutex_);
      boxes_[{from, to}].push_back(std::move(block));
      changed_.notify_all();
    }
    std::vector<std::byte> take(int from, int to) {
      std::unique_lock lock(mutex_);
      auto& box = boxes_[{from, to}];
      if (!changed_.wait_for(lock, std::chrono::seconds(60), [&] { return !box.empty(); }))
        throw std::runtime_error("no message within 60 s: the ranks do not make the same calls");
      std::vector<std::byte> block = std::move(box.front());
      box.pop_front();
      return block;
    }
    bool empty() const {
      for (const auto& [ends, box] : boxes_)
        if (!box.empty()) return false;
      return true;
    }

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> boxes_;
  };

  ThreadRanks(Mail& mail, int rank, int size) : mail_(mail), rank_(rank), size_(size) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }

 protected:
  void transfer(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) override {
    for (const Outgoing& block : outgoing) {
      const auto* const from = static_cast<const std::byte*>(block.data);
      mail_.post(rank_, block.to, {from, from + block.bytes});
    }
    for (const Incoming& block : incoming) {
      const std::vector<std::byte> received = mail_.take(block.from, rank_);
      if (received.size() != block.bytes) throw std::runtime_error("a block of another size was expected");
      if (!received.empty()) std::memcpy(block.data, received.data(), received.size());
    }
  }

 private:
  Mail& mail_;
  int rank_, size_;
};

// body(ranks) on `size` threads; rethrows the first exception. False: a message was sent that no rank received.
template <class Body>
bool on_ranks(int size, const Body& body) {
  ThreadRanks::Mail mail;
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      ThreadRanks ranks(mail, rank, size);
      try {
        body(static_cast<Ranks&>(ranks));
      } catch (...) {
        errors[static_cast<std::size_t>(rank)] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  return mail.empty();
}

}  // namespace seesaw::test
