// SPDX-License-Identifier: MIT
#include <functional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "pages/program_page.hpp"

namespace graze::app {
namespace {

/// Calls `f(key, command)` for each program and each of its commands; the key is "graze" or "graze collide".
void for_each_command(const std::vector<ProgramPage>& pages,
                      const std::function<void(const std::string&, const PageCommand&)>& f) {
  for (const ProgramPage& page : pages) {
    f(page.name, page.program);
    for (const PageCommand& command : page.commands) f(page.name + " " + command.name, command);
  }
}

/// What the shell offers for a value: words, or <file>, <folder> or <text>.
std::string bash_words(const PageOption& option) {
  switch (option.takes) {
    case PageOption::Takes::nothing: return "";
    case PageOption::Takes::text: return "<text>";
    case PageOption::Takes::file: return "<file>";
    case PageOption::Takes::folder: return "<folder>";
    case PageOption::Takes::choice: break;
  }
  return fmt::format("{}", fmt::join(option.choices, " "));
}

std::string bash_options(const std::vector<ProgramPage>& pages) {
  std::string out = "_graze_options() {  # of a program or command\n  case $1 in\n";
  for_each_command(pages, [&](const std::string& key, const PageCommand& command) {
    std::string names;
    for (const PageOption& option : command.options)
      if (!option.positional) names += fmt::format("{}{}", names.empty() ? "" : " ", fmt::join(option.names, " "));
    out += fmt::format("    '{}') echo '{}' ;;\n", key, names);
  });
  return out + "  esac\n}\n";
}

std::string bash_values(const std::vector<ProgramPage>& pages) {
  std::string out =
      "_graze_value() {  # what follows an option of a command; nothing follows a flag\n  case \"$1 $2\" in\n";
  for_each_command(pages, [&](const std::string& key, const PageCommand& command) {
    for (const PageOption& option : command.options) {
      if (option.positional || option.takes == PageOption::Takes::nothing) continue;
      std::string patterns;
      for (const std::string& name : option.names)
        patterns += fmt::format("{}'{} {}'", patterns.empty() ? "" : " | ", key, name);
      out += fmt::format("    {}) echo '{}' ;;\n", patterns, bash_words(option));
    }
  });
  return out + "  esac\n}\n";
}

std::string bash_arguments(const std::vector<ProgramPage>& pages) {
  std::string out = "_graze_argument() {  # what a command takes as its argument of this number\n  case \"$1 $2\" in\n";
  for (const ProgramPage& page : pages)
    if (!page.commands.empty()) {
      std::string names;
      for (const PageCommand& command : page.commands) names += (names.empty() ? "" : " ") + command.name;
      out += fmt::format("    '{} 0') echo '{}' ;;\n", page.name, names);
    }
  for_each_command(pages, [&](const std::string& key, const PageCommand& command) {
    int number = 0;
    for (const PageOption& option : command.options)
      if (option.positional)
        out += option.repeated ? fmt::format("    '{} '*) echo '{}' ;;\n", key, bash_words(option))
                               : fmt::format("    '{} {}') echo '{}' ;;\n", key, number++, bash_words(option));
  });
  return out + "  esac\n}\n";
}

constexpr const char* bash_function = R"bash(_graze_reply() {  # WORDS CURRENT PREFIX
  case $1 in
    '<file>') mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    '<folder>') mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    '' | '<text>') ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$1" -P "$3" -- "$2") ;;
  esac
  case $1 in '<file>' | '<folder>') compopt -o filenames 2>/dev/null || true ;; esac
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null || true; fi
}
_graze_complete() {
  local key=${1##*/} current=${COMP_WORDS[COMP_CWORD]} option='' arguments=0 i word
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == '=' ]]; then
      continue  # of --option=value, which bash cuts in three
    elif [[ -n $option ]]; then
      option=''
    elif [[ $word == -* ]]; then
      if [[ -n $(_graze_value "$key" "$word") ]]; then option=$word; fi
    elif [[ $key == graze ]]; then
      key="graze $word"
    else
      arguments=$((arguments + 1))
    fi
  done
  if [[ -n $option ]]; then
    if [[ $current == '=' ]]; then current=''; fi
    _graze_reply "$(_graze_value "$key" "$option")" "$current" ''
  elif [[ $current == -*=* ]]; then
    _graze_reply "$(_graze_value "$key" "${current%%=*}")" "${current#*=}" "${current%%=*}="
  elif [[ $current == -* ]]; then
    _graze_reply "$(_graze_options "$key")" "$current" ''
  else
    _graze_reply "$(_graze_argument "$key" "$arguments")" "$current" ''
  fi
}
)bash";

