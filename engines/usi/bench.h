// A fixed set of searches. Its node count (or trace, see engine.h) is the signature of an engine: the same program
// gives the same number on every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "engines/usi/engine.h"

namespace fuhyo::usi {

struct BenchResult {
  std::int64_t nodes = 0;
  std::int64_t trace = 0;
  std::int64_t time_ms = 0;
};

// Searches every bench position from a cleared state, and prints each.
BenchResult bench(Engine& engine, const GoLimits& limits, const std::function<void(std::string_view)>& print);

}  // namespace fuhyo::usi
