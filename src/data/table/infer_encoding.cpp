#include "data/table/infer_encoding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "data/readers/numbers.h"
#include "data/table/cell_facts.h"
#include "data/table/cells.h"
#include "data/table/label_place.h"
#include "data/table/level_counts.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

double median_of(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return *std::max_element(values.begin(), middle) / 2 + *middle / 2;
}

double mean_of(const std::vector<double>& values) {  // a running mean: no overflow
  double mean = 0, count = 0;
  for (const double value : values) {
    ++count;
    mean += value / count - mean / count;
  }
  return mean;
}

class Inference {
 public:
  Inference(const TableText& table, const std::string& label, const TableOptions& options)
      : table_(table),
        options_(options),
        problems_(table.file),
        facts_(table.names.size()),
        kinds_(table.names.size()) {
    check_names(label);
    label_ = label_place(table, label, problems_);
    if (label_ < table.names.size() && contains(options.drop, table.names[label_]))
      problems_.add(
          fmt::format("column {} is the label and cannot be dropped; choose another by `label_column`, or "
                      "leave it out of `drop`.",
                      in_quotes(table.names[label_])));
    for (std::size_t j = 0; j < table.names.size(); ++j)
      if (j == label_ || used(table.names[j])) columns_.push_back(j);
  }

  InferredEncoding infer() {
    table_.for_each_row(problems_, [&](const std::vector<Cell>& cells) {
      for (const std::size_t j : columns_) facts_.count(j, cells[j], table_.comma_allowed());
    });
    result_.decimal_comma = decimal_comma(table_, facts_, numeric_columns(), problems_);
    for (const std::size_t j : columns_) decide(j);
    collect();
    problems_.refuse();
    return encode();
  }

 private:
  bool used(const std::string& name) const {
    return !contains(options_.drop, name) && (options_.keep.empty() || contains(options_.keep, name));
  }