/// Text inside '...[text]' of _arguments.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      (out += '\\') += c;
    else
      out += c;
  }
  return out;
}

std::string zsh_action(const PageOption& option) {
  switch (option.takes) {
    case PageOption::Takes::file: return "_files";
    case PageOption::Takes::folder: return "_files -/";
    case PageOption::Takes::choice: return fmt::format("({})", fmt::join(option.choices, " "));
    default: return " ";
  }
}

std::string zsh_specs(const PageCommand& command) {
  std::string out;
  int number = 0;
  const auto add = [&](const std::string& spec) { out += fmt::format(" \\\n    '{}'", spec); };
  for (const PageOption& option : command.options) {
    const std::string value = zsh_text(option.value.empty() ? option.names[0] : option.value);
    if (option.positional) {
      const std::string place = option.repeated ? "*" : std::to_string(++number);
      add(fmt::format("{}:{}:{}", place, zsh_text(option.names[0]), zsh_action(option)));
      continue;
    }
    for (const std::string& name : option.names) {
      if (option.takes == PageOption::Takes::nothing) {
        add(fmt::format("{}[{}]", name, zsh_text(option.help)));
        continue;
      }
      const char* joined = name.starts_with("--") ? "=" : "+";
      add(fmt::format("{}{}[{}]:{}:{}", name, joined, zsh_text(option.help), value, zsh_action(option)));
    }
  }
  return out;
}

std::string zsh_program(const ProgramPage& page) {
  if (page.commands.empty()) return fmt::format("  _arguments{}\n", zsh_specs(page.program));
  std::string out = "  local -a commands\n  commands=(\n";
  for (const PageCommand& command : page.commands)
    out += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.summary));
  out += fmt::format(
      "  )\n  if (( CURRENT == 2 )); then\n    if [[ $words[2] == -* ]]; then\n    _arguments{}\n    else\n    "
      "_describe -t "
      "commands 'command' commands\n    fi\n    return\n  fi\n  local command=$words[2]\n  shift words\n  (( CURRENT-- "
      "))\n  "
      "case $command in\n",
      zsh_specs(page.program));
  for (const PageCommand& command : page.commands)
    out += fmt::format("  {}) _arguments{} ;;\n", command.name, zsh_specs(command));
  return out + "  esac\n";
}

}  // namespace

std::string bash_completion(const std::vector<ProgramPage>& pages) {
  std::string programs;
  for (const ProgramPage& page : pages) programs += " " + page.name;
  return "# bash completion, written by `graze completion bash` from the options that --help prints\n" +
         bash_options(pages) + bash_values(pages) + bash_arguments(pages) + bash_function +
         "complete -F _graze_complete" + programs + "\n";
}

std::string zsh_completion(const std::vector<ProgramPage>& pages) {
  std::string out = "#compdef", cases;
  for (const ProgramPage& page : pages) {
    out += " " + page.name;
    cases += fmt::format("  {}) _complete_{} ;;\n", page.name, page.name);
  }
  out += "\n# zsh completion, written by `graze completion zsh` from the options that --help prints\n";
  for (const ProgramPage& page : pages) out += fmt::format("_complete_{}() {{\n{}}}\n", page.name, zsh_program(page));
  return out + "case $service in\n" + cases + "esac\n";
}

}  // namespace graze::app
