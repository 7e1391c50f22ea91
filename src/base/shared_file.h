// A file that several processes write, each its part at a position: the bytes are the same for any number of them. It is
// written under a temporary name in the same folder and renamed by commit(), like base/atomic_file.h.
//
// If all ranks can open the temporary file (one machine, or a shared file system), each writes its part. Otherwise the
// parts are sent to the first rank in pieces of a few megabytes, and it writes them.
//
// The temporary file has a name, unlike that of AtomicFile, because the other ranks open it by its name. A rank removes it
// where a signal ends it (base/interrupt.h): mpirun ends the ranks that remain when one dies.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/interrupt.h"
#include "base/ranks.h"

namespace seesaw {

class SharedFile {
 public:
  // All ranks make the same calls; an error of one of them is thrown on all. `path`: not a device or pipe. by_first: as
  // where the others cannot open it.
  SharedFile(Ranks& ranks, const std::string& path, bool by_first = false);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  void write(std::size_t position, std::span<const std::byte> own);  // own: may be empty
  void prepare();                                                    // syncs, so that commit() needs no space
  void commit();                                                     // prepares, renames

 private:
  void put(std::size_t position, std::span<const std::byte> bytes);
  void fail(const char* operation);
  void agree();  // throws Error on all ranks if something went wrong on one

  Ranks& ranks_;
  std::string path_, target_, temporary_;
  std::string problem_;  // of this rank
  int file_ = -1;
  bool by_all_ = false, committed_ = false;
  RemoveOnInterrupt removal_;
};

}  // namespace seesaw