  void check_names(const std::string& label) {
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t j = 0; j < table_.names.size(); ++j)
      if (const auto [known, added] = places.try_emplace(table_.names[j], j);
          !added && (used(table_.names[j]) || table_.names[j] == label || (label.empty() && known->second == 0)))
        problems_.add(fmt::format("columns {} and {} have the same name, {}; rename one of them.", known->second + 1,
                                  j + 1, in_quotes(table_.names[j])));
    const std::pair<const char*, const std::vector<std::string>*> lists[] = {{"drop", &options_.drop},
                                                                             {"keep", &options_.keep},
                                                                             {"categorical", &options_.categorical},
                                                                             {"date", &options_.dates}};
    for (const auto& [option, names] : lists)
      for (const std::string& name : *names)
        if (!places.contains(name))
          problems_.add(fmt::format("there is no column {}, which `{}` names{}.", in_quotes(name), option,
                                    table_.header ? "" : "; without a header, columns are named by their numbers"));
    for (const std::string& name : options_.dates)
      if (contains(options_.categorical, name))
        problems_.add(fmt::format("column {} cannot be both `date` and `categorical`.", in_quotes(name)));
  }

  bool categorical(std::size_t j) const { return contains(options_.categorical, table_.names[j]); }
  bool date(std::size_t j) const { return contains(options_.dates, table_.names[j]); }

  std::vector<std::size_t> numeric_columns() const {
    std::vector<std::size_t> columns;
    for (const std::size_t j : columns_)
      if (!categorical(j) && !date(j)) columns.push_back(j);
    return columns;
  }

  // The kind of a column; nothing if it has no features.
  void decide(std::size_t j) {
    const std::size_t present = facts_.present(j);
    if (j == label_) check_label(j);
    if (present == 0) return;
    if (categorical(j) && j != label_) kinds_[j] = ColumnKind::levels;
    else if (date(j)) kinds_[j] = ColumnKind::date;
    else if (facts_.numbers(j)) kinds_[j] = ColumnKind::number;
    else decide_text(j, present);
  }

  void check_label(std::size_t j) {
    const std::size_t missing = facts_.of(j, CellKind::missing);
    if (missing == 0) return;
    if (facts_.present(j) == 0)
      problems_.add(
          fmt::format("all cells of the label column, {}, are empty; to use another label column, add "
                      "`label_column`.",
                      table_.column(j)));
    else
      problems_.add(
          facts_.sample(j, CellKind::missing).at,
          fmt::format("the value in the label column, {}, is missing in {}, here first; fill it in or remove the "
                      "row.",
                      table_.column(j), counted(missing, "row")));
  }

  void decide_text(std::size_t j, std::size_t present) {
    const std::string name = shell_word(table_.names[j]);
    const std::string column = j == label_ ? "the label column, " + table_.column(j) + "," : table_.column(j);
    const std::string otherwise = j == label_ ? "; to use another label column, add `label_column`."
                                              : fmt::format(", or use `drop` {0} or `categorical` {0}.", name);
    if (facts_.of(j, CellKind::grouped_number) > 0 && present == facts_.of(j, CellKind::grouped_number) +
                                                                     facts_.of(j, CellKind::number) +
                                                                     facts_.of(j, CellKind::comma_number)) {
      const Sample& first = facts_.sample(j, CellKind::grouped_number);
      problems_.add(first.at, fmt::format("{} in {} has separators of thousands; write the numbers without them{}",
                                          in_quotes(first.text), column, otherwise));
      return;
    }
    const std::size_t dates =
        facts_.of(j, CellKind::date) + facts_.of(j, CellKind::slash_date) + facts_.of(j, CellKind::unread_date);
    const std::size_t numbers = facts_.of(j, CellKind::number) + facts_.of(j, CellKind::comma_number);
    const std::size_t infinite = facts_.of(j, CellKind::infinite);
    if (2 * dates > present) return refuse_dates(j, column, name);
    if (infinite > 0 && 2 * (numbers + infinite) > present) {
      const Sample& first = facts_.sample(j, CellKind::infinite);
      problems_.add(first.at, fmt::format("{} in {} is infinite; give finite numbers{}", in_quotes(first.text), column,
                                          otherwise));
      return;
    }
    if (2 * numbers > present) {
      const Sample& first = first_text(j);
      problems_.add(first.at, fmt::format("{} in {} is not a number, as {} of its cells are; correct it{}",
                                          in_quotes(first.text), column, numbers, otherwise));
      return;
    }
    kinds_[j] = ColumnKind::levels;
  }

  void refuse_dates(std::size_t j, const std::string& column, const std::string& name) {
    const CellKind kind = facts_.of(j, CellKind::slash_date) > 0    ? CellKind::slash_date
                          : facts_.of(j, CellKind::unread_date) > 0 ? CellKind::unread_date
                                                                    : CellKind::date;
    const Sample& first = facts_.sample(j, kind);
    const std::string shown = in_quotes(first.text);
    const std::string write = fmt::format("write YYYY-MM-DD and use `date` {0}, or use `drop` {0}", name);
    if (j == label_)
      problems_.add(first.at, fmt::format("{} contains dates ({}); to use another label column, add `label_column`.",
                                          column, shown));
    else if (kind == CellKind::slash_date)
      problems_.add(first.at, fmt::format("{} contains dates such as {}, whose order of day and month is not "
                                          "determined; {}.",
                                          column, shown, write));
    else if (kind == CellKind::unread_date)
      problems_.add(first.at, fmt::format("{} contains dates such as {}, a notation that is not read; {}, or if they "
                                          "are no dates `categorical` {}.",
                                          column, shown, write, name));
    else
      problems_.add(first.at,
                    fmt::format("{} contains dates ({}); use `date` {} for days since 1970-01-01, or `drop` {}.",
                                column, shown, name, name));
  }

  const Sample& first_text(std::size_t j) const {
    const Sample* first = nullptr;
    for (const CellKind kind : {CellKind::text, CellKind::infinite, CellKind::date, CellKind::slash_date,
                                CellKind::unread_date, CellKind::grouped_number})
      if (facts_.of(j, kind) > 0)
        if (const Sample& other = facts_.sample(j, kind); first == nullptr || other.at.line < first->at.line)
          first = &other;
    return *first;
  }

  static std::string shell_word(const std::string& name) {
    return name.find_first_of(" \t\"'|;&()$") == name.npos ? name : in_quotes(name);
  }

  // The values of numbers and dates, and the levels of the other columns.
  void collect() {
    const bool values_wanted = options_.impute != Impute::constant;
    for (const std::size_t j : columns_)
      if (kinds_[j] == ColumnKind::levels) levels_.try_emplace(j);
    values_.resize(table_.names.size());
    Problems reported(table_.file);  // rows of another length, by the first pass
    table_.for_each_row(reported, [&](const std::vector<Cell>& cells) {
      for (const std::size_t j : columns_) {
        const std::string_view text = cells[j].text;
        if (!kinds_[j] || is_missing_cell(text)) continue;
        if (*kinds_[j] == ColumnKind::levels) {
          levels_.at(j).count(text);
          continue;
        }
        const auto value = *kinds_[j] == ColumnKind::date ? days_in(text) : number_of(text);
        if (!value)
          problems_.add(cells[j].at,
                        fmt::format("{} in {} is not a date; write YYYY-MM-DD.", in_quotes(text), table_.column(j)));
        else if (j == label_ && options_.log_target && !(*value > 0))
          add_without_logarithm(table_, j, cells[j], problems_);
        else if (values_wanted && j != label_) values_[j].push_back(*value);
      }
    });
    for (const auto& [j, counts] : levels_) check_levels(j, counts);
  }

  std::optional<double> number_of(std::string_view text) const {
    if (const auto value = number_in(text)) return value;
    return comma_number_in(text);
  }

  void check_levels(std::size_t j, const LevelCounts& counts) {
    if (j == label_) {
      if (options_.log_target)
        problems_.add(
            fmt::format("`log_target` needs labels that are numbers, and {} contains text.", table_.column(j)));
      for (const std::string& level : counts.sorted())
        if (level.find_first_of("\n\r") != level.npos) {
          problems_.add(
              fmt::format("the label {} in {} contains a line end; replace it.", in_quotes(level), table_.column(j)));
          return;
        }
      return;
    }
    if (counts.at_least(options_.min_count) <= most_levels || options_.hash_size > 0) return;
    problems_.add(
        fmt::format("{} has {} levels, more than {}; use `drop` {}, `hash` 2^20, or `min_count` to pool rare ones.",
                    table_.column(j), counts.at_least(options_.min_count), most_levels, shell_word(table_.names[j])));
  }

  InferredEncoding encode() {
    TableEncoding& encoding = result_.encoding;
    encoding.header = table_.header;
    encoding.width = table_.names.size();
    encoding.label.log = options_.log_target;
    if (label_ < table_.names.size()) encode_label();
    const std::size_t dropped = table_.names.size() - columns_.size();
    for (const std::size_t j : columns_) {
      if (j == label_) continue;
      if (!kinds_[j]) {
        result_.notes.push_back(fmt::format("{}: all cells empty, no feature", table_.names[j]));
        continue;
      }
      encode_column(j);
    }
    if (dropped > 0) result_.notes.push_back(fmt::format("{} not used", counted(dropped, "column")));
    if (encoding.columns.empty())
      throw Error(
          fmt::format("{}: no column is left for the features: the others are empty, or excluded by `drop` or `keep`.",
                      table_.file));
    if (encoding.features() > 0xffffffff)
      throw Error(
          fmt::format("{}: has {} features after encoding, more than 4294967295.", table_.file, encoding.features()));
    return std::move(result_);
  }

  void encode_label() {
    LabelEncoding& label = result_.encoding.label;
    label.name = table_.names[label_];
    if (kinds_[label_] != ColumnKind::levels) return;
    label.classes = levels_.at(label_).sorted();
    std::vector<std::string> words;
    for (std::size_t k = 0; k < std::min<std::size_t>(label.classes.size(), 10); ++k)
      words.push_back(fmt::format("{} = {}", label.classes[k], k));
    result_.notes.push_back(
        fmt::format("classes: {}{}", fmt::join(words, ", "), label.classes.size() > words.size() ? ", ..." : ""));
  }

  void encode_column(std::size_t j) {
    ColumnEncoding column{.name = table_.names[j], .kind = *kinds_[j]};
    const std::size_t missing = facts_.of(j, CellKind::missing);
    if (column.kind == ColumnKind::levels) {
      const LevelCounts& counts = levels_.at(j);
      if (const auto pair = categorical(j) ? std::nullopt : counts.answers()) {
        column.kind = ColumnKind::yes_no;
        column.levels = {std::string(answer_word(*pair)), std::string(answer_word(*pair + 1))};
        if (options_.impute != Impute::constant) values_[j] = counts.answer_values();
      } else if (options_.hash_size > 0 && counts.size() > most_listed_levels) {
        column.kind = ColumnKind::hashed;
        result_.encoding.hash_size = options_.hash_size;
        column.missing = missing > 0;
        result_.notes.push_back(
            fmt::format("{}: {} levels, hashed to {} features{}", column.name, counts.size(), options_.hash_size,
                        missing > 0 ? fmt::format(", {} as one more level", counted(missing, "empty cell")) : ""));
      } else {
        encode_levels(column, counts, missing);
      }
    }
    if (column.kind != ColumnKind::levels && column.kind != ColumnKind::hashed) encode_value(column, j, missing);
    result_.encoding.columns.push_back(std::move(column));
  }

  void encode_levels(ColumnEncoding& column, const LevelCounts& counts, std::size_t missing) {
    column.levels = counts.sorted(options_.min_count);
    column.rare = column.levels.size() < counts.size();
    column.missing = missing > 0;
    std::string note = fmt::format("{}: {}, one-hot", column.name, counted(counts.size(), "level"));
    if (column.rare)
      note +=
          fmt::format(", {} of fewer than {} rows pooled", counts.size() - column.levels.size(), options_.min_count);
    if (missing > 0) note += fmt::format(", {} as one more level", counted(missing, "empty cell"));
    result_.notes.push_back(note);
  }

  void encode_value(ColumnEncoding& column, std::size_t j, std::size_t missing) {
    const char* what = options_.impute == Impute::median ? "median"
                       : options_.impute == Impute::mean ? "mean"
                                                         : "constant";
    column.fill = options_.impute == Impute::median ? median_of(values_[j])
                  : options_.impute == Impute::mean ? mean_of(values_[j])
                                                    : options_.constant;
    column.indicator = missing > 0;
    std::vector<double>().swap(values_[j]);
    std::string note;
    if (column.kind == ColumnKind::date) note = "days since 1970-01-01";
    if (column.kind == ColumnKind::yes_no) note = fmt::format("{} = 1, {} = 0", column.levels[1], column.levels[0]);
    if (missing > 0)
      note += fmt::format("{}{}, {} {:.6g} and an indicator", note.empty() ? "" : "; ", counted(missing, "empty cell"),
                          what, column.fill);
    if (!note.empty()) result_.notes.push_back(column.name + ": " + note);
  }

  const TableText& table_;
  const TableOptions& options_;
  Problems problems_;
  CellFacts facts_;
  std::vector<std::optional<ColumnKind>> kinds_;
  std::size_t label_ = 0;
  std::vector<std::size_t> columns_;  // the used ones and the label
  std::vector<std::vector<double>> values_;
  std::unordered_map<std::size_t, LevelCounts> levels_;
  InferredEncoding result_;
};

}  // namespace

InferredEncoding infer_encoding(const TableText& table, const std::string& label, const TableOptions& options) {
  return Inference(table, label, options).infer();
}

}  // namespace seesaw
