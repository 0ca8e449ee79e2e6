// What is said in USI, as values and as text: search limits, information about a search, and its answer.
// Pure functions; any thread. Source: USI as Shogidokoro and YaneuraOu speak it.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/shogi/types.h"

namespace fuhyo::usi {

// "go ...". Times in milliseconds, indexed by colour. A side's budget for this move is time + inc + byoyomi: `inc` has
// not been added to `time` yet (the shogi convention, unlike chess: the increment comes before the move).
struct GoLimits {
  std::array<std::int64_t, 2> time_ms{};
  std::array<std::int64_t, 2> inc_ms{};
  std::int64_t byoyomi_ms = 0;
  bool timed = false;  // any of btime, wtime, binc, winc, byoyomi was given
  std::optional<std::int64_t> movetime_ms{};
  std::optional<std::int64_t> nodes{};
  std::optional<int> depth{};
  std::optional<std::int64_t> mate_ms{};  // "go mate": kForever for "infinite"
  bool infinite = false;
  bool ponder = false;
  std::vector<shogi::Move> searchmoves{};
  bool operator==(const GoLimits&) const = default;
};
constexpr std::int64_t kForever = INT64_MAX;

// `text` is what follows "go". Unknown words are skipped; a number that is none is an error.
std::expected<GoLimits, std::string> parse_go(std::string_view text);
std::string to_text(const GoLimits& limits);  // with "go" in front

struct Score {
  enum class Kind : std::uint8_t { cp, win, lose };  // win, lose: mate for or against the side to move
  enum class Bound : std::uint8_t { exact, lower, upper };
  Kind kind = Kind::cp;
  int value = 0;  // centipawns; or plies to the mate, 0 if not known
  Bound bound = Bound::exact;
  bool operator==(const Score&) const = default;
};

// Chances to win, draw and lose, per mille; together 1000.
struct Wdl {
  int win = 0, draw = 0, lose = 0;
  bool operator==(const Wdl&) const = default;
};
// By the logistic curve on which evaluations are calibrated: a pawn (100 centipawns) ahead wins 537 games of 1000.
// Draws are rare enough in shogi to be counted to both sides.
Wdl wdl_of(const Score& score);

// "info ...". Only what is present is printed.
struct Info {
  std::optional<int> depth{}, seldepth{}, multipv{}, hashfull{};
  std::optional<std::int64_t> time_ms{}, nodes{}, nps{};
  std::optional<Score> score{};
  std::optional<Wdl> wdl{};
  std::vector<shogi::Move> pv{};  // up to the first word that is no move (engines append "rep_draw" and the like)
  std::string pv_end{};           // printed behind it: "rep_draw" and the like
  std::string text{};             // "info string ..."
  bool operator==(const Info&) const = default;
};
// `text` is what follows "info". Never fails: what cannot be read is left out.
Info parse_info(std::string_view text);
std::string to_text(const Info& info);

// "bestmove ...".
struct BestMove {
  enum class Kind : std::uint8_t { move, resign, win };  // win: declaration
  Kind kind = Kind::resign;
  shogi::Move move{};
  shogi::Move ponder{};  // no move if none is offered
  bool operator==(const BestMove&) const = default;
};
// `text` is what follows "bestmove". The move is read, not judged.
std::expected<BestMove, std::string> parse_bestmove(std::string_view text);
std::string to_text(const BestMove& best);

// "checkmate ...", the answer to "go mate". A mate comes with its line; "timeout" stands for whatever is not known.
struct Checkmate {
  enum class Kind : std::uint8_t { mate, no_mate, timeout, not_implemented };
  Kind kind = Kind::not_implemented;
  std::vector<shogi::Move> line{};
  bool operator==(const Checkmate&) const = default;
};
// `text` is what follows "checkmate". Moves are read, not judged.
std::expected<Checkmate, std::string> parse_checkmate(std::string_view text);
std::string to_text(const Checkmate& checkmate);

}  // namespace fuhyo::usi
