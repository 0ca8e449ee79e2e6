#include "server/store/shogi_server/old_lists.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <unordered_set>

#include "server/store/results/list.h"
#include "server/store/shogi_server/finished_record.h"

namespace fuhyo::store {
namespace {

constexpr std::size_t kFaultsNamed = 20;
constexpr std::size_t kTime = 19;  // characters of "YYYY/MM/DD hh:mm:ss"

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

std::expected<FinishedGame, std::string> game_of(std::string_view text, const core::TimeZone& zone) {
  const auto line = parse_result_line(text);
  if (!line) return std::unexpected(line.error());
  return finished_game(*line, zone);
}

}  // namespace

void OldLists::read(std::string_view text, const std::string& file, std::vector<FileFault>& faults) {
  std::size_t wrong = 0;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view raw = take_line(text);
    const auto game = game_of(raw, zone_);
    if (game)
      add(game->opened.csa_id, to_string(*parse_result_line(raw)));
    else if (!raw.empty() && ++wrong <= kFaultsNamed)
      faults.push_back({file, number, game.error()});
  }
  if (wrong > kFaultsNamed) faults.push_back({file, 0, fmt::format("{} more lines", wrong - kFaultsNamed)});
}

void OldLists::add(const std::string& id, std::string text) {
  if (places_.emplace(id, lines_.size()).second) lines_.push_back({id, std::move(text)});
}

std::expected<FinishedGame, std::string> OldLists::game(const Line& line) const { return game_of(line.text, zone_); }

void OldLists::set_record(const std::string& id, const std::string& record) {
  Line& line = lines_[places_.at(id)];
  const std::string old = std::move(line.text);
  auto parsed = parse_result_line(old);
  parsed->record = record;
  line.text = to_string(*parsed);
}

void OldLists::sort() {
  std::ranges::sort(lines_, {}, [](const Line& line) { return std::pair(line.text.substr(0, kTime), line.id); });
  places_.clear();
  for (std::size_t i = 0; i < lines_.size(); ++i) places_.emplace(lines_[i].id, i);
}

std::vector<const OldLists::Line*> OldLists::missing(std::string_view list,
                                                     const std::function<bool(const std::string&)>& belongs) const {
  std::unordered_set<std::string> known;
  while (!list.empty()) {
    if (auto game = game_of(take_line(list), zone_)) known.insert(std::move(game->opened.csa_id));
  }
  std::vector<const Line*> lines;
  for (const Line& line : lines_) {
    if (belongs(line.id) && !known.contains(line.id)) lines.push_back(&line);
  }
  return lines;
}

}  // namespace fuhyo::store
