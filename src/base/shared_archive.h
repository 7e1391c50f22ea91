// Archives (base/archive.h) of a state that is divided among ranks: one file, which the first rank writes and reads. Its
// bytes are those of one process, so that any number of ranks can restore it. Arrays per row pass through the first rank
// in pieces of a few megabytes; it never has those of all rows in memory, except of the file that it reads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/archive.h"
#include "base/leaves.h"

namespace seesaw {

// The state of all ranks, in a file of the first one. All ranks make the same calls. What goes wrong on the first rank is
// reported by commit(), on all; until then the others are served, so that no rank waits for another.
class SharedArchiveWriter final : public Archive {
 public:
  SharedArchiveWriter(const Shares& shares, const std::string& path);
  ~SharedArchiveWriter() override;
  void commit();  // throws Error on all ranks

 private:
  void put(const ArchiveEntry& entry, const void* bytes) override;
  Found get(const ArchiveEntry&) override { return {}; }
  [[noreturn]] void refuse(std::string_view name) const override;
  template <class Work>
  void attempt(const Work& work);  // on the first rank, unless something went wrong before
  void add(const void* bytes, std::size_t size);

  struct File;
  const Shares& shares_;
  std::unique_ptr<File> file_;  // of the first rank
  std::string problem_;
};

// file: null on all ranks but the first.
class SharedArchiveReader final : public Archive {
 public:
  SharedArchiveReader(const Shares& shares, ArchiveReader* file);

 private:
  void put(const ArchiveEntry&, const void*) override {}
  Found get(const ArchiveEntry& expected) override;
  [[noreturn]] void refuse(std::string_view name) const override;
  // The bytes of an entry of the file, and its shape.
  ArchiveEntry next(const ArchiveEntry& expected, std::string& bytes);
  // The elements of each rank: those of rank r begin at number r of the result.
  std::vector<std::size_t> divide(const ArchiveEntry& entry, const std::string& bytes);

  const Shares& shares_;
  ArchiveReader* file_;
  std::string own_;                  // the bytes of the last entry
  std::vector<std::size_t> listed_;  // of the last row_list: the elements before those of each rank
};

}  // namespace seesaw
