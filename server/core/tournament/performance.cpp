#include "server/core/tournament/performance.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "server/core/rating/model.h"

namespace fuhyo::core::tournament {
namespace {

constexpr double kUsualMean = 1500;

// The rating room leaves out who has no trip: everybody here has one, the place in the ledger.
std::string id_of(std::size_t place) { return fmt::format("member+{}", place); }
std::size_t place_of(const std::string& id) {
  std::size_t place = 0;
  const std::size_t from = id.find('+') + 1;
  std::from_chars(id.data() + from, id.data() + id.size(), place);
  return place;
}

rating::Games games_of(const Ledger& ledger) {
  rating::Games games;
  for (std::size_t place = 0; place < ledger.rows.size(); ++place) {
    for (const RoundCell& cell : ledger.rows[place].cells) {
      if (cell.annulled) continue;
      for (const Mark& mark : cell.marks) {
        if (!mark.black || !mark.played()) continue;
        const bool won = mark.sign == Sign::win;
        games.add({.black = games.player(id_of(place)),
                   .white = games.player(id_of(cell.opponent)),
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
  std::vector<std::optional<Performance>> found(ledger.rows.size());
  const auto rated = rating::rate_by_model(games_of(ledger), {.first_move = 0, .mean = 0, .anchor = {}, .base = {}});
  if (!rated) return found;  // no game has been played
  double shift = 0;
  int known = 0;
  for (const rating::ModelPlayer& player : rated->players) {
    const std::size_t place = place_of(player.id);
    found[place] = Performance{.rate = player.rate, .error = player.error};
    const Entrant* entrant = state.entrant(ledger.rows[place].player);
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
