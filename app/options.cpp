#include "options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <utility>

namespace seesaw::app {

Option Option::group(const std::string& name) { return Option(option_->group(name)); }
Option Option::default_str(const std::string& text) { return Option(option_->default_str(text)); }
Option Option::option_text(const std::string& text) { return Option(option_->option_text(text)); }
Option Option::capture_default_str() { return Option(option_->capture_default_str()); }
Option Option::required() { return Option(option_->required()); }
Option Option::expected(int least, int most) { return Option(option_->expected(least, most)); }
Option Option::allow_extra_args(bool allowed) { return Option(option_->allow_extra_args(allowed)); }
Option Option::delimiter(char between) { return Option(option_->delimiter(between)); }
Option Option::description(const std::string& text) { return Option(option_->description(text)); }
std::string Option::get_description() const { return option_->get_description(); }

Option Option::not_negative() {
  return check(
      [](const std::string& text) -> std::string { return text.starts_with('-') ? "it must not be negative" : ""; });
}
Option Option::between(int least, int most) {
  CLI::Validator range(
      [=](const std::string& text) -> std::string {
        int value = 0;
        const bool within = CLI::detail::lexical_cast(text, value) && least <= value && value <= most;
        return within ? "" : fmt::format("it must be a whole number from {} to {}", least, most);
      },
      fmt::format("in [{} - {}]", least, most));
  return Option(option_->check(std::move(range)));
}
Option Option::check(std::function<std::string(const std::string&)> wrong) {
  return Option(option_->check(CLI::Validator([wrong](const std::string& text) { return wrong(text); }, "")));
}

Command* Command::add_subcommand(const std::string& name, const std::string& description) {
  children_.push_back(std::make_unique<Command>(*app_.add_subcommand(name, description)));
  return children_.back().get();
}

template <class Value>
Option Command::add_option(const std::string& name, Value& value, const std::string& description) {
  return Option(app_.add_option(name, value, description));
}
template <class Value>
Option Command::add_option_function(const std::string& name, std::function<void(const Value&)> receive,
                                    const std::string& description) {
  return Option(app_.add_option_function<Value>(name, receive, description));
}
Option Command::add_flag(const std::string& name, bool& value, const std::string& description) {
  return Option(app_.add_flag(name, value, description));
}
void Command::footer(const std::string& text) { app_.footer(text); }
void Command::callback(std::function<void()> chosen) { app_.callback(std::move(chosen)); }

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
