// A game record, independent of file formats: start position, moves, times, comments and end. A plain value; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/record/csa_move.h"
#include "engines/record/setup.h"
#include "engines/shogi/types.h"

namespace fuhyo::record {

// Main time, byoyomi and Fischer increment of one side.
struct TimeControl {
  std::int64_t total_ms = 0;
  std::int64_t byoyomi_ms = 0;
  std::int64_t increment_ms = 0;
  bool operator==(const TimeControl&) const = default;
};

struct Header {  // information that has no field of its own, as written
  std::string key;
  std::string value;
  bool operator==(const Header&) const = default;
};

// A move that was carried out. It need not be legal: records contain two pawns, kings left in check and worse.
struct RecordedMove {
  shogi::Move move;
  std::optional<std::int64_t> spent_ms;
  bool operator==(const RecordedMove&) const = default;
};

// Text beside the moves, UTF-8.
struct Comment {
  enum class Kind : std::uint8_t {
    note,      // a remark to the reader of the file (CSA "'text", KIF "#text")
    program,   // belongs to the move before it (CSA "'*text"; "'** 30 +2726FU" is an evaluation and a line of play;
               // KIF "*text")
    unparsed,  // a line of a CSA file that says nothing this program understands, kept as it is
  };
  std::int32_t ply = 0;  // after so many moves; 0: before the first one
  Kind kind = Kind::note;
  bool after_end = false;  // written after the line that ended the game
  std::string text;
  bool operator==(const Comment&) const = default;
};

enum class EndKind : std::uint8_t {
  none,        // the record just stops
  toryo,       // resigned
  chudan,      // broken off
  sennichite,  // fourfold repetition
  time_up,
  illegal_move,   // the last move, or the move that the side to move tried, was illegal: that side loses
  black_illegal,  // %+ILLEGAL_ACTION: Black fouled, White wins
  white_illegal,
  jishogi,
  kachi,     // declared a win by entering
  hikiwake,  // agreed draw
  matta,     // took a move back
  tsumi,     // mate
  fuzumi,    // no mate
  error,
  max_moves,
  other,  // see End::text
};

bool is_foul(EndKind kind);  // illegal_move, black_illegal or white_illegal

struct End {
  EndKind kind = EndKind::none;
  std::optional<std::int64_t> spent_ms;
  std::string text;  // of EndKind::other: what stood after the percent sign
  bool operator==(const End&) const = default;
};

// A move that nobody could carry out: "+7776FU" without a piece on 7g.
struct ImpossibleMove {
  CsaMove move;
  std::optional<std::int64_t> spent_ms;
  bool operator==(const ImpossibleMove&) const = default;
};

// A variation: what could have been played instead from some move on. It leaves the main line, or a branch before it:
// the last one in Game::branches that begins earlier.
struct Branch {
  std::int32_t ply = 0;  // it begins after so many moves of the game ("変化：3手" of KIF: 2)
  std::vector<RecordedMove> moves;
  std::optional<ImpossibleMove> impossible;
  End end;
  std::vector<Comment> comments;  // their plies are counted from the start of the game
  bool operator==(const Branch&) const = default;
};

struct Game {
  std::string black, white;  // names
  std::string event, site, opening, note;
  std::string start_time, end_time;  // as written, usually "yyyy/mm/dd hh:mm:ss"
  std::optional<TimeControl> black_time, white_time;
  std::optional<std::int32_t> max_moves;
  std::vector<Header> headers;  // everything else, in order

  Setup start = Setup::standard();
  std::vector<RecordedMove> moves;
  // What a side tried last, where the record says that the game ended by it. Not counted as a ply.
  std::optional<ImpossibleMove> impossible;
  End end;
  std::vector<Comment> comments;  // in the order of the file
  // In the order of KIF files: those of a line from its end to its beginning, each with its own ones behind it. All
  // else here is the main line.
  std::vector<Branch> branches;

  std::int32_t plies() const { return static_cast<std::int32_t>(moves.size()); }
  bool operator==(const Game&) const = default;
};

// The position after `ply` moves (all of them by default).
Setup setup_at(const Game& game, std::int32_t ply);
Setup final_setup(const Game& game);

// The line that a branch leaves, as an index into Game::branches; nothing: the main line.
std::optional<std::size_t> parent_of(const Game& game, std::size_t branch);
// The game as if the branch had been played: the moves before it, its own, its end and comments. No headers.
Game line_of(const Game& game, std::size_t branch);

// The first move that the rules forbid, if any. The end of the game is not looked at.
struct IllegalPly {
  std::int32_t ply = 0;  // 1 for the first move
  shogi::Illegal why = shogi::Illegal::none;
  bool operator==(const IllegalPly&) const = default;
};
// Fails if the start position is none that shogi::Position takes.
std::expected<std::optional<IllegalPly>, std::string> first_illegal(const Game& game);

}  // namespace fuhyo::record
