#include "engines/record/training.h"

#include <fmt/core.h>
#include <utility>

#include "engines/shogi/usi_move.h"

namespace fuhyo::record {
namespace {

using shogi::Color;
using shogi::Position;
using Failure = std::unexpected<std::string>;

constexpr int kMaxGamePly = 65'535;

Winner winner_of(Color side, std::int8_t result) {
  if (result == 0) return Winner::nobody;
  return (result > 0) == (side == shogi::BLACK) ? Winner::black : Winner::white;
}

std::optional<std::string> illegal(const Position& position, shogi::Move move) {
  const shogi::Illegal why = position.why_illegal(move);
  if (why == shogi::Illegal::none) return std::nullopt;
  return fmt::format("the move {} is illegal: {}", shogi::to_usi(move), shogi::to_string(why));
}

std::uint8_t flags_of(ScoredEnd end) {
  switch (end) {
    case ScoredEnd::repetition:
      return Hcpe3Game::kRepetition;
    case ScoredEnd::declaration:
      return Hcpe3Game::kDeclaration;
    case ScoredEnd::move_limit:
      return Hcpe3Game::kMoveLimit;
    default:
      return 0;
  }
}

ScoredEnd end_of(std::uint8_t flags) {
  for (const ScoredEnd end : {ScoredEnd::repetition, ScoredEnd::declaration, ScoredEnd::move_limit}) {
    if ((flags & flags_of(end)) != 0) return end;
  }
  return ScoredEnd::unknown;
}

}  // namespace

std::optional<PackedSfenValue> packed_sfen_value(const ScoredPosition& scored) {
  const auto packed = pack(scored.position);
  if (!packed || scored.position.ply() >= kMaxGamePly) return std::nullopt;
  return PackedSfenValue{.position = *packed,
                         .score = scored.score,
                         .move = scored.move,
                         .game_ply = static_cast<std::uint16_t>(scored.position.ply() + 1),
                         .result = result_for(scored.position.side_to_move(), scored.winner)};
}

std::optional<Hcpe> hcpe(const ScoredPosition& scored) {
  const auto packed = pack_hcp(scored.position);
  if (!packed) return std::nullopt;
  return Hcpe{.position = *packed,
              .score = scored.score,
              .move = scored.move,
              .winner = scored.winner,
              .flags = flags_of(scored.end)};
}

std::expected<Position, std::string> unnumbered_position(const Hcp& hcp) {
  auto position = unpack(hcp);
  if (position && position->side_to_move() == shogi::WHITE) return unpack(hcp, 1);
  return position;
}

std::expected<ScoredPosition, std::string> scored_position(const PackedSfenValue& value) {
  if (value.result < -1 || value.result > 1) return Failure(fmt::format("{} is no result", value.result));
  auto position = unpack(value.position, value.game_ply == 0 ? 0 : value.game_ply - 1);
  if (!position) return Failure(std::move(position.error()));
  if (auto defect = illegal(*position, value.move)) return Failure(std::move(*defect));
  const Winner winner = winner_of(position->side_to_move(), value.result);
  return ScoredPosition{.position = *std::move(position), .move = value.move, .score = value.score, .winner = winner};
}

std::expected<ScoredPosition, std::string> scored_position(const Hcpe& value) {
  auto position = unnumbered_position(value.position);
  if (!position) return Failure(std::move(position.error()));
  if (auto defect = illegal(*position, value.move)) return Failure(std::move(*defect));
  return ScoredPosition{.position = *std::move(position),
                        .move = value.move,
                        .score = value.score,
                        .winner = value.winner,
                        .end = end_of(value.flags)};
}

std::optional<Hcpe3Game> hcpe3(const ScoredGame& game) {
  const auto start = pack_hcp(game.start);
  if (!start || game.moves.size() > kMaxHcpe3Moves) return std::nullopt;
  Hcpe3Game out{.start = *start, .moves = {}, .winner = game.winner, .flags = flags_of(game.end)};
  out.moves.reserve(game.moves.size());
  for (const ScoredMove& each : game.moves) {
    out.moves.push_back({.move = each.move, .score = each.score.value_or(0)});
    if (each.score) out.moves.back().candidates.push_back({.move = each.move, .visits = 1});
  }
  return out;
}

std::expected<ScoredGame, std::string> scored_game(const Hcpe3Game& game) {
  auto start = unnumbered_position(game.start);
  if (!start) return Failure(std::move(start.error()));
  ScoredGame out{.start = *std::move(start), .moves = {}, .winner = game.winner, .end = end_of(game.flags)};
  out.moves.reserve(game.moves.size());
  Position position = out.start;
  for (std::size_t i = 0; i < game.moves.size(); ++i) {
    const Hcpe3Move& each = game.moves[i];
    if (const auto defect = illegal(position, each.move)) return Failure(fmt::format("move {}: {}", i + 1, *defect));
    position.do_move(each.move);
    ScoredMove scored{.move = each.move, .score = {}};
    if (!each.candidates.empty() || each.score != 0) scored.score = each.score;
    out.moves.push_back(scored);
  }
  return out;
}

}  // namespace fuhyo::record
