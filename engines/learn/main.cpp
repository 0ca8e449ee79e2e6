// fuhyo-learn: makes networks for our engines. The subcommands are in commands/.
#include "engines/learn/commands.h"
#include "engines/manual/program.h"

int main(int argc, char** argv) {
  using namespace fuhyo::learn;
  return fuhyo::manual::run({.name = "fuhyo-learn",
                             .about = "Fuhyo learning: games of self-play, and networks that learn from them.",
                             .version = "fuhyo " FUHYO_VERSION,
                             .commands = {{"generate", add_generate},
                                          {"self-play-policy", add_self_play_policy},
                                          {"play", add_play},
                                          {"gate", add_gate},
                                          {"train", add_train},
                                          {"convert", add_convert},
                                          {"inspect", add_inspect},
                                          {"aobazero", add_aobazero},
                                          {"starts", add_starts},
                                          {"duplicates", add_duplicates},
                                          {"shuffle", add_shuffle},
                                          {"samples", add_samples},
                                          {"policy", add_policy},
                                          {"loop", add_loop},
                                          {"book", add_book},
                                          {"othello", add_othello}}},
                            argc, argv);
}
