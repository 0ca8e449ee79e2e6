// Whether watchers of games that are shown late hear of a move before its time. Part of the auditor.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>

#include "server/core/facts.h"
#include "tests/sim/scenario.h"

namespace fuhyo::sim {

class LateAudit {
 public:
  void decided(const core::Fact& fact, std::int64_t now_us) {
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
  // What a connection is to be told; what is wrong with it. Also counts what is right.
  // "##[MONITOR2][<id>] <line>": the whole record to who begins to watch, then what is new; nothing that players say.
  std::optional<std::string> told(core::ConnId conn, std::string_view bytes, std::int64_t now_us) {
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
  std::uint64_t moves() const { return moves_; }  // that watchers were told of as they were shown

 private:
  struct Game {
    std::string id;
    std::size_t preset = 0;
    std::vector<std::int64_t> made_us;  // by ply, the preset ones left out; the newest time of each
  };
  std::map<core::GameId, Game> games_;
  std::map<std::string, core::GameId, std::less<>> by_id_;
  std::map<std::pair<core::ConnId, std::string>, std::size_t> told_;  // moves, the preset ones included
  std::uint64_t moves_ = 0;
};

}  // namespace fuhyo::sim
