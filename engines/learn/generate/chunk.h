// The games of a chunk as the bytes of its result: one after the other, as scored_game_codec.h of engines/record writes
// them. Pure; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/record/scored_game.h"

namespace fuhyo::learn {

std::expected<std::string, std::string> encode_chunk(std::span<const record::ScoredGame> games);
std::expected<std::vector<record::ScoredGame>, std::string> decode_chunk(std::string_view bytes);

// Positions that have a score.
std::uint64_t searched(const record::ScoredGame& game);

struct ChunkSize {
  std::uint64_t games = 0, positions = 0;  // those that have a score
};
std::expected<ChunkSize, std::string> measure_chunk(std::string_view bytes);

}  // namespace fuhyo::learn
