#include "options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

#include "seesaw/error.h"

namespace seesaw::app {
namespace {

template <class Value>
struct ElementOf {
  using type = Value;
};
template <class Value>
struct ElementOf<std::optional<Value>> {
  using type = Value;
};
template <class Value>
struct ElementOf<std::vector<Value>> {
  using type = Value;
};

std::string sentence_for_missing_value(const OptionEntry& option) {
  return fmt::format("{} needs a value: {} {}.", option.name, option.name, option.placeholder);
}

bool looks_like_option(const std::string& word) { return word.size() > 1 && word[0] == '-' && !is_number(word); }

template <class Integer>
std::optional<Integer> whole_number(const std::string& text) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// What is wrong with a value of this type, or nothing. CLI11 converts what passes.
template <class Element>
std::string type_problem(const std::string& text) {
  if constexpr (std::is_same_v<Element, double>) {
    return is_number(text) ? "" : "it must be a number";
  } else if constexpr (std::is_integral_v<Element>) {
    if (whole_number<Element>(text)) return "";
    return std::is_signed_v<Element>
               ? "it must be a whole number"
               : fmt::format("it must be a whole number from 0 to {}", std::numeric_limits<Element>::max());
  } else {
    return "";
  }
}

template <class Element>
constexpr const char* placeholder_of() {
  return std::is_same_v<Element, double> ? "NUMBER" : std::is_integral_v<Element> ? "N" : "TEXT";
}

}  // namespace

Option& Option::group(const std::string& name) { return entry_->group = name, *this; }
Option& Option::common() { return entry_->level = Level::common, *this; }
Option& Option::of_method() { return entry_->level = Level::of_method, *this; }
Option& Option::standard(const std::string& text) { return entry_->standard = text, *this; }
Option& Option::placeholder(const std::string& text) { return entry_->placeholder = text, *this; }
Option& Option::required() {
  option_->required();
  entry_->required = true;
  return *this;
}
Option& Option::one_of(const std::vector<std::string>& values) {
  return check([values](const std::string& text) -> std::string {
           if (std::find(values.begin(), values.end(), text) != values.end()) return "";
           const std::string near = nearest(text, values);
           return fmt::format("{}choose one of {}",
                              near.empty() ? "" : fmt::format("did you mean {}? Otherwise ", near),
                              fmt::join(values, ", "));
         })
      .completes(values);
}
Option& Option::completes(std::vector<std::string> values) {
  return completes([values = std::move(values)] { return values; });
}
Option& Option::completes(std::function<std::vector<std::string>()> values_of) {
  entry_->values_of = std::move(values_of);
  if (entry_->placeholder == "TEXT") entry_->placeholder = "NAME";
  return *this;
}
Option& Option::list(char delimiter) {
  option_->delimiter(delimiter);
  entry_->repeatable = true;
  return *this;
}
Option& Option::repeatable() {
  option_->allow_extra_args(false);
  entry_->repeatable = true;
  return *this;
}
Option& Option::at_least(int count) {
  option_->expected(count, 1 << 20);
  entry_->repeatable = true;
  return *this;
}

Option& Option::not_negative() {
  return check(
      [](const std::string& text) -> std::string { return text.starts_with('-') ? "it must not be negative" : ""; });
}
Option& Option::between(int least, int most) {
  return check([=](const std::string& text) -> std::string {
    const std::optional<int> value = whole_number<int>(text);
    return value && least <= *value && *value <= most
               ? ""
               : fmt::format("it must be a whole number from {} to {}", least, most);
  });
}
Option& Option::check(const std::function<std::string(const std::string&)>& wrong) {
  option_->check([wrong, entry = entry_](const std::string& text) -> std::string {
    if (!entry->positional && text.starts_with("--")) throw Error(sentence_for_missing_value(*entry));
    if (const std::string problem = wrong(text); !problem.empty()) throw InvalidOption(entry->name, text, problem);
    return "";
  });
  return *this;
}

Command::Command(const std::string& name, const std::string& summary) : app_(std::make_shared<CLI::App>()) {
  app_->set_help_flag();  // none: main.cpp prints the help
  entry_.name = name;
  entry_.summary = summary;
}

Option Command::own(CLI::Option* option, const std::string& name, const char* placeholder,
                    const std::string& description) {
  OptionEntry& entry = entry_.options.emplace_back();
  entry.positional = !name.starts_with('-');
  const std::size_t comma = name.find(',');
  entry.short_name = comma == std::string::npos ? "" : name.substr(0, comma);
  entry.name = comma == std::string::npos ? name : name.substr(comma + 1);
  entry.placeholder = entry.positional ? name : placeholder;
  entry.description = description;
  if (entry.positional) entry.level = Level::common;
  parsed_.push_back(option);
  return Option(option, &entry);
}

// Positional arguments are shown by placeholders such as "LINES ... PAGE", which CLI11 does not take for names.
std::string Command::parser_name(const std::string& name) const {
  return name.starts_with('-') ? name : fmt::format("argument{}", entry_.options.size());
}

template <class Value>
Option Command::add_option(const std::string& name, Value& value, const std::string& description) {
  using Element = typename ElementOf<Value>::type;
  CLI::Option* option = app_->add_option(parser_name(name), value);
  Option added = own(option, name, placeholder_of<Element>(), description);
  added.entry().repeatable = added.entry().positional && std::is_same_v<Value, std::vector<Element>>;
  return added.check(type_problem<Element>);
}
template <class Value>
Option Command::add_option_function(const std::string& name, std::function<void(const Value&)> receive,
                                    const std::string& description) {
  CLI::Option* option = app_->add_option_function<Value>(parser_name(name), receive);
  return own(option, name, placeholder_of<Value>(), description).check(type_problem<Value>);
}
Option Command::add_flag(const std::string& name, bool& value, const std::string& description) {
  return own(app_->add_flag(name, value), name, "", description);
}
Option Command::add_quiet(bool& value, const std::string& description) {
  return add_flag("-q,--quiet", value, description).group("Output").common();
}
void Command::example(const std::string& command, const std::string& meaning) {
  entry_.examples.emplace_back(command, meaning);
}
void Command::note(const std::string& paragraph) { entry_.notes.push_back(paragraph); }
void Command::hide() { entry_.hidden = true; }

void Command::parse(std::vector<std::string> arguments) {
  const std::vector<std::string> words = arguments;
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the end
  try {
    app_->parse(std::move(arguments));
  } catch (const CLI::ParseError&) {
    throw Error(sentence_for_wrong_arguments(words));
  }
}

std::vector<GivenOption> Command::given() const {
  std::vector<GivenOption> all;
  for (std::size_t k = 0; k < parsed_.size(); ++k)
    if (parsed_[k]->count() > 0 && !entry_.options[k].positional)
      all.push_back({&entry_.options[k], parsed_[k]->results()});
  return all;
}

bool Command::has_given(std::string_view name) const {
  const std::vector<GivenOption> options = given();
  return std::any_of(options.begin(), options.end(), [&](const GivenOption& o) { return o.option->name == name; });
}

// CLI11 has refused the words: finds the first that does not fit the tables.
std::string Command::sentence_for_wrong_arguments(const std::vector<std::string>& words) const {
  std::map<const OptionEntry*, int> times;
  std::vector<std::string> positional;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    if (word == "--") {
      positional.insert(positional.end(), words.begin() + static_cast<std::ptrdiff_t>(k) + 1, words.end());
      break;
    }
    if (!looks_like_option(word)) {
      positional.push_back(word);
      continue;
    }
    const std::size_t equals = word.find('=');
    const OptionEntry* option = entry_.find(word.substr(0, equals));
    if (option == nullptr) return sentence_for_unknown_option(word.substr(0, equals));
    if (++times[option] > 1 && !option->repeatable)
      return fmt::format("{} is given twice; give it once.", option->name);
    if (option->flag()) {
      if (equals != std::string::npos) return fmt::format("{} takes no value; leave out the =.", option->name);
    } else if (equals + 1 == word.size()) {  // --C=
      return sentence_for_missing_value(*option);
    } else if (equals == std::string::npos) {
      if (k + 1 == words.size() || entry_.find(words[k + 1]) != nullptr) return sentence_for_missing_value(*option);
      ++k;
    }
  }
  std::size_t place = 0;
  for (const OptionEntry& option : entry_.options) {
    if (!option.positional) continue;
    if (option.required && place >= positional.size())
      return fmt::format("{} needs {}: {}", entry_.name, option.name, entry_.usage());
    place = option.repeatable ? positional.size() : place + 1;
  }
  if (place < positional.size())
    return fmt::format("{} does not take the argument '{}': {}", entry_.name, positional[place], entry_.usage());
  return fmt::format("these arguments are not complete: {}", entry_.usage());
}

