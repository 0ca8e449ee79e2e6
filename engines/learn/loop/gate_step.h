// The test of a generation's network as a step that is done once (step.h). Plays games; one thread at a time.
#pragma once

#include <expected>
#include <filesystem>
#include <stop_token>
#include <string>

#include "engines/learn/gate/gate.h"
#include "engines/learn/loop/history.h"

namespace fuhyo::learn {

// Fills in what the report has of it. False: it was asked to stop.
std::expected<bool, std::string> gate_once(const GateOptions& options, const std::filesystem::path& file,
                                           GenerationReport& report, const std::stop_token& stop);

}  // namespace fuhyo::learn
