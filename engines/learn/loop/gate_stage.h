// The test of a generation's network as a stage (stage.h). Plays games; one thread at a time.
#pragma once

#include <expected>
#include <filesystem>
#include <stop_token>
#include <string>

#include "engines/learn/gate/gate.h"
#include "engines/learn/loop/history.h"

namespace fuhyo::learn {

// Writes its part of the report. False: `stop` was requested.
std::expected<bool, std::string> gate_once(const GateOptions& options, const std::filesystem::path& file,
                                           GenerationReport& report, const std::stop_token& stop);

}  // namespace fuhyo::learn
