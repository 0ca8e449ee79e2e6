// What the configuration and this machine leave to engines: threads, memory, what they may read. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/usi/process_sandbox.h"
#include "server/app/config/config.h"
#include "server/app/serve/log.h"
#include "server/app/serve/start_error.h"
#include "server/host/builtin_host.h"

namespace fuhyo::app {

// Says once what engines may do here, and makes the groups that hold their shares. An error: this machine cannot hold
// them as the configuration requires.
Started prepare_engines(const ServeConfig& config, Log& log);

// Threads that may think at once.
int thinking_threads(const ServeConfig& config);

// What holds each engine to its share of the processor, or why nothing does, in a sentence.
std::string share_text(const ServeConfig& config);
// The same of memory, and of what engines see of the server's files.
std::string memory_text(const ServeConfig& config);
std::string sight_text(const ServeConfig& config);

// As the setting engine-sandbox says: half of the machine's memory, unless its line says how much; nothing of the
// server's own folders.
void put_into_sandbox(const ServeConfig& config, host::BuiltinPlayer& player);
// The same with other folders and files to hide.
void put_into_sandbox(EngineSandbox engine_sandbox, std::vector<std::string> hidden, host::BuiltinPlayer& player);

// Why its program cannot be started, as far as a look at the disk tells; empty: it may.
std::string missing_program(const host::BuiltinPlayer& player);

// The path of a program that was built beside this one; it may not be there.
std::string sibling_program(std::string_view name);

// Of the engine that looks at finished games; nothing if there are no sandboxes.
std::optional<usi::Sandbox> analysis_sandbox(const ServeConfig& config);

}  // namespace fuhyo::app
