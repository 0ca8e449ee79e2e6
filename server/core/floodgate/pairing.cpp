#include "server/core/floodgate/pairing.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "server/core/floodgate/best_pairs.h"
#include "server/core/floodgate/chains.h"

namespace fuhyo::core::floodgate {
namespace {

constexpr std::array<std::pair<std::string_view, Method>, 8> kMethods{{
    {"least_diff_pairing", Method::least_diff_pairing},
    {"floodgate_zyunisen", Method::floodgate_zyunisen},
    {"swiss_pairing", Method::swiss_pairing},
    {"random_pairing", Method::random_pairing},
    {"sort_by_rate_with_randomness", Method::sort_by_rate_with_randomness},
    {"matching", Method::matching},
    {"swiss", Method::swiss},
    {"default_factory", Method::least_diff_pairing},
}};

Pairings pair_by_method(const Round& round, const History& history, Draws& draws) {
  switch (round.settings.method) {
    case Method::matching:
      return pair_by_matching(round, history, draws);
    case Method::swiss:
      return pair_by_swiss(round, history, draws);
    default:
      return pair_as_shogi_server(round, history, draws);
  }
}

// The one who is left over only because of the number plays with the filler. Its colour goes before the filler's.
void fill_up(const Entrant& filler, const History& history, Draws& draws, Pairings& result) {
  const auto left =
      std::ranges::find_if(result.sit_outs, [](const SitOut& out) { return out.reason != SitOutReason::unrated; });
  if (left == result.sit_outs.end()) return;
  const int due = history.standing(left->id).balance;
  const int order = due != 0 ? due : who_has_black({}, history.standing(filler.id));
  const bool black = order != 0 ? order < 0 : draws.below(2) == 0;
  result.games.push_back({black ? left->id : filler.id, black ? filler.id : left->id, 1, true});
  result.sit_outs.erase(left);
}

void add_return_games(Pairings& result) {
  std::vector<PairedGame> games;
  for (const PairedGame& game : result.games) {
    games.push_back(game);
    games.push_back({game.white, game.black, 2, game.filler});
  }
  result.games = std::move(games);
}

}  // namespace

bool is_ours(Method method) { return method == Method::matching || method == Method::swiss; }

std::optional<Method> parse_method(std::string_view name) {
  const auto found = std::ranges::find(kMethods, name, [](const auto& entry) { return entry.first; });
  return found == kMethods.end() ? std::nullopt : std::optional(found->second);
}

std::string_view to_string(Method method) {
  return std::ranges::find(kMethods, method, [](const auto& entry) { return entry.second; })->first;
}

std::string_view to_string(SitOutReason reason) {
  switch (reason) {
    case SitOutReason::unrated:
      return "unrated";
    case SitOutReason::sacrifice:
      return "sacrifice";
    case SitOutReason::odd:
      return "odd";
    case SitOutReason::alone:
      break;
  }
  return "alone";
}

bool is_human(std::string_view name) { return name.ends_with("_human") || name.contains("_human@"); }

Pairings pair(const Round& round, const History& history, Draws& draws) {
  Pairings result = pair_by_method(round, history, draws);
  if (round.filler) fill_up(*round.filler, history, draws, result);
  if (round.settings.both_colours) add_return_games(result);
  if (result.games.empty()) {
    for (SitOut& out : result.sit_outs) {
      if (out.reason == SitOutReason::odd) out.reason = SitOutReason::alone;
    }
  }
  return result;
}

}  // namespace fuhyo::core::floodgate
