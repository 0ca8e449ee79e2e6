// The table of admin commands, for telnet, the administration socket, help, shell completion and the console. Pure; any
// thread.
//
// A new command is an entry of commands.json, and a function: of AdminCommands, or of the shell
// (GameServer::host_request).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::core {

// Each may do what the one before it may.
enum class Role : std::uint8_t { player, host, admin };
std::string_view to_string(Role role);
std::optional<Role> role_named(std::string_view word);  // "host"

struct AdminResult;
struct AdminCommands;

// What a shell may offer for a word of a command.
struct AdminCompletion {
  std::string_view fixed;  // "black|white|draw|void"
  std::string_view ask;    // the command whose table names the other ones in its first column; empty: none
};

// cmake/admin_commands.py makes them of commands.json.
struct AdminVerb {
  std::string_view verb;
  std::string_view synopsis;  // what follows it: "GAME black|white|draw|void WHY", "[ROOM]"
  std::string_view english, japanese;
  std::string_view example;
  Role least = Role::host;
  bool acts = false;      // it changes something: the audit log has it
  bool by_shell = false;  // the shell of the server does it (HostRequest)
  // It cannot be undone, or runs a program: the web asks for the password again first.
  bool dangerous = false;
  AdminResult (AdminCommands::*run)() = nullptr;  // null: by_shell
  AdminCompletion completions[5] = {};            // of its words, in order
};
std::span<const AdminVerb> admin_verbs();
const AdminVerb* find_admin_verb(std::string_view verb);
// The command that the first word of a line names, in either case; `help` for an empty line. Null: there is none.
const AdminVerb* admin_verb_of(std::string_view line);
// The command that was probably meant by a misspelt one: "tournament" by "tournament-show". Null: none is near.
const AdminVerb* nearest_admin_verb(std::string_view word);

// For people: the table, columns side by side (East Asian characters count two), then the text. Lines without ends.
std::vector<std::string> render(const AdminResult& result);

}  // namespace fuhyo::core
