// What a client makes of the server's lines: which game it is in, and what it was told of it. Used by the players and,
// on its own copy, by the auditor. Written from the protocol, not from the server's formatter.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::sim {

inline std::int32_t number_of(std::string_view text) {
  std::int32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

inline bool take_prefix(std::string_view& line, std::string_view prefix) {
  if (!line.starts_with(prefix)) return false;
  line.remove_prefix(prefix.size());
  return true;
}

// The T of "+7776FU,T3"; 0 where there is none.
inline std::int32_t time_of(std::string_view told) {
  const std::size_t t = told.find(",T");
  return t == told.npos ? 0 : number_of(told.substr(t + 2));
}

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

class ClientView {
 public:
  // One line without its line end.
  Told line(std::string_view line) {
    if (line == "BEGIN Game_Summary") {
      seen_.emplace_back();
      in_summary_ = true;
      return Told::nothing;
    }
    if (in_summary_) {
      summary_line(line);
      return in_summary_ ? Told::nothing : Told::summary;
    }
    if (line.starts_with("LOGIN:incorrect")) return Told::login_refused;
    if (line.starts_with("LOGIN:")) return Told::logged_in;
    if (line.starts_with("LOGOUT:")) return Told::logged_out;
    if (line.starts_with("##[LIST] ") && !line.ends_with("+OK")) return Told::listed;
    Seen* seen = game();
    if (seen == nullptr || line.empty()) return Told::nothing;
    if (line == "START:" + seen->id) {
      seen->started = true;
      return Told::start;
    }
    if (line.starts_with("REJECT:" + seen->id + " ")) {
      seen->rejected = true;
      return Told::reject;
    }
    if (line[0] == '+' || line[0] == '-') {
      seen->moves.emplace_back(line);
      return Told::move;
    }
    if (line[0] == '%') return Told::special;
    return line[0] == '#' && !line.starts_with("##") ? result(line) : Told::nothing;
  }
  // The newest game; nullptr before the first.
  Seen* game() { return seen_.empty() ? nullptr : &seen_.back(); }
  const std::vector<Seen>& games() const { return seen_; }

 private:
  void summary_line(std::string_view line) {
    Seen& seen = seen_.back();
    if (line == "END Game_Summary") in_summary_ = false;
    if (line == "END Position") in_position_ = false;
    const bool move = line.size() > 1 && (line[0] == '+' || line[0] == '-');
    if (in_position_) (move ? seen.past : seen.board).emplace_back(line);
    if (line == "BEGIN Position") in_position_ = true;
    if (take_prefix(line, "Game_ID:")) seen.id = line;
    if (take_prefix(line, "Entering_King_Rule:")) seen.entering_king_rule = line;
    if (take_prefix(line, "Your_Turn:")) seen.my_sign = line.empty() ? ' ' : line[0];
    if (line.starts_with("BEGIN Time")) of_others_ = line.size() > 10 && line[10] != seen.my_sign;
    if (line.starts_with("END Time")) of_others_ = false;
    if (of_others_) return;  // a block for each colour: this one is the opponent's
    if (take_prefix(line, "Total_Time:")) seen.total_s = number_of(line);
    if (take_prefix(line, "Byoyomi:")) seen.byoyomi_s = number_of(line);
    if (take_prefix(line, "Increment:")) seen.increment_s = number_of(line);
    if (take_prefix(line, "Time_Unit:")) seen.time_unit = line;
  }
  Told result(std::string_view line) {
    Seen& seen = *game();
    const bool verdict =
        line == "#WIN" || line == "#LOSE" || line == "#DRAW" || line == "#CENSORED" || line == "#CHUDAN";
    if (!verdict) {
      seen.reason = line;
      return Told::reason;
    }
    if (!seen.verdict.empty()) return Told::second_verdict;
    seen.verdict = line;
    return Told::verdict;
  }

  std::vector<Seen> seen_;
  bool in_summary_ = false, in_position_ = false, of_others_ = false;
};

}  // namespace fuhyo::sim
