// floodgate_history_<total>_<byoyomi>.yaml: the last games of a floodgate group, by which shogi-server pairs. Pure
// functions; any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/journal.h"
#include "server/store/file_fault.h"

namespace fuhyo::store {

// Oldest first. A game without a winner is a draw.
std::expected<std::vector<core::PastGame>, FileFault> read_floodgate_history(std::string_view text,
                                                                             const std::string& file);

}  // namespace fuhyo::store
