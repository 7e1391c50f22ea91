// Checkpoints: the state of a run in files of a folder, from which an interrupted run continues. The continued run takes
// the same steps, so that its model has the same bytes as that of a run without interruption.
//
// A file (base/archive.h) begins with the identity of the run: version of the program, data, objective, method. It is
// written to a temporary file, synced and renamed; the newest two are kept. docs/scale.md and docs/formats.md.
//
// Several processes (base/ranks.h) have one folder, of the first rank, with the files that one process would write
// (base/shared_archive.h). All ranks make the same calls, and receive the same results and errors.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/archive.h"
#include "base/leaves.h"
#include "run/observer.h"
#include "solvers/solver.h"

namespace seesaw {

struct CheckpointSpec {
  std::string folder;       // created if it does not exist
  bool resume = false;      // continue from the newest valid checkpoint, or from the beginning if there is none
  double every_passes = 0;  // passes between checkpoints; 0: by time
};

// Throws Error if the state of the method cannot be saved, if the folder cannot be used, or if it contains checkpoints and
// `resume` is not set.
void validate(const CheckpointSpec& spec, const std::string& method);

// What a checkpoint belongs to. Limits of passes and time may be changed when a run is continued.
struct RunIdentity {
  std::string version, data, objective, method;
};
RunIdentity identity_of(const RunInfo& info, std::uint64_t data_hash, bool single_precision);

class Checkpoints {
 public:
  // Creates the folder. Throws Error if it cannot, or if the folder has a checkpoint of another run. shares: null with one
  // process.
  Checkpoints(const CheckpointSpec& spec, RunIdentity identity, const Shares* shares);

  const CheckpointSpec& spec() const { return spec_; }
  const RunIdentity& identity() const { return identity_; }
  const Shares* shares() const { return shares_; }
  Ranks* ranks() const { return shares_ == nullptr ? nullptr : shares_->ranks; }
  // For users: that there was no checkpoint to continue from; otherwise empty.
  std::string message() const;

 private:
  bool empty_ = true;
  CheckpointSpec spec_;
  RunIdentity identity_;
  const Shares* shares_;
};

using Serialize = std::function<void(Archive&)>;

// The checkpoints of one run: files NAME-000001.ckpt, ... of the folder. Classes of one-versus-rest are runs of their own.
class CheckpointSeries {
 public:
  CheckpointSeries(const Checkpoints& all, std::string name);

  // Restores the newest valid checkpoint, if there is one and the run is to be continued. `message`: which file, and
  // which files are damaged; empty: there is no file.
  struct Restored {
    bool done = false;
    std::string message = {};
  };
  Restored restore(const Serialize& serialize);

  // Whether the next one is due: after so many passes, or after 60 seconds and 20 times the time that the last one took.
  // By the clock of this process: ranks have to agree.
  bool due(double passes) const;
  // What went wrong, or nothing. Earlier checkpoints are deleted, except the one before.
  std::optional<std::string> save(double passes, const Serialize& serialize);

  // The outcome of a run that needs no continuation.
  bool restore_finished(const Serialize& serialize);
  std::optional<std::string> save_finished(const Serialize& serialize);

 private:
  std::vector<std::uint64_t> numbers() const;  // of the files, ascending
  std::string path_of(std::uint64_t number) const;
  std::string finished_path() const;
  std::optional<std::string> write(const std::string& path, const Serialize& serialize) const;
  // The state in a file of the first rank, which is open there.
  void read(std::optional<ArchiveReader>& file, const Serialize& serialize) const;

  using Clock = std::chrono::steady_clock;
  const Checkpoints& all_;
  std::string name_;
  std::optional<std::uint64_t> last_valid_;
  double passes_ = 0;  // of the last checkpoint
  Clock::time_point time_ = Clock::now();
  double seconds_of_write_ = 0;
};

// Throws Unsupported if `auto` has selected a method whose state cannot be saved.
void require_resumable(const Solver& solver, const std::string& method);

}  // namespace seesaw
