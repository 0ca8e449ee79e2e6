#include "server/store/results/record_result.h"

#include <cstddef>
#include <utility>

#include "engines/record/lines.h"
#include "engines/record/summary.h"

namespace fuhyo::store {
namespace {

using core::Outcome;

Outcome loss_of(shogi::Color side) { return side == shogi::BLACK ? Outcome::white_wins : Outcome::black_wins; }
Outcome win_of(shogi::Color side) { return side == shogi::BLACK ? Outcome::black_wins : Outcome::white_wins; }

// Who fouled: the one who tried what nobody could do, or else whose last move the rules forbid.
Outcome outcome_of_foul(const record::Game& game, shogi::Color to_move) {
  if (game.impossible) return loss_of(to_move);
  const auto illegal = record::first_illegal(game);
  const bool last_move = illegal && *illegal && (*illegal)->ply == game.plies();
  return last_move ? win_of(to_move) : loss_of(to_move);
}

Outcome outcome_of_end(const record::Game& game) {
  using enum record::EndKind;
  const shogi::Color to_move = record::final_setup(game).turn;
  switch (game.end.kind) {
    case toryo:
    case time_up:
    case tsumi:
      return loss_of(to_move);
    case kachi:
      return win_of(to_move);
    case illegal_move:
      return outcome_of_foul(game, to_move);
    case black_illegal:
      return Outcome::white_wins;
    case white_illegal:
      return Outcome::black_wins;
    case sennichite:
    case jishogi:
    case hikiwake:
    case max_moves:
      return Outcome::draw;
    case none:
    case chudan:
    case matta:
    case fuzumi:
    case error:
    case other:
      break;
  }
  return Outcome::none;
}

Outcome outcome_of(record::SummaryResult result) {
  switch (result) {
    case record::SummaryResult::black_wins:
      return Outcome::black_wins;
    case record::SummaryResult::white_wins:
      return Outcome::white_wins;
    case record::SummaryResult::draw:
      return Outcome::draw;
    case record::SummaryResult::unknown:
      break;
  }
  return Outcome::none;
}

}  // namespace

std::optional<std::string> comment_after(const record::Game& game, std::string_view start) {
  std::optional<std::string> value;
  for (const record::Comment& comment : game.comments) {
    if (comment.kind != record::Comment::Kind::note || !comment.text.starts_with(start)) continue;
    value = record::trim(std::string_view(comment.text).substr(start.size()));
  }
  return value;
}

RecordResult result_of(const record::Game& game) {
  RecordResult result{.black = game.black, .white = game.white, .plies = game.plies()};
  result.outcome = outcome_of_end(game);
  if (const auto rating = comment_after(game, "rating:")) {
    const std::size_t colon = rating->find(':');
    if (colon != std::string::npos) {
      result.black_id = record::trim(std::string_view(*rating).substr(0, colon));
      result.white_id = record::trim(std::string_view(*rating).substr(colon + 1));
    }
  }
  if (const auto summary = record::summary_of(game)) {
    result.kind = summary->kind;
    result.outcome = outcome_of(summary->result);
  }
  result.ended = game.end_time;
  if (const auto ended = comment_after(game, "$END_TIME:")) result.ended = *ended;
  if (result.ended.empty()) result.ended = game.start_time;
  return result;
}

}  // namespace fuhyo::store
