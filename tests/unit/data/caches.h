// Bytes of caches (.ssw) for tests: read, changed and signed again. docs/formats.md has the positions.
#pragma once

#define XXH_INLINE_ALL
#ifdef __AVX512F__
#define XXH_VECTOR XXH_AVX2
#endif
#include <xxhash.h>

#include <cstring>
#include <string>

#include "data/cache.h"
#include "data/readers/read.h"
#include "files.h"

namespace seesaw::testing_caches {

using testing_files::message_of;
using testing_files::TemporaryFile;

constexpr std::size_t at_version = 8, at_byte_order = 12, at_checksum = 16, at_file_size = 24, at_storage = 32,
                      at_rows = 40, at_width = 48, at_entries = 56, at_nnz = 64, at_weighted = 72, at_names_bytes = 80,
                      header_size = 128;

inline const std::string sparse_text = "1 1:0.1 7:3\n-1\n1 2:0 50:0.25\n";
inline const std::string dense_text = "1 1:1 2:2\n-1 1:3 2:4\n";

inline Dataset parse(const std::string& text, const ReadOptions& options = {}, const std::string& ending = ".svm") {
  return read_dataset(TemporaryFile(text, ending).path(), options);
}

inline std::string cache_of(const Dataset& data) {
  const TemporaryFile file;
  write_cache(data, file.path());
  return file.content();
}

template <class T>
std::string with(std::string bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

inline std::string message(const std::string& bytes) {
  const TemporaryFile file(bytes, ".ssw");
  const std::string words = message_of([&] { read_cache(file.path()); });
  return words.starts_with(file.path() + ": ") ? words.substr(file.path().size() + 2) : words;
}

inline std::string damaged(const std::string& how) { return "is damaged (" + how + "); recreate it from the text."; }

}  // namespace seesaw::testing_caches
