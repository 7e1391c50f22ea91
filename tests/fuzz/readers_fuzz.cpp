// Feeds mutated files to the readers for some seconds: readers_fuzz [seconds]. For any bytes, only seesaw::Error may be
// thrown, and an accepted file must give a valid data set. Every run has the same inputs in the same order; the time
// determines their number.
#include <archive.h>
#include <archive_entry.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#define XXH_INLINE_ALL
#ifdef __AVX512F__
#define XXH_VECTOR XXH_AVX2
#endif
#include <xxhash.h>

#include "base/rng.h"
#include "data/cache.h"
#include "data/readers/blocks.h"
#include "data/readers/csv.h"
#include "data/readers/libsvm.h"
#include "data/readers/read.h"
#include "seesaw/error.h"

namespace {

using namespace seesaw;

// One temporary file of this process, rewritten for each input.
class Scratch {
 public:
  Scratch()
      : path_(std::filesystem::temp_directory_path() / std::string("seesaw_fuzz_").append(std::to_string(getpid()))) {}
  ~Scratch() { std::filesystem::remove(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string write(std::string_view bytes) const {
    std::filesystem::remove(path_);  // truncating and rewriting an existing file would flush it to disk
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path_;
  }
  std::string read() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path path_;
};

enum class Kind { libsvm, csv, cache, weights, table, numpy };
struct Seed {
  Kind kind;
  std::string bytes;
};

constexpr std::string_view libsvm_seed =
    "+1 1:0.5 3:-2 7:1e-3 # comment\n-1\n-1.0 qid:4 2:1\t 9:9.86899159742946E-02 \r\n\n2.5 1:0 4294967295:1\n1 "
    "5:123456789012345678\n";
constexpr std::string_view dense_seed = "1 1:1 2:2 3:3\n-1 1:4 2:5 3:6\n1 1:7 2:8 3:9\n";
constexpr std::string_view csv_seed = "y,\"a,b\", c \n1,0.5,0\n-1, \"2\" ,3e-2\r\n\n0,-0,12345.678901";
constexpr std::string_view tabs_seed = "1\t2\t3\n4\t5\t6\n";
constexpr std::string_view table_seed =
    "y,when,\"city, "
    "\"\"x\"\"\",age,ok\nno,2020-01-02,\"a\nb\",,yes\nyes,NA,Oslo,3.5,no\nno,2021-12-31,K\xc3\xb6ln,7,\n";
constexpr std::string_view decimal_seed = "1,5;a;2\n2,5;b;?\n";
constexpr std::string_view weights_seed = "1 0.5\n2 # two\n0 1e-3\t7\n";

std::string packed(const Scratch& scratch, std::string_view text, const char* filter) {
  archive* to = archive_write_new();
  archive_write_set_format_raw(to);
  if (archive_write_add_filter_by_name(to, filter) == ARCHIVE_OK &&
      archive_write_open_filename(to, scratch.write({}).c_str()) == ARCHIVE_OK) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_write_header(to, entry);
    archive_write_data(to, text.data(), text.size());
    archive_entry_free(entry);
  }
  archive_write_free(to);
  return scratch.read();
}

std::string npy(std::string_view type, std::string_view shape, std::string_view bytes) {
  std::string header =
      "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': " + std::string(shape) + "}\n";
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size());
  file += '\0';
  return file + header + std::string(bytes);
}

// A sparse matrix of 2 x 3 with two entries.
std::string npz(const Scratch& scratch) {
  using namespace std::string_view_literals;
  archive* to = archive_write_new();
  archive_write_set_format_zip(to);
  archive_write_open_filename(to, scratch.write({}).c_str());
  for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{
           {"format.npy", npy("|S3", "()", "csr")},
           {"shape.npy", npy("|u1", "(2,)", "\x02\x03"sv)},
           {"indptr.npy", npy("|u1", "(3,)", "\x00\x01\x02"sv)},
           {"indices.npy", npy("|u1", "(2,)", "\x02\x00"sv)},
           {"data.npy", npy("<f4", "(2,)", "\x00\x00\x80\x3f\x00\x00\x00\x40"sv)}}) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, static_cast<la_int64_t>(bytes.size()));
    archive_write_header(to, entry);
    archive_write_data(to, bytes.data(), bytes.size());
    archive_entry_free(entry);
  }
  archive_write_free(to);
  return scratch.read();
}

