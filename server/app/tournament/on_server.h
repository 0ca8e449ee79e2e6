// The half of `fuhyo tournament` that speaks to the running server of this machine, by its administration socket.
#pragma once

#include <expected>
#include <string>

#include "server/app/commands.h"
#include "server/core/tournaments/running_event.h"

namespace CLI {
class App;
}

namespace fuhyo::app {

// Adds new, start, pause, ..., delete and export to `tournament`; what is returned runs the one that was given, if one
// was. Nothing was: it returns a negative number.
Command add_server_tournament(CLI::App& tournament);

// An event as the server has it now. `data`: its data folder; empty: that of the configuration. The error is for a
// person.
std::expected<core::RunningEvent, std::string> event_of_server(const std::string& data, const std::string& config,
                                                               const std::string& event);

}  // namespace fuhyo::app
