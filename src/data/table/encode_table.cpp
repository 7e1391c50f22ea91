#include "data/table/encode_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/elementary.h"
#include "data/readers/numbers.h"
#include "data/table/cell_facts.h"
#include "data/table/cells.h"
#include "data/table/label_place.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

constexpr std::size_t most_names = 10;

std::string list_of(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), most_names);
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "");
}

struct SourceColumn {
  const ColumnEncoding* encoding;
  std::size_t place;  // in the file
  std::size_t first_feature;
  std::unordered_map<std::string_view, std::size_t> levels = {};
  std::size_t filled = 0, unlisted = 0;  // cells
};

class Encoder {
 public:
  Encoder(const TableText& table, const TableEncoding& encoding, const EncodeOptions& options)
      : table_(table), encoding_(encoding), options_(options), problems_(table.file), builder_(options.precision) {}

  EncodedTable encode() {
    find_columns();
    find_decimal_sign();
    table_.for_each_row(problems_, [&](const std::vector<Cell>& cells) { add_row(cells); });
    problems_.refuse();
    return finish();
  }

 private:
  void find_columns() {
    std::unordered_map<std::string, std::size_t> places;
    std::unordered_set<std::string> repeated;
    for (std::size_t j = 0; j < table_.names.size(); ++j)
      if (!places.try_emplace(name_of_column(j), j).second) repeated.insert(table_.names[j]);
    find_label(places);
    if (labelled() && repeated.contains(table_.names[label_])) refuse_repeated(table_.names[label_]);
    std::vector<std::string> missing;
    std::size_t feature = 0, used = labelled() ? 1 : 0;
    for (const ColumnEncoding& column : encoding_.columns) {
      const auto found = places.find(column.name);
      if (found == places.end()) {
        missing.push_back(in_quotes(column.name));
        continue;
      }
      if (repeated.contains(column.name)) refuse_repeated(column.name);
      SourceColumn& source = columns_.emplace_back(SourceColumn{&column, found->second, feature});
      for (std::size_t k = 0; k < column.levels.size(); ++k) source.levels.emplace(column.levels[k], k);
      feature += column.features();
      ++used;
    }
    first_hashed_ = feature;
    if (!missing.empty())
      problems_.add(fmt::format("has no column {}, which {} uses; give data with the columns of training{}.",
                                list_of(missing), options_.model, table_.header ? "" : " and a header"));
    if (used < table_.names.size()) find_unused();
  }

  void refuse_repeated(const std::string& name) {
    problems_.add(fmt::format("has more than one column {}; rename one of them.", in_quotes(name)));
  }

  // A table without a header and with one column less than the training file has no labels.
  std::string name_of_column(std::size_t j) const {
    if (table_.header || table_.names.size() + 1 != encoding_.width) return table_.names[j];
    const std::size_t label = std::strtoull(encoding_.label.name.c_str(), nullptr, 10);
    return std::to_string(j + 1 + (j + 1 >= label ? 1 : 0));
  }

  void find_label(const std::unordered_map<std::string, std::size_t>& places) {
    label_ = table_.names.size();
    if (options_.label == "none") return;
    if (!options_.label.empty()) {
      label_ = label_place(table_, options_.label, problems_);
    } else if (const auto found = places.find(encoding_.label.name); found != places.end()) {
      label_ = found->second;
    } else if (options_.labels_required) {
      problems_.add(fmt::format("has no column {}, the label of {}; to use another label column, add `label_column`.",
                                in_quotes(encoding_.label.name), options_.model));
    }
  }

  void find_unused() {
    std::vector<bool> used(table_.names.size());
    for (const SourceColumn& source : columns_) used[source.place] = true;
    if (labelled()) used[label_] = true;
    for (std::size_t j = 0; j < used.size(); ++j)
      if (!used[j]) unused_.push_back(table_.names[j]);
  }

