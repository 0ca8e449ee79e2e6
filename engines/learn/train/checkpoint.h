// The state of a training, from which it resumes with the same results. Reads and writes files; any thread.
//
//   8 bytes "FUHYOTRN", u32 version (1), u32 length and so many bytes of text, u64 steps, u32 number of groups
//   (weights, mean, square, and largest if the optimiser keeps it); of each group nine arrays in the order of Part: u64
//   length and so many 32-bit floats; at the end the CRC-32 of everything before. All numbers little-endian.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "engines/learn/train/learner.h"

namespace fuhyo::learn {

struct Checkpoint {
  std::string text;  // JSON: options and the place in the data
  Learner::State state;
};

// Replaces the file; if that fails, the old one stays as it is. After success the new one survives a power cut.
std::expected<void, std::string> write_checkpoint(const std::filesystem::path& file, const std::string& text,
                                                  const Learner& learner);
// An error names the file and what is wrong with it. `model`: whose arrays' sizes the file's must have.
std::expected<Checkpoint, std::string> read_checkpoint(const std::filesystem::path& file, const Model& model);

}  // namespace fuhyo::learn
