// The keys of a JSON object in a model file. Throws Error if one is missing or has another type.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "seesaw/error.h"

namespace seesaw {

[[noreturn]] inline void refuse_model(const std::string& path, const std::string& sentence) {
  throw Error(fmt::format("{}: {}", path, sentence));
}

class Fields {
 public:
  using json = nlohmann::json;

  Fields(const json& object, std::string name, const std::string& path)
      : object_(object), name_(std::move(name)), path_(path) {
    if (!object.is_object()) refuse_model(path, fmt::format("\"{}\" is not an object; the model is damaged.", name_));
  }

  const json& at(const std::string& key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) refuse_model(path_, fmt::format("the model has no \"{}\"; it is damaged.", full(key)));
    return *found;
  }
  bool has(const std::string& key) const { return object_.contains(key); }
  Fields object(const std::string& key) const { return Fields(at(key), full(key), path_); }

  double number(const std::string& key) const { return number_of(at(key), full(key)); }
  double number_unless_null(const std::string& key, double otherwise) const {
    return at(key).is_null() ? otherwise : number(key);
  }
  std::uint64_t count(const std::string& key) const {
    if (!at(key).is_number_unsigned()) wrong(key, "a whole number");
    return at(key).get<std::uint64_t>();
  }
  bool flag(const std::string& key) const {
    if (!at(key).is_boolean()) wrong(key, "true or false");
    return at(key).get<bool>();
  }
  std::string text(const std::string& key) const {
    if (!at(key).is_string()) wrong(key, "a text");
    return at(key).get<std::string>();
  }
  const json& list(const std::string& key) const {
    if (!at(key).is_array()) wrong(key, "a list");
    return at(key);
  }
  std::vector<double> numbers(const std::string& key) const {
    std::vector<double> result;
    result.reserve(list(key).size());
    for (const json& item : list(key)) result.push_back(number_of(item, full(key)));
    return result;
  }

  std::vector<double> numbers_unless_null(const std::string& key, double otherwise) const {
    std::vector<double> result;
    for (const json& item : list(key)) result.push_back(item.is_null() ? otherwise : number_of(item, full(key)));
    return result;
  }

  [[noreturn]] void wrong(const std::string& key, std::string_view expected) const {
    refuse_model(path_, fmt::format("\"{}\" is not {}; the model is damaged.", full(key), expected));
  }

 private:
  std::string full(const std::string& key) const { return name_.empty() ? key : name_ + "." + key; }
  double number_of(const json& item, const std::string& where) const {
    if (!item.is_number())
      refuse_model(path_, fmt::format("\"{}\" contains {}, which is not a number.", where, item.dump()));
    return item.get<double>();
  }

  const json& object_;
  std::string name_;
  const std::string& path_;
};

}  // namespace seesaw
