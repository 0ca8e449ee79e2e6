// Scripts that complete a command line: one walk over the tree of commands a shell.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

#include <CLI/CLI.hpp>

#include "engines/manual/commands.h"

namespace fuhyo::manual {
namespace {

std::string shell_quoted(std::string_view text) {  // for sh and zsh, in '...'
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string quoted_for_fish(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string name_of_function(const CLI::App& root) {
  std::string name = "_" + root.get_name();
  std::ranges::replace(name, '-', '_');
  return name;
}

// Whether it reads its words itself.
std::string asks(const CommandPath& command_path) {
  return command_path.app->get_prefix_command() ? command_path.app->get_name() : "";
}

// 'fuhyo config' | 'fuhyo config check' | ...: the commands that a word can lead to.
std::string steps(const std::vector<CommandPath>& all, std::string_view between = " | ") {
  std::vector<std::string> paths;
  for (std::size_t i = 1; i < all.size(); ++i) paths.push_back(shell_quoted(all[i].path));
  return fmt::format("{}", fmt::join(paths, between));
}

// `line(pattern, option)` for every flag with a value: "'fuhyo serve --role' | ...".
template <typename Line>
std::string of_values(const std::vector<CommandPath>& all, Line line) {
  std::string out;
  for (const CommandPath& command_path : all) {
    for (const CLI::Option* flag : flags_of(*command_path.app)) {
      if (!takes_value(*flag)) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : names_of(*flag)) patterns.push_back(shell_quoted(command_path.path + " " + name));
      out += line(fmt::format("{}", fmt::join(patterns, " | ")), *flag);
    }
  }
  return out;
}

std::vector<std::string> words_of(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* command : commands_of(app)) words.push_back(command->get_name());
  for (const CLI::Option* word : positionals_of(app)) std::ranges::copy(choices_of(*word), std::back_inserter(words));
  for (const CLI::Option* flag : flags_of(app)) std::ranges::copy(names_of(*flag), std::back_inserter(words));
  return words;
}

std::string for_bash(const CLI::App& root) {
  const std::vector<CommandPath> all = command_paths(root);
  const std::string function = name_of_function(root);
  std::string places_text;
  for (const CommandPath& command_path : all) {
    const std::string asked = asks(command_path);
    places_text += asked.empty()
                       ? fmt::format("    {}) offered={} ;;\n", shell_quoted(command_path.path),
                                     shell_quoted(fmt::format("{}", fmt::join(words_of(*command_path.app), " "))))
                       : fmt::format(
                             "    {}) offered=$(\"${{COMP_WORDS[0]}}\" {} complete "
                             "\"${{COMP_WORDS[@]:2:COMP_CWORD-2}}\" 2>/dev/null) ;;\n",
                             shell_quoted(command_path.path), asked);
  }
  const std::string values = of_values(all, [](const std::string& patterns, const CLI::Option& flag) {
    return fmt::format("    {}) offered={} ;;\n", patterns,
                       shell_quoted(fmt::format("{}", fmt::join(choices_of(flag), " "))));
  });
  return fmt::format(R"sh(# Completion of {0} for bash. Made by `{0} completion bash`.
{1}() {{
  local at={0} offered= i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$at ${{COMP_WORDS[i]}}" in
      {2}) at="$at ${{COMP_WORDS[i]}}" ;;
    esac
  done
  case $at in
{3}  esac
  case "$at ${{COMP_WORDS[COMP_CWORD-1]}}" in
{4}    -) ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$offered" -- "${{COMP_WORDS[COMP_CWORD]}}")
}}
complete -o default -F {1} {0}
)sh",
                     root.get_name(), function, steps(all), places_text, values);
}

// "name:what it is", as _describe reads it.
std::string described(std::string name, std::string_view what) {
  for (std::size_t at = 0; (at = name.find(':', at)) != std::string::npos; at += 2) name.insert(at, "\\");
  return shell_quoted(fmt::format("{}:{}", name, what));
}

