// buoy.yaml: start positions that players of shogi-server have set under game names. Pure functions; any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/room_facts.h"
#include "server/store/file_fault.h"

namespace fuhyo::store {

// As facts of the moment `at`. One whose moves cannot be played from the normal start position, whose name is no game
// name or whose count is used up is left out and named in `faults`.
std::expected<std::vector<core::BuoySet>, FileFault> read_buoys(std::string_view text, const std::string& file,
                                                                core::Wall at, std::vector<FileFault>& faults);

}  // namespace fuhyo::store
