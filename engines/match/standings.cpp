#include "engines/match/standings.h"

#include <algorithm>

#include "engines/jobs/fingerprint.h"

namespace fuhyo::match {
namespace {

void count(GameCounts& counts, int half_points) {
  if (half_points == 2) ++counts.wins;
  if (half_points == 1) ++counts.draws;
  if (half_points == 0) ++counts.losses;
}

// Of what happened on the board.
std::uint64_t course_of(const PlayedGame& game) {
  jobs::Fingerprint print;
  print.add_number(game.start.start.key());
  for (const shogi::Move move : game.start.moves) print.add_number(move.bits());
  for (const Thought& thought : game.moves) print.add_number(thought.move.bits());
  for (const int engine : game.engines) print.add_number(static_cast<std::uint64_t>(engine));
  return print.value();
}

}  // namespace

Standings::Standings(const Schedule& schedule)
    : schedule_(schedule),
      engines_(static_cast<std::size_t>(schedule.terms().engines)),
      failed_starts_(engines_.size()) {}

void Standings::add(const PlayedGame& game) {
  ++games_;
  draws_ += game.outcome == Outcome::draw;
  black_wins_ += game.outcome == Outcome::black_wins;
  plies_ += static_cast<std::int64_t>(game.start.moves.size() + game.moves.size());
  repeats_ += !courses_.insert(course_of(game)).second;
  ++endings_[game.ending];
  add_side(game, shogi::BLACK);
  add_side(game, shogi::WHITE);
  add_meeting(game);
  if (is_fault(game.ending)) add_fault(game);
}

void Standings::add_side(const PlayedGame& game, shogi::Color color) {
  const auto number = static_cast<std::size_t>(game.engines[color]);
  EngineRecord& record = engines_[number];
  count(record.counts, half_points(game.outcome, color));
  count(record.by_color[color], half_points(game.outcome, color));
  if (!game.moves.empty()) failed_starts_[number] = 0;
  Clock clock(game.times[color]);
  const shogi::Color first = game.start.current().side_to_move();
  for (std::size_t i = first == color ? 0 : 1; i < game.moves.size(); i += 2) {
    const Thought& thought = game.moves[i];
    ++record.moves;
    record.spent_us += thought.spent_us;
    if (thought.depth) {
      ++record.told_depths;
      record.depths += *thought.depth;
    }
    if (thought.nodes) {
      ++record.told_nodes;
      record.nodes += *thought.nodes;
      record.nodes_us += thought.spent_us;
    }
    if (const auto over = clock.spend(thought.spent_us)) record.worst_over_us = std::max(record.worst_over_us, *over);
  }
}

void Standings::add_meeting(const PlayedGame& game) {
  const shogi::Color lower = game.engines[shogi::BLACK] <= game.engines[shogi::WHITE] ? shogi::BLACK : shogi::WHITE;
  const int points = half_points(game.outcome, lower);
  Meeting& meeting = meetings_[{game.engines[lower], game.engines[~lower]}];
  count(meeting.games, points);
  count(meeting.by_color[lower], points);
  if (schedule_.terms().games_per_encounter != 2) return;
  const std::int64_t encounter = schedule_.at(game.number).encounter;
  if (const auto first = halves_.find(encounter); first != halves_.end()) {
    meeting.pairs.add(first->second + points);
    halves_.erase(first);
  } else {
    halves_.emplace(encounter, points);
  }
}

void Standings::add_fault(const PlayedGame& game) {
  if (game.outcome == Outcome::draw) {  // neither could begin
    for (const int engine : game.engines) {
      ++engines_[static_cast<std::size_t>(engine)].crashes;
      ++failed_starts_[static_cast<std::size_t>(engine)];
    }
    return;
  }
  const shogi::Color loser = game.outcome == Outcome::black_wins ? shogi::WHITE : shogi::BLACK;
  const auto number = static_cast<std::size_t>(game.engines[loser]);
  EngineRecord& record = engines_[number];
  switch (game.ending) {
    case Ending::illegal_move:
      ++record.illegal_moves;
      break;
    case Ending::false_declaration:
      ++record.false_declarations;
      break;
    case Ending::time_up:
      ++record.time_losses;
      break;
    case Ending::hung:
      ++record.hangs;
      break;
    default:
      ++record.crashes;
      break;
  }
  const bool began = !game.moves.empty();
  if ((game.ending == Ending::crashed || game.ending == Ending::hung) && !began) ++failed_starts_[number];
}

}  // namespace fuhyo::match
