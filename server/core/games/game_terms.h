// The rules of a game and the kinds of its end, for tournaments and facts. Values only.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fuhyo::core {

// Time control of a game, in whole seconds (CSA protocol 1.2.1, "Time"; shogi-server's <name>-<total>-<byo>[F]).
struct TimeRule {
  std::int32_t total_s = 0;
  std::int32_t byoyomi_s = 0;
  std::int32_t increment_s = 0;  // Fischer: added before each own move, the first included
  std::int32_t least_s = 0;      // Least_Time_Per_Move
  std::int32_t stopwatch_s = 0;  // > 0: time is counted in whole units of this many seconds, rounded down
  bool unlimited() const { return total_s == 0 && byoyomi_s == 0 && increment_s == 0; }
  bool operator==(const TimeRule&) const = default;
};

enum class EndKind : std::uint8_t {
  toryo,
  abnormal,
  time_up,
  kachi,
  illegal_kachi,
  illegal_move,
  oute_kaihimore,
  uchifuzume,
  sennichite,
  oute_sennichite,
  max_moves,
  chudan,
  adjudicated  // by an operator
};
// shogi-server's summary type, e.g. "time up", "illegal move".
std::string_view summary_type(EndKind kind);
std::optional<EndKind> end_kind_of(std::string_view summary_type);

// By whose rules repetitions are judged, and a mate by the move that reaches the limit.
enum class Rulebook : std::uint8_t {
  shogi_server,  // as shogi-server counts them; at the limit it is a draw, mate or not
  official       // of the Japan Shogi Association, and of championships of programs: who mates by the last move wins
};

enum class Outcome : std::uint8_t { black_wins, white_wins, draw, none };  // none: aborted, counts for nobody

}  // namespace fuhyo::core
