#include "server/core/record_text.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <variant>

#include "engines/record/csa_move.h"
#include "engines/record/encoding.h"
#include "engines/shogi/position.h"
#include "server/core/rooms/rules.h"

namespace fuhyo::core {
namespace {

// What a terminal would obey, and line ends. C1 are bytes of their own in EUC-JP, whose characters begin with none of
// them but SS2 and SS3; in bytes of an unknown encoding they may be halves of characters.
bool is_control(char c, bool euc) {
  const auto b = static_cast<unsigned char>(c);
  if (euc && b >= 0x80 && b <= 0x9f) return b != 0x8e && b != 0x8f;
  return (b < ' ' && b != '\t') || b == 0x7f;
}

// What a client wrote, in whatever encoding, as one line of EUC-JP.
std::string client_text(std::string_view raw) {
  std::string text(raw);
  bool euc = true;
  if (!record::is_ascii(text)) {
    const record::Encoding from = record::detect_encoding(text);
    if (from != record::Encoding::euc_jp) {
      const auto utf8 = record::decode_to_utf8(text, from);
      const auto encoded = utf8 ? record::encode_from_utf8(utf8->text, record::Encoding::euc_jp) : utf8;
      euc = encoded.has_value();  // a system without the conversion keeps the bytes
      if (euc) text = encoded->text;
    }
  }
  std::ranges::replace_if(text, [euc](char c) { return is_control(c, euc); }, ' ');
  return text;
}

std::string start_board(const GameOpened& opened) {
  const auto position = shogi::Position::from_sfen(opened.start_sfen);
  return record::csa_board(position ? *position : shogi::Position());
}

// "+7776FU,T12" on two lines; shogi-server gives a move without a time one second.
std::string preset_move(std::string_view preset) {
  const std::size_t comma = preset.find(',');
  const std::string_view time = comma == std::string_view::npos ? "T1" : preset.substr(comma + 1);
  return fmt::format("{}\n{}\n", preset.substr(0, comma), time);
}

// The loser gives up where it was its turn; else CSA's sign for the loss of a side out of turn.
std::string adjudicated_line(const GameEnded& ended) {
  const std::string comment = fmt::format("'* adjudicated: {}\n", client_text(ended.reason));
  if (ended.outcome == Outcome::draw) return comment + "%HIKIWAKE\n";
  if (ended.outcome == Outcome::none) return comment + "%CHUDAN\n";
  const bool black_lost = ended.outcome == Outcome::white_wins;
  if (ended.final_board.ends_with(black_lost ? "+\n" : "-\n")) return comment + "%TORYO\n";
  return fmt::format("{}%{}ILLEGAL_ACTION\n", comment, black_lost ? '+' : '-');
}

std::string end_line(const GameEnded& ended) {
  switch (ended.kind) {
    case EndKind::toryo:
      if (ended.line == "%TSUMI") return "%TSUMI\n";
      [[fallthrough]];
    case EndKind::abnormal:
      return "%TORYO\n";
    case EndKind::time_up:
      return "%TIME_UP\n";
    case EndKind::kachi:
      if (ended.outcome == Outcome::draw) return fmt::format("%JISHOGI\nT{}\n", ended.spent_s);
      if (ended.line.empty()) return fmt::format("'* {}\n%TORYO\n", ended.reason);  // by a move: the loser is to move
      [[fallthrough]];
    case EndKind::illegal_kachi:
      return fmt::format("%KACHI\nT{}\n%KACHI\n", ended.spent_s);
    case EndKind::illegal_move:
    case EndKind::oute_kaihimore:
    case EndKind::uchifuzume:
      return fmt::format("'ILLEGAL_MOVE({})\n", client_text(ended.line));
    case EndKind::sennichite:
      return "%SENNICHITE\n";
    case EndKind::chudan:
      return "%CHUDAN\n";
    case EndKind::adjudicated:
      return adjudicated_line(ended);
    case EndKind::oute_sennichite:
    case EndKind::max_moves:
      break;
  }
  return "";
}

std::string quoted_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out += fmt::format("'{}\n", text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

std::string_view result_of(Outcome outcome, shogi::Color side) {
  if (outcome == Outcome::draw) return "draw";
  return (outcome == Outcome::black_wins) == (side == shogi::BLACK) ? "win" : "lose";
}

std::string_view id_or_name(const Seat& seat) { return seat.id.empty() ? seat.name : seat.id; }

// "$TIME+:600+0+5", as records of CSA version 3 say it: total, byoyomi, increment.
std::string own_time(char sign, const TimeRule& time) {
  return fmt::format("$TIME{}:{}+{}+{}\n", sign, time.total_s, time.byoyomi_s, time.increment_s);
}

// shogi-server's pattern for a floodgate group: floodgate-<digits>-<digits>, then perhaps F.
bool is_floodgate(std::string_view game_name) {
  constexpr std::string_view kPrefix = "floodgate-";
  if (!game_name.starts_with(kPrefix)) return false;
  game_name.remove_prefix(kPrefix.size());
  if (game_name.ends_with('F')) game_name.remove_suffix(1);
  const std::size_t dash = game_name.find('-');
  const auto number = [](std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  };
  return dash != std::string_view::npos && number(game_name.substr(0, dash)) && number(game_name.substr(dash + 1));
}

}  // namespace

std::string record_head(const GameOpened& opened) {
  std::string out = fmt::format("V2\nN+{}\nN-{}\n'Max_Moves:{}\n'Least_Time_Per_Move:{}\n", opened.black.name,
                                opened.white.name, opened.max_moves, opened.time.least_s);
  const bool both = !opened.white_time;
  if (both && opened.time.increment_s > 0) out += fmt::format("'Increment:{}\n", opened.time.increment_s);
  if (opened.declaration != shogi::DeclarationRule::POINTS_27) {
    out += fmt::format("'Declaration:{}\n", tournament::to_string(opened.declaration));
  }
  if (opened.rulebook != Rulebook::shogi_server) {
    out += fmt::format("'Rules:{}\n", tournament::to_string(opened.rulebook));
  }
  out += fmt::format("$EVENT:{}\n$START_TIME:{}\n", opened.csa_id, opened.local_time);
  if (!both) out += own_time('+', opened.time) + own_time('-', *opened.white_time);
  out += start_board(opened);
  if (!opened.black.id.empty() && !opened.white.id.empty()) {
    out += fmt::format("'rating:{}:{}\n", opened.black.id, opened.white.id);
    if (opened.black_rate != 0) out += fmt::format("'black_rate:{}:{}\n", opened.black.id, opened.black_rate);
    if (opened.white_rate != 0) out += fmt::format("'white_rate:{}:{}\n", opened.white.id, opened.white_rate);
  }
  if (!opened.preset_moves.empty()) {
    out += fmt::format("'buoy game starting with {} moves\n", opened.preset_moves.size());
    for (const std::string& move : opened.preset_moves) out += preset_move(move);
  }
  return out;
}

std::string record_move(const MoveMade& made) {
  return fmt::format("{}\nT{}\n{}", made.csa, made.spent_s, move_comment(made));
}

std::string move_comment(const MoveMade& made) { return made.comment.empty() ? "" : record_comment(made.comment); }

std::string record_comment(std::string_view text) { return fmt::format("'*{}\n", client_text(text)); }

void add_comment(std::string& record, const CommentAdded& said) {
  const auto is_time = [](std::string_view line) {
    return line.size() > 1 && line[0] == 'T' && line[1] >= '0' && line[1] <= '9';
  };
  std::int32_t ply = 0;
  std::size_t at = 0;
  while (at < record.size()) {
    const std::size_t end = std::min(record.find('\n', at), record.size() - 1) + 1;
    const std::string_view line = std::string_view(record).substr(at, end - at);
    if (ply == said.ply && !line.starts_with("'*")) break;
    if (is_time(line)) ++ply;
    at = end;
  }
  record.insert(at, record_comment(said.comment));
}

std::string record_note(const RecordNote& note) { return fmt::format("'{}\n", client_text(note.text)); }

std::optional<std::string> server_note(const Fact& fact) {
  const auto by_operator = [](std::string_view what, const auto& f) {
    return fmt::format(" {} by {}{}{}", what, f.by, f.why.empty() ? "" : ": ", f.why);
  };
  if (const auto* paused = std::get_if<GamePaused>(&fact)) return by_operator("paused", *paused);
  if (const auto* resumed = std::get_if<GameResumed>(&fact)) return by_operator("resumed", *resumed);
  if (const auto* suspended = std::get_if<GameSuspended>(&fact)) return " suspended: " + suspended->why;
  if (std::holds_alternative<GameContinued>(fact)) return " continued";
  return std::nullopt;
}

std::string record_lines(const Fact& fact) {
  if (const auto* made = std::get_if<MoveMade>(&fact)) return record_move(*made);
  if (const auto* note = std::get_if<RecordNote>(&fact)) return record_note(*note);
  const auto note = server_note(fact);
  return note ? record_comment(*note) : std::string();
}

std::string record_rejected(const GameRejected& rejected) {
  return fmt::format("'$END_TIME:{}\n", rejected.local_time);
}

std::string record_end(const GameOpened& opened, const GameEnded& ended) {
  std::string out = end_line(ended) + quoted_lines(ended.final_board);
  if (ended.outcome != Outcome::none) {
    out +=
        fmt::format("'summary:{}:{} {}:{} {}\n", summary_type(ended.kind), opened.black.name,
                    result_of(ended.outcome, shogi::BLACK), opened.white.name, result_of(ended.outcome, shogi::WHITE));
  }
  out += fmt::format("'$END_TIME:{}\n", ended.local_time);
  return out;
}

bool is_listed(const GameOpened& opened, const GameEnded& ended) {
  return opened.room != kDemoRoom && ended.outcome != Outcome::none;
}

std::string list_line(const GameOpened& opened, const GameEnded& ended, std::string_view record_path) {
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", ended.local_time, summary_type(ended.kind),
                     result_of(ended.outcome, shogi::BLACK), id_or_name(opened.black), id_or_name(opened.white),
                     result_of(ended.outcome, shogi::WHITE), record_path, ended.plies);
}

std::string game_name_of(std::string_view csa_id) {
  const std::size_t begin = csa_id.find('+');
  if (begin == std::string_view::npos) return {};
  csa_id.remove_prefix(begin + 1);
  return std::string(csa_id.substr(0, csa_id.find('+')));
}

std::string_view second_list(const GameOpened& opened) {
  return is_floodgate(opened.game_name) ? "00LIST.floodgate" : "00LIST.others";
}

}  // namespace fuhyo::core
