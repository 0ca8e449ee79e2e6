// How fast an engine is on this machine, and whether it takes its options.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "server/host/builtin_host.h"

namespace fuhyo::app {

struct EngineTrial {
  std::int64_t nps = 0;              // the last "nps" that it prints; 0: none
  std::vector<std::string> refused;  // of its options, in words
};
// Lets the player's engine think for a second about the start position. Blocks until then, or until the engine has
// failed; the error says how.
std::expected<EngineTrial, std::string> try_engine(const host::BuiltinPlayer& player);

}  // namespace fuhyo::app
