#include "data/cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#ifdef __AVX512F__
#define XXH_VECTOR XXH_AVX2
#endif
#include <xxhash.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "data/readers/read.h"
#include "files.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

using testing_files::matrix_of;
using testing_files::message_of;
using testing_files::packed;
using testing_files::TemporaryFile;
using Names = std::vector<std::string>;

// Offsets in the header (docs/formats.md).
constexpr std::size_t at_version = 8, at_byte_order = 12, at_checksum = 16, at_file_size = 24, at_storage = 32,
                      at_rows = 40, at_width = 48, at_entries = 56, at_nnz = 64, at_weighted = 72, at_names_bytes = 80,
                      header_size = 128;

const std::string sparse_text = "1 1:0.1 7:3\n-1\n1 2:0 50:0.25\n";
const std::string dense_text = "1 1:1 2:2\n-1 1:3 2:4\n";

Dataset parse(const std::string& text, const ReadOptions& options = {}, const std::string& ending = ".svm") {
  return read_dataset(TemporaryFile(text, ending).path(), options);
}

std::string cache_of(const Dataset& data) {
  const TemporaryFile file;
  write_cache(data, file.path());
  return file.content();
}

template <class T>
std::string with(std::string bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

// With a valid checksum.
std::string signed_again(std::string bytes) {
  bytes = with(bytes, at_checksum, std::uint64_t{0});
  return with(bytes, at_checksum, static_cast<std::uint64_t>(XXH3_64bits(bytes.data(), bytes.size())));
}

std::string message(const std::string& bytes) {
  const TemporaryFile file(bytes, ".ssw");
  const std::string words = message_of([&] { read_cache(file.path()); });
  return words.starts_with(file.path() + ": ") ? words.substr(file.path().size() + 2) : words;
}

std::string damaged(const std::string& how) { return "is damaged (" + how + "); recreate it from the text."; }

void expect_round_trip(const Dataset& data) {
  const TemporaryFile file;
  write_cache(data, file.path());
  EXPECT_TRUE(is_cache(file.path()));
  const Dataset same = read_cache(file.path());
  EXPECT_EQ(same.rows.index(), data.rows.index());
  EXPECT_EQ(same.d(), data.d());
  EXPECT_EQ(same.labels, data.labels);
  EXPECT_EQ(same.weights, data.weights);
  EXPECT_EQ(same.nnz, data.nnz);
  EXPECT_EQ(same.feature_names, data.feature_names);
  EXPECT_EQ(same.source, file.path());
  EXPECT_EQ(matrix_of(same), matrix_of(data));
  EXPECT_EQ(cache_of(same), cache_of(data));
}

TEST(Cache, keeps_every_storage) {
  expect_round_trip(parse(sparse_text));                   // sparse double
  expect_round_trip(parse("1 3:1 90:2\n"));                // sparse float
  expect_round_trip(parse("1 1:0.1 2:0.2\n"));             // dense double
  expect_round_trip(parse(dense_text));                    // dense float
  expect_round_trip(parse("1\n-1\n"));                     // no features
  expect_round_trip(parse("1 2:1\n", {.width = 100000}));  // wider than its entries
}

TEST(Cache, keeps_weights_and_names) {
  Dataset data = parse("y,a,\"b c\"\n1,2,3\n4,5,6\n", {}, ".csv");
  EXPECT_EQ(data.feature_names, (Names{"a", "b c"}));
  data.weights = {0.5, 2};
  expect_round_trip(data);
}

TEST(Cache, gives_rows_that_outlive_the_file) {
  Dataset data = [] {
    const TemporaryFile file(cache_of(parse(sparse_text)));
    return read_cache(file.path());
  }();
  EXPECT_EQ(matrix_of(data)[2][49], 0.25);
}

TEST(Cache, aligns_its_arrays) {
  const Dataset data = [] {
    const TemporaryFile file(cache_of(parse(sparse_text)));
    return read_cache(file.path());
  }();
  const auto& rows = std::get<SparseRows<double>>(data.rows);
  for (const void* array :
       {static_cast<const void*>(rows.offsets().data()), static_cast<const void*>(rows.columns().data()),
        static_cast<const void*>(rows.values().data())})
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array) % 64, 0u);
}

TEST(Cache, is_recognized_by_its_first_bytes) {
  const TemporaryFile cache(cache_of(parse(dense_text)), ".txt"), text("1 1:1\n", ".ssw"), empty, brief("SEE");
  EXPECT_TRUE(is_cache(cache.path()));
  EXPECT_FALSE(is_cache(text.path()));
  EXPECT_FALSE(is_cache(empty.path()));
  EXPECT_FALSE(is_cache(brief.path()));
  EXPECT_FALSE(is_cache("no/such/file"));
  EXPECT_FALSE(is_cache(::testing::TempDir()));
  EXPECT_FALSE(is_cache("-"));
}

