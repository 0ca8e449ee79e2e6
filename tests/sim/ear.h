// What a client makes of the server's lines: which game it is in, and what it was told of it. Used by the players and,
// on its own copy, by the auditor. Written from the protocol, not from the server's formatter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::sim {

// A game as one connection was told of it.
struct Seen {
  std::string id;
  char my_sign = ' ';
  std::vector<std::string> board;  // lines of the position
  std::vector<std::string> past;   // moves in it, "+7776FU,T0"
  std::int32_t total_s = 0, byoyomi_s = 0, increment_s = 0;
  std::string time_unit;
  std::string entering_king_rule = "CSARule27";
  bool started = false, rejected = false;
  std::vector<std::string> moves;  // "+7776FU,T3"
  std::string reason, verdict;     // "#TIME_UP", "#WIN"
  bool over() const { return rejected || !verdict.empty(); }
};

enum class Told : std::uint8_t {
  nothing,
  logged_in,
  login_refused,
  logged_out,
  summary,
  start,
  reject,
  move,
  special,
  reason,
  verdict,
  second_verdict,
  listed
};

// The T of "+7776FU,T3"; 0 where there is none.
std::int32_t time_of(std::string_view told);

class Ear {
 public:
  // One line without its line end.
  Told line(std::string_view line);
  // The newest game; nullptr before the first.
  Seen* game() { return seen_.empty() ? nullptr : &seen_.back(); }
  const std::vector<Seen>& games() const { return seen_; }

 private:
  void summary_line(std::string_view line);
  Told result(std::string_view line);

  std::vector<Seen> seen_;
  bool in_summary_ = false, in_position_ = false, of_others_ = false;
};

}  // namespace fuhyo::sim
