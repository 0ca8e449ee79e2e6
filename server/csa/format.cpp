#include "server/csa/format.h"

#include <algorithm>
#include <fmt/format.h>

namespace fuhyo::csa {
namespace {

char sign(shogi::Color color) { return color == shogi::BLACK ? '+' : '-'; }

std::string how_to_log_in(std::string_view eol) {
  return fmt::format("type 'LOGIN name password' or 'LOGIN name password x1'{}", eol);
}

// The protocol has a word for the rule of 27 points alone. The line of the others is rshogi-csa-server's, with the
// names of YaneuraOu's option.
std::string declaration(shogi::DeclarationRule rule) {
  if (rule == shogi::DeclarationRule::POINTS_27) return "Declaration:Jishogi 1.1";
  return fmt::format("Entering_King_Rule:{}", shogi::entering_king_rule(rule));
}

// A Game_Summary up to its times.
std::string summary_head(const Summary& s, std::string_view your_turn, shogi::Color to_move) {
  return fmt::format(
      "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\n{}\n"
      "Game_ID:{}\nName+:{}\nName-:{}\n{}Rematch_On_Draw:NO\nTo_Move:{}\nMax_Moves:{}\n",
      declaration(s.declaration), s.game_id, s.black, s.white, your_turn, sign(to_move), s.max_moves);
}

// `sign`: whose block it is, "+" or "-"; empty: of both. `more`: lines behind those of the protocol.
std::string time_block(const SummaryTime& time, std::string_view sign, std::string_view more = {}) {
  return fmt::format(
      "BEGIN Time{}\nTime_Unit:{}\nTotal_Time:{}\nByoyomi:{}\nIncrement:{}\nLeast_Time_Per_Move:{}\n{}END Time{}\n",
      sign, time.unit, time.total, time.byoyomi, time.increment, time.least_per_move, more, sign);
}

std::string remaining_time(const Shown& shown, shogi::Color side) {
  return fmt::format("Remaining_Time{}:{}\n", sign(side), shown.remaining[side]);
}

}  // namespace

std::string login_ok(std::string_view name, bool x1) {
  return fmt::format("LOGIN:{} OK\n{}", name, x1 ? "##[LOGIN] +OK x1\n" : "");
}

std::string login_incorrect(bool hint, std::string_view eol) {
  return fmt::format("LOGIN:incorrect{}{}", eol, hint ? how_to_log_in(eol) : "");
}

std::string tls_wanted(std::string_view game_name, std::string_view eol) {
  return fmt::format("##[ERROR] {} is played under TLS only: connect to the port for that{}", game_name, eol);
}

std::string browsers_shut(std::string_view game_name, std::string_view eol) {
  return fmt::format("##[ERROR] {} is not open to you from a browser{}", game_name, eol);
}

std::string login_duplicate(std::string_view name, bool hint, std::string_view eol) {
  const std::string explanation = fmt::format("username {} is already connected{}", name, eol);
  return fmt::format("LOGIN:incorrect{}{}", eol, hint ? explanation : "");
}

std::string game_summary(const Summary& s) {
  std::string text = summary_head(s, fmt::format("Your_Turn:{}\n", sign(s.your_turn)), s.to_move);
  text += s.white_time ? time_block(s.time, "+") + time_block(*s.white_time, "-") : time_block(s.time, "");
  text += "BEGIN Position\n" + s.board;
  for (const std::string& preset : s.preset_moves) text += preset + "\n";
  text += "END Position\n";
  if (!s.reconnect_token.empty()) text += fmt::format("Reconnect_Token:{}\n", s.reconnect_token);
  return text + "END Game_Summary\n";
}

std::string reconnect_state(const ReconnectState& state) {
  std::string text =
      fmt::format("BEGIN Reconnect_State\nCurrent_Turn:{}\nBlack_Time_Remaining_Ms:{}\nWhite_Time_Remaining_Ms:{}\n",
                  sign(state.to_move), state.remaining_ms[shogi::BLACK], state.remaining_ms[shogi::WHITE]);
  if (!state.last_move.empty()) text += fmt::format("Last_Move:{}\n", state.last_move);
  return text + "END Reconnect_State\n";
}

std::string prefixed(std::string_view prefix, std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    out += fmt::format("{} {}\n", prefix, line);
  }
  return out + fmt::format("{} +OK\n", prefix);
}

std::string show(std::string_view prefix, const Shown& shown) {
  std::string text = summary_head(shown.summary, "", shogi::BLACK);
  const std::string black = remaining_time(shown, shogi::BLACK);
  const std::string white = fmt::format("{}Last_Move:{}\nCurrent_Turn:{}\n", remaining_time(shown, shogi::WHITE),
                                        shown.last_move, shown.plies);
  const auto& white_time = shown.summary.white_time;
  text += white_time ? time_block(shown.summary.time, "+", black) + time_block(*white_time, "-", white)
                     : time_block(shown.summary.time, "", black + white);
  text += "BEGIN Position\n" + shown.summary.board + "END Position\nEND Game_Summary\n";
  return prefixed(prefix, text);
}

std::string start(std::string_view game_id) { return fmt::format("START:{}\n", game_id); }

std::string reject(std::string_view game_id, std::string_view by) {
  return fmt::format("REJECT:{} by {}\n", game_id, by);
}

std::string move(std::string_view move, std::int32_t spent_s) { return fmt::format("{},T{}\n", move, spent_s); }

std::string game_end(std::string_view line, std::string_view reason, std::string_view result) {
  return fmt::format("{}{}{}\n{}\n", line, line.empty() ? "" : "\n", reason, result);
}

std::string error(std::string_view text) { return fmt::format("##[ERROR] {}\n", text); }

std::string wrong_state(std::string_view state, std::string_view command, std::string_view valid) {
  return error(fmt::format("you are in {} status. {} is valid in {} status", state, command, valid));
}

std::string who_line(std::string_view id, bool x1, std::string_view state, std::string_view game_name, char turn) {
  std::string line = fmt::format("##[WHO] {} {} {}", id, x1 ? "x1" : "CSA", state);
  if (!game_name.empty()) line += fmt::format(" {} {}", game_name, turn);
  return line + "\n";
}

}  // namespace fuhyo::csa
