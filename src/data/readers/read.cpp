#include "data/readers/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "data/cache.h"
#include "data/extents.h"
#include "data/readers/blocks.h"
#include "data/readers/csv.h"
#include "data/readers/libsvm.h"
#include "data/readers/numbers.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

Format guess(const std::string& path) {
  if (is_cache(path)) return Format::cache;
  std::string name = path;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const std::string_view packed : {".gz", ".bz2", ".xz", ".zst"})
    if (name.ends_with(packed)) {
      name.resize(name.size() - packed.size());
      break;
    }
  return name.ends_with(".csv") || name.ends_with(".tsv") ? Format::csv : Format::libsvm;
}

// The same entries in rows of another width or precision. The smaller storage may change.
template <class Value>
Rows rebuild(const SparseRows<Value>& rows, std::size_t width, Precision precision) {
  if constexpr (std::is_same_v<Value, double>)
    if (precision == Precision::single) {
      RowsBuilder builder(precision);
      for (std::size_t i = 0; i < rows.count(); ++i) {
        const auto row = rows.row(i);
        builder.add_row({row.column, row.size}, {row.value, row.size});
      }
      return std::move(builder).finish(width, precision);
    }
  // Only wider: the arrays are shared, and the narrower rows own them.
  return SparseRows<Value>(width, rows.offsets(), rows.columns(), rows.values(),
                           std::make_shared<SparseRows<Value>>(rows));
}

template <class Value>
Rows rebuild(const DenseRows<Value>& rows, std::size_t width, Precision precision) {
  RowsBuilder builder(precision);
  RowEntries row;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    row.take(rows.row(i));
    builder.add_row(row);
  }
  return std::move(builder).finish(width, precision);
}

Dataset fit_to(Dataset data, const ReadOptions& options) {
  const std::size_t width = options.width.value_or(data.d());
  if (width < data.d())
    throw Error(fmt::format("{}: has {}, more than the {} of {}; give data with the same features.", data.source,
                            counted(data.d(), "feature"), width, expecting(options)));
  const bool rounds = options.precision == Precision::single && !data.single_precision();
  if (width == data.d() && !rounds) return data;
  data.rows = std::visit([&](const auto& rows) { return rebuild(rows, width, options.precision); }, data.rows);
  if (!data.feature_names.empty()) data.feature_names.resize(width);
  return data;
}

Dataset read_text(const std::string& path, Format format, const ReadOptions& options, RowsSink* sink) {
  TextBlocks blocks(path, "a file of LIBSVM text, CSV or a .ssw cache");
  if (format == Format::cache || blocks.peek().starts_with("SEESAW"))
    throw Error(
        fmt::format("{}: a .ssw cache is mapped, not streamed or unpacked; give it as a plain file.", blocks.name()));
  return format == Format::csv ? read_csv(blocks, options, sink) : read_libsvm(blocks, options, sink);
}

}  // namespace

Dataset with_width(Dataset data, const ReadOptions& options) {
  if (extents_of(data.rows) != nullptr && data.dense() && options.width.value_or(data.d()) > data.d())
    throw Error(fmt::format("{}: has {}, fewer than the {} of {}; its rows are on disk and cannot be filled up.",
                            data.source, counted(data.d(), "feature"), *options.width, expecting(options)));
  return fit_to(std::move(data), options);
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  const Format format = options.format == Format::guess ? guess(path) : options.format;
  if (format == Format::cache && path != "-") return fit_to(read_cache(path), options);
  return read_text(path, format, options, nullptr);
}

Dataset stream_dataset(const std::string& path, const ReadOptions& options, RowsSink& sink) {
  return read_text(path, options.format == Format::guess ? guess(path) : options.format, options, &sink);
}

}  // namespace seesaw