TEST(Cache, replaces_the_file_that_it_was_read_from) {
  const TemporaryFile file(cache_of(parse(sparse_text)));
  const Dataset data = read_cache(file.path());
  write_cache(data, file.path());
  EXPECT_EQ(matrix_of(read_cache(file.path())), matrix_of(data));
}

TEST(Cache, is_read_by_read_dataset) {
  const TemporaryFile file(cache_of(parse(sparse_text)), ".data");
  EXPECT_EQ(matrix_of(read_dataset(file.path())), matrix_of(parse(sparse_text)));
}

TEST(Cache, widens_to_the_width_expected) {
  for (const std::string& text : {sparse_text, dense_text}) {
    const TemporaryFile file(cache_of(parse(text)));
    const Dataset data = read_dataset(file.path(), {.width = 1000});
    EXPECT_EQ(data.d(), 1000u);
    EXPECT_FALSE(data.dense());
    EXPECT_EQ(matrix_of(data), matrix_of(parse(text, {.width = 1000})));
  }
}

TEST(Cache, refuses_to_be_wider_than_expected) {
  const TemporaryFile file(cache_of(parse(dense_text)));
  EXPECT_EQ(message_of([&] { read_dataset(file.path(), {.width = 1, .width_of = "the model m.model"}); }),
            file.path() + ": has 2 features, more than the 1 of the model m.model; give data with the same features.");
}

TEST(Cache, rounds_to_single_precision_on_request) {
  for (const std::string text : {"1 1:0.1 9:0.3\n", "1 1:0.1 2:0.3\n"}) {
    const TemporaryFile file(cache_of(parse(text)));
    const Dataset data = read_dataset(file.path(), {.precision = Precision::single});
    EXPECT_TRUE(data.single_precision());
    EXPECT_EQ(matrix_of(data)[0][0], static_cast<double>(0.1f));
  }
}

TEST(Cache, is_refused_when_streamed_or_compressed) {
  const TemporaryFile file(packed(cache_of(parse(dense_text)), "gzip"), ".ssw");
  EXPECT_EQ(message_of([&] { read_dataset(file.path()); }),
            file.path() + ": a .ssw cache is mapped, not streamed or unpacked; give it as a plain file.");
}

TEST(Cache, refuses_other_files) {
  EXPECT_EQ(message("1 1:1\n"), "is not a .ssw cache, which is a file of at least 128 bytes.");
  EXPECT_EQ(message(std::string(1000, 'x')), "is not a .ssw cache; give one, or text.");
  EXPECT_EQ(message_of([] { read_cache("no/such/file"); }),
            "no/such/file: cannot be opened (No such file or directory); give a .ssw cache.");
  EXPECT_THROW(read_cache(::testing::TempDir()), Error);
}

TEST(Cache, refuses_other_versions_and_machines) {
  const std::string good = cache_of(parse(sparse_text));
  EXPECT_EQ(message(with(good, at_version, std::uint32_t{2})),
            "is a cache of version 2, this program reads version 1; recreate it from the text.");
  EXPECT_EQ(message(with(good, at_byte_order, std::uint32_t{0x04030201})),
            "was written on a machine of another byte order; recreate it from the text.");
}

TEST(Cache, refuses_truncated_or_extended_files) {
  const std::string good = cache_of(parse(sparse_text));
  for (std::size_t size = header_size; size < good.size(); size += 37)
    EXPECT_EQ(message(good.substr(0, size)),
              damaged("it has " + std::to_string(size) + " bytes instead of " + std::to_string(good.size())));
  EXPECT_EQ(message(good + "x"),
            damaged("it has " + std::to_string(good.size() + 1) + " bytes instead of " + std::to_string(good.size())));
}

TEST(Cache, refuses_a_change_of_any_byte) {
  const std::string good = cache_of(parse(sparse_text));
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    EXPECT_NE(message(bad), "") << at;
  }
}

TEST(Cache, refuses_a_forged_header) {
  const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  for (const std::string& good : {cache_of(parse(sparse_text)), cache_of(parse(dense_text))})
    for (const std::size_t at :
         {at_file_size, at_storage, at_rows, at_width, at_entries, at_nnz, at_weighted, at_names_bytes})
      for (const std::uint64_t value : {huge, huge / 2, huge / 8, huge / 8 + 1, huge / 16, std::uint64_t{1} << 32})
        EXPECT_NE(message(signed_again(with(good, at, value))), "") << at << " " << value;
  const std::string good = cache_of(parse(dense_text));
  EXPECT_EQ(message(signed_again(with(good, at_rows, std::uint64_t{0}))), damaged("its header is wrong"));
  EXPECT_EQ(message(signed_again(with(good, at_width, std::uint64_t{0}))), damaged("its header is wrong"));
  EXPECT_EQ(message(signed_again(with(good, at_width, std::uint64_t{3}))), damaged("its header is wrong"));
  EXPECT_EQ(message(signed_again(with(good, at_rows, std::uint64_t{1}))), damaged("its header is wrong"));
}

