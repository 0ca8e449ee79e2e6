// Files of samples (*.samples), each written and read as a whole. Any thread.
//
//   "FuhyoPS\n"; u32 version (1); u32 length of the text; the text, one line of UTF-8 that says how it was made;
//   u64 number of samples; the samples, 40 bytes each; u32 CRC-32C of all that. Little-endian.
//
//   32 bytes  the position (hcp, engines/record/hcp.h)
//   u16       the move (apery_bits())
//   i16       score for the side to move; -32768: none
//   u8        result for the side to move: 0 lost, 1 drawn, 2 won; 255: none
//   u8        0
//   u16       moves made before
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engines/learn/policy/sample.h"

namespace fuhyo::learn::policy {

constexpr std::string_view kSamplesEnd = ".samples";

struct SampleFile {
  std::string made_by;
  std::vector<Sample> samples;
  std::uint32_t checksum = 0;  // tells contents apart
};

// Replaces the file; if that fails, the old one stays. An error names the file. `made_by`: at most 65,536 bytes.
std::expected<void, std::string> write_samples(const std::filesystem::path& file, std::string_view made_by,
                                               const std::vector<Sample>& samples);
// An error names the file and what is wrong with it, and where. Positions and moves are
// checked only when examples are made of them.
std::expected<SampleFile, std::string> read_samples(const std::filesystem::path& file);

}  // namespace fuhyo::learn::policy
