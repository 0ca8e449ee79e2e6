// `fuhyo join` at work: one engine, one CSA server, one login after another. Runs on the calling thread.
#pragma once

#include "server/app/join/options.h"

namespace fuhyo::app {

// Plays until the wanted number of games is over, the user interrupts, or it cannot go on. Returns the exit code.
// SIGINT and SIGTERM: the first lets a running game end, the second leaves at once.
int run_join(const JoinOptions& options);

}  // namespace fuhyo::app
