// The state of a training of a policy and value network, from which it resumes with the same results. Reads and writes
// files; any thread.
//
//   8 bytes "FUHYOPTR", u32 version (1), u32 length and so many bytes of text, u64 steps, four arrays (weights, means
//   and mean squares of gradients, statistics of norms): u64 length and so many 32-bit floats in the order of layout.h;
//   at the end the CRC-32C of everything before. All numbers little-endian.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "engines/learn/policy/learner.h"

namespace fuhyo::learn::policy {

struct Checkpoint {
  std::string text;  // JSON: options, data, seconds
  Learner::State state;
};

// Replaces the file; if that fails, the old one stays as it is. After success the new one survives a power cut.
std::expected<void, std::string> write_checkpoint(const std::filesystem::path& file, const std::string& text,
                                                  const Learner::State& state);
// An error names the file and what is wrong with it. The text alone needs no layout.
std::expected<std::string, std::string> read_checkpoint_text(const std::filesystem::path& file);
std::expected<Checkpoint, std::string> read_checkpoint(const std::filesystem::path& file, const Layout& layout);

}  // namespace fuhyo::learn::policy