std::vector<Seed> make_seeds(const Scratch& scratch) {
  std::vector<Seed> seeds = {{Kind::libsvm, std::string(libsvm_seed)},
                             {Kind::libsvm, std::string(dense_seed)},
                             {Kind::csv, std::string(csv_seed)},
                             {Kind::csv, std::string(tabs_seed)},
                             {Kind::weights, std::string(weights_seed)},
                             {Kind::table, std::string(table_seed)},
                             {Kind::table, std::string(decimal_seed)},
                             {Kind::numpy, npy("|i1", "(2, 3)", "\x01\x02\x03\x04\x05\x06")},
                             {Kind::numpy, npz(scratch)}};
  for (const char* filter : {"gzip", "bzip2", "xz", "zstd"}) {
    const std::string whole = packed(scratch, libsvm_seed, filter);
    seeds.push_back({Kind::libsvm, whole});
    seeds.push_back({Kind::libsvm, whole.substr(0, whole.size() * 2 / 3)});
  }
  for (const Format format : {Format::libsvm, Format::csv})
    for (const std::string_view text :
         {format == Format::csv ? csv_seed : libsvm_seed, format == Format::csv ? tabs_seed : dense_seed}) {
      Dataset data = read_dataset(scratch.write(text), {.format = format});
      data.weights.assign(data.n(), 2.5);
      write_cache(data, scratch.write({}));
      seeds.push_back({Kind::cache, scratch.read()});
    }
  return seeds;
}

std::string mutated(const Seed& seed, const std::vector<Seed>& seeds, Rng& rng) {
  std::string bytes = seed.bytes;
  static constexpr std::string_view words[] = {"nan",
                                               "inf",
                                               "1e999",
                                               "-",
                                               "+",
                                               ":",
                                               "::",
                                               " ",
                                               "\n",
                                               "#",
                                               "0:1",
                                               "\r\n",
                                               ",",
                                               ";",
                                               "\"",
                                               "\"\"",
                                               "1,2",
                                               ".",
                                               "1e",
                                               "e5",
                                               "99999999999",
                                               "4294967296:1",
                                               "\t",
                                               "qid:",
                                               "1:1 1:1",
                                               "0x1",
                                               "\xef\xbb\xbf",
                                               std::string_view("\0", 1)};
  const auto place = [&] { return rng.below(static_cast<std::uint32_t>(bytes.size() + 1)); };
  for (std::uint32_t left = 1 + rng.below(3); left > 0; --left) switch (rng.below(seed.kind == Kind::cache ? 8 : 7)) {
      case 0:
        if (!bytes.empty()) bytes[place() % bytes.size()] ^= static_cast<char>(1 << rng.below(8));
        break;
      case 1:
        if (!bytes.empty()) bytes[place() % bytes.size()] = static_cast<char>(rng.below(256));
        break;
      case 2:
        bytes.insert(place(), words[rng.below(std::size(words))]);
        break;
      case 3:
        bytes.erase(place(), rng.below(8));
        break;
      case 4:
        bytes.resize(place());
        break;
      case 5:
        bytes.insert(place(), bytes.substr(place(), rng.below(40)));
        break;
      case 6: {
        const std::string& other = seeds[rng.below(static_cast<std::uint32_t>(seeds.size()))].bytes;
        bytes.insert(place(), other, rng.below(static_cast<std::uint32_t>(other.size())), rng.below(60));
        break;
      }
      default:  // a number in binary data
        if (bytes.size() >= 8) {
          const std::uint64_t number = rng.bits() >> rng.below(64);
          std::memcpy(bytes.data() + place() % (bytes.size() - 7), &number, sizeof number);
        }
    }
  return bytes;
}

// Sets a valid size and checksum, so that the code after these checks is tested too.
void sign(std::string& bytes) {
  constexpr std::size_t at_checksum = 16, at_size = 24, header = 128;
  if (bytes.size() < header) return;
  const std::uint64_t size = bytes.size();
  std::memcpy(bytes.data() + at_size, &size, sizeof size);
  std::memset(bytes.data() + at_checksum, 0, 8);
  const std::uint64_t checksum = XXH3_64bits(bytes.data(), bytes.size());
  std::memcpy(bytes.data() + at_checksum, &checksum, sizeof checksum);
}

