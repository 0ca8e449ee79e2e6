#include "tests/sim/late_audit.h"

#include <algorithm>
#include <fmt/format.h>

#include "tests/sim/scenario.h"

namespace fuhyo::sim {

void LateAudit::decided(const core::Fact& fact, std::int64_t now_us) {
  if (const auto* opened = std::get_if<core::GameOpened>(&fact)) {
    games_[opened->game] = {.id = opened->csa_id, .preset = opened->preset_moves.size(), .made_us = {}};
    by_id_.insert_or_assign(opened->csa_id, opened->game);
  }
  const auto* made = std::get_if<core::MoveMade>(&fact);
  if (made == nullptr) return;
  Game& game = games_[made->game];
  const std::size_t ply = static_cast<std::size_t>(made->ply) - game.preset;
  game.made_us.resize(std::max(game.made_us.size(), ply));
  game.made_us[ply - 1] = now_us;  // one that a crash took back is made again later
}

// "##[MONITOR2][<id>] <line>": the whole record to who begins to watch, then what is new; nothing that players say.
std::optional<std::string> LateAudit::told(core::ConnId conn, std::string_view bytes, std::int64_t now_us) {
  constexpr std::string_view kPrefix = "##[MONITOR2][", kComment = "'** ", kOutOfTurn = "'Deferred ";
  if (!bytes.starts_with(kPrefix)) return std::nullopt;
  const std::string id(bytes.substr(kPrefix.size(), bytes.find(']', kPrefix.size()) - kPrefix.size()));
  const auto known = by_id_.find(id);
  if (known == by_id_.end()) return "a game that nobody opened is watched: " + id;
  const Game& game = games_.at(known->second);
  std::size_t& count = told_[{conn, id}];
  while (!bytes.empty()) {
    std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    line.remove_prefix(kPrefix.size() + id.size() + 2);
    if (line == "V2") count = 0;
    if (line.starts_with(kComment) || line.starts_with(kOutOfTurn)) return fmt::format("{}: '{}' is read", id, line);
    const bool move =
        line.size() == 7 && (line.front() == '+' || line.front() == '-') && line[1] >= '0' && line[1] <= '9';
    if (!move || ++count <= game.preset) continue;
    const std::size_t ply = count - game.preset;
    if (ply > game.made_us.size()) return fmt::format("{}: move {} has not been made", id, ply);
    const std::int64_t age_us = now_us - game.made_us[ply - 1];
    if (age_us < kLate.seconds * core::kSecond) return fmt::format("{}: move {} is {} us old", id, ply, age_us);
    ++moves_;
  }
  return std::nullopt;
}

}  // namespace fuhyo::sim
