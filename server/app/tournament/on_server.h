// The half of `fuhyo tournament` that speaks to the running server of this machine, by its administration socket.
#pragma once

#include <string>

#include "server/app/commands.h"

namespace CLI {
class App;
}

namespace fuhyo::app {

// Adds new, start, pause, ..., delete and export to `tournament`; what is returned runs the one that was given, if one
// was. Nothing was: it returns a negative number.
Command add_server_tournament(CLI::App& tournament);

// The table of a division as the server has it. `data`: its data folder; empty: that of the configuration.
int tell_server_table(const std::string& data, const std::string& event, const std::string& division, bool japanese);

}  // namespace fuhyo::app