const char* fault_in(const Dataset& data) {
  if (data.labels.empty()) return "no rows";
  if (!data.weights.empty() && data.weights.size() != data.n()) return "not one weight per row";
  if (!data.feature_names.empty() && data.feature_names.size() != data.d()) return "not one name per feature";
  for (const double label : data.labels)
    if (!std::isfinite(label)) return "a label is not finite";
  for (const double weight : data.weights)
    if (!std::isfinite(weight) || weight <= 0) return "a weight is not positive";
  return std::visit(
      [&](const auto& rows) -> const char* {
        if (rows.count() != data.labels.size()) return "not one label per row";
        for (std::size_t i = 0; i < rows.count(); ++i) {
          std::size_t next = 0;
          const char* fault = nullptr;
          for_each(rows.row(i), [&](std::size_t column, double value) {
            if (column < next) fault = "columns do not increase";
            if (column >= rows.width()) fault = "a column is beyond the width";
            if (!std::isfinite(value)) fault = "a value is not finite";
            next = column + 1;
          });
          if (fault != nullptr) return fault;
        }
        return nullptr;
      },
      data.rows);
}

// A table, and the same file encoded again as its own model would.
Dataset read_table(const std::string& path, ReadOptions options, Rng& rng) {
  options.format = Format::csv;
  options.width.reset();
  TableOptions table;
  if (rng.below(2) == 0) table.dates = {"when"};
  if (rng.below(4) == 0) table.categorical = {"age"};
  if (rng.below(4) == 0) table.min_count = 2;
  if (rng.below(4) == 0) table.impute = Impute::mean;
  if (rng.below(8) == 0) table.log_target = true;
  if (rng.below(8) == 0) table.separator = ';';
  LoadedData loaded = load_data(path, options, table);
  if (!loaded.table) return std::move(loaded.data);
  if (!inconsistency_of(*loaded.table).empty()) throw std::runtime_error("the encoding is inconsistent");
  const LoadedData again = load_data(path, options, *loaded.table, table.separator, options.label_column != "none");
  if (content_hash(again.data) != content_hash(loaded.data)) throw std::runtime_error("the encoding is not repeated");
  return std::move(loaded.data);
}

Dataset read(const std::string& path, Kind kind, const Dataset& rows, Rng& rng) {
  ReadOptions options;
  options.index_base = rng.below(4) > 0;
  if (rng.below(8) == 0) options.width = rng.below(12);
  if (rng.below(4) == 0) options.precision = Precision::single;
  if (rng.below(8) == 0) options.label_column.push_back(rng.below(2) == 0 ? '2' : 'c');
  if (kind == Kind::weights) return with_weights(rows, path);
  if (kind == Kind::table) return read_table(path, options, rng);
  if (kind == Kind::numpy) options.format = Format::numpy;
  if (kind == Kind::numpy) return read_dataset(path, options);
  if (kind == Kind::cache || rng.below(8) == 0) return read_dataset(path, options);
  TextBlocks blocks(path, "a file", 1 + rng.below(rng.below(2) == 0 ? 40 : 4000));
  return kind == Kind::csv ? read_csv(blocks, options) : read_libsvm(blocks, options);
}

int run(double seconds) {
  using Clock = std::chrono::steady_clock;
  const Scratch scratch;
  const std::vector<Seed> seeds = make_seeds(scratch);
  const Dataset rows = read_dataset(scratch.write("1 1:1\n2\n3 2:1\n4 9:0.1\n5\n6 1:0\n"));
  Rng rng(1);
  std::size_t inputs = 0, accepted = 0, refused = 0;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  do {
    const Seed& seed = seeds[rng.below(static_cast<std::uint32_t>(seeds.size()))];
    std::string bytes = mutated(seed, seeds, rng);
    if (seed.kind == Kind::cache && rng.below(4) > 0) sign(bytes);
    ++inputs;
    const std::string path = scratch.write(bytes);
    const char* fault = nullptr;
    try {
      fault = fault_in(read(path, seed.kind, rows, rng));
      ++accepted;
    } catch (const Error&) {
      ++refused;
    } catch (const std::exception& error) {
      fault = error.what();
    }
    if (fault != nullptr) {
      std::ofstream("readers_fuzz.found", std::ios::binary) << bytes;
      std::printf("input %zu, kept in readers_fuzz.found: %s\n", inputs, fault);
      return EXIT_FAILURE;
    }
  } while (Clock::now() < end);
  std::printf("%zu inputs, %zu accepted, %zu refused\n", inputs, accepted, refused);
  return accepted > 0 && refused > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** arguments) { return run(count > 1 ? std::atof(arguments[1]) : 5); }
