#include "server/net/cross_csv.h"

#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>

#include "server/net/csv_text.h"

namespace fuhyo::net {
namespace {

std::string result(const core::Tally& met) { return fmt::format("W{} L{} D{}", met.wins, met.losses, met.draws); }

core::Tally turned(core::Tally met) {
  std::swap(met.wins, met.losses);
  return met;
}

}  // namespace

std::string cross_csv(const core::CrossTable& table) {
  const std::size_t size = table.players.size();
  std::vector<std::string> met(size * size);
  for (const auto& [row, column, tally] : table.cells) {
    met[row * size + column] = result(tally);
    met[column * size + row] = result(turned(tally));
  }
  const auto name = [](const std::string& who) { return csv_quoted(std::string_view(who).substr(0, who.rfind('+'))); };
  std::string out(kByteOrderMark);
  out += "place,name,id,points,games,wins,losses,draws,rate";
  for (const core::CrossTable::Player& player : table.players) out += "," + name(player.who);
  out += "\r\n";
  for (std::size_t row = 0; row < size; ++row) {
    const auto& [who, tally] = table.players[row];
    out += fmt::format("{},{},{},{},{},{},{},{},", row + 1, name(who), who.ends_with('+') ? "" : csv_quoted(who),
                       tally.points(), tally.games, tally.wins, tally.losses, tally.draws);
    if (tally.games > 0) out += fmt::format("{:.4f}", tally.points() / static_cast<double>(tally.games));
    for (std::size_t column = 0; column < size; ++column) out += "," + met[row * size + column];
    out += "\r\n";
  }
  return out;
}

}  // namespace fuhyo::net
