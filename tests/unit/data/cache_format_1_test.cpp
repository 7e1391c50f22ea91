// Caches of format 1, which are still read: written here as earlier versions wrote them.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "caches.h"

namespace seesaw {
namespace cache_format_1_test {

using namespace testing_caches;
using testing_files::matrix_of;

// With a valid checksum.
std::string signed_again(std::string bytes) {
  bytes = with(bytes, at_checksum, std::uint64_t{0});
  return with(bytes, at_checksum, static_cast<std::uint64_t>(XXH3_64bits(bytes.data(), bytes.size())));
}

std::string old_cache_of(const Dataset& data) {
  std::string bytes(header_size, '\0'), names;
  std::memcpy(bytes.data(), "SEESAW\0\1", 8);
  for (const std::string& name : data.feature_names) {
    const auto size = static_cast<std::uint32_t>(name.size());
    names.append(reinterpret_cast<const char*>(&size), sizeof size).append(name);
  }
  const auto append = [&](const void* from, std::size_t size) {
    bytes.append(static_cast<const char*>(from), size);
    bytes.append((64 - bytes.size() % 64) % 64, '\0');
  };
  append(data.labels.data(), data.labels.size() * sizeof(double));
  append(data.weights.data(), data.weights.size() * sizeof(double));
  std::size_t entries = 0;
  std::visit(
      [&](const auto& rows) {
        entries = rows.entries();
        if constexpr (requires { rows.offsets(); }) {
          append(rows.offsets().data(), rows.offsets().size_bytes());
          append(rows.columns().data(), rows.columns().size_bytes());
        }
        append(rows.values().data(), rows.values().size_bytes());
      },
      data.rows);
  append(names.data(), names.size());
  bytes = with(bytes, at_version, std::uint32_t{1});
  bytes = with(bytes, at_byte_order, std::uint32_t{0x01020304});
  bytes = with(bytes, at_file_size, std::uint64_t{bytes.size()});
  bytes = with(bytes, at_storage, std::uint64_t{data.rows.index()});
  bytes = with(bytes, at_rows, std::uint64_t{data.n()});
  bytes = with(bytes, at_width, std::uint64_t{data.d()});
  bytes = with(bytes, at_entries, std::uint64_t{entries});
  bytes = with(bytes, at_nnz, std::uint64_t{data.nnz});
  bytes = with(bytes, at_weighted, std::uint64_t{data.weights.empty() ? 0u : 1u});
  bytes = with(bytes, at_names_bytes, std::uint64_t{names.size()});
  return signed_again(bytes);
}

TEST(CacheFormat1, is_still_read) {
  for (const std::string& text :
       {sparse_text, dense_text, std::string("1 3:1 90:2\n"), std::string("1 1:0.1 2:0.2\n")}) {
    const Dataset data = parse(text);
    const TemporaryFile file(old_cache_of(data), ".ssw");
    const Dataset same = read_cache(file.path());
    EXPECT_EQ(same.labels, data.labels);
    EXPECT_EQ(same.nnz, data.nnz);
    EXPECT_EQ(matrix_of(same), matrix_of(data));
    EXPECT_EQ(cache_of(same), cache_of(data));
  }
}

TEST(CacheFormat1, refuses_a_change_of_any_byte) {
  const std::string good = old_cache_of(parse(sparse_text));
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    EXPECT_NE(message(bad), "") << at;
  }
}

TEST(CacheFormat1, is_used_in_memory_only) {
  const TemporaryFile file(old_cache_of(parse(sparse_text)), ".ssw");
  EXPECT_THROW(open_cache(file.path(), [](const OpenedCache&) { return std::size_t{1} << 30; }), Error);
}

TEST(CacheFormat1, refuses_a_forged_header) {
  const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  for (const std::string& good : {old_cache_of(parse(sparse_text)), old_cache_of(parse(dense_text))})
    for (const std::size_t at :
         {at_file_size, at_storage, at_rows, at_width, at_entries, at_nnz, at_weighted, at_names_bytes})
      for (const std::uint64_t value : {huge, huge / 2, huge / 8, huge / 8 + 1, huge / 16, std::uint64_t{1} << 32})
        EXPECT_NE(message(signed_again(with(good, at, value))), "") << at << " " << value;
  const std::string good = old_cache_of(parse(dense_text));
  EXPECT_EQ(message(signed_again(with(good, at_rows, std::uint64_t{0}))), damaged("its header is wrong"));
  EXPECT_EQ(message(signed_again(with(good, at_width, std::uint64_t{0}))), damaged("its header is wrong"));
  EXPECT_EQ(message(signed_again(with(good, at_width, std::uint64_t{3}))), damaged("its header is wrong"));
  EXPECT_EQ(message(signed_again(with(good, at_rows, std::uint64_t{1}))), damaged("its header is wrong"));
}

TEST(CacheFormat1, refuses_reserved_bytes_that_are_not_zero) {
  for (const std::string& good : {old_cache_of(parse(sparse_text)), old_cache_of(parse(dense_text))})
    for (std::size_t at = at_names_bytes + 8; at < header_size; ++at)
      EXPECT_EQ(message(signed_again(with(good, at, char{1}))), damaged("its reserved bytes are not 0")) << at;
  const std::string good = old_cache_of(parse(sparse_text));
  for (const std::size_t padding : {152u, 191u, 224u, 255u, 272u, 319u, 352u, 383u})
    EXPECT_EQ(message(signed_again(with(good, padding, char{1}))), damaged("its reserved bytes are not 0")) << padding;
}

TEST(CacheFormat1, refuses_a_wrong_number_of_entries) {
  const std::string sparse = old_cache_of(parse(sparse_text)), dense = old_cache_of(parse(dense_text));
  for (const std::uint64_t entries : {0, 1, 3, 5})
    EXPECT_NE(message(signed_again(with(sparse, at_nnz, entries))), "") << entries;
  for (const std::uint64_t entries : {0, 1, 3, 5})
    EXPECT_NE(message(signed_again(with(dense, at_nnz, entries))), "") << entries;
  EXPECT_EQ(message(signed_again(with(sparse, at_nnz, std::uint64_t{3}))), damaged("its number of entries is wrong"));
  const std::string with_zero =
      old_cache_of(parse("1 1:1 2:0\n-1 1:3 2:4\n"));  // an explicit zero does not differ in dense storage
  EXPECT_EQ(message(signed_again(with(with_zero, at_nnz, std::uint64_t{3}))), "");
}

TEST(CacheFormat1, refuses_forged_arrays) {
  // Three labels from 128, four offsets from 192, four columns from 256, four values from 320.
  const std::string good = old_cache_of(parse(sparse_text));
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

TEST(CacheFormat1, refuses_forged_weights_and_names) {
  Dataset data = parse("y,a,bc\n1,2,3\n", {}, ".csv");
  data.weights = {2};
  // A label from 128, a weight from 192, two values from 256, the names from 320.
  const std::string good = old_cache_of(data);
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

}  // namespace cache_format_1_test
}  // namespace seesaw
