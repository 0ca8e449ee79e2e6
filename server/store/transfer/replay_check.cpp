#include "server/store/transfer/replay_check.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "engines/record/csa_move.h"
#include "engines/shogi/number.h"
#include "engines/shogi/position.h"
#include "server/store/transfer/check_rows.h"

namespace fuhyo::store {
namespace {

using core::EndKind;
using Fault = std::optional<std::string>;

// The server's own limit of plies is no rule of a game: none of it here.
constexpr std::int32_t kAnyPlies = INT32_MAX;

bool repeats(std::string_view kind) { return kind == "sennichite" || kind == "oute_sennichite"; }

// "+7776FU,T12" to the move and its seconds.
std::optional<std::pair<std::string_view, std::int64_t>> split_move(std::string_view text) {
  const std::size_t comma = text.find(",T");
  if (comma == text.npos) return {};
  const auto spent_s = shogi::number_of<std::int64_t>(text.substr(comma + 2));
  if (!spent_s || *spent_s < 0) return {};
  return std::pair(text.substr(0, comma), *spent_s);
}

Fault do_move(shogi::Position& position, std::string_view text) {
  const auto csa = record::parse_csa_move(text);
  if (!csa) return "is no move";
  const auto move = record::resolve(position, *csa);
  if (!move) return record::why_unresolved(position, *csa);
  if (const shogi::Illegal why = position.why_illegal(*move); why != shogi::Illegal::none) {
    return std::string(shogi::to_string(why));
  }
  position.do_move(*move);
  return {};
}

// What a row says, cell by cell.
class GameRow {
 public:
  explicit GameRow(const Row& row) : row_(row) {}
  const std::string& text(std::string_view column) const { return cell(TableId::game, row_, column).bytes; }
  std::int64_t number(std::string_view column) const { return cell(TableId::game, row_, column).number; }

