#include "games.h"

#include <memory>
#include <random>

#include "engines/nnue/net/untrained.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::test {

int material(const shogi::Position& position) {
  int sum = 0;
  const auto sign = [&](shogi::Color side) { return side == position.side_to_move() ? 1 : -1; };
  position.occupied().for_each([&](shogi::Square square) {
    const shogi::Piece piece = position.piece_on(square);
    sum += sign(shogi::color_of(piece)) * nnue::untrained_worth(shogi::type_of(piece), shogi::make_square(5, 5));
  });
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    for (int index = shogi::PAWN; index <= shogi::GOLD; ++index) {
      const auto type = static_cast<shogi::PieceType>(index);
      sum += sign(side) * position.hand(side).count(type) * nnue::untrained_worth_in_hand(type);
    }
  }
  return sum;
}

record::ScoredGame play_game(std::uint64_t seed, int plies) {
  std::mt19937_64 random(seed);
  record::ScoredGame game;
  shogi::Position position;
  for (int ply = 0; ply < plies; ++ply) {
    const auto moves = shogi::legal_moves(position);
    if (moves.empty()) break;
    const shogi::Move move = moves[random() % moves.size()];
    game.moves.push_back({move, static_cast<std::int16_t>(material(position))});
    position.do_move(move);
  }
  const int left = material(position);
  const bool black = (left > 0) == (position.side_to_move() == shogi::BLACK);
  game.winner = left == 0 ? record::Winner::nobody : black ? record::Winner::black : record::Winner::white;
  game.end = record::ScoredEnd::move_limit;
  return game;
}

std::vector<record::ScoredGame> play_games(std::uint64_t seed, std::size_t count, int plies) {
  std::vector<record::ScoredGame> games;
  for (std::size_t i = 0; i < count; ++i) games.push_back(play_game(seed * 1'000'003 + i, plies));
  return games;
}

std::vector<shogi::Position> positions_of_games(std::uint64_t seed, std::size_t count) {
  std::vector<shogi::Position> positions;
  for (std::uint64_t number = 0; positions.size() < count; ++number) {
    const record::ScoredGame game = play_game(seed * 1'000'003 + number, 150);
    shogi::Position position = game.start;
    for (std::size_t i = 0; i < game.moves.size() && positions.size() < count; ++i) {
      positions.push_back(position);
      position.do_move(game.moves[i].move);
    }
  }
  return positions;
}

std::string lines_of_pawn_movers(std::uint64_t seed, std::size_t count, int plies) {
  std::mt19937_64 random(seed);
  std::string lines;
  for (std::size_t line = 0; line < count; ++line) {
    lines += "startpos moves";
    shogi::Position position;
    for (int ply = 0; ply < plies; ++ply) {
      std::vector<shogi::Move> all, pawns;
      for (const shogi::Move move : shogi::legal_moves(position)) {
        all.push_back(move);
        const bool quiet = !move.is_drop() && position.piece_on(move.to()) == shogi::NO_PIECE;
        if (!quiet || shogi::type_of(position.piece_on(move.from())) != shogi::PAWN || move.is_promotion()) continue;
        const auto attackers = position.attackers(~position.side_to_move(), move.to(), position.occupied());
        if (attackers.none()) pawns.push_back(move);
      }
      if (all.empty()) break;
      const auto& choice = pawns.empty() ? all : pawns;
      const shogi::Move move = choice[random() % choice.size()];
      lines += ' ' + shogi::to_usi(move);
      position.do_move(move);
    }
    lines += '\n';
  }
  return lines;
}

learn::DataSet set_of(std::vector<record::ScoredGame> games, double weight) {
  const auto shared = std::make_shared<const std::vector<record::ScoredGame>>(std::move(games));
  const auto open = [shared] {
    return [shared, at = std::size_t{0}]() mutable -> std::expected<std::optional<record::ScoredGame>, std::string> {
      if (at == shared->size()) return std::nullopt;
      return (*shared)[at++];
    };
  };
  return {.name = "test", .open = open, .weight = weight};
}

}  // namespace fuhyo::test
