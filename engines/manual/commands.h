// A command line as a whole: the tree of its commands, man pages, completions of shells, values without a sign.
// Independent of the commands. Pure but for write_manual(); any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace fuhyo::manual {

// A command with its full path: "fuhyo config check". Hidden commands are left out, here and below.
struct CommandPath {
  std::string path;
  const CLI::App* app;
};
std::vector<CommandPath> command_paths(const CLI::App& root);  // the program itself first, each command before its own
std::vector<const CLI::App*> commands_of(const CLI::App& app);

std::vector<const CLI::Option*> flags_of(const CLI::App& app);        // by name, not by position
std::vector<const CLI::Option*> positionals_of(const CLI::App& app);  // by position alone
std::vector<std::string> names_of(const CLI::Option& flag);           // "-n", "--games"
bool takes_value(const CLI::Option& flag);
// The values of a flag that takes one of a fixed set, from its type: "game|web". Else none.
std::vector<std::string> choices_of(const CLI::Option& flag);

// A file: its name and its text.
struct Page {
  std::string name, text;
};
// In roff: "fuhyo.1" for the program and its commands, "fuhyo-serve.1" for each of these with all below it.
std::vector<Page> man_pages(const CLI::App& root, std::string_view version);

// A script for "bash", "zsh" or "fish", to be sourced or installed; empty for any other shell. Completions of a command
// that parses its own words (prefix_command) come from `PROGRAM COMMAND complete WORD...`, which prints one word a
// line.
std::string completion_script(const CLI::App& root, std::string_view shell);

// Refuses a minus before every value that cannot be negative, which CLI11 takes as 2^64 less. For all options that are
// there; call it before parsing.
void refuse_negative(CLI::App& app);

// Adds the commands `completion SHELL` and `manual DIR` (which writes the pages). Add them last. Call the returned
// function if one of them was given; it returns the exit code.
std::function<int()> add_manual(CLI::App& root, std::string version);
constexpr const char* kCommands[] = {"completion", "manual"};

}  // namespace fuhyo::manual
