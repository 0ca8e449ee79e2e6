#include "server/core/cross_table.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace fuhyo::core {
namespace {

void add(Tally& tally, const CrossResult& result, bool black) {
  tally.games += result.games;
  if (result.outcome == Outcome::draw)
    tally.draws += result.games;
  else
    ((result.outcome == Outcome::black_wins) == black ? tally.wins : tally.losses) += result.games;
}

double rate(const Tally& tally) { return tally.games == 0 ? 0 : tally.points() / static_cast<double>(tally.games); }

bool before(const CrossTable::Player& a, const CrossTable::Player& b) {
  const auto rank = [](const CrossTable::Player& player) {
    return std::tuple(-player.tally.points(), -player.tally.wins, -rate(player.tally), std::string_view(player.who));
  };
  return rank(a) < rank(b);
}

}  // namespace

CrossTable CrossTable::of(const std::vector<std::string>& entrants, const std::vector<CrossResult>& results) {
  std::map<std::string_view, Tally> totals;
  for (const std::string& who : entrants) totals.try_emplace(who);
  std::map<std::pair<std::string_view, std::string_view>, Tally> meetings;  // as each of the two sees it
  for (const CrossResult& result : results) {
    const auto black = totals.find(result.black), white = totals.find(result.white);
    if (black == totals.end() || white == totals.end() || black == white || result.outcome == Outcome::none) continue;
    add(black->second, result, true);
    add(white->second, result, false);
    add(meetings[{black->first, white->first}], result, true);
    add(meetings[{white->first, black->first}], result, false);
  }
  CrossTable table;
  for (const auto& [who, tally] : totals) table.players.push_back({.who = std::string(who), .tally = tally});
  std::ranges::sort(table.players, before);
  for (std::size_t row = 0; row < table.players.size(); ++row) {
    for (std::size_t column = row + 1; column < table.players.size(); ++column) {
      const auto met = meetings.find({table.players[row].who, table.players[column].who});
      if (met != meetings.end()) table.cells.push_back({.row = row, .column = column, .tally = met->second});
    }
  }
  return table;
}

}  // namespace fuhyo::core
