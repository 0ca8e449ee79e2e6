#include "server/core/floodgate/pairing.h"

#include <algorithm>
#include <array>
#include <utility>

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

}  // namespace

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
  switch (round.settings.method) {
    case Method::matching:
      return pair_by_matching(round, history, draws);
    case Method::swiss:
      return pair_by_swiss(round, history, draws);
    default:
      return pair_as_shogi_server(round, history, draws);
  }
}

}  // namespace fuhyo::core::floodgate
