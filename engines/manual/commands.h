// What a command line says of itself: the tree of its commands, man pages, completions of shells. Knows no command by
// name. Pure but for write_manual(); any thread.
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

// A command with the words that lead to it: "fuhyo config check". Hidden ones are left out, here and below.
struct Place {
  std::string path;
  const CLI::App* app;
};
std::vector<Place> places(const CLI::App& root);  // the program itself first, each command before its own
std::vector<const CLI::App*> commands_of(const CLI::App& app);

std::vector<const CLI::Option*> flags_of(const CLI::App& app);        // by name, not by position
std::vector<const CLI::Option*> positionals_of(const CLI::App& app);  // by position alone
std::vector<std::string> names_of(const CLI::Option& flag);           // "-n", "--games"
bool takes_value(const CLI::Option& flag);
// The words that it takes where these are all there are, as its type says: "game|web". Else none.
std::vector<std::string> choices_of(const CLI::Option& flag);

// A file of a name.
struct Page {
  std::string name, text;
};
// In roff: "fuhyo.1" for the program and its commands, "fuhyo-serve.1" for each of these with all below it.
std::vector<Page> man_pages(const CLI::App& root, std::string_view version);

// A script for "bash", "zsh" or "fish", both to be sourced and to lie where the shell looks for it; empty for any other
// shell. What a command that reads its words itself (prefix_command) completes, it is asked:
// `PROGRAM COMMAND complete WORD...` prints a word a line.
std::string completion_script(const CLI::App& root, std::string_view shell);

// Adds the commands `completion SHELL` and `manual DIR` (which writes the pages). Add them last; call what is returned
// if one of them was given: it returns the exit code.
std::function<int()> add_manual(CLI::App& root, std::string version);
constexpr const char* kCommands[] = {"completion", "manual"};

}  // namespace fuhyo::manual
