// Files for tests: written to the test's temporary directory, deleted with the object.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.h"
#include "seesaw/error.h"

namespace seesaw::testing_files {

class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content = {}, const std::string& ending = ".txt") {
    static std::atomic<int> count{0};
    path_ = ::testing::TempDir() + "seesaw_" + std::to_string(getpid()) + "_" + std::to_string(count++) + ending;
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  std::string content() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::string path_;
};

inline const std::vector<std::string> packings = {"gzip", "bzip2", "xz", "zstd"};

inline std::string packed(std::string_view text, const std::string& filter) {
  TemporaryFile file;
  archive* to = archive_write_new();
  archive_write_set_format_raw(to);
  if (archive_write_add_filter_by_name(to, filter.c_str()) != ARCHIVE_OK ||
      archive_write_open_filename(to, file.path().c_str()) != ARCHIVE_OK)
    throw std::runtime_error("libarchive cannot write " + filter);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_write_header(to, entry);
  archive_write_data(to, text.data(), text.size());
  archive_entry_free(entry);
  archive_write_free(to);
  return file.content();
}

// The message of the Error that a call throws; empty if it throws none.
template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// Rows of any storage as dense rows of doubles.
inline std::vector<std::vector<double>> matrix_of(const Dataset& data) {
  std::vector<std::vector<double>> matrix(data.n(), std::vector<double>(data.d()));
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.count(); ++i)
          for_each(rows.row(i), [&](std::size_t j, double value) { matrix[i][j] = value; });
      },
      data.rows);
  return matrix;
}

}  // namespace seesaw::testing_files
