// One game: its story, position, repetition, clocks, and the judgement of every line of the side to move. Knows nothing
// of sessions, sockets or the journal; the caller stamps its facts with wall time. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/shogi/position.h"
#include "engines/shogi/repetition.h"
#include "server/core/facts.h"
#include "server/core/games/clock.h"
#include "server/core/games/game_story.h"
#include "server/csa/game_name.h"
#include "server/csa/command.h"

namespace fuhyo::core {

// What a line did. Nothing set: it was ignored.
struct Ruling {
  std::optional<MoveMade> move;  // the move was legal and in time
  std::string echo;              // "+7776FU,T3" / "%KACHI,T3": told to both sides before the end
  std::optional<GameEnded> end;
  bool ignored() const { return !move && !end; }
};

class Game {
 public:
  // `opened` is taken as decided; its start position and preset moves must be legal (the caller has checked them).
  // Ends at the latest after `most_plies`, also where it has no Max_Moves of its own.
  Game(GameOpened opened, std::int32_t most_plies);

  const GameStory& story() const { return story_; }
  const GamePhase& phase() const { return story_.phase; }
  const GameOpened& opened() const { return story_.opened; }
  GameId id() const { return opened().game; }
  shogi::Color to_move() const { return position_.side_to_move(); }
  const shogi::Position& position() const { return position_; }
  std::int32_t plies() const { return plies_; }
  const Clock& clock() const { return clock_; }
  const std::vector<std::string>& moves() const { return story_.moves; }

  // Lines of the side to move, `elapsed_us` after its turn began. Time is tested before the move.
  Ruling judge(const csa::MoveLine& line, std::int64_t elapsed_us);
  Ruling judge(const csa::Special& line, std::int64_t elapsed_us);
  // Time up without a line; nothing if the flag has not fallen.
  Ruling judge_silence(std::int64_t elapsed_us);
  // `who` left the game: the other side wins, whoever's turn it is.
  Ruling abandoned_by(shogi::Color who, std::string_view how);
  // Takes a fact of this game as decided, without judging it.
  void apply(const Fact& fact);
  // Of a suspended game: whether its players may come back only after an operator has said so.
  void await_verdict(bool awaits) { story_.phase.await_verdict(awaits); }
  // `who` gives up, whoever's turn it is.
  Ruling resigned_by(shogi::Color who) const;
  // The server ends the game; nobody wins.
  GameEnded interrupted(std::string_view reason) const;
  // An operator decides the result.
  GameEnded adjudicated(Outcome outcome, std::string_view reason) const;

  // The very line that was played last: a client that sends it twice is forgiven.
  bool repeats_last_move(std::string_view move) const { return !last_move_.empty() && move == last_move_; }

 private:
  GameEnded end(EndKind kind, Outcome outcome, std::string line, std::string reason) const;
  Ruling lost_by_mover(EndKind kind, std::string line, std::string reason) const;
  Ruling late(std::int64_t elapsed_us) const;
  Ruling declare(const std::string& line, std::int32_t spent_s);
  Ruling play(shogi::Move move, const csa::MoveLine& line, std::int32_t spent_s);
  GameEnded at_limit(shogi::Color mover) const;
  shogi::Repetition make(shogi::Move move, std::string_view csa);
  void preset(std::string_view move);

  GameStory story_;
  std::int32_t most_plies_;
  shogi::Position position_;
  shogi::RepetitionHistory repetition_;
  Clock clock_;
  std::string last_move_;
  std::int32_t plies_ = 0;
};

// What the name of a game says of its time.
TimeRule time_rule(const csa::GameName& name);

// The clocks as the game begins: full, or with the T of the preset moves off them (GameOpened::preset_spent).
Clock first_clock(const GameOpened& opened);

// Makes the move of "+7776FU" or "+7776FU,T1". Nothing, and nothing is made: it is no legal move there.
std::optional<shogi::Move> play(shogi::Position& position, std::string_view text);

// "two pawns at 5e": why a move line is not a legal move, for people.
std::string describe_illegal(const shogi::Position& position, std::string_view line);

}  // namespace fuhyo::core
