#include "help.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "grid.h"
#include "progress.h"

namespace seesaw::app {
namespace {

constexpr std::size_t most_columns = 120, widest_signature = 24;
constexpr std::size_t longest_list = 180;  // of values, in the short help; --help-all shows longer ones

std::string lines_of(const std::vector<std::string>& paragraphs, std::size_t columns) {
  std::string text;
  for (const std::string& paragraph : paragraphs) text += "\n" + wrapped(paragraph, columns, 0);
  return text;
}

// An example that is too long is continued on the next line, as in a shell.
std::string continued(const std::string& example, std::size_t columns) {
  std::string text = wrapped(example, columns - 2, 6, 2);
  for (std::size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 3)) text.insert(at, " \\");
  return "  " + text;
}

// What each does is beside it as a comment, or above it where the line is too short.
std::string lines_of_examples(const CommandEntry& command, std::size_t columns) {
  std::string text;
  std::size_t widest = 0;
  for (const auto& [example, meaning] : command.examples) widest = std::max(widest, example.size());
  for (const auto& [example, meaning] : command.examples) {
    const std::string line = fmt::format("  {:<{}}  # {}", example, widest, meaning);
    if (meaning.empty()) text += continued(example, columns);
    else if (line.size() <= columns) text += line + "\n";
    else text += "  # " + wrapped(meaning, columns, 4, 4) + continued(example, columns);
  }
  return text;
}

std::size_t column_of_descriptions(const CommandEntry& command, bool all, std::size_t columns) {
  std::size_t widest = std::string("--help-all").size();
  for (const OptionEntry& option : command.options)
    if (const std::size_t size = signature(option).size();
        (all || option.level == Level::common) && size <= widest_signature)
      widest = std::max(widest, size);
  return std::min(widest + 4, columns / 2);
}

}  // namespace

std::size_t help_columns() { return std::min(terminal_columns(STDOUT_FILENO, 80), most_columns); }

std::string spaced(std::string allowed) {
  for (std::size_t at = allowed.find('|'); at != std::string::npos; at = allowed.find('|', at + 3))
    allowed.replace(at, 1, " | ");
  return allowed;
}

std::string two_columns(const std::string& left, const std::string& right, std::size_t at, std::size_t columns) {
  const std::string margin(at, ' ');
  std::string text = "  " + left;
  text = text.size() + 2 > at ? text + "\n" + margin : text + std::string(at - text.size(), ' ');
  std::istringstream lines(right);  // which stay apart
  std::string line;
  for (bool first = true; std::getline(lines, line); first = false)
    text += (first ? "" : margin) + wrapped(line, columns, at, at);
  return text;
}

std::string program_help(const std::vector<const CommandEntry*>& commands, std::size_t columns) {
  std::string text = "Usage: seesaw COMMAND [OPTIONS] ...\n\n";
  text += wrapped(
      "Trains linear models (SVM, logistic, softmax, regression; l2, l1, elastic net) and certifies each fit: the "
      "duality gap bounds the distance of the objective from its optimum.",
      columns, 0);
  text += "\nCommands:\n";
  for (const CommandEntry* command : commands)
    if (!command->hidden) text += two_columns(command->name, command->summary, 14, columns);
  text += "\nExamples:\n";
  text += two_columns("seesaw train data.svm", "logistic regression, l2 penalty", 41, columns);
  text += two_columns("seesaw predict new.svm data.svm.model", "labels, one per line", 41, columns);
  text += two_columns("seesaw verify data.svm data.svm.model", "check the certificate", 41, columns);
  text += "\n" + wrapped("seesaw COMMAND --help explains a command, seesaw --version shows the version.", columns, 0);
  return text;
}

std::string command_help(const CommandEntry& command, bool all, std::size_t columns) {
  const std::size_t at = column_of_descriptions(command, all, columns);
  std::string text = wrapped("Usage: " + command.usage(), columns, 7);
  std::string sentence = command.summary + ".";
  sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  text += "\n" + wrapped(sentence, columns, 0);
  bool more = false;
  for (const std::string& group : command.groups()) {
    std::string part;
    for (const OptionEntry& option : command.options) {
      if (option.group != group) continue;
      if (all || option.level == Level::common)
        part +=
            two_columns(signature(option), explanation(option, all ? std::string::npos : longest_list), at, columns);
      else more = true;
    }
    if (!part.empty()) text += fmt::format("\n{}{}{}", group, group.empty() ? "" : ":\n", part);
  }
  text += two_columns("-h, --help", more || all ? "these options; --help-all shows all" : "these options", at, columns);
  if (!command.examples.empty()) text += "\nExamples:\n" + lines_of_examples(command, columns);
  return text + lines_of(command.notes, columns);
}

}  // namespace seesaw::app
