// seesaw man [COMMAND]: a man page as roff, made from the tables of options.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <memory>
#include <sstream>

#include "command.h"
#include "seesaw/version.h"

namespace seesaw::app {
namespace {

std::string escaped(const std::string& text) {
  std::string roff;
  for (const char c : text) switch (c) {
      case '\\':
        roff += "\\e";
        break;
      case '-':
        roff += "\\-";
        break;
      case '\'':
        roff += "\\(aq";
        break;
      case '^':
        roff += "\\(ha";
        break;
      case '~':
        roff += "\\(ti";
        break;
      default:
        roff += c;
    }
  return roff;
}

// Text of a paragraph: no line of it may begin with a dot, which would be a request.
std::string paragraph(const std::string& text) {
  std::istringstream lines(text);
  std::string roff, line;
  for (bool first = true; std::getline(lines, line); first = false)
    roff += (first ? "" : ".br\n") + std::string(line.starts_with('.') ? "\\&" : "") + escaped(line) + "\n";
  return roff;
}

std::string heading(const std::string& name, const std::string& summary) {
  std::string upper = name;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return fmt::format(".TH {} 1 \"\" \"seesaw {}\" \"seesaw manual\"\n.SH NAME\n{} \\- {}\n", escaped(upper), version(),
                     escaped(name), escaped(summary));
}

std::string term(const OptionEntry& option) {
  if (option.positional) return fmt::format("\\fI{}\\fR", escaped(option.name));
  return fmt::format(
      "{}\\fB{}\\fR{}", option.short_name.empty() ? "" : fmt::format("\\fB{}\\fR, ", escaped(option.short_name)),
      escaped(option.name), option.flag() ? "" : fmt::format(" \\fI{}\\fR", escaped(option.placeholder)));
}

std::string page_of(const CommandEntry& command) {
  std::string text = heading("seesaw-" + command.name, command.summary);
  text += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR\n.SH OPTIONS\n", escaped(command.usage()));
  for (const std::string& group : command.groups()) {
    if (!group.empty()) text += fmt::format(".SS \"{}\"\n", escaped(group));
    for (const OptionEntry& option : command.options)
      if (option.group == group)
        text += fmt::format(".TP\n{}\n{}", term(option), paragraph(explanation(option, std::string::npos)));
  }
  text +=
      ".SS Help\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nthe usual options\n.TP\n\\fB\\-\\-help\\-all\\fR\nall "
      "options\n";
  if (!command.examples.empty()) text += ".SH EXAMPLES\n";
  for (const auto& [example, meaning] : command.examples)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}", escaped(example), meaning.empty() ? "\\&\n" : paragraph(meaning));
  if (!command.notes.empty()) text += ".SH NOTES\n";
  for (const std::string& note : command.notes) text += ".PP\n" + paragraph(note);
  return text + ".SH SEE ALSO\n\\fBseesaw\\fR(1)\n";
}

std::string main_page(const std::vector<const CommandEntry*>& commands) {
  std::string text = heading("seesaw", "train linear models with certified duality gaps");
  text += ".SH SYNOPSIS\n\\fBseesaw\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n.SH DESCRIPTION\n";
  text += paragraph(
      "Trains linear models: SVM, logistic and softmax regression, least squares, quantile, Huber and "
      "epsilon-insensitive regression, with l2, l1 or elastic-net penalties. Each fit has a certificate: its duality "
      "gap bounds the distance of the objective from its optimum.");
  text += ".SH COMMANDS\n";
  for (const CommandEntry* command : commands)
    if (!command->hidden)
      text += fmt::format(".TP\n\\fB{}\\fR\n{}", escaped(command->name), paragraph(command->summary));
  text +=
      ".SH EXIT STATUS\n.TP\n0\ndone; train: converged\n.TP\n2\nbad usage or data, or verify: the certificate does "
      "not hold\n.TP\n3\ntrain: stopped before convergence; the model is written\n.TP\n130\ninterrupted\n";
  text +=
      ".SH ENVIRONMENT\n.TP\nSEESAW_DATA\nfolder with the data sets of the papers (reproduce, data)\n.TP\nCOLUMNS\n"
      "width of help and tables if standard output is not a terminal\n.SH SEE ALSO\n";
  std::vector<std::string> pages;
  for (const CommandEntry* command : commands)
    if (!command->hidden) pages.push_back(fmt::format("\\fBseesaw\\-{}\\fR(1)", escaped(command->name)));
  return text + fmt::format("{}\n", fmt::join(pages, ",\n"));
}

}  // namespace

void add_man(Program& program) {
  struct ManOptions {
    std::string name;
    bool list = false;
  };
  auto options = std::make_shared<ManOptions>();
  Command& command = program.add_command("man", "print a man page (roff)");
  command.add_option("COMMAND", options->name, "a command").standard("the page of seesaw");
  command.add_flag("--list", options->list, "the names of all pages, one per line").common();
  command.example("seesaw man train | man -l -", "");
  command.hide();
  command.on_run([options, &program] {
    const auto entries = program.entries();
    if (options->list) {
      fmt::print("seesaw\n");
      for (const CommandEntry* entry : entries)
        if (!entry->hidden) fmt::print("seesaw-{}\n", entry->name);
    } else {
      fmt::print("{}", options->name.empty() ? main_page(entries) : page_of(program.find(options->name).entry()));
    }
    return int{success};
  });
}

}  // namespace seesaw::app
