// A table of a TOML file, read key by key. Values of the wrong type and keys that were not read are reported with their
// position in the file.
#pragma once

#include <toml++/toml.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seesaw {

class TomlTable {
 public:
  // The table of a whole file; throws ParseError. `file`: its name in messages.
  static TomlTable parse(std::string_view text, const std::string& file);

  std::optional<std::string> text(const std::string& key);
  std::optional<double> number(const std::string& key);
  std::optional<std::size_t> count(const std::string& key);  // at least 1
  std::optional<bool> flag(const std::string& key);
  std::vector<std::string> texts(const std::string& key);  // one text, or an array of them
  std::vector<double> numbers(const std::string& key);     // one number, or an array of them
  // A text, number or flag as text: numbers with their shortest digits, true and false as on and off.
  std::optional<std::string> word(const std::string& key);
  std::vector<std::string> words(const std::string& key);
  std::string required_text(const std::string& key);

  std::optional<TomlTable> table(const std::string& key);
  std::vector<TomlTable> tables(const std::string& key);  // [[key]], or an array of tables
  std::vector<std::string> keys() const;
  bool has(const std::string& key) const { return table_->contains(key); }

  void finish() const;  // throws ParseError at the first key that was not read, with the allowed keys
  [[noreturn]] void fail(const std::string& key,
                         const std::string& what) const;  // ParseError at the key, or at the table
  // Throws ParseError with the allowed values if `value` is not one of them.
  void require_one_of(const std::string& key, const std::string& value, const std::vector<std::string>& allowed) const;

 private:
  TomlTable(std::shared_ptr<const toml::table> whole, const toml::table& table, std::string file, std::string name)
      : whole_(std::move(whole)), table_(&table), file_(std::move(file)), name_(std::move(name)) {}
  const toml::node* find(const std::string& key);
  TomlTable inner(const toml::table& table, std::string name) const { return {whole_, table, file_, std::move(name)}; }

  std::shared_ptr<const toml::table> whole_;
  const toml::table* table_;
  std::string file_, name_;
  std::vector<std::string> read_;  // keys
};

}  // namespace seesaw
