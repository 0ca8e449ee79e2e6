#include "server/app/rate/report.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <optional>

#include <boost/json.hpp>

#include "server/core/counted.h"

namespace fuhyo::app {
namespace {

using core::rating::ModelParameter;
using core::rating::ModelPlayer;
using core::rating::ModelRatings;

std::string or_dashes(std::optional<double> value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "----";
}

// Characters of UTF-8 text, which is about its width.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

void add_row(std::string& out, std::size_t rank, const ModelPlayer& player, std::size_t widest) {
  const bool fixed = player.error && *player.error < 1e-3;
  const auto error = fixed ? std::nullopt : player.error;
  const double played = player.played();
  const std::optional<double> above = player.above_next ? std::optional(100 * *player.above_next) : std::nullopt;
  out +=
      fmt::format("{:>4} {}{} : {:>7.1f} {:>6} {:>7.1f} {:>7.0f} {:>5.1f} {:>6} {:>6.0f} {:>5.0f} {:>6.0f} {:>5.1f}\n",
                  rank, player.id, std::string(widest - width(player.id), ' '), player.rate, or_dashes(error, 1),
                  player.points(), played, 100 * player.points() / played, or_dashes(above, 0), player.wins,
                  player.draws, player.losses, 100 * player.draws / played);
}

std::string with_error(const ModelParameter& parameter, double unit) {
  if (!parameter.error) return fmt::format("{:.1f}", unit * parameter.value);
  return fmt::format("{:.1f} +/- {:.1f}", unit * parameter.value, unit * *parameter.error);
}

boost::json::value to_json(std::optional<double> value) {
  return value ? boost::json::value(*value) : boost::json::value(nullptr);
}

}  // namespace

std::string rating_table(const ModelRatings& ratings) {
  std::size_t widest = 6;
  for (const ModelPlayer& player : ratings.players) widest = std::max(widest, width(player.id));
  std::string out = fmt::format("   # {:<{}} :  RATING  ERROR  POINTS  PLAYED   (%) CFS(%)      W     D      L  D(%)\n",
                                "PLAYER", widest);
  std::size_t rank = 0;
  for (const ModelPlayer& player : ratings.players) add_row(out, ++rank, player, widest);
  out += fmt::format("\n{}, {}; errors are 95 %\n", core::counted(ratings.games, "game"),
                     core::counted(ratings.players.size(), "player"));
  out += fmt::format("first move: {} points; draws between equals: {} %\n", with_error(ratings.first_move, 1),
                     with_error(ratings.draw_share, 100));
  if (ratings.groups > 1) {
    out += fmt::format("{} groups of players never met: what they differ by says nothing\n", ratings.groups);
  }
  return out;
}

std::string rating_json(const ModelRatings& ratings) {
  boost::json::array players;
  for (const ModelPlayer& player : ratings.players) {
    players.push_back({{"id", player.id},
                       {"rating", player.rate},
                       {"error", to_json(player.error)},
                       {"points", player.points()},
                       {"played", player.played()},
                       {"wins", player.wins},
                       {"draws", player.draws},
                       {"losses", player.losses},
                       {"above_next", to_json(player.above_next)}});
  }
  const auto parameter = [](const ModelParameter& found) {
    return boost::json::value{{"value", found.value}, {"error", to_json(found.error)}};
  };
  return boost::json::serialize(boost::json::value{{"games", ratings.games},
                                                   {"groups", ratings.groups},
                                                   {"first_move", parameter(ratings.first_move)},
                                                   {"draw_share", parameter(ratings.draw_share)},
                                                   {"players", std::move(players)}}) +
         "\n";
}

}  // namespace fuhyo::app