  // Only where the comma does not separate cells: a pass over the columns of numbers.
  void find_decimal_sign() {
    if (!table_.comma_allowed()) return;
    std::vector<std::size_t> places;
    for (const SourceColumn& source : columns_)
      if (source.encoding->kind == ColumnKind::number) places.push_back(source.place);
    if (labelled() && encoding_.label.classes.empty()) places.push_back(label_);
    CellFacts facts(table_.names.size());
    Problems ignored(table_.file);  // reported by the pass that follows
    table_.for_each_row(ignored, [&](const std::vector<Cell>& cells) {
      for (const std::size_t j : places) facts.count(j, cells[j], true);
    });
    decimal_comma(table_, facts, places, problems_);
  }

  bool labelled() const { return label_ < table_.names.size(); }

  void add_row(const std::vector<Cell>& cells) {
    entries_.columns.clear();
    entries_.values.clear();
    hashed_.clear();
    for (SourceColumn& source : columns_) add_cell(source, cells[source.place]);
    std::sort(hashed_.begin(), hashed_.end());
    for (std::size_t k = 0; k < hashed_.size(); ++k) {
      if (k > 0 && hashed_[k] == hashed_[k - 1]) ++entries_.values.back();
      else put(first_hashed_ + hashed_[k], 1);
    }
    builder_.add_row(entries_);
    labels_.push_back(labelled() ? label_of(cells[label_]) : 0);
  }

  void put(std::size_t feature, double value) {
    if (value == 0) return;
    entries_.columns.push_back(static_cast<std::uint32_t>(feature));
    entries_.values.push_back(value);
  }

  void add_cell(SourceColumn& source, const Cell& cell) {
    const ColumnEncoding& column = *source.encoding;
    const bool missing = is_missing_cell(cell.text);
    switch (column.kind) {
      case ColumnKind::hashed:
        if (!missing || column.missing)
          hashed_.push_back(hashed_feature(column.name, missing ? "" : cell.text, encoding_.hash_size));
        else ++source.filled;
        return;
      case ColumnKind::levels:
        return add_level(source, cell.text, missing);
      default:
        break;
    }
    if (missing) {
      put(source.first_feature, column.fill);
      if (column.indicator) put(source.first_feature + 1, 1);
      else ++source.filled;
      return;
    }
    if (const auto value = value_of(source, cell)) put(source.first_feature, *value);
  }

  void add_level(SourceColumn& source, std::string_view text, bool missing) {
    const ColumnEncoding& column = *source.encoding;
    if (missing) {
      if (column.missing) put(source.first_feature + column.features() - 1, 1);
      else ++source.filled;
    } else if (const auto found = source.levels.find(text); found != source.levels.end()) {
      put(source.first_feature + found->second, 1);
    } else {
      if (column.rare) put(source.first_feature + column.levels.size(), 1);
      ++source.unlisted;
    }
  }

  std::optional<double> value_of(SourceColumn& source, const Cell& cell) {
    const ColumnEncoding& column = *source.encoding;
    if (column.kind == ColumnKind::yes_no) {
      const auto found = source.levels.find(lower_case(cell.text));
      if (found != source.levels.end()) return static_cast<double>(found->second);
      ++source.unlisted;
      return std::nullopt;
    }
    const bool date = column.kind == ColumnKind::date;
    const auto value = date ? days_in(cell.text) : number_of(cell.text);
    if (!value)
      problems_.add(cell.at, date ? fmt::format("{} in {} is not a date; write YYYY-MM-DD.", in_quotes(cell.text),
                                                table_.column(source.place))
                                  : fmt::format("{} in {} is not a number, as {} has there; correct it.",
                                                in_quotes(cell.text), table_.column(source.place), options_.model));
    return value;
  }

  std::optional<double> number_of(std::string_view text) const {
    if (const auto value = number_in(text)) return value;
    return table_.comma_allowed() ? comma_number_in(text) : std::nullopt;
  }

