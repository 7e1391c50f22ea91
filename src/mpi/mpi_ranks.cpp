// Ranks by MPI: the only source that uses it. It is a module of its own (seesaw_mpi.so), loaded by the program where mpirun
// started several processes (app/ranks.h), so that the program itself neither needs nor starts MPI.
#define OMPI_SKIP_MPICXX 1  // the C interface alone
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "base/ranks.h"

namespace seesaw {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30;  // of one message: MPI counts in int

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_dup(MPI_COMM_WORLD, &rows_);
    MPI_Comm_dup(MPI_COMM_WORLD, &ends_);
    MPI_Comm_rank(rows_, &rank_);
    MPI_Comm_size(rows_, &size_);
  }

  // At the exit of the program. mpirun ends all processes as soon as one exits with a code other than 0: none exits before
  // the others have printed what they have to.
  ~MpiRanks() override {
    if (!ended_) return;
    MPI_Barrier(rows_);
    MPI_Comm_free(&rows_);
    MPI_Comm_free(&ends_);
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::optional<std::vector<int>> ends(int code, double seconds) override {
    std::vector<int> codes(static_cast<std::size_t>(size_));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgather(&code, 1, MPI_INT, codes.data(), 1, MPI_INT, ends_, &request);
    const auto begin = std::chrono::steady_clock::now();
    for (int complete = 0;;) {
      MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
      if (complete != 0) break;
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > seconds)
        return std::nullopt;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ended_ = true;
    return codes;
  }

  void abort(int code) override { MPI_Abort(MPI_COMM_WORLD, code); }

 protected:
  void transfer(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) override {
    requests_.clear();
    for (const Incoming& block : incoming)
      for (std::size_t at = 0; at < block.bytes; at += most_bytes)
        MPI_Irecv(static_cast<std::byte*>(block.data) + at, static_cast<int>(std::min(most_bytes, block.bytes - at)),
                  MPI_BYTE, block.from, 0, rows_, &requests_.emplace_back());
    for (const Outgoing& block : outgoing)
      for (std::size_t at = 0; at < block.bytes; at += most_bytes)
        MPI_Isend(static_cast<const std::byte*>(block.data) + at,
                  static_cast<int>(std::min(most_bytes, block.bytes - at)), MPI_BYTE, block.to, 0, rows_,
                  &requests_.emplace_back());
    wait();
  }

 private:
  // MPI_Waitall keeps a core busy for as long as it waits, also where a thread of another rank on this machine needs it.
  // Here short waits poll, for the latency; longer ones sleep between two polls, for a quarter of the time waited so far.
  void wait() {
    using std::chrono::microseconds;
    const auto begin = std::chrono::steady_clock::now();
    for (int complete = 0;;) {
      MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &complete, MPI_STATUSES_IGNORE);
      if (complete != 0) return;
      const auto waited = std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - begin);
      if (waited > microseconds(20)) std::this_thread::sleep_for(std::min(waited / 4, microseconds(1000)));
    }
  }

  MPI_Comm rows_ = MPI_COMM_NULL, ends_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  bool ended_ = false;
  std::vector<MPI_Request> requests_;
};

}  // namespace
}  // namespace seesaw

extern "C" seesaw::Ranks* seesaw_start_mpi() {
  static seesaw::MpiRanks ranks;
  return &ranks;
}
