#include "data/readers/numpy.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "data/readers/read.h"
#include "files.h"
#include "seesaw/error.h"

namespace seesaw {
namespace numpy_test {

using testing_files::matrix_of;
using testing_files::message_of;
using testing_files::packed;
using testing_files::TemporaryFile;
using Matrix = std::vector<std::vector<double>>;
using Numbers = std::vector<double>;

// A .npy file as numpy writes it: the header is padded to a multiple of 64 bytes.
std::string npy(const std::string& type, const std::string& shape, std::string_view bytes,
                const char* order = "False") {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file = std::string("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  return file + header + std::string(bytes);
}

template <class Number>
std::string bytes_of(const std::vector<double>& numbers, bool swapped = false) {
  std::string bytes;
  for (const double number : numbers) {
    const auto value = static_cast<Number>(number);
    char copy[sizeof value];
    std::memcpy(copy, &value, sizeof value);
    if (swapped) std::reverse(copy, copy + sizeof copy);
    bytes.append(copy, sizeof copy);
  }
  return bytes;
}

std::string zip(const std::vector<std::pair<std::string, std::string>>& files, const char* compression) {
  TemporaryFile file;
  archive* to = archive_write_new();
  archive_write_set_format_zip(to);
  archive_write_set_options(to, (std::string("zip:compression=") + compression).c_str());
  archive_write_open_filename(to, file.path().c_str());
  for (const auto& [name, bytes] : files) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(bytes.size()));
    archive_write_header(to, entry);
    archive_write_data(to, bytes.data(), bytes.size());
    archive_entry_free(entry);
  }
  archive_write_free(to);
  return file.content();
}

Dataset read(const std::string& bytes, const ReadOptions& options = {}) {
  return read_dataset(TemporaryFile(bytes, ".npy").path(), options);
}

std::string refusal(const std::string& bytes, const ReadOptions& options = {.format = Format::numpy}) {
  return message_of([&] { read(bytes, options); });
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(Numpy, reads_dense_matrices_of_every_type) {
  const Numbers numbers = {1, 0, 2, 0, 5, 6};
  const Matrix expected = {{0, 2}, {5, 6}};
  const std::vector<std::pair<std::string, std::string>> types = {
      {"<f8", bytes_of<double>(numbers)},        {"<f4", bytes_of<float>(numbers)},
      {">f8", bytes_of<double>(numbers, true)},  {">i4", bytes_of<std::int32_t>(numbers, true)},
      {"<i8", bytes_of<std::int64_t>(numbers)},  {"<u8", bytes_of<std::uint64_t>(numbers)},
      {"<i2", bytes_of<std::int16_t>(numbers)},  {"<u2", bytes_of<std::uint16_t>(numbers)},
      {"<u4", bytes_of<std::uint32_t>(numbers)}, {"|u1", bytes_of<std::uint8_t>(numbers)},
      {"|i1", bytes_of<std::int8_t>(numbers)},   {"|b1", bytes_of<std::uint8_t>(numbers)}};
  for (const auto& [type, bytes] : types) {
    const Dataset data = read(npy(type, "(2, 3)", bytes));
    EXPECT_EQ(matrix_of(data), expected) << type;
    EXPECT_EQ(data.labels, (Numbers{1, 0})) << type;
    EXPECT_EQ(data.nnz, 3u);
    EXPECT_EQ(data.label_column, "column 1");
  }
}

TEST(Numpy, labels_of_a_dense_matrix) {
  const std::string bytes = npy("<f8", "(2, 3)", bytes_of<double>({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read(bytes, {.label_column = "3"}).labels, (Numbers{3, 6}));
  EXPECT_EQ(matrix_of(read(bytes, {.label_column = "2"})), (Matrix{{1, 3}, {4, 6}}));
  EXPECT_FALSE(read(bytes, {.label_column = "none"}).labelled);
  EXPECT_FALSE(read(bytes, {.width = 3}).labelled);
  EXPECT_TRUE(read(bytes, {.width = 2}).labelled);
  const TemporaryFile labels(npy("<i8", "(2,)", bytes_of<std::int64_t>({7, -8})));
  const Dataset data = read(bytes, {.labels = labels.path()});
  EXPECT_EQ(data.labels, (Numbers{7, -8}));
  EXPECT_EQ(data.d(), 3u);
  EXPECT_TRUE(contains(refusal(bytes, {.label_column = "4"}), "has no column '4'; the label column is one of 1 to 3."));
  EXPECT_TRUE(
      contains(refusal(bytes, {.width = 5, .width_of = "the model m"}), "has 2 features where the model m has 5"));
  const TemporaryFile other(npy("<i8", "(3,)", bytes_of<std::int64_t>({7, -8, 1})));
  EXPECT_TRUE(contains(refusal(bytes, {.labels = other.path()}), "has 3 labels for 2 rows"));
}

TEST(Numpy, compressed_matrices_on_request) {
  const std::string bytes = npy("<f8", "(2, 2)", bytes_of<double>({1, 2, 3, 4}));
  EXPECT_EQ(matrix_of(read(packed(bytes, "gzip"), {.format = Format::numpy})), (Matrix{{2}, {4}}));
}

using Files = std::vector<std::pair<std::string, std::string>>;
Files csr() {
  return {{"indices.npy", npy("<i4", "(4,)", bytes_of<std::int32_t>({2, 0, 1, 2}))},
          {"indptr.npy", npy("<i4", "(4,)", bytes_of<std::int32_t>({0, 2, 2, 4}))},
          {"format.npy", npy("|S3", "()", "csr")},
          {"shape.npy", npy("<i8", "(2,)", bytes_of<std::int64_t>({3, 4}))},
          {"data.npy", npy("<f4", "(4,)", bytes_of<float>({0.5, 2, 0, -1}))}};
}
Files with(Files files, const std::string& name, const std::string& bytes) {
  for (auto& [file, content] : files)
    if (file == name + ".npy") content = bytes;
  return files;
}

TEST(Numpy, reads_sparse_matrices_stored_and_deflated) {
  const TemporaryFile labels(npy("<f8", "(3, 1)", bytes_of<double>({1, -1, 1})));
  for (const char* compression : {"store", "deflate"}) {
    const Dataset data = read(zip(csr(), compression), {.labels = labels.path()});
    EXPECT_EQ(matrix_of(data), (Matrix{{2, 0, 0.5, 0}, {0, 0, 0, 0}, {0, 0, -1, 0}}));
    EXPECT_EQ(data.labels, (Numbers{1, -1, 1}));
    EXPECT_EQ(data.nnz, 4u);  // with the explicit zero
    EXPECT_EQ(data.d(), 4u);
  }
  EXPECT_FALSE(read(zip(csr(), "store")).labelled);
  EXPECT_EQ(read(zip(csr(), "store"), {.width = 6}).d(), 6u);
  EXPECT_TRUE(contains(refusal(zip(csr(), "store"), {.width = 3}), "has 4 features, more than the 3 of"));
}

TEST(Numpy, refuses_damaged_sparse_matrices) {
  const auto words = [](const Files& files) { return refusal(zip(files, "deflate")); };
  EXPECT_TRUE(contains(words(with(csr(), "format", npy("|S3", "()", "csc"))), "in the form 'csc'; save X.tocsr()."));
  EXPECT_TRUE(
      contains(words(with(csr(), "indices", npy("<i4", "(4,)", bytes_of<std::int32_t>({4, 0, 1, 2})))), "'indices'"));
  EXPECT_TRUE(
      contains(words(with(csr(), "indices", npy("<i4", "(4,)", bytes_of<std::int32_t>({-1, 0, 1, 2})))), "'indices'"));
  EXPECT_TRUE(contains(words(with(csr(), "indices", npy("<i4", "(4,)", bytes_of<std::int32_t>({2, 2, 1, 2})))),
                       "two entries in column 3"));
  EXPECT_TRUE(
      contains(words(with(csr(), "indptr", npy("<i4", "(4,)", bytes_of<std::int32_t>({0, 3, 2, 4})))), "do not agree"));
  EXPECT_TRUE(
      contains(words(with(csr(), "indptr", npy("<i4", "(3,)", bytes_of<std::int32_t>({0, 2, 4})))), "do not agree"));
  EXPECT_TRUE(contains(words(with(csr(), "data", npy("<f8", "(4,)", bytes_of<double>({1, 1e308 * 10, 1, 1})))),
                       "not a finite"));
  EXPECT_TRUE(contains(words({{"x.npy", npy("<f8", "(1, 1)", bytes_of<double>({1}))}}), "has no array 'format'"));
  std::string truncated = zip(csr(), "deflate");
  truncated.resize(truncated.size() / 3);
  EXPECT_NE(refusal(truncated), "");
}

TEST(Numpy, refuses_what_is_not_a_matrix_of_numbers) {
  const std::string bytes = bytes_of<double>({1, 2, 3, 4});
  EXPECT_TRUE(contains(refusal(npy("<f8", "(4,)", bytes)), "is an array of 1 dimensions"));
  EXPECT_TRUE(contains(refusal(npy("<f8", "(2, 2)", bytes, "True")), "is in Fortran order"));
  EXPECT_TRUE(contains(refusal(npy("<f8", "(3, 2)", bytes)), "has fewer elements than its header states"));
  EXPECT_TRUE(contains(refusal(npy("<f8", "(99999999999, 99999999999)", bytes)), "fewer elements"));
  EXPECT_TRUE(contains(refusal(npy("<f8", "(0, 2)", bytes)), "has no elements"));
  EXPECT_TRUE(contains(refusal(npy("<c16", "(1, 2)", bytes)), "the type '<c16'"));
  EXPECT_TRUE(contains(refusal(npy("|O", "(1, 2)", bytes)), "the type '|O'"));
  EXPECT_TRUE(contains(refusal(npy("<f8", "(2, 2", bytes)), "shape"));
  EXPECT_TRUE(contains(refusal(npy("<i8", "(1, 2)", bytes_of<std::int64_t>({1, 1e18}))), "row 1, column 2"));
  EXPECT_TRUE(contains(refusal("nonsense of some length"), "is not a .npy file"));
  EXPECT_NE(refusal(""), "");
}

}  // namespace numpy_test
}  // namespace seesaw