  double label_of(const Cell& cell) {
    const LabelEncoding& label = encoding_.label;
    if (is_missing_cell(cell.text)) {
      if (options_.labels_required)
        problems_.add(cell.at,
                      fmt::format("the value in the label column, {}, is missing; fill it in or remove the row.",
                                  table_.column(label_)));
      ++missing_labels_;
      return 0;
    }
    if (!label.classes.empty()) {
      const auto at = std::lower_bound(label.classes.begin(), label.classes.end(), cell.text);
      if (at != label.classes.end() && *at == cell.text) return static_cast<double>(at - label.classes.begin());
      if (++unknown_labels_ == 1) unknown_label_ = cell.text;
      return -1;
    }
    const auto value = number_of(cell.text);
    if (!value)
      problems_.add(cell.at, fmt::format("{} in the label column, {}, is not a number; correct it.",
                                         in_quotes(cell.text), table_.column(label_)));
    else if (label.log && *value <= 0) add_without_logarithm(table_, label_, cell, problems_);
    else return label.log ? log_of(*value) : *value;
    return 0;
  }

  EncodedTable finish() {
    const bool has_labels = labelled() && missing_labels_ == 0;
    if (!has_labels) std::fill(labels_.begin(), labels_.end(), 0.0);
    const std::size_t entries = builder_.entries();
    Rows rows = std::move(builder_).finish(encoding_.features(), options_.precision);
    EncodedTable result{{.rows = std::move(rows),
                         .labels = std::move(labels_),
                         .nnz = entries,
                         .feature_names = encoding_.feature_names(),
                         .labelled = has_labels,
                         .fixed_width = true,
                         .source = table_.file,
                         .label_column = has_labels ? table_.column(label_) : ""}};
    if (!unused_.empty())
      result.notes.push_back(fmt::format("{} of {} not used by {}: {}", counted(unused_.size(), "column"), table_.file,
                                         options_.model, list_of(unused_)));
    if (missing_labels_ > 0)
      result.notes.push_back(
          fmt::format("the label is missing in {}, so labels are not used", counted(missing_labels_, "row")));
    if (has_labels && unknown_labels_ > 0) {
      result.unknown_label = unknown_label_;
      result.notes.push_back(fmt::format("{} with a label that training did not have ({})",
                                         counted(unknown_labels_, "row"), in_quotes(unknown_label_)));
    }
    for (const SourceColumn& source : columns_) add_notes(source, result.notes);
    return result;
  }

  static void add_notes(const SourceColumn& source, std::vector<std::string>& notes) {
    const ColumnEncoding& column = *source.encoding;
    const bool levels = column.kind == ColumnKind::levels || column.kind == ColumnKind::hashed;
    const std::string taken = column.rare                         ? "rare"
                              : column.kind == ColumnKind::yes_no ? column.levels[0]
                                                                  : "none of the levels";
    if (source.filled > 0)
      notes.push_back(
          levels
              ? fmt::format("{}: {}, taken as none of the levels", column.name, counted(source.filled, "empty cell"))
              : fmt::format("{}: {}, taken as {:.6g}", column.name, counted(source.filled, "empty cell"), column.fill));
    if (source.unlisted > 0)
      notes.push_back(fmt::format("{}: {} with another level than in training, taken as {}", column.name,
                                  counted(source.unlisted, "cell"), taken));
  }

  const TableText& table_;
  const TableEncoding& encoding_;
  const EncodeOptions& options_;
  Problems problems_;
  std::vector<SourceColumn> columns_;
  std::size_t label_ = 0, first_hashed_ = 0, missing_labels_ = 0, unknown_labels_ = 0;
  std::string unknown_label_;
  std::vector<std::string> unused_;
  RowsBuilder builder_;
  std::vector<double> labels_;
  RowEntries entries_;
  std::vector<std::uint64_t> hashed_;
};

}  // namespace

EncodedTable encode_table(const TableText& table, const TableEncoding& encoding, const EncodeOptions& options) {
  return Encoder(table, encoding, options).encode();
}

}  // namespace seesaw
