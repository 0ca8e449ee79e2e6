// fuhyo: a shogi game server and the tools around it. Each subcommand has a file of its own (commands.h).
#include "engines/manual/program.h"
#include "server/app/commands.h"

#ifndef FUHYO_ENGINES_ONLY
#include <sys/stat.h>

#include "server/app/serve/service_manager.h"

// Of a command that writes into a data folder. Hashes of secrets, the audit log and games that are shown late are
// nobody else's business, whatever the umask of who has started it.
template <fuhyo::app::Command (*add)(CLI::App&)>
fuhyo::app::Command in_private(CLI::App& root) {
  return [run = add(root)] {
    ::umask(S_IRWXG | S_IRWXO);
    return run();
  };
}
#endif

int main(int argc, char** argv) {
  using namespace fuhyo::app;
  fuhyo::manual::Program program{.name = "fuhyo", .version = "fuhyo " FUHYO_VERSION};
#ifdef FUHYO_ENGINES_ONLY
  program.about = "Fuhyo: games between USI engines, and what engines say of games.";
  program.commands = {{"match", add_match}, {"jobs", add_jobs}, {"analyze", add_analyze}};
#else
  program.about = "Fuhyo: a shogi game server that speaks the CSA protocol.";
  program.print_errors = print_errors;
  program.commands = {{"setup", in_private<add_setup>},
                      {"serve", in_private<add_serve>},
                      {"config", add_config},
                      {"admin", add_admin},
                      {"join", add_join},
                      {"replay", add_replay},
                      {"relay", in_private<add_relay>},
                      {"rate", add_rate},
                      {"migrate", in_private<add_migrate>},
                      {"import-shogi-server", in_private<add_import>},
                      {"store", in_private<add_store>},
                      {"match", add_match},
                      {"tune", add_tune},
                      {"jobs", add_jobs},
                      {"analyze", add_analyze},
                      {"convert", add_convert},
                      {"tournament", add_tournament}};
#endif
  return fuhyo::manual::run(program, argc, argv);
}