TEST(Cache, refuses_reserved_bytes_that_are_not_zero) {
  for (const std::string& good : {cache_of(parse(sparse_text)), cache_of(parse(dense_text))})
    for (std::size_t at = at_names_bytes + 8; at < header_size; ++at)
      EXPECT_EQ(message(signed_again(with(good, at, char{1}))), damaged("its reserved bytes are not 0")) << at;
  const std::string good = cache_of(parse(sparse_text));
  for (const std::size_t padding : {152u, 191u, 224u, 255u, 272u, 319u, 352u, 383u})
    EXPECT_EQ(message(signed_again(with(good, padding, char{1}))), damaged("its reserved bytes are not 0")) << padding;
}

TEST(Cache, refuses_a_wrong_number_of_entries) {
  const std::string sparse = cache_of(parse(sparse_text)), dense = cache_of(parse(dense_text));
  for (const std::uint64_t entries : {0, 1, 3, 5})
    EXPECT_NE(message(signed_again(with(sparse, at_nnz, entries))), "") << entries;
  for (const std::uint64_t entries : {0, 1, 3, 5})
    EXPECT_NE(message(signed_again(with(dense, at_nnz, entries))), "") << entries;
  EXPECT_EQ(message(signed_again(with(sparse, at_nnz, std::uint64_t{3}))), damaged("its number of entries is wrong"));
  const std::string with_zero =
      cache_of(parse("1 1:1 2:0\n-1 1:3 2:4\n"));  // an explicit zero does not differ in dense storage
  EXPECT_EQ(message(signed_again(with(with_zero, at_nnz, std::uint64_t{3}))), "");
}

TEST(Cache, refuses_forged_arrays) {
  // Three labels from 128, four offsets from 192, four columns from 256, four values from 320.
  const std::string good = cache_of(parse(sparse_text));
  ASSERT_EQ(good.size(), 384u);
  const auto forged = [&](std::size_t at, auto value) { return message(signed_again(with(good, at, value))); };
  EXPECT_EQ(forged(128, 2.0), "");  // any finite label is valid
  EXPECT_EQ(forged(128, std::numeric_limits<double>::quiet_NaN()), damaged("a label is not finite"));
  EXPECT_EQ(forged(192, std::uint64_t{1}), damaged("its rows overlap"));
  EXPECT_EQ(forged(200, std::uint64_t{3}), damaged("its rows overlap"));
  EXPECT_EQ(forged(216, std::uint64_t{1} << 60), damaged("its rows overlap"));
  EXPECT_EQ(forged(256, std::uint32_t{6}), damaged("its columns are not in order"));
  EXPECT_EQ(forged(260, std::uint32_t{50}), damaged("its columns are not in order"));
  EXPECT_EQ(forged(268, std::uint32_t{0xffffffff}), damaged("its columns are not in order"));
  EXPECT_EQ(forged(320, std::numeric_limits<double>::infinity()), damaged("a value is not finite"));
}

TEST(Cache, refuses_forged_weights_and_names) {
  Dataset data = parse("y,a,bc\n1,2,3\n", {}, ".csv");
  data.weights = {2};
  // A label from 128, a weight from 192, two values from 256, the names from 320.
  const std::string good = cache_of(data);
  ASSERT_EQ(good.size(), 384u);
  ASSERT_EQ(message(good), "");
  const auto forged = [&](std::size_t at, auto value) { return message(signed_again(with(good, at, value))); };
  EXPECT_EQ(forged(192, 0.0), damaged("a weight is not positive"));
  EXPECT_EQ(forged(192, -1.0), damaged("a weight is not positive"));
  EXPECT_EQ(forged(192, std::numeric_limits<double>::quiet_NaN()), damaged("a weight is not finite"));
  EXPECT_EQ(forged(320, std::uint32_t{0}), damaged("its names are truncated"));
  EXPECT_EQ(forged(320, std::uint32_t{7}), damaged("it does not have one name per feature"));
  EXPECT_EQ(forged(320, std::uint32_t{0xffffffff}), damaged("its names are truncated"));
}

}  // namespace
}  // namespace seesaw
