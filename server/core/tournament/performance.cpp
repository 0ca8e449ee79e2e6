#include "server/core/tournament/performance.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "server/core/rating/model.h"

namespace fuhyo::core::tournament {
namespace {

constexpr double kUsualMean = 1500;

// The rating room leaves out who has no trip: everybody here has one, the place among the lines.
std::string id_of(std::size_t line) { return fmt::format("member+{}", line); }
std::size_t line_of(const std::string& id) {
  std::size_t line = 0;
  const std::size_t from = id.find('+') + 1;
  std::from_chars(id.data() + from, id.data() + id.size(), line);
  return line;
}

rating::Games games_of(const Ledger& ledger) {
  rating::Games games;
  for (std::size_t line = 0; line < ledger.lines.size(); ++line) {
    for (const Turn& turn : ledger.lines[line].turns) {
      if (turn.annulled) continue;
      for (const Mark& mark : turn.marks) {
        if (!mark.black || !mark.played()) continue;
        const bool won = mark.sign == Sign::win;
        games.add({.black = games.player(id_of(line)),
                   .white = games.player(id_of(turn.opponent)),
                   .score = mark.sign == Sign::draw ? rating::Score::draw
                            : won                   ? rating::Score::black_wins
                                                    : rating::Score::white_wins,
                   .plies = mark.plies,
                   .ended = {}});
      }
    }
  }
  return games;
}

}  // namespace

std::vector<std::optional<Performance>> performances_of(const Ledger& ledger, const EventState& state) {
  std::vector<std::optional<Performance>> found(ledger.lines.size());
  const auto rated = rating::rate_by_model(games_of(ledger), {.first_move = 0, .mean = 0, .anchor = {}, .base = {}});
  if (!rated) return found;  // no game has been played
  double shift = 0;
  int known = 0;
  for (const rating::ModelPlayer& player : rated->players) {
    const std::size_t line = line_of(player.id);
    found[line] = Performance{.rate = player.rate, .error = player.error};
    const Entrant* entrant = state.entrant(ledger.lines[line].player);
    if (entrant == nullptr || entrant->rate == 0) continue;
    shift += entrant->rate - player.rate;
    ++known;
  }
  shift = known == 0 ? kUsualMean : shift / known;
  for (auto& one : found) {
    if (one) one->rate += shift;
  }
  return found;
}

}  // namespace fuhyo::core::tournament
