#include "data/cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <vector>

#include "caches.h"
#include "data/cache_format.h"
#include "data/cache_stream.h"
#include "data/resident.h"
#include "seesaw/error.h"

namespace seesaw {
namespace cache_test {

using namespace testing_caches;
using testing_files::matrix_of;
using testing_files::packed;
using Names = std::vector<std::string>;

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
  EXPECT_EQ(message(with(good, at_version, std::uint32_t{3})),
            "is a cache of version 3, this program reads versions 1 to 2; recreate it from the text.");
  EXPECT_EQ(message(with(good, at_byte_order, std::uint32_t{0x04030201})),
            "was written on a machine of another byte order; recreate it from the text.");
}

TEST(Cache, refuses_truncated_or_extended_files) {
  const std::string good = cache_of(parse(sparse_text));
  for (std::size_t size = header_size; size < good.size(); size += 371)
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

// The hash of the content is in the file, so that the entries need not be read for it.
// With the checksum of everything but the entries; `bytes` of format 2.
std::string sealed_again(const std::string& bytes) {
  cache::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const cache::Layout layout = cache::layout_of(header);
  cache::Checksum sum;
  sum.add(std::string_view(bytes).substr(0, sizeof header));
  for (const cache::Section& section : {layout.labels, layout.weights, layout.offsets, layout.names, layout.hashes,
                                        layout.column_checksums, layout.value_checksums})
    sum.add(std::string_view(bytes).substr(section.begin, section.size));
  return with(bytes, layout.seal.begin, sum.value());
}

// Of a cache that is used from disk: it is opened, and all of its rows are read.
std::string message_from_disk(const std::string& bytes) {
  const TemporaryFile file(bytes, ".ssw");
  const std::string words = message_of([&] {
    const DiskCache opened = open_cache(file.path(), [](const OpenedCache&) { return std::size_t{1} << 30; });
    std::visit([](const auto& rows) { resident(rows, 0, rows.count(), [](std::size_t, std::size_t) {}); },
               opened.data.rows);
  });
  return words.starts_with(file.path() + ": ") ? words.substr(file.path().size() + 2) : words;
}

TEST(Cache, refuses_forged_files_with_a_valid_checksum_in_memory_and_on_disk) {
  for (const std::string& text : {sparse_text, dense_text}) {
    const std::string good = cache_of(parse(text));
    EXPECT_EQ(message_from_disk(sealed_again(good)), "");
    for (const std::uint64_t entries : {0, 1, 3}) {
      const std::string forged = sealed_again(with(good, at_nnz, entries));
      EXPECT_EQ(message(forged), damaged("its number of entries is wrong")) << entries;
      EXPECT_EQ(message_from_disk(forged), damaged("its number of entries is wrong")) << entries;
    }
    for (const std::size_t padding : {std::size_t{128}, std::size_t{2000}, std::size_t{4095}}) {
      const std::string forged = sealed_again(with(good, padding, char{1}));
      EXPECT_EQ(message(forged), damaged("its reserved bytes are not 0")) << padding;
      EXPECT_EQ(message_from_disk(forged), damaged("its reserved bytes are not 0")) << padding;
    }
  }
}

TEST(Cache, stores_the_content_hash) {
  for (const std::string& text : {sparse_text, dense_text, std::string("1 3:1 90:2\n")}) {
    Dataset data = parse(text);
    if (text == sparse_text) data.weights = {1, 2, 0.5};
    const TemporaryFile file(cache_of(data));
    const DiskCache opened = open_cache(
        file.path(), [](const OpenedCache& size) { return Extents::least_bytes(size.size.entries, size.longest_row); });
    EXPECT_EQ(opened.hash, content_hash(data));
    EXPECT_EQ(content_hash(opened.data), content_hash(data));
    EXPECT_EQ(opened.data.labels, data.labels);
    EXPECT_EQ(opened.data.weights, data.weights);
  }
}

// Rows written while they are read make the file of write_cache.
TEST(Cache, is_the_same_when_it_is_streamed) {
  std::string late, filled;  // the first value that is no float, and the first row with a gap, come late
  for (int i = 0; i < 700; ++i) late += "1 1:1 2:" + std::to_string(i) + "\n";
  filled = late + "-1 2:3\n";
  late += "-1 1:0.1 2:2\n";
  for (const std::string& text : {sparse_text, dense_text, late, filled, std::string("1 3:1 90:2\n"),
                                  std::string("1\n-1\n"), filled + "1 1:0.3 900:1\n"})
    for (const Precision precision : {Precision::exact, Precision::single}) {
      const TemporaryFile source(text, ".svm"), out({}, ".ssw");
      CacheStream stream(out.path(), precision, {}, 1000000);
      const Dataset read = stream_dataset(source.path(), {.precision = precision}, stream);
      stream.finish(read.d(), read.feature_names);
      EXPECT_EQ(out.content(), cache_of(parse(text, {.precision = precision}))) << text.substr(0, 30);
    }
  const TemporaryFile table("y,a,\"b c\"\n1,2,0\n4,5,6\n", ".csv"), out({}, ".ssw");
  CacheStream stream(out.path(), Precision::exact, {}, 10);
  const Dataset read = stream_dataset(table.path(), {}, stream);
  stream.finish(read.d(), read.feature_names);
  EXPECT_EQ(out.content(), cache_of(read_dataset(table.path())));
}

TEST(Cache, drops_rows_of_weight_0_when_it_is_streamed) {
  const TemporaryFile source("1 1:1 9:2\n2 3:1\n3 9:1\n", ".svm"), out({}, ".ssw");
  CacheStream stream(out.path(), Precision::exact, {2, 0, 1}, 10);
  const Dataset read = stream_dataset(source.path(), {}, stream);
  stream.finish(read.d(), read.feature_names);
  const Dataset kept = read_cache(out.path());
  EXPECT_EQ(kept.labels, (std::vector<double>{1, 3}));
  EXPECT_EQ(kept.weights, (std::vector<double>{2, 1}));
  EXPECT_EQ(kept.nnz, 3u);
}

TEST(Cache, is_not_streamed_beyond_its_rows) {
  const TemporaryFile source("1 1:1\n2 3:1\n3 9:1\n", ".svm"), out({}, ".ssw");
  CacheStream stream(out.path(), Precision::exact, {}, 2);
  EXPECT_THROW(stream_dataset(source.path(), {}, stream), Error);
}

}  // namespace cache_test
}  // namespace seesaw
