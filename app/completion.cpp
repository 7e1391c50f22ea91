// seesaw completion SHELL: a completion script for bash, zsh or fish, made from the tables of options.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "command.h"
#include "seesaw/error.h"

namespace seesaw::app {
namespace {

using Entries = std::vector<const CommandEntry*>;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string first_line(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  const std::size_t most = 70;
  return line.size() <= most ? line : line.substr(0, line.rfind(' ', most)) + " ...";
}

std::string words_of(const CommandEntry& command) {
  std::string words;
  for (const OptionEntry& option : command.options)
    if (!option.positional) words += option.name + " ";
  return words + "--help --help-all";
}

// Values of the first positional argument that has some, such as the names of `seesaw solvers`.
std::vector<std::string> argument_values(const CommandEntry& command) {
  for (const OptionEntry& option : command.options)
    if (option.positional && !option.values().empty()) return option.values();
  return {};
}

bool takes_files(const CommandEntry& command) {
  for (const OptionEntry& option : command.options)
    if (option.positional && option.takes_file()) return true;
  return false;
}

// `kind` of what follows an option: words, files, folders or nothing. `list`: several words with commas between them.
std::string bash_case(const CommandEntry& command) {
  std::string text = fmt::format("    {})\n      options=\"{}\"\n", command.name, words_of(command));
  text += fmt::format("      words=\"{}\"\n      case $before in\n", fmt::join(argument_values(command), " "));
  for (const OptionEntry& option : command.options) {
    if (option.positional || option.flag()) continue;
    std::string kind = option.takes_file() ? "files" : option.takes_folder() ? "folders" : "nothing";
    if (!option.values().empty()) kind = fmt::format("words words=\"{}\"", fmt::join(option.values(), " "));
    text += fmt::format("        {}) kind={} ;;\n", option.name, kind);
  }
  return text + "      esac ;;\n";
}

std::string bash(const Entries& commands) {
  std::string names, cases;
  for (const CommandEntry* command : commands) {
    if (command->hidden) continue;
    names += command->name + " ";
    cases += bash_case(*command);
  }
  return R"(# bash completion of seesaw; made by: seesaw completion bash
_seesaw() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
  local options="" words="" kind="" prefix=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -le 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W ")" +
         names + R"(help --help --version" -- "$word")
    return
  fi
  if [ "$word" = "=" ]; then  # --loss=<TAB>: bash breaks words at =
    word=""
  elif [ "$before" = "=" ]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  case $command in
)" + cases +
         R"(    help) words=")" + names + R"(" kind=words ;;
  esac
  if [ -z "$kind" ]; then
    case $word in
      -*) kind=words words=$options ;;
      *) [ -n "$words" ] && kind=words || kind=files ;;
    esac
  fi
  case $kind in
    words)
      case $word in *,*) prefix=${word%,*}, ;; esac
      mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$words" -- "${word##*,}")
      [ ${#COMPREPLY[@]} -gt 0 ] || [[ $word == -* ]] || mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    files)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    folders)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
  esac
}
complete -F _seesaw seesaw
)";
}

std::string in_zsh(const std::string& text) {  // inside '...[HERE]...' of _arguments
  std::string escaped = replaced(text, "\\", "\\\\");
  for (const char* special : {"[", "]", ":"}) escaped = replaced(escaped, special, std::string("\\") + special);
  return replaced(escaped, "'", "'\\''");
}

std::string zsh_action(const OptionEntry& option) {
  if (!option.values().empty()) return fmt::format("({})", fmt::join(option.values(), " "));
  return option.takes_file() ? "_files" : option.takes_folder() ? "_files -/" : " ";
}

std::string zsh(const Entries& commands) {
  std::string names, cases;
  for (const CommandEntry* command : commands) {
    if (command->hidden) continue;
    names += fmt::format("    '{}:{}'\n", command->name, in_zsh(command->summary));
    cases += fmt::format("    {})\n      _arguments \\\n", command->name);
    for (const OptionEntry& option : command->options) {
      const std::string again = option.repeatable ? "*" : "";
      const std::string about = in_zsh(first_line(option.description));
      if (option.positional)
        cases += fmt::format("        '{}:{}:{}' \\\n", option.repeatable ? "*" : "", in_zsh(option.name),
                             zsh_action(option));
      else if (option.flag()) cases += fmt::format("        '{}[{}]' \\\n", option.name, about);
      else
        cases += fmt::format("        '{}{}[{}]:{}:{}' \\\n", again, option.name, about, in_zsh(option.placeholder),
                             zsh_action(option));
    }
    cases += "        '--help[options]' '--help-all[all options]' ;;\n";
  }
  return "#compdef seesaw\n# zsh completion of seesaw; made by: seesaw completion zsh\n_seesaw() {\n"
         "  local -a commands\n  commands=(\n" +
         names +
         "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
         "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n" +
         cases + "    *) _files ;;\n  esac\n}\n_seesaw \"$@\"\n";
}

std::string in_fish(const std::string& text) {  // inside '...'
  return replaced(replaced(text, "\\", "\\\\"), "'", "\\'");
}

std::string fish(const Entries& commands) {
  std::string text = "# fish completion of seesaw; made by: seesaw completion fish\ncomplete -c seesaw -f\n";
  for (const CommandEntry* command : commands) {
    if (command->hidden) continue;
    text += fmt::format("complete -c seesaw -n __fish_use_subcommand -a {} -d '{}'\n", command->name,
                        in_fish(command->summary));
    const std::string start = fmt::format("complete -c seesaw -n '__fish_seen_subcommand_from {}'", command->name);
    if (takes_files(*command)) text += start + " -F\n";
    if (const auto values = argument_values(*command); !values.empty())
      text += fmt::format("{} -a '{}'\n", start, in_fish(fmt::format("{}", fmt::join(values, " "))));
    for (const OptionEntry& option : command->options) {
      if (option.positional) continue;
      std::string line = fmt::format("{} -l {}", start, option.name.substr(2));
      if (!option.short_name.empty()) line += " -s " + option.short_name.substr(1);
      if (option.takes_file() || option.takes_folder()) line += " -r -F";
      else if (!option.flag()) line += " -x";
      if (!option.values().empty())
        line += fmt::format(" -a '{}'", in_fish(fmt::format("{}", fmt::join(option.values(), " "))));
      text += fmt::format("{} -d '{}'\n", line, in_fish(first_line(option.description)));
    }
    text += fmt::format("{0} -l help -d 'options'\n{0} -l help-all -d 'all options'\n", start);
  }
  return text;
}

}  // namespace

void add_completion(Program& program) {
  auto shell = std::make_shared<std::string>();
  Command& command = program.add_command("completion", "print a completion script for a shell");
  command.add_option("SHELL", *shell, "shell").required().one_of({"bash", "zsh", "fish"});
  command.example("seesaw completion bash > /usr/share/bash-completion/completions/seesaw", "");
  command.hide();
  command.on_run([shell, &program] {
    const Entries entries = program.entries();
    fmt::print("{}", *shell == "bash" ? bash(entries) : *shell == "zsh" ? zsh(entries) : fish(entries));
    return int{success};
  });
}

}  // namespace seesaw::app
