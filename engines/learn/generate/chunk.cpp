#include "engines/learn/generate/chunk.h"

#include <algorithm>
#include <utility>

#include "engines/record/scored_game_codec.h"

namespace fuhyo::learn {

std::expected<std::string, std::string> encode_chunk(std::span<const record::ScoredGame> games) {
  record::Bytes bytes;
  for (const record::ScoredGame& game : games) {
    if (auto added = record::append_scored_game(bytes, game); !added) return std::unexpected(added.error());
  }
  return std::string(bytes.begin(), bytes.end());
}

std::expected<std::vector<record::ScoredGame>, std::string> decode_chunk(std::string_view bytes) {
  const std::vector<std::uint8_t> raw(bytes.begin(), bytes.end());
  record::ByteReader reader(raw);
  std::vector<record::ScoredGame> games;
  while (!reader.rest().empty()) {
    auto game = record::take_scored_game(reader);
    if (!game) return std::unexpected(game.error());
    games.push_back(std::move(*game));
  }
  return games;
}

std::uint64_t searched(const record::ScoredGame& game) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(game.moves, [](const record::ScoredMove& move) { return move.score.has_value(); }));
}

std::expected<ChunkSize, std::string> measure_chunk(std::string_view bytes) {
  const auto games = decode_chunk(bytes);
  if (!games) return std::unexpected(games.error());
  ChunkSize size{.games = games->size()};
  for (const record::ScoredGame& game : *games) size.positions += searched(game);
  return size;
}

}  // namespace fuhyo::learn
