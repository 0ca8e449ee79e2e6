// Initial weights from the checkpoint of another training. Reads files; any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "engines/learn/policy/learner.h"

namespace fuhyo::learn::policy {

// Replaces weights and statistics of a state of this layout by those of a checkpoint; all but those of the value head,
// if the checkpoint's has another shape. Returns what was taken, for people. An error names the file: it cannot be
// read, or another part of its network has another shape; the state then is as it was.
std::expected<std::string, std::string> take_weights(const std::filesystem::path& checkpoint, const Layout& layout,
                                                     Learner::State& state);

}  // namespace fuhyo::learn::policy
