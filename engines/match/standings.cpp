#include "engines/match/standings.h"

#include <algorithm>

namespace fuhyo::match {
namespace {

void count(GameCounts& counts, int half_points) {
  if (half_points == 2) ++counts.wins;
  if (half_points == 1) ++counts.draws;
  if (half_points == 0) ++counts.losses;
}

// Lower and higher number: their meeting is seen from the lower one.
shogi::Color lower_of(const PlayedGame& game) {
  return game.engines[shogi::BLACK] <= game.engines[shogi::WHITE] ? shogi::BLACK : shogi::WHITE;
}
std::pair<int, int> key_of(const PlayedGame& game) {
  const shogi::Color lower = lower_of(game);
  return {game.engines[lower], game.engines[~lower]};
}

}  // namespace

Standings::Standings(const Schedule& schedule)
    : schedule_(schedule),
      engines_(static_cast<std::size_t>(schedule.options().engines)),
      failed_starts_(engines_.size()) {}

void Standings::add(const PlayedGame& game) {
  ++games_;
  plies_ += static_cast<std::int64_t>(game.start.moves.size() + game.moves.size());
  ++endings_[game.ending];
  add_moves(game, shogi::BLACK);
  add_moves(game, shogi::WHITE);
  if (is_fault(game.ending)) add_fault(game);
  const std::uint64_t hash = game_hash(game);
  const bool is_new = hashes_.insert(hash).second;
  repeats_ += !is_new;
  repeats_in_row_ = is_new ? 0 : repeats_in_row_ + 1;
  if (is_new) add_result(game);
  if (schedule_.options().games_per_encounter == 2) add_to_pair(game, hash);
}

void Standings::add_moves(const PlayedGame& game, shogi::Color color) {
  const auto number = static_cast<std::size_t>(game.engines[color]);
  EngineRecord& record = engines_[number];
  if (!game.moves.empty()) failed_starts_[number] = 0;
  Clock clock(game.times[color]);
  const shogi::Color first = game.start.current().side_to_move();
  for (std::size_t i = first == color ? 0 : 1; i < game.moves.size(); i += 2) {
    const MoveData& data = game.moves[i];
    ++record.moves;
    record.spent_us += data.spent_us;
    if (data.depth) {
      ++record.told_depths;
      record.depths += *data.depth;
    }
    if (data.nodes) {
      ++record.told_nodes;
      record.nodes += *data.nodes;
      record.nodes_us += data.spent_us;
    }
    if (const auto over = clock.spend(data.spent_us)) record.worst_over_us = std::max(record.worst_over_us, *over);
  }
}

void Standings::add_result(const PlayedGame& game) {
  draws_ += game.result == GameResult::draw;
  black_wins_ += game.result == GameResult::black_wins;
  for (const shogi::Color color : {shogi::BLACK, shogi::WHITE}) {
    EngineRecord& record = engines_[static_cast<std::size_t>(game.engines[color])];
    count(record.counts, half_points(game.result, color));
    count(record.by_color[color], half_points(game.result, color));
  }
  const shogi::Color lower = lower_of(game);
  const int points = half_points(game.result, lower);
  Meeting& meeting = meetings_[key_of(game)];
  count(meeting.games, points);
  count(meeting.by_color[lower], points);
}

// A pair counts if neither of its games stands in another pair, as a copy: then it does not matter in which order
// games end.
void Standings::add_to_pair(const PlayedGame& game, std::uint64_t hash) {
  const Half half{half_points(game.result, lower_of(game)), hash};
  const std::int64_t encounter = schedule_.at(game.number).encounter;
  const auto [first, waits] = halves_.emplace(encounter, half);
  if (waits) return;
  const Half other = first->second;
  halves_.erase(first);
  if (paired_.contains(hash) || paired_.contains(other.hash)) return;
  paired_.insert({hash, other.hash});
  meetings_[key_of(game)].pairs.add(half.half_points + other.half_points);
}

void Standings::add_fault(const PlayedGame& game) {
  if (game.result == GameResult::draw) {  // neither could begin
    for (const int engine : game.engines) {
      ++engines_[static_cast<std::size_t>(engine)].crashes;
      ++failed_starts_[static_cast<std::size_t>(engine)];
    }
    return;
  }
  const shogi::Color loser = game.result == GameResult::black_wins ? shogi::WHITE : shogi::BLACK;
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
