#include "tests/sim/ear.h"

#include <charconv>

namespace fuhyo::sim {
namespace {

std::int32_t number(std::string_view text) {
  std::int32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool take_prefix(std::string_view& line, std::string_view prefix) {
  if (!line.starts_with(prefix)) return false;
  line.remove_prefix(prefix.size());
  return true;
}

}  // namespace

std::int32_t time_of(std::string_view told) {
  const std::size_t t = told.find(",T");
  return t == told.npos ? 0 : number(told.substr(t + 2));
}

Told Ear::line(std::string_view line) {
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

Told Ear::result(std::string_view line) {
  Seen& seen = *game();
  const bool verdict = line == "#WIN" || line == "#LOSE" || line == "#DRAW" || line == "#CENSORED" || line == "#CHUDAN";
  if (!verdict) {
    seen.reason = line;
    return Told::reason;
  }
  if (!seen.verdict.empty()) return Told::second_verdict;
  seen.verdict = line;
  return Told::verdict;
}

void Ear::summary_line(std::string_view line) {
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
  if (take_prefix(line, "Total_Time:")) seen.total_s = number(line);
  if (take_prefix(line, "Byoyomi:")) seen.byoyomi_s = number(line);
  if (take_prefix(line, "Increment:")) seen.increment_s = number(line);
  if (take_prefix(line, "Time_Unit:")) seen.time_unit = line;
}

}  // namespace fuhyo::sim