 private:
  const Row& row_;
};

// No clock gives more than this, however it counts.
Fault check_spent(const GameRow& game, shogi::Color side, std::int64_t spent_s, std::int64_t moves) {
  const auto number = [&](std::string_view column) { return static_cast<std::int32_t>(game.number(column)); };
  core::GameOpened opened{
      .time = {.total_s = number("total_s"), .byoyomi_s = number("byoyomi_s"), .increment_s = number("increment_s")}};
  core::take_special_terms(opened, game.text("terms"));
  const core::TimeRule& time = opened.time_of(side);
  const std::int64_t total_s = time.total_s, each_s = std::int64_t{time.byoyomi_s} + time.increment_s;
  if (time.unlimited() || spent_s <= total_s + moves * each_s) return {};
  return fmt::format("{} has spent {} s, and never had more than {} s", side == shogi::BLACK ? "black" : "white",
                     spent_s, total_s + moves * each_s);
}

}  // namespace

ReplayCheck::ReplayCheck(const core::GameOpened& opened) : game_(opened, kAnyPlies) {}

Fault ReplayCheck::begin() {
  const core::GameOpened& opened = game_.opened();
  if (!shogi::Position::from_sfen(opened.start_sfen)) {
    broken_ = true;
    return fmt::format("its start position '{}' is none", opened.start_sfen);
  }
  if (game_.plies() == static_cast<std::int32_t>(opened.preset_moves.size())) return {};
  broken_ = true;
  return "one of the moves that it began with is not legal";
}

Fault ReplayCheck::take(const core::Fact& fact) {
  if (broken_) return {};
  Fault fault;
  if (std::holds_alternative<core::GameStarted>(fact)) game_.apply(fact);
  if (const auto* made = std::get_if<core::MoveMade>(&fact)) fault = take_move(*made);
  if (const auto* ended = std::get_if<core::GameEnded>(&fact)) fault = take_end(*ended);
  broken_ = fault.has_value();
  return fault;
}

Fault ReplayCheck::take_move(const core::MoveMade& made) {
  const auto wrong = [&](std::string why) { return fmt::format("move {} ({}): {}", made.ply, made.csa, why); };
  if (!game_.phase().has_started()) return wrong("the game has not begun");
  if (due_) return wrong("the game was over");
  if (made.ply != game_.plies() + 1) return wrong(fmt::format("should be move {}", game_.plies() + 1));
  const shogi::Color mover = game_.to_move();
  const csa::MoveLine line{.move = made.csa, .comment = made.comment, .line = made.csa};
  const core::Ruling ruling = game_.judge(line, made.spent_s * core::kSecond);
  if (!ruling.move) return wrong(ruling.end ? ruling.end->reason : "is not taken");
  if (ruling.move->spent_s != made.spent_s) {
    return wrong(fmt::format("T{} is no time that the clock counts", made.spent_s));
  }
  if (ruling.move->remaining_s != made.remaining_s) {
    return wrong(fmt::format("leaves {} s on the clock of {}, and says {} s", ruling.move->remaining_s,
                             mover == shogi::BLACK ? "black" : "white", made.remaining_s));
  }
  due_ = ruling.end;
  return {};
}

Fault ReplayCheck::take_end(const core::GameEnded& ended) {
  const core::GameEnded wanted = due_ ? *due_ : game_.adjudicated(ended.outcome, "");
  if (due_ && (ended.kind != due_->kind || ended.outcome != due_->outcome)) {
    return fmt::format("ends by {}, and its last move is {}", summary_type(ended.kind), summary_type(due_->kind));
  }
  if (ended.plies != wanted.plies) return fmt::format("has {} plies, and says {}", wanted.plies, ended.plies);
  if (ended.final_board != wanted.final_board) return "its final board is not that of its moves";
  if (due_) return {};
  if (repeats(summary_type(ended.kind))) return "ends by a repetition that there is none of";
  return take_line(ended);
}

// What a line that ended the game has done to it.
Fault ReplayCheck::take_line(const core::GameEnded& ended) {
  core::Ruling ruling;
  switch (ended.kind) {
    case EndKind::illegal_move:
    case EndKind::oute_kaihimore:
    case EndKind::uchifuzume:
      if (ended.line.starts_with('%')) return {};
      ruling = game_.judge(csa::MoveLine{.move = ended.line, .comment = "", .line = ended.line}, 0);
      break;
    case EndKind::kachi:
    case EndKind::illegal_kachi:
      ruling = game_.judge(csa::Special{.line = ended.line}, ended.spent_s * core::kSecond);
      break;
    default:
      return {};
  }
  if (ruling.end && ruling.end->kind == ended.kind && ruling.end->outcome == ended.outcome) return {};
  return fmt::format("ends by {} with '{}', which is none", summary_type(ended.kind), ended.line);
}

std::uint64_t moves_in(const Row& row) {
  const std::string& moves = cell(TableId::game, row, "moves").bytes;
  return moves.empty() ? 0 : static_cast<std::uint64_t>(std::ranges::count(moves, ' ')) + 1;
}

// Games that were moved over from elsewhere have no facts, and some of them no moves: only their results are known.
Fault check_game_row(const Row& row) {
  const GameRow game(row);
  std::string_view moves = game.text("moves");
  if (moves.empty() && game.text("final_board").empty()) return {};
  auto position = shogi::Position::from_sfen(game.text("start_sfen"));
  if (!position) return fmt::format("its start position '{}' is none", game.text("start_sfen"));
  shogi::Position before = *position;
  std::array<std::int64_t, 2> spent_s{}, count{};
  std::int64_t ply = 0;
  while (!moves.empty()) {
    const std::string_view text = moves.substr(0, moves.find(' '));
    moves.remove_prefix(std::min(text.size() + 1, moves.size()));
    ++ply;
    const auto move = split_move(text);
    if (!move) return fmt::format("move {}: '{}' is no move with a time", ply, text);
    const shogi::Color side = position->side_to_move();
    before = *position;
    if (auto fault = do_move(*position, move->first)) return fmt::format("move {} ({}): {}", ply, move->first, *fault);
    if (ply <= game.number("preset_plies")) continue;
    spent_s[side] += move->second;
    ++count[side];
  }
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    if (auto fault = check_spent(game, side, spent_s[side], count[side])) return fault;
  }
  if (game.number("preset_plies") > ply) return "has fewer moves than it began with";
  const std::string& board = game.text("final_board");
  const bool taken_back = repeats(game.text("end_kind"));
  if (board == record::csa_board(*position) || (taken_back && board == record::csa_board(before))) return {};
  return "its final board is not that of its moves";
}

}  // namespace fuhyo::store
