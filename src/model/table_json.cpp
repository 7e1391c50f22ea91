#include "model/table_json.h"

#include <array>

#include "model/model_text.h"

namespace seesaw::model_format {
namespace {

constexpr std::array kinds = {ColumnKind::number, ColumnKind::yes_no, ColumnKind::date, ColumnKind::levels,
                              ColumnKind::hashed};

std::string list_of(const std::vector<std::string>& words) {
  std::string text = "[";
  for (const std::string& word : words) text += (text.size() > 1 ? ", " : "") + quoted(word);
  return text + "]";
}

std::string text_of(const ColumnEncoding& column) {
  std::string text = fmt::format(R"({{"name": {}, "kind": "{}")", quoted(column.name), name_of(column.kind));
  if (column.kind == ColumnKind::levels)
    text += fmt::format(R"(, "levels": {}, "rare": {}, "missing": {})", list_of(column.levels), column.rare,
                        column.missing);
  else if (column.kind == ColumnKind::hashed) text += column.missing ? R"(, "missing": true)" : "";
  else text += fmt::format(R"(, "fill": {}, "indicator": {})", column.fill, column.indicator);
  if (column.kind == ColumnKind::yes_no) text += fmt::format(R"(, "levels": {})", list_of(column.levels));
  return text + "}";
}

std::vector<std::string> words_of(const Fields& fields, const std::string& key) {
  std::vector<std::string> words;
  for (const nlohmann::json& item : fields.list(key)) {
    if (!item.is_string()) fields.wrong(key, "a list of texts");
    words.push_back(item.get<std::string>());
  }
  return words;
}

ColumnEncoding parse_column(const Fields& fields) {
  ColumnEncoding column{.name = fields.text("name")};
  const std::string kind = fields.text("kind");
  const auto* const known = std::find_if(kinds.begin(), kinds.end(), [&](ColumnKind k) { return name_of(k) == kind; });
  if (known == kinds.end()) fields.wrong("kind", "a word of this version");
  column.kind = *known;
  if (column.kind == ColumnKind::levels) {
    column.levels = words_of(fields, "levels");
    column.rare = fields.flag("rare");
    column.missing = fields.flag("missing");
  } else if (column.kind == ColumnKind::hashed) {
    column.missing = fields.has("missing") && fields.flag("missing");
  } else {
    column.fill = fields.number("fill");
    column.indicator = fields.flag("indicator");
    if (column.kind == ColumnKind::yes_no) column.levels = words_of(fields, "levels");
  }
  return column;
}

}  // namespace

std::string text_of(const TableEncoding& encoding) {
  std::string text = fmt::format(R"({{"header": {}, "width": {}, "hash_size": {}, )", encoding.header, encoding.width,
                                 encoding.hash_size);
  text += fmt::format(R"("label": {{"name": {}, "classes": {}, "log": {}}}, "columns": [)", quoted(encoding.label.name),
                      list_of(encoding.label.classes), encoding.label.log);
  const char* separator = "";
  for (const ColumnEncoding& column : encoding.columns) {
    text += separator + text_of(column);
    separator = ", ";
  }
  return text + "]}";
}

TableEncoding parse_table(const Fields& fields, const std::string& path) {
  TableEncoding encoding;
  encoding.header = fields.flag("header");
  encoding.width = fields.count("width");
  encoding.hash_size = fields.count("hash_size");
  const Fields label = fields.object("label");
  encoding.label = {label.text("name"), words_of(label, "classes"), label.flag("log")};
  for (const nlohmann::json& item : fields.list("columns"))
    encoding.columns.push_back(parse_column(Fields(item, "table.columns", path)));
  if (const std::string wrong = inconsistency_of(encoding); !wrong.empty())
    refuse_model(path, fmt::format("the table is inconsistent: {}; the model is damaged.", wrong));
  return encoding;
}

}  // namespace seesaw::model_format