std::string Command::sentence_for_unknown_option(const std::string& word) const {
  std::vector<std::string> names = {"--help", "--help-all"};
  for (const OptionEntry& option : entry_.options)
    if (!option.positional) names.push_back(option.name);
  const std::string start = fmt::format("{} has no option {}; ", entry_.name, word);
  if (const std::string near = nearest(word, names); !near.empty())
    return start + fmt::format("did you mean {}?", near);
  for (const CommandEntry* other : program_->entries())
    if (!other->hidden && other->find(word) != nullptr)
      return start + fmt::format("it is an option of seesaw {}.", other->name);
  return start + fmt::format("seesaw {} --help-all lists the options.", entry_.name);
}

Command& Program::add_command(const std::string& name, const std::string& summary) {
  Command& added = commands_.emplace_back(name, summary);
  added.program_ = this;
  return added;
}

Command& Program::find(const std::string& name) {
  std::vector<std::string> names;
  for (Command& command : commands_) {
    if (command.entry().name == name) return command;
    if (!command.entry().hidden) names.push_back(command.entry().name);
  }
  const std::string near = nearest(name, names);
  throw Error(fmt::format("there is no command '{}'; {}", name,
                          near.empty() ? fmt::format("the commands are {}.", fmt::join(names, ", "))
                                       : fmt::format("did you mean seesaw {}?", near)));
}

std::vector<const CommandEntry*> Program::entries() const {
  std::vector<const CommandEntry*> all;
  for (const Command& command : commands_) all.push_back(&command.entry());
  return all;
}

template Option Command::add_option(const std::string&, std::string&, const std::string&);
template Option Command::add_option(const std::string&, double&, const std::string&);
template Option Command::add_option(const std::string&, int&, const std::string&);
template Option Command::add_option(const std::string&, unsigned&, const std::string&);
template Option Command::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<double>&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::string>&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<double>&, const std::string&);
template Option Command::add_option_function(const std::string&, std::function<void(const double&)>,
                                             const std::string&);
template Option Command::add_option_function(const std::string&, std::function<void(const std::string&)>,
                                             const std::string&);

}  // namespace seesaw::app
