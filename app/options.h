// The options of a command: a facade over CLI11, which is large and header-only; only options.cpp includes it. CLI11
// parses; what users read (help, messages) is made from the tables of option_table.h.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "option_table.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace seesaw::app {

using Run = std::function<int()>;  // the body of a command; returns the exit code

class Option {
 public:
  Option() = default;
  Option(CLI::Option* option, OptionEntry* entry) : option_(option), entry_(entry) {}
  bool declared() const { return option_ != nullptr; }
  OptionEntry& entry() { return *entry_; }

  Option& group(const std::string& name);
  Option& common();     // shown by --help
  Option& of_method();  // shown by --help-all and `seesaw solvers NAME`
  Option& standard(const std::string& text);
  Option& placeholder(const std::string& text);
  Option& required();
  Option& one_of(const std::vector<std::string>& values);                  // others are refused
  Option& completes(std::vector<std::string> values);                      // others are possible
  Option& completes(std::function<std::vector<std::string>()> values_of);  // the same, computed where it is needed
  Option& list(char delimiter);                                            // several values, in one word or in several
  Option& repeatable();                                                    // one value each time
  Option& at_least(int count);                                             // positional arguments

  Option& not_negative();
  Option& between(int least, int most);
  // `wrong(text)`: what is wrong with a value, or nothing.
  Option& check(const std::function<std::string(const std::string&)>& wrong);

 private:
  CLI::Option* option_ = nullptr;
  OptionEntry* entry_ = nullptr;
};

// An option that was given, with its values.
struct GivenOption {
  const OptionEntry* option;
  std::vector<std::string> values;
};

class Command {
 public:
  Command(const std::string& name, const std::string& summary);
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // Value: one of the types listed at the end of options.cpp. It receives what the user gave. A name without dashes is
  // a positional argument.
  template <class Value>
  Option add_option(const std::string& name, Value& value, const std::string& description);
  template <class Value>  // double or std::string
  Option add_option_function(const std::string& name, std::function<void(const Value&)> receive,
                             const std::string& description);
  Option add_flag(const std::string& name, bool& value, const std::string& description);
  Option add_quiet(bool& value, const std::string& description);  // -q, --quiet
  void example(const std::string& command, const std::string& meaning);
  void note(const std::string& paragraph);
  void hide();
  void on_run(Run body) { run_ = std::move(body); }
  void runs_over_ranks() { over_ranks_ = true; }  // on all ranks (ranks.h), not on the first one alone
  bool over_ranks() const { return over_ranks_; }

  void parse(std::vector<std::string> arguments);  // throws Error with one sentence
  int run() const { return run_(); }
  const CommandEntry& entry() const { return entry_; }
  std::vector<GivenOption> given() const;  // in the order of the help, without positional arguments
  bool has_given(std::string_view name) const;

 private:
  std::string sentence_for_wrong_arguments(const std::vector<std::string>& words) const;
  std::string sentence_for_unknown_option(const std::string& word) const;
  std::string parser_name(const std::string& name) const;
  Option own(CLI::Option* option, const std::string& name, const char* placeholder, const std::string& description);

  std::shared_ptr<CLI::App> app_;
  CommandEntry entry_;
  std::vector<CLI::Option*> parsed_;  // as entry_.options
  Run run_;
  bool over_ranks_ = false;
  const class Program* program_ = nullptr;
  friend class Program;
};

// All commands.
class Program {
 public:
  Command& add_command(const std::string& name, const std::string& summary);
  const std::deque<Command>& commands() const { return commands_; }
  Command& find(const std::string& name);  // throws Error with the nearest name
  std::vector<const CommandEntry*> entries() const;

 private:
  std::deque<Command> commands_;
};

}  // namespace seesaw::app
