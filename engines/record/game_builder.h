// Builds a Game from a file, one move after the other, with the board beside it: first the main line, then the
// branches. Does not check the rules: makes every move that can be carried out. One object per game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engines/record/diagnostic.h"
#include "engines/record/game.h"

namespace fuhyo::record {

class GameBuilder {
 public:
  using Defect = std::optional<Diagnostic>;  // the defect, if there is one
  // What is worth it to keep, and to find one's way in; JKF nests what branches from branches.
  static constexpr std::size_t kMostBranches = 10'000, kDeepest = 64;

  // The line that is being made, whole from the start of the game.
  Game& game() { return game_; }
  const Game& game() const { return game_; }

  // Headers and comments may come before the start position; moves come after it.
  void start(const Setup& setup);
  bool started() const { return started_; }

  const Setup& board() const { return board_; }
  shogi::Square last_to() const { return last_to_; }  // SQ_NONE before the first move
  std::int32_t tried() const;                         // plies, an impossible move counted
  bool over() const { return game_.end.kind != EndKind::none; }

  // A move that cannot be carried out is kept as Game::impossible; it is a defect if more moves follow, or if the game
  // did not end by it. So is a move after the end.
  Defect move(const CsaMove& csa, std::int32_t line);
  Defect end(End end, std::int32_t line);  // a defect if it has ended already
  void spent(std::int64_t ms);             // what the newest of them took: the end, or a move
  void comment(Comment::Kind kind, std::string_view text);
  Defect finish() const;  // of the line

  // From here on the line is a branch that begins after so many moves of the latest line that has a move or an end
  // there, or of a main line that just stops there. False: there is none, or there are too many; then nothing may come
  // but another one.
  bool branch(std::int32_t ply);
  bool in_branch() const { return main_.has_value(); }
  Game take();  // all of it; the builder is empty then

 private:
  void close_line();

  Game game_;
  std::optional<Game> main_;  // with the branches, while game_ is one
  std::int32_t begin_ = 0;    // of the branch
  std::size_t place_ = 0;     // among the branches
  Setup board_;
  shogi::Square last_to_ = shogi::SQ_NONE;
  Defect impossible_;
  bool started_ = false;
};

}  // namespace fuhyo::record
