#include "data/readers/read_share.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/first_rank.h"
#include "data/cache.h"
#include "data/cache_reader.h"
#include "data/hash_stream.h"
#include "data/readers/blocks.h"
#include "data/readers/libsvm.h"
#include "data/readers/parsed_rows.h"
#include "data/readers/read.h"
#include "data/share_rows.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

// What a rank found wrong in its part.
struct Failure {
  std::string reason, file = {};
  std::size_t line = 0, column = 0;  // of the part; 0: not a position in the file
};

// Throws the error of the first part that has one. Returns if there is none.
void agree_on_failure(Ranks& ranks, const std::optional<Failure>& own, std::size_t lines) {
  struct State {
    bool failed;
    std::size_t lines, line, column;
  };
  const State here{own.has_value(), lines, own ? own->line : 0, own ? own->column : 0};
  std::size_t before = 0;
  int rank = 0;
  for (const State& state : ranks.gather(here)) {
    if (state.failed) {
      const std::string reason = text_of_rank(ranks, rank, own ? own->reason : ""),
                        file = text_of_rank(ranks, rank, own ? own->file : "");
      if (state.line > 0) throw ParseError(file, before + state.line, state.column, reason);
      throw Error(reason);
    }
    before += state.lines;
    ++rank;
  }
}

// Every rank reads the rows of its leaves, and what the checksum of the rest is of.
SharedData read_cache_part(const std::string& path, Ranks& ranks) {
  std::optional<cache::CacheReader> file;
  on_each(ranks, [&] { file.emplace(path); });
  SharedData shared{{.rows = SparseRows<double>(0, {}, {}, {}, nullptr), .labels = {}}, 0};
  on_each(ranks, [&] {
    file->check_seal();
    shared.hash = file->hash();
  });
  require_equal_copies(path, shared.hash, ranks);
  on_each(ranks, [&] {
    const cache::Header& header = file->header();
    const auto leaves =
        leaves_of_share({header.rows, header.entries, header.width, !header.sparse(), header.weighted == 1,
                         [&](std::size_t row) { return file->entries_before(row); }},
                        ranks);
    const std::vector<std::size_t>& first_row = leaves->shares()->first_row;
    const auto here = static_cast<std::size_t>(ranks.rank());
    shared.data = file->part(first_row[here], first_row[here + 1], leaves);
  });
  std::uint64_t entries = 0;
  for (const std::uint64_t of_rank : ranks.gather(cache::CacheReader::entries_at_least(shared.data.rows)))
    entries += of_rank;
  file->check_entries(entries);
  return shared;
}

SharedData read_part(const std::string& path, const ReadOptions& options, Ranks& ranks) {
  PartOfFile part;
  bool agreed = false;
  part.of_all = [&](const RowsBuilder::Shape& own) {
    agreed = true;
    agree_on_failure(ranks, {}, part.lines);
    RowsBuilder::Shape all;
    for (const RowsBuilder::Shape& of_rank : ranks.gather(own)) all.add(of_rank);
    return all;
  };
  std::optional<Failure> failure;
  std::optional<Dataset> data;
  try {
    TextBlocks blocks(path, "a file of LIBSVM text, CSV or a .ssw cache",
                      {static_cast<std::size_t>(ranks.rank()), static_cast<std::size_t>(ranks.size())});
    data = read_libsvm(blocks, options, nullptr, &part);
  } catch (const ParseError& error) {
    if (agreed) throw;
    failure = Failure{error.reason, error.file, error.line, error.column};
  } catch (const Error& error) {
    if (agreed) throw;
    failure = Failure{error.what()};
  }
  if (failure) agree_on_failure(ranks, failure, part.lines);
  SharedData result{settle_shares(*std::move(data), ranks), 0};
  result.hash = content_hash_of_shares(result.data);
  return result;
}

bool is_libsvm_text(const std::string& path, const ReadOptions& options) {
  if (options.format != Format::libsvm && options.format != Format::guess) return false;
  if (options.format == Format::guess && (is_cache(path) || path.ends_with(".csv") || path.ends_with(".tsv") ||
                                          path.ends_with(".CSV") || path.ends_with(".TSV")))
    return false;
  return TextBlocks::has_parts(path);
}

// The size of a file and the bytes at `samples` places, as a hash; 0 for what is no file. Copies of other data have another
// one, at the cost of 256 KB; a copy that differs in a few bytes may have the same one.
std::uint64_t fingerprint(const std::string& path) {
  constexpr std::size_t samples = 64, sample_bytes = 4096;
  const int file = path == "-" ? -1 : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  struct stat about {};
  std::uint64_t hash = 0;
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode)) {
    const auto size = static_cast<std::size_t>(about.st_size);
    HashStream stream;
    stream.put(size);
    for (std::size_t k = 0; k < samples; ++k) {
      std::array<unsigned char, sample_bytes> bytes{};
      const std::size_t last = size - std::min(size, sample_bytes);  // the beginning of the last sample
      const std::size_t at = k + 1 == samples ? last : last / (samples - 1) * k;
      if (pread(file, bytes.data(), bytes.size(), static_cast<off_t>(at)) < 0) break;  // reported when it is read
      stream.put(bytes);
    }
    hash = stream.digest();
  }
  close(file);
  return hash;
}

// A cache whose rows are used as they are stored.
bool has_cached_rows(const std::string& path, const ReadOptions& options) {
  if (options.format != Format::cache && (options.format != Format::guess || !is_cache(path))) return false;
  const CacheSize size = cache_size(path);
  return size.format > 1 && options.labels.empty() && options.width.value_or(size.width) == size.width &&
         (options.precision == Precision::exact || size.entries.value == sizeof(float));
}

}  // namespace

SharedData read_share(const std::string& path, const ReadOptions& options, const std::string& weights, Ranks& ranks) {
  bool cached = false;
  on_each(ranks, [&] { cached = weights.empty() && has_cached_rows(path, options); });
  for (const char on_rank : ranks.gather(static_cast<char>(cached))) cached = cached && on_rank != 0;
  if (cached) return read_cache_part(path, ranks);
  require_equal_copies(path, fingerprint(path), ranks);
  if (!weights.empty()) require_equal_copies(weights, fingerprint(weights), ranks);
  if (weights.empty() && is_libsvm_text(path, options)) return read_part(path, options, ranks);
  Dataset whole = read_dataset(path, options);
  if (!weights.empty()) whole = with_weights(std::move(whole), weights);
  const std::uint64_t hash = content_hash(whole, ranks);
  return {own_share(whole, ranks), hash};
}

}  // namespace seesaw
