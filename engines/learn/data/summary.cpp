#include "engines/learn/data/summary.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <utility>

#include "engines/shogi/usi_move.h"

namespace fuhyo::learn {
namespace {

constexpr std::array<std::string_view, 3> kWinners = {"nobody", "Black", "White"};
constexpr std::array<std::string_view, 6> kEnds = {"unknown",    "no move",    "declaration",
                                                   "repetition", "move limit", "adjudicated"};
constexpr int kMate = 31'000;  // scores from here on are mates (scored_game.h)

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

template <std::size_t Count>
std::string counts_of(const std::array<std::string_view, Count>& names, const std::array<std::uint64_t, Count>& counts,
                      std::uint64_t all) {
  std::string out;
  for (std::size_t i = 0; i < Count; ++i) {
    if (counts[i] == 0) continue;
    out += fmt::format("{}{} {} ({:.1f}%)", out.empty() ? "" : ", ", names[i], counts[i], 100 * share(counts[i], all));
  }
  return out;
}

}  // namespace

std::string_view to_string(record::Winner winner) { return kWinners[std::to_underlying(winner)]; }
std::string_view to_string(record::ScoredEnd end) { return kEnds[std::to_underlying(end)]; }

std::string position_line(const record::ScoredGame& game) {
  const std::string sfen = game.start.sfen();
  std::string out = sfen == shogi::Position::kStartSfen ? "startpos" : "sfen " + sfen;
  if (!game.moves.empty()) out += " moves";
  for (const record::ScoredMove& each : game.moves) out += ' ' + shogi::to_usi(each.move);
  return out;
}

void Summary::add(const record::ScoredGame& game) {
  const std::uint64_t length = game.moves.size();
  shortest_ = games_ == 0 ? length : std::min(shortest_, length);
  longest_ = std::max(longest_, length);
  ++games_;
  moves_ += length;
  ++winners_[std::to_underlying(game.winner)];
  ++ends_[std::to_underlying(game.end)];
  from_elsewhere_ += game.start.same_as(shogi::Position()) ? 0 : 1;
  for (const record::ScoredMove& each : game.moves) {
    if (!each.score) continue;
    ++searched_;
    const int magnitude = std::abs(int{*each.score});
    if (magnitude >= kMate) ++mates_;
    if (magnitude < kMate) magnitudes_ += magnitude;
  }
}

std::string Summary::text(std::uint64_t bytes) const {
  std::string out = fmt::format("  games     {}", games_);
  if (from_elsewhere_ > 0) out += fmt::format(", {} of them not from the standard position", from_elsewhere_);
  out += fmt::format("\n  moves     {}", moves_);
  if (games_ > 0) out += fmt::format(", {:.1f} a game ({} to {})", share(moves_, games_), shortest_, longest_);
  out += fmt::format("\n  searched  {} ({:.1f}%)", searched_, 100 * share(searched_, moves_));
  if (searched_ > mates_) {
    out += fmt::format(", mean distance of the score from 0: {:.0f}",
                       magnitudes_ / static_cast<double>(searched_ - mates_));
  }
  if (mates_ > 0) out += fmt::format(", mates {} ({:.1f}%)", mates_, 100 * share(mates_, searched_));
  if (games_ > 0) out += "\n  winners   " + counts_of(kWinners, winners_, games_);
  if (games_ > 0) out += "\n  ends      " + counts_of(kEnds, ends_, games_);
  out += fmt::format("\n  bytes     {}", bytes);
  if (moves_ > 0) out += fmt::format(", {:.2f} a move", static_cast<double>(bytes) / static_cast<double>(moves_));
  return out + "\n";
}

}  // namespace fuhyo::learn
