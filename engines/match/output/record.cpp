// Translates games of a match into the words of CSA.
#include "engines/match/output/record.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

#include "engines/record/csa_move.h"

namespace fuhyo::match {
namespace {

using record::EndKind;

constexpr int kMate = 100'000;  // as floodgate's clients write it

int score_for_black(const usi::Score& score, shogi::Color mover) {
  int own = std::clamp(score.value, -kMate, kMate);
  if (score.kind == usi::Score::Kind::win) own = kMate;
  if (score.kind == usi::Score::Kind::lose) own = -kMate;
  return mover == shogi::BLACK ? own : -own;
}

// "* 30 -3334FU +2726FU". The line is shown as far as the rules allow it, and not at all if it begins with another
// move.
std::string comment_of(const MoveData& data, shogi::Position position) {
  std::string out = fmt::format("* {}", score_for_black(*data.score, position.side_to_move()));
  if (data.pv.empty() || data.pv.front() != data.move) return out;
  for (std::size_t i = 0; i < data.pv.size() && position.is_legal(data.pv[i]); ++i) {
    if (i > 0) out += " " + record::to_csa(position, data.pv[i]);
    position.do_move(data.pv[i]);
  }
  return out;
}

EndKind foul_of(shogi::Color loser) { return loser == shogi::BLACK ? EndKind::black_illegal : EndKind::white_illegal; }

EndKind end_kind(const PlayedGame& game, shogi::Color to_move, record::CsaVersion version) {
  const shogi::Color loser = game.result == GameResult::black_wins ? shogi::WHITE : shogi::BLACK;
  const bool drawn = game.result == GameResult::draw, before_v3 = version < record::CsaVersion::v3_0;
  switch (game.ending) {
    case Ending::mate:
      return EndKind::tsumi;
    case Ending::resignation:
      return EndKind::toryo;
    case Ending::declaration:
      return drawn ? EndKind::jishogi : EndKind::kachi;
    case Ending::repetition:
      return EndKind::sennichite;
    case Ending::move_limit:
      return before_v3 ? EndKind::hikiwake : EndKind::max_moves;
    case Ending::adjudicated_draw:
      return EndKind::hikiwake;
    case Ending::adjudicated_win:
      return loser == to_move ? EndKind::toryo : foul_of(loser);
    case Ending::time_up:
      return EndKind::time_up;
    case Ending::perpetual_check:
    case Ending::illegal_move:
    case Ending::false_declaration:
    case Ending::hung:
    case Ending::crashed:
      break;
  }
  return drawn ? EndKind::chudan : foul_of(loser);  // drawn: neither engine could be started
}

std::optional<record::TimeControl> clock_of(const TimeControl& time) {
  if (!time.has_clock()) return std::nullopt;
  return record::TimeControl{.total_ms = time.time_ms.value_or(0),
                             .byoyomi_ms = time.byoyomi_ms.value_or(0),
                             .increment_ms = time.inc_ms.value_or(0)};
}

record::Comment note(std::int32_t ply, std::string text, bool after_end = false) {
  return {.ply = ply, .kind = record::Comment::Kind::note, .after_end = after_end, .text = std::move(text)};
}

std::string_view result_word(GameResult result) {
  if (result == GameResult::draw) return "draw";
  return result == GameResult::black_wins ? "black_wins" : "white_wins";
}

void add_moves(record::Game& out, const PlayedGame& game) {
  for (const shogi::Move move : game.start.moves) out.moves.push_back({.move = move, .spent_ms = std::nullopt});
  if (!out.moves.empty()) out.comments.push_back(note(out.plies(), "end of the opening"));
  shogi::Position position = game.start.current();
  for (const MoveData& data : game.moves) {
    out.moves.push_back({.move = data.move, .spent_ms = data.spent_us / 1000});
    if (data.score) {
      out.comments.push_back(
          {.ply = out.plies(), .kind = record::Comment::Kind::program, .text = comment_of(data, position)});
    }
    position.do_move(data.move);
  }
}

}  // namespace

std::string utc_text(std::int64_t ms_since_1970) {
  using namespace std::chrono;
  const sys_time<milliseconds> time{milliseconds(ms_since_1970)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<seconds>(time - day));
  return fmt::format("{:04}/{:02}/{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

record::Game to_record(const PlayedGame& game, record::CsaVersion version) {
  record::Game out;
  out.black = game.names[shogi::BLACK];
  out.white = game.names[shogi::WHITE];
  out.event = fmt::format("game {}", game.number + 1);
  out.opening = game.opening_name;
  out.start_time = utc_text(game.began_ms);
  out.end_time = utc_text(game.ended_ms);
  out.black_time = clock_of(game.times[shogi::BLACK]);
  out.white_time = clock_of(game.times[shogi::WHITE]);
  out.start = record::Setup::of(game.start.start);
  out.comments.push_back(note(0, fmt::format("opening {}; Black {}; White {}", game.opening + 1,
                                             to_text(game.times[shogi::BLACK]), to_text(game.times[shogi::WHITE]))));
  add_moves(out, game);
  const shogi::Color first = game.start.start.side_to_move();
  out.end.kind = end_kind(game, out.plies() % 2 == 0 ? first : ~first, version);
  std::string result = fmt::format("result {} {}", result_word(game.result), to_string(game.ending));
  if (!game.detail.empty()) result += ": " + game.detail;
  std::ranges::replace(result, '\n', ' ');
  out.comments.push_back(note(out.plies(), std::move(result), true));
  return out;
}

}  // namespace fuhyo::match