std::string for_zsh(const CLI::App& root) {
  const std::vector<CommandPath> all = command_paths(root);
  std::string places_text;
  for (const CommandPath& command_path : all) {
    std::vector<std::string> items;
    for (const CLI::App* command : commands_of(*command_path.app)) {
      items.push_back(described(command->get_name(), command->get_description()));
    }
    for (const CLI::Option* word : positionals_of(*command_path.app)) {
      for (const std::string& choice : choices_of(*word)) items.push_back(shell_quoted(choice));
    }
    for (const CLI::Option* flag : flags_of(*command_path.app)) {
      for (const std::string& name : names_of(*flag)) items.push_back(described(name, flag->get_description()));
    }
    const std::string asked = asks(command_path);
    places_text +=
        asked.empty()
            ? fmt::format("    ({}) offered=(\n      {}) ;;\n", shell_quoted(command_path.path),
                          fmt::join(items, "\n      "))
            : fmt::format(
                  "    ({}) offered=(${{(f)\"$($words[1] {} complete $words[3,CURRENT-1] 2>/dev/null)\"}}) ;;\n",
                  shell_quoted(command_path.path), asked);
  }
  const std::string values = of_values(all, [](const std::string& patterns, const CLI::Option& flag) {
    return fmt::format("    ({}) offered=({}); compadd -a offered; (( $#offered )) || _files; return ;;\n", patterns,
                       fmt::join(choices_of(flag), " "));
  });
  return fmt::format(R"sh(#compdef {0}
# Completion of {0} for zsh. Made by `{0} completion zsh`.
{1}() {{
  local at={0} i
  local -a offered
  for ((i = 2; i < CURRENT; ++i)); do
    case "$at $words[i]" in
      ({2}) at="$at $words[i]" ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
{3}  esac
  case $at in
{4}  esac
  _describe -o {0} offered || _files
}}
if [[ $funcstack[1] == {1} ]]; then {1} "$@"; else compdef {1} {0}; fi
)sh",
                     root.get_name(), name_of_function(root), steps(all), values, places_text);
}

std::string fish_flag(const CLI::Option& flag) {
  std::string out;
  for (const std::string& name : flag.get_snames()) out += (name.size() == 1 ? " -s " : " -o ") + name;
  for (const std::string& name : flag.get_lnames()) out += " -l " + name;
  const std::vector<std::string> choices = choices_of(flag);
  if (!choices.empty()) {
    out += fmt::format(" -x -a '{}'", fmt::join(choices, " "));
  } else if (takes_value(flag)) {
    out += " -r";
  }
  return out + " -d " + quoted_for_fish(flag.get_description());
}

std::string for_fish(const CLI::App& root) {
  const std::vector<CommandPath> all = command_paths(root);
  const std::string& program = root.get_name();
  const std::string function = "_" + name_of_function(root) + "_at";
  std::string out = fmt::format(R"sh(# Completion of {0} for fish. Made by `{0} completion fish`.
function {1}
  set -l at {0}
  for word in (commandline -opc)[2..]
    switch "$at $word"
      case {2}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
)sh",
                                program, function, steps(all, " "));
  for (const CommandPath& command_path : all) {
    const std::string here = fmt::format("complete -c {} -n '{} \"{}\"'", program, function, command_path.path);
    if (const std::string asked = asks(command_path); !asked.empty()) {
      out += fmt::format("{} -f -a '({} {} complete (commandline -opc)[3..] 2>/dev/null)'\n", here, program, asked);
      continue;
    }
    for (const CLI::App* command : commands_of(*command_path.app)) {
      out += fmt::format("{} -f -a {} -d {}\n", here, command->get_name(), quoted_for_fish(command->get_description()));
    }
    for (const CLI::Option* word : positionals_of(*command_path.app)) {
      for (const std::string& choice : choices_of(*word)) out += fmt::format("{} -f -a {}\n", here, choice);
    }
    for (const CLI::Option* flag : flags_of(*command_path.app)) out += here + fish_flag(*flag) + "\n";
  }
  return out;
}

}  // namespace

std::string completion_script(const CLI::App& root, std::string_view shell) {
  if (shell == "bash") return for_bash(root);
  if (shell == "zsh") return for_zsh(root);
  return shell == "fish" ? for_fish(root) : "";
}

}  // namespace fuhyo::manual
