// Shuffles training data uniformly in bounded memory. Reads and writes
// files; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <string>

#include "engines/learn/data/format.h"

namespace fuhyo::learn {

struct ShuffleOptions {
  std::uint64_t memory = std::uint64_t{1} << 30U;  // bytes, about; the rest is on the disk beside the output
  std::uint64_t seed = 1;                          // the same seed and memory give the same order
};

struct Shuffled {
  std::uint64_t units = 0;  // positions, or games of formats that hold games
  std::size_t buckets = 0;
};

// Formats that can be shuffled: games, psv, hcpe, hcpe2, hcpe3, hcp. Units are copied as bytes (games: parsed and
// written again) without checks of their content. Errors name the file: it ends within a unit, it is damaged, the disk
// is full; then there is no output.
bool can_be_shuffled(DataFormat format);
std::expected<Shuffled, std::string> shuffle(std::span<const std::filesystem::path> in,
                                             const std::filesystem::path& out, DataFormat format,
                                             const ShuffleOptions& options);

}  // namespace fuhyo::learn
