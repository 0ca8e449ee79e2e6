#include "server/core/rooms/claims.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "server/core/logins/accounts.h"

namespace fuhyo::core {
namespace {

constexpr std::string_view kFloodgate = "floodgate-";

std::pair<bool, std::size_t> rank(std::string_view games) {
  const auto stars = static_cast<std::size_t>(std::ranges::count(games, '*'));
  return {stars == 0, games.size() - stars};
}

// Whether some text fits both: meet[j] of a row says so of what is left of the two from there on.
bool meet(std::string_view a, std::string_view b) {
  std::vector<bool> below(b.size() + 1), row(b.size() + 1);
  for (std::size_t i = a.size() + 1; i-- > 0;) {
    for (std::size_t j = b.size() + 1; j-- > 0;) {
      const bool a_ends = i == a.size(), b_ends = j == b.size();
      bool meets = a_ends && b_ends;
      if (!a_ends && a[i] == '*') meets = below[j] || (!b_ends && row[j + 1]);
      if (!meets && !b_ends && b[j] == '*') meets = row[j + 1] || (!a_ends && below[j]);
      if (!meets && !a_ends && !b_ends && a[i] == b[j]) meets = below[j + 1];
      row[j] = meets;
    }
    std::swap(row, below);
  }
  return below[0];
}

}  // namespace

bool is_floodgate_pattern(std::string_view games) { return games.starts_with(kFloodgate); }

bool may_claim(std::string_view games, std::string_view game_name) {
  return fits(games, game_name) && (is_floodgate_pattern(games) || !game_name.starts_with(kFloodgate));
}

bool is_more_specific(std::string_view a, std::string_view b) { return rank(a) > rank(b); }

bool in_conflict(std::string_view a, std::string_view b) {
  return rank(a) == rank(b) && is_floodgate_pattern(a) == is_floodgate_pattern(b) && meet(a, b);
}

}  // namespace fuhyo::core
