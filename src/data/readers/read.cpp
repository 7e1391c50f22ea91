#include "data/readers/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
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
#include "data/readers/numpy.h"
#include "data/table/encode_table.h"
#include "data/table/infer_encoding.h"
#include "data/table/table_text.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

Format guess(const std::string& path) {
  if (is_cache(path)) return Format::cache;
  if (is_numpy(path)) return Format::numpy;
  std::string name = path;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const std::string_view packed : {".gz", ".bz2", ".xz", ".zst"})
    if (name.ends_with(packed)) {
      name.erase(name.size() - packed.size());
      break;
    }
  return name.ends_with(".csv") || name.ends_with(".tsv") ? Format::csv : Format::libsvm;
}

// The same entries in rows of another width or precision. The smaller storage may change.
template <class Value>
Rows rebuild(const SparseRows<Value>& rows, std::size_t width, Precision precision) {
  if constexpr (std::is_same_v<Value, double>)
    if (precision == Precision::single) return rebuilt_rows(rows, width, precision, true);
  // Only wider: the arrays are shared, and the narrower rows own them.
  return SparseRows<Value>(width, rows.offsets(), rows.columns(), rows.values(),
                           std::make_shared<SparseRows<Value>>(rows));
}

template <class Value>
Rows rebuild(const DenseRows<Value>& rows, std::size_t width, Precision precision) {
  return rebuilt_rows(rows, width, precision, false);
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

constexpr const char* readable_files = "a file of LIBSVM text, CSV, NumPy arrays or a .ssw cache";

void refuse_binary(Format format, TextBlocks& blocks) {
  if (blocks.peek().starts_with("PAR1") || blocks.peek().starts_with("ARROW1"))
    throw Error(fmt::format(
        "{}: Parquet and Arrow files are not read; write it as CSV, or as NumPy arrays (.npy, .npz).", blocks.name()));
  if (format == Format::cache || blocks.peek().starts_with("SEESAW"))
    throw Error(
        fmt::format("{}: a .ssw cache is mapped, not streamed or unpacked; give it as a plain file.", blocks.name()));
}

std::vector<std::string> notes_on(const TableText& text, const InferredEncoding& inferred) {
  const char* separator = text.separator == ','    ? "comma"
                          : text.separator == ';'  ? "semicolon"
                          : text.separator == '\t' ? "tab"
                                                   : nullptr;
  std::string layout =
      fmt::format("table: separator {}", separator != nullptr ? separator : in_quotes({&text.separator, 1}));
  if (inferred.decimal_comma) layout += ", decimal comma";
  if (!text.header) layout += ", no header: columns are named by their numbers";
  if (text.latin1) layout += ", read as Latin-1 (it is not UTF-8)";
  std::vector<std::string> notes = {layout};
  notes.insert(notes.end(), inferred.notes.begin(), inferred.notes.end());
  return notes;
}

// The columns that options name: a first line with one of them is a header.
std::vector<std::string> names_in(const ReadOptions& options, const TableOptions& table) {
  std::vector<std::string> names = {options.label_column};
  for (const auto* list : {&table.drop, &table.keep, &table.categorical, &table.dates})
    names.insert(names.end(), list->begin(), list->end());
  return names;
}

LoadedData read_table(TextBlocks& blocks, const ReadOptions& options, const TableOptions& table) {
  const TableText text = read_table_text(blocks, table.separator, std::nullopt, names_in(options, table));
  InferredEncoding inferred = infer_encoding(text, options.label_column, table);
  const bool labelled = options.label_column != "none";
  EncodedTable encoded = encode_table(text, inferred.encoding,
                                      {.label = options.label_column,
                                       .labels_required = labelled,
                                       .model = "this table",
                                       .precision = options.precision});
  return {std::move(encoded.data), std::move(inferred.encoding), notes_on(text, inferred)};
}

Dataset read_text(const std::string& path, Format format, const ReadOptions& options, RowsSink* sink) {
  TextBlocks blocks(path, readable_files);
  refuse_binary(format, blocks);
  return format == Format::csv ? read_csv(blocks, options, sink) : read_libsvm(blocks, options, sink);
}

}  // namespace

Format format_of(const std::string& path, const ReadOptions& options) {
  return options.format == Format::guess ? guess(path) : options.format;
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  const Format format = format_of(path, options);
  if (format == Format::numpy) return read_numpy(path, options);
  if (!options.labels.empty()) throw InvalidOption("labels", options.labels, "it is for NumPy files (.npy, .npz)");
  if (format == Format::cache && path != "-") return fit_to(read_cache(path), options);
  return read_text(path, format, options, nullptr);
}

Dataset with_width(Dataset data, const ReadOptions& options) {
  if (extents_of(data.rows) != nullptr && data.dense() && options.width.value_or(data.d()) > data.d())
    throw Error(fmt::format("{}: has {}, fewer than the {} of {}; its rows are on disk and cannot be filled up.",
                            data.source, counted(data.d(), "feature"), *options.width, expecting(options)));
  return fit_to(std::move(data), options);
}

Dataset stream_dataset(const std::string& path, const ReadOptions& options, RowsSink& sink) {
  return read_text(path, format_of(path, options), options, &sink);
}

LoadedData load_data(const std::string& path, const ReadOptions& options, const TableOptions& table) {
  if (format_of(path, options) != Format::csv || !options.labels.empty()) {
    if (table.given())
      throw Error(fmt::format("{}: options for tables need a CSV; `input` csv reads it as one.", path));
    return {read_dataset(path, options)};
  }
  std::error_code ignored;
  const bool repeatable = path != "-" && std::filesystem::is_regular_file(path, ignored);
  std::optional<TextBlocks> blocks;
  blocks.emplace(path, readable_files);
  if (!repeatable) blocks->remember();
  refuse_binary(Format::csv, *blocks);
  if (!table.given()) try {
      return {read_csv(*blocks, options)};
    } catch (const Error&) {  // not a CSV of numbers; what is wrong with it as a table is reported instead
      if (repeatable) blocks.emplace(path, readable_files);
      else blocks->rewind();
    }
  return read_table(*blocks, options, table);
}

LoadedData load_data(const std::string& path, const ReadOptions& options, const TableEncoding& encoding, char separator,
                     bool labels_required) {
  Format format = format_of(path, options);
  if (options.format == Format::guess && format == Format::libsvm) format = Format::csv;  // the model needs a table
  if (format != Format::csv)
    throw Error(fmt::format("{}: {} was trained on a table and needs one with the same columns; give a CSV.", path,
                            expecting(options)));
  TextBlocks blocks(path, readable_files);
  refuse_binary(format, blocks);
  const TableText text = read_table_text(blocks, separator, encoding.header);
  EncodedTable encoded = encode_table(text, encoding,
                                      {.label = options.label_optional ? "" : options.label_column,
                                       .labels_required = labels_required,
                                       .model = expecting(options),
                                       .precision = options.precision});
  return {.data = std::move(encoded.data),
          .table = encoding,
          .notes = std::move(encoded.notes),
          .unknown_label = std::move(encoded.unknown_label)};
}

}  // namespace seesaw
