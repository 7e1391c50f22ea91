// The options of a command. CLI11 is large and header-only: only options.cpp, deviations.cpp and main.cpp include it,
// so that a command compiles in seconds. Names and meaning are CLI11's.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace seesaw::app {

class Option {
 public:
  Option() = default;
  explicit Option(CLI::Option* option) : option_(option) {}
  Option* operator->() { return this; }
  bool declared() const { return option_ != nullptr; }

  Option group(const std::string& name);
  Option default_str(const std::string& text);
  Option option_text(const std::string& text);
  Option capture_default_str();
  Option required();
  Option expected(int least, int most);
  Option allow_extra_args(bool allowed);
  Option delimiter(char between);
  Option description(const std::string& text);
  std::string get_description() const;

  Option not_negative();
  Option between(int least, int most);
  // `wrong(text)`: what is wrong with a value, or nothing.
  Option check(std::function<std::string(const std::string&)> wrong);

 private:
  CLI::Option* option_ = nullptr;
};

class Command {
 public:
  explicit Command(CLI::App& app) : app_(app) {}

  Command* add_subcommand(const std::string& name, const std::string& description);
  // Value: one of the types listed at the end of options.cpp. It receives what the user gave.
  template <class Value>
  Option add_option(const std::string& name, Value& value, const std::string& description);
  template <class Value>  // double or std::string
  Option add_option_function(const std::string& name, std::function<void(const Value&)> receive,
                             const std::string& description);
  Option add_flag(const std::string& name, bool& value, const std::string& description);
  void footer(const std::string& text);
  void callback(std::function<void()> chosen);

  const CLI::App& parser() const { return app_; }

 private:
  CLI::App& app_;
  std::vector<std::unique_ptr<Command>> children_;
};

}  // namespace seesaw::app
