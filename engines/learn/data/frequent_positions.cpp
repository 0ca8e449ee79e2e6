#include "engines/learn/data/frequent_positions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "engines/record/scored_record.h"

namespace fuhyo::learn {
namespace {

// Of "black_rate:gps+0123456789abcdef:3012.0"; 0 if it is not said.
double rating_of(const record::Game& game, std::string_view key) {
  for (const record::Comment& comment : game.comments) {
    const std::string_view text = comment.text;
    if (!text.starts_with(key)) continue;
    const std::string_view number = text.substr(text.rfind(':') + 1);
    double rating = 0;
    std::from_chars(number.data(), number.data() + number.size(), rating);
    return rating;
  }
  return 0;
}

bool is_repeated(const record::Game& game) {
  return game.end.kind == record::EndKind::sennichite ||
         std::ranges::any_of(game.comments, [](const record::Comment& comment) {
           return comment.text.starts_with("summary:sennichite") || comment.text.starts_with("summary:oute_sennichite");
         });
}

}  // namespace

std::expected<void, std::string> FrequentPositions::add(const record::Game& game) {
  const std::array ratings = {rating_of(game, "black_rate:"), rating_of(game, "white_rate:")};
  const double decisive = options_.both ? std::ranges::min(ratings) : std::ranges::max(ratings);
  if (decisive < options_.rating) return ++counts_.unrated, std::expected<void, std::string>();
  if (game.moves.size() < options_.least_plies) return ++counts_.too_short, std::expected<void, std::string>();
  if (is_repeated(game)) return ++counts_.repeated, std::expected<void, std::string>();
  const auto played = record::scored_game(game);
  if (!played) return std::unexpected(played.error());
  ++counts_.games;
  shogi::Position position = played->start;
  for (std::size_t i = 0; i < std::min(options_.first_plies, played->moves.size()); ++i) {
    if (const auto packed = record::pack_hcp(position)) {
      Seen& seen = positions_[*packed];
      if (seen.count++ == 0) seen.ply = position.ply();
      ++counts_.positions;
    }
    position.do_move(played->moves[i].move);
  }
  return {};
}

std::uint32_t FrequentPositions::threshold() const {
  if (positions_.empty()) return 0;
  std::vector<std::uint32_t> occurrences;
  occurrences.reserve(positions_.size());
  for (const auto& [position, seen] : positions_) occurrences.push_back(seen.count);
  std::ranges::sort(occurrences);
  const double at = static_cast<double>(occurrences.size() - 1) * options_.percentile / 100;
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, occurrences.size() - 1);
  const double part = at - static_cast<double>(below);
  return static_cast<std::uint32_t>(std::floor(occurrences[below] * (1 - part) + occurrences[above] * part));
}

std::vector<FrequentPosition> FrequentPositions::frequent() const {
  const std::uint32_t least = threshold();
  std::vector<FrequentPosition> out;
  for (const auto& [position, seen] : positions_) {
    if (seen.count >= least) out.push_back({.position = position, .count = seen.count, .ply = seen.ply});
  }
  std::ranges::sort(out, [](const FrequentPosition& a, const FrequentPosition& b) {
    return a.count != b.count ? a.count > b.count : a.position < b.position;
  });
  return out;
}

}  // namespace fuhyo::learn
