// One game of self-play and its record. Each ply is a function of the options, the game's number and the moves before,
// so an interrupted game resumes from its moves with the same result. One thread at a time.
#pragma once

#include <optional>
#include <span>

#include "engines/learn/generate/adjudicator.h"
#include "engines/learn/generate/policy/options.h"
#include "engines/learn/generate/starts.h"
#include "engines/record/hcpe.h"
#include "engines/shogi/repetition.h"
#include "engines/usi/game.h"

namespace fuhyo::learn {

// A game, or what has been played of it.
struct PolicyGame {
  // A position that is to be learnt has candidates; their visits are those of its search (noise), or shares of
  // kPolicyShares (Gumbel).
  record::Hcpe3Game record;
  bool over = false;
  bool operator==(const PolicyGame&) const = default;
};

constexpr std::uint32_t kPolicyShares = 10'000;

// The random numbers of a game: for its start, and for each of its moves.
class GameRandom {
 public:
  GameRandom(const PolicyPlayOptions& options, std::uint64_t number);
  bool to_the_end() const { return to_the_end_; }
  // For the draws of its start, one after the other.
  Random& starts() { return starts_; }
  Random of_move(std::size_t moves_made) const { return {moves_, moves_made}; }

 private:
  Random starts_;
  std::uint64_t moves_;
  bool to_the_end_;
};

// The state of a game.
class PolicyBoard {
 public:
  PolicyBoard(const PolicyPlayOptions& options, bool to_the_end, const shogi::Position& start);

  const shogi::Position& position() const { return position_; }
  const usi::Game& so_far() const { return so_far_; }
  std::size_t moves_made() const { return so_far_.moves.size(); }

  struct End {
    record::Winner winner = record::Winner::nobody;
    std::uint8_t flags = 0;  // as in Hcpe3Game
  };
  // The end by the rules, before a search of the position.
  std::optional<End> over_already() const;
  // Makes a move with its score for the side that makes it; the end, if the move ends the game.
  std::optional<End> play(shogi::Move move, int score);

  End won(shogi::Color by) const;

 private:
  const PolicyPlayOptions& options_;
  bool to_the_end_;
  usi::Game so_far_;
  shogi::Position position_;
  shogi::RepetitionHistory history_{shogi::RepetitionRule::REAL};
  Adjudicator adjudicator_;
};

// Makes all moves of the record on the board, to resume its game. An error: a move is illegal.
std::expected<void, std::string> replay(PolicyBoard& board, const record::Hcpe3Game& record);

// Whole numbers in proportion to the shares, whose sum is 1; their sum is `total` (largest remainders).
std::vector<std::uint16_t> apportion(std::span<const double> shares, std::uint32_t total);

// The side that resigns by the scores of a game, if one does.
std::optional<shogi::Color> gives_up(const PolicyPlayOptions& options, const record::Hcpe3Game& record);

}  // namespace fuhyo::learn
