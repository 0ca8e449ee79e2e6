// The subcommands of `fuhyo`, one file each. Every function adds its subcommand with its options to the root and
// returns what runs it: called once, after parsing, if that subcommand was given; its value is the exit code.
#pragma once

#include <string>

#include "engines/manual/program.h"

namespace fuhyo::app {

using manual::Command;

Command add_setup(CLI::App& root);       // writes what a first evening needs
Command add_serve(CLI::App& root);       // the game server
Command add_config(CLI::App& root);      // checks, prints and explains its configuration
Command add_join(CLI::App& root);        // brings a USI engine to a CSA server
Command add_admin(CLI::App& root);       // gives commands to a running server
Command add_replay(CLI::App& root);      // plays recorded games through a running server
Command add_relay(CLI::App& root);       // shows the games of other servers
Command add_rate(CLI::App& root);        // rates players by their games
Command add_migrate(CLI::App& root);     // brings the tables of a store up
Command add_import(CLI::App& root);      // moves the folder of a shogi-server over
Command add_store(CLI::App& root);       // exports, imports, backs up and checks a store
Command add_match(CLI::App& root);       // plays engines against each other
Command add_tune(CLI::App& root);        // finds better values for an engine's parameters
Command add_jobs(CLI::App& root);        // looks after a queue of work
Command add_analyze(CLI::App& root);     // what an engine thinks of a record
Command add_convert(CLI::App& root);     // records from one format into another
Command add_tournament(CLI::App& root);  // checks, tries out and tabulates tournaments

// What is wrong, and the code to exit with.
struct ExitError {
  std::string text;
  int code;
};

// Exit codes (sysexits.h where one fits).
constexpr int kExitOk = 0;
constexpr int kExitFailed = 1;         // it ran, and what it was asked for did not succeed
constexpr int kExitUsage = 64;         // wrong flag, key or value
constexpr int kExitNoInput = 66;       // a file that was named cannot be read
constexpr int kExitUnavailable = 69;   // an address cannot be bound or reached
constexpr int kExitCannotCreate = 73;  // a folder or file cannot be written
constexpr int kExitIo = 74;            // the store failed

}  // namespace fuhyo::app
