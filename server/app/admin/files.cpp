#include "server/app/admin/files.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

#include "engines/record/encoding.h"
#include "engines/shogi/number.h"
#include "server/app/admin/answers.h"
#include "server/core/counted.h"
#include "server/store/records/path.h"

namespace fuhyo::app {
namespace {

constexpr std::size_t kMostGames = 100'000;   // of a cross table
constexpr std::size_t kMostRecords = 10'000;  // of one export: about 100 MB
constexpr std::size_t kMostOpponents = 40;    // more columns are no table for people
constexpr std::size_t kActs = 20, kMostActs = 10'000;

struct Score {
  int wins = 0, losses = 0, draws = 0;
  int half_points() const { return 2 * wins + draws; }
  void add(int half_points) { ++(half_points == 2 ? wins : half_points == 1 ? draws : losses); }
};

std::string points(int half_points) { return fmt::format("{}{}", half_points / 2, half_points % 2 != 0 ? ".5" : ""); }

std::string cell(const Score& score) {
  const std::string draws = score.draws > 0 ? fmt::format("={}", score.draws) : "";
  return fmt::format("{}-{}{}", score.wins, score.losses, draws);
}

core::AdminResult results(store::Archive& archive, const std::string& rest) {
  const auto games = archive.games(rest.empty() ? "*" : rest, kMostGames);
  return games ? cross_table(*games) : refused(games.error());
}

core::AdminResult audit(store::Archive& archive, const std::string& rest) {
  std::size_t count = kActs;
  if (!rest.empty()) {
    const auto number = shogi::number_of<std::size_t>(rest);
    if (!number) return refused("how many is a number");
    count = *number;
  }
  const auto acts = archive.audit(std::min(count, kMostActs));
  if (!acts) return refused(acts.error());
  core::AdminResult result{.ok = true, .text = {}, .columns = {"when", "who", "via", "act", "outcome"}, .rows = {}};
  for (const core::AdminActed& act : *acts) {
    result.rows.push_back({act.local_time, act.who, act.via, act.act, act.outcome});
  }
  result.text = core::counted(result.rows.size(), "act");
  return result;
}

// Records on the disk are EUC-JP; a record in UTF-8 says so in its first line.
std::string in_utf8(std::string text) {
  if (record::is_ascii(text)) return text;
  const auto utf8 = record::decode_to_utf8(text, record::Encoding::euc_jp);
  return utf8 ? "'CSA encoding=UTF-8\n" + utf8->text : text;
}

// Several records in one text are parted by a line "/", as the CSA format has it.
core::AdminResult export_records(store::Archive& archive, const AdminFiles& files, const std::string& rest) {
  if (rest.empty()) return refused("which games? a number, a Game_ID, or a game name with *");
  const auto games = archive.games(rest, kMostRecords);
  if (!games) return refused(games.error());
  if (games->empty()) return refused(fmt::format("there is no finished game {}", rest));
  core::AdminResult result;
  std::size_t missing = 0;
  for (const store::ArchivedGame& game : *games) {
    std::ifstream file(files.records / store::record_path(game.opened), std::ios::binary);
    if (!file) {
      ++missing;
      continue;
    }
    if (!result.rows.empty()) result.rows.push_back({"/"});
    std::istringstream lines(in_utf8({std::istreambuf_iterator<char>(file), {}}));
    for (std::string line; std::getline(lines, line);) result.rows.push_back({line});
  }
  if (missing == games->size()) return refused("the record files are not (or no longer) in the records folder");
  if (missing > 0) result.text = fmt::format("' {} no longer in the records folder", core::counted(missing, "record"));
  return result;
}

}  // namespace

core::AdminResult cross_table(const std::vector<store::ArchivedGame>& games) {
  std::map<std::string, Score> totals;
  std::map<std::pair<std::string, std::string>, Score> pairs;
  std::size_t decided = 0;
  for (const store::ArchivedGame& game : games) {
    if (game.outcome == core::Outcome::none) continue;
    ++decided;
    const std::string &black = game.opened.black.name, &white = game.opened.white.name;
    const int black_half = game.outcome == core::Outcome::draw ? 1 : game.outcome == core::Outcome::black_wins ? 2 : 0;
    totals[black].add(black_half);
    totals[white].add(2 - black_half);
    pairs[{black, white}].add(black_half);
    pairs[{white, black}].add(2 - black_half);
  }
  std::vector<std::pair<std::string, Score>> order(totals.begin(), totals.end());
  std::ranges::sort(order, {}, [](const auto& entry) { return std::pair(-entry.second.half_points(), entry.first); });
  core::AdminResult result{
      .ok = true, .text = {}, .columns = {"#", "name", "points", "games", "wins", "losses", "draws"}, .rows = {}};
  const bool crossed = order.size() <= kMostOpponents;
  for (std::size_t i = 0; crossed && i < order.size(); ++i) result.columns.push_back(fmt::format("{}", i + 1));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& [name, score] = order[i];
    std::vector<std::string> row{
        fmt::format("{}", i + 1),      name,
        points(score.half_points()),   fmt::format("{}", score.wins + score.losses + score.draws),
        fmt::format("{}", score.wins), fmt::format("{}", score.losses),
        fmt::format("{}", score.draws)};
    for (std::size_t j = 0; crossed && j < order.size(); ++j) {
      const auto met = pairs.find({name, order[j].first});
      row.push_back(met != pairs.end() ? cell(met->second) : i == j ? "*" : "");
    }
    result.rows.push_back(std::move(row));
  }
  result.text = core::counted(decided, "game");
  return result;
}

core::AdminResult ask_files(const AdminFiles& files, std::string_view verb, const std::string& rest) {
  auto archive = files.store.open_archive();
  if (!archive) return refused(archive.error());
  if (verb == "results") return results(**archive, rest);
  if (verb == "audit") return audit(**archive, rest);
  return export_records(**archive, files, rest);
}

}  // namespace fuhyo::app
