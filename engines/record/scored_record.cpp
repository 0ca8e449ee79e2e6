#include "engines/record/scored_record.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/core.h>
#include <optional>
#include <string_view>
#include <utility>

#include "engines/record/summary.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::record {
namespace {

using shogi::Color;
using shogi::Position;
using Failure = std::unexpected<std::string>;

constexpr std::string_view kScore = "* ";

Winner side(Color color) { return color == shogi::BLACK ? Winner::black : Winner::white; }

// "30" of "* 30 -3334FU +2726FU", as Black sees it.
std::optional<int> score_in(const Comment& comment) {
  if (comment.kind != Comment::Kind::program || !comment.text.starts_with(kScore)) return std::nullopt;
  std::string_view text = std::string_view(comment.text).substr(kScore.size());
  text.remove_prefix(std::min(text.find_first_not_of(" +"), text.size()));
  int score = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), score);
  if (error == std::errc::result_out_of_range) return text.starts_with('-') ? -kMaxScore : kMaxScore;
  if (error != std::errc{}) return std::nullopt;
  if (std::abs(score) <= INT16_MAX) return score;
  return score < 0 ? -kMaxScore : kMaxScore;
}

std::optional<Winner> winner_in_summary(const Game& game) {
  const auto summary = summary_of(game);
  if (!summary || summary->result == SummaryResult::unknown) return std::nullopt;
  if (summary->result == SummaryResult::draw) return Winner::nobody;
  return summary->result == SummaryResult::black_wins ? Winner::black : Winner::white;
}

EndKind end_kind(const ScoredGame& game, Color to_move) {
  switch (game.end) {
    case ScoredEnd::declaration:
      return EndKind::kachi;
    case ScoredEnd::move_limit:
      return EndKind::max_moves;
    case ScoredEnd::repetition:
      if (game.winner == Winner::nobody) return EndKind::sennichite;
      break;
    case ScoredEnd::unknown:
    case ScoredEnd::no_move:
    case ScoredEnd::adjudicated:
      break;
  }
  if (game.winner == Winner::nobody) return game.end == ScoredEnd::unknown ? EndKind::none : EndKind::hikiwake;
  if (game.winner == side(~to_move)) return EndKind::toryo;
  return game.winner == Winner::white ? EndKind::black_illegal : EndKind::white_illegal;
}

}  // namespace

ScoredResult result_of(const Game& game, Color to_move) {
  switch (judged_end(game)) {
    case EndKind::toryo:
    case EndKind::tsumi:
      return {side(~to_move), ScoredEnd::no_move};
    case EndKind::time_up:
    case EndKind::illegal_move:
      return {side(~to_move), ScoredEnd::unknown};
    case EndKind::kachi:
      return {side(to_move), ScoredEnd::declaration};
    case EndKind::black_illegal:
      return {Winner::white, ScoredEnd::unknown};
    case EndKind::white_illegal:
      return {Winner::black, ScoredEnd::unknown};
    case EndKind::sennichite:
      return {winner_in_summary(game).value_or(Winner::nobody), ScoredEnd::repetition};
    case EndKind::max_moves:
      return {Winner::nobody, ScoredEnd::move_limit};
    case EndKind::hikiwake:
    case EndKind::jishogi:
      return {Winner::nobody, ScoredEnd::adjudicated};
    default:
      return {winner_in_summary(game).value_or(Winner::nobody), ScoredEnd::unknown};
  }
}

std::expected<ScoredGame, std::string> scored_game(const Game& game) {
  auto start = game.start.position();
  if (!start) return Failure(std::move(start.error().message));
  ScoredGame out{.start = *std::move(start), .moves = {}};
  out.moves.reserve(game.moves.size());
  Position position = out.start;
  for (const RecordedMove& recorded : game.moves) {
    if (const shogi::Illegal why = position.why_illegal(recorded.move); why != shogi::Illegal::none) {
      const std::size_t number = out.moves.size() + 1;
      if (number == game.moves.size() && is_foul(game.end.kind)) break;
      return Failure(fmt::format("move {}, {}, is illegal: {}", number, to_usi(recorded.move), to_string(why)));
    }
    out.moves.push_back({.move = recorded.move, .score = {}});
    position.do_move(recorded.move);
  }
  for (const Comment& comment : game.comments) {
    const auto ply = static_cast<std::size_t>(comment.ply);
    const auto score = ply > 0 && ply <= out.moves.size() ? score_in(comment) : std::nullopt;
    if (!score) continue;
    const bool black_moved = (out.start.side_to_move() == shogi::BLACK) == (ply % 2 == 1);
    out.moves[ply - 1].score = static_cast<std::int16_t>(black_moved ? *score : -*score);
  }
  const ScoredResult result = result_of(game, position.side_to_move());
  out.winner = result.winner;
  out.end = result.end;
  return out;
}

Game record_of(const ScoredGame& game) {
  Game out;
  out.start = Setup::of(game.start);
  out.moves.reserve(game.moves.size());
  Color mover = game.start.side_to_move();
  for (const ScoredMove& each : game.moves) {
    out.moves.push_back({.move = each.move, .spent_ms = {}});
    if (each.score) {
      const int for_black = mover == shogi::BLACK ? *each.score : -*each.score;
      out.comments.push_back(
          {.ply = out.plies(), .kind = Comment::Kind::program, .text = fmt::format("* {}", for_black)});
    }
    mover = ~mover;
  }
  out.end.kind = end_kind(game, mover);
  return out;
}

}  // namespace fuhyo::record
