// How fast an engine is on this machine.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "server/host/builtin_host.h"

namespace fuhyo::app {

// Lets the player's engine think for a second about the start position: the last "nps" that it prints, 0 if it prints
// none. Blocks until then, or until the engine has failed; the error says how.
std::expected<std::int64_t, std::string> measure_speed(const host::BuiltinPlayer& player);

}  // namespace fuhyo::app
