#include "model/shared_model_file.h"

#include <optional>
#include <span>
#include <vector>

#include "base/atomic_file.h"
#include "base/first_rank.h"
#include "base/shared_file.h"
#include "data/share_rows.h"
#include "model/dual_file.h"
#include "model/model_text.h"

namespace seesaw {
namespace {

// The checksums of all blocks of rows: a block may have rows of several ranks, and its checksum is the sum of theirs.
std::vector<std::uint64_t> checksums_of_ranks(const DualFileShape& shape, std::size_t first,
                                              const std::vector<double>& own, Ranks& ranks) {
  struct Part {
    std::uint64_t block, checksum;
  };
  std::vector<std::uint64_t> of_blocks(dual_blocks(shape.rows));
  const std::size_t rows = own.size() / shape.outputs;
  add_to_dual_checksums(shape, first, own.data(), rows, of_blocks);
  std::vector<Part> parts;
  if (rows > 0)
    for (std::size_t block = first / rows_per_dual_block; block < dual_blocks(first + rows); ++block)
      parts.push_back({block, of_blocks[block]});
  of_blocks.assign(of_blocks.size(), 0);
  for (const Part& part : ranks.concatenate<Part>(parts)) of_blocks[part.block] += part.checksum;
  return of_blocks;
}

// All of PATH.dual, to be committed. Returns dual_checksum().
std::uint64_t write_parts(SharedFile& file, const LinearModel& model, const Shares& shares) {
  Ranks& ranks = *shares.ranks;
  const DualFileShape shape{model.n, model.outputs(), model.data_hash};
  const std::size_t first = shares.first_row[static_cast<std::size_t>(ranks.rank())];
  const std::vector<std::uint64_t> of_blocks = checksums_of_ranks(shape, first, model.y, ranks);
  const std::string header = dual_header(shape, of_blocks);
  const auto of_first = [&](auto bytes) { return ranks.first() ? bytes : decltype(bytes)(); };
  file.write(0, of_first(std::as_bytes(std::span(header))));
  file.write(dual_position(shape, first), std::as_bytes(std::span(model.y)));
  file.write(dual_position(shape, shape.rows), of_first(std::as_bytes(std::span(of_blocks))));
  file.prepare();
  return dual_checksum(shape, of_blocks);
}

}  // namespace

std::vector<double> read_dual(const StoredModel& stored, const Shares& shares) {
  const LinearModel& model = stored.model;
  Ranks& ranks = *shares.ranks;
  const auto here = static_cast<std::size_t>(ranks.rank());
  const std::size_t first = shares.first_row[here], rows = shares.first_row[here + 1] - first, K = model.outputs();
  if (stored.dual_path.empty()) {
    const auto begin = model.y.begin() + static_cast<std::ptrdiff_t>(first * K);
    return {begin, begin + static_cast<std::ptrdiff_t>(rows * K)};
  }
  const DualFileShape shape{model.n, K, model.data_hash};
  std::optional<DualFileReader> file;
  std::vector<double> own;
  on_each(ranks, [&] {
    file.emplace(stored.dual_path, shape, stored.dual_checksum);
    own = file->rows(first, rows);
  });
  file->compare(checksums_of_ranks(shape, first, own, ranks));
  return own;
}

bool write_shared_model(const LinearModel& model, Ranks& ranks, const std::string& path, DualPlace place) {
  Shares shares{.ranks = &ranks, .first_leaf = {}, .first_row = {0}, .entries = 0};
  for (const std::size_t numbers : ranks.gather(model.y.size()))
    shares.first_row.push_back(shares.first_row.back() + numbers / model.outputs());
  std::optional<AtomicFile> file;
  const bool beside = on_first(&ranks, [&] {
    file.emplace(path);
    return dual_is_beside(place, model.n * model.outputs(), path);
  });
  LinearModel whole = model;
  std::optional<SharedFile> dual_file;
  std::optional<model_format::DualReference> dual;
  if (beside) {
    const std::string dual_path = path + ".dual";
    dual_file.emplace(ranks, dual_path);
    dual = {dual_path.substr(dual_path.find_last_of('/') + 1), write_parts(*dual_file, model, shares)};
  } else {
    whole.y = collect_rows(shares, std::move(whole.y), model.outputs());
  }
  on_first(&ranks, [&] {
    model_format::write_text(whole, dual, [&](std::string_view text) { file->write(text); });
    file->prepare();  // a full disk leaves both as they were
  });
  if (dual_file) dual_file->commit();
  on_first(&ranks, [&] { file->commit(); });
  return beside;
}

}  // namespace seesaw
