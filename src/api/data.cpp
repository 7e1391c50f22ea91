#include "seesaw/data.h"

#include <fmt/format.h>

#include "api/internals.h"
#include "data/cache.h"
#include "data/readers/read.h"
#include "seesaw/error.h"
#include "seesaw/training.h"

namespace seesaw {

namespace {

// A cache whose rows stay on disk, unless all of them are within options.memory.
LoadedData read_within_memory(const std::string& path, const ReadOptions& options) {
  if (path == "-" || format_of(path, options) != Format::cache)
    throw Error(fmt::format("{}: `memory` is for caches (.ssw); seesaw convert, or Data::save, writes one.", path));
  const CacheSize size = cache_size(path);
  if (size.entries.total() <= options.memory) return {read_dataset(path, options)};
  if (size.format == 1)
    throw Error(
        fmt::format("{} is a cache of format 1, which is used in memory only: convert it again from the text.", path));
  const EntryBytes scaled{size.entries.entries, size.entries.column, sizeof(double)};  // floats may become doubles
  const auto budget = [&](const OpenedCache& opened) {
    const std::size_t least = Extents::least_bytes(scaled, opened.longest_row) * 4 / 3;  // a third more, for copies
    if (options.memory < least)
      throw InvalidOption("memory", std::to_string(options.memory),
                          fmt::format("the rows of {} need at least {} bytes", path, least));
    return options.memory;
  };
  std::optional<DiskCache> opened;  // for all cores, however many threads this call has: each holds some rows later
  with_threads(0, [&] { opened = open_cache(path, budget, 0.25); });
  if (options.precision == Precision::single && !opened->data.single_precision())
    throw Error(fmt::format("`precision` single cannot change rows on disk: choose it when {} is made.", path));
  return {with_width(std::move(opened->data), options)};
}

}  // namespace

Data Data::read(const std::string& path, const ReadOptions& options, const std::string& weights) {
  LoadedData loaded = options.memory > 0 ? read_within_memory(path, options) : load_data(path, options, options.table);
  if (!weights.empty()) loaded.data = with_weights(std::move(loaded.data), weights);
  return Access::data(std::move(loaded));
}

void Data::save(const std::string& path) const { write_cache(state_->set, path); }

Data Data::with_feature_names(std::vector<std::string> names) const {
  if (names.size() != features())
    throw ShapeError(features(), names.size(),
                     fmt::format("there are {} names, but {} features.", names.size(), features()));
  Dataset data = state_->set;
  data.feature_names = std::move(names);
  return Access::data(std::move(data));
}

std::size_t Data::rows() const { return state_->set.n(); }
std::size_t Data::features() const { return state_->set.d(); }
std::size_t Data::entries() const { return state_->set.nnz; }
std::size_t Data::bytes() const { return state_->set.bytes(); }
const std::vector<double>& Data::labels() const { return state_->set.labels; }
const std::vector<double>& Data::weights() const { return state_->set.weights; }
const std::vector<std::string>& Data::feature_names() const { return state_->set.feature_names; }
bool Data::on_disk() const { return extents_of(state_->set.rows) != nullptr; }
bool Data::is_table() const { return state_->table.has_value(); }
std::vector<std::string> Data::label_names() const {
  return state_->table ? state_->table->label.classes : std::vector<std::string>();
}
const std::vector<std::string>& Data::notes() const { return state_->notes; }
std::uint64_t Data::hash() const { return state_->hash(); }

}  // namespace seesaw
