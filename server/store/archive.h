// What the store keeps for good: finished games and the audit log. Only reads, over a connection of its own, while
// the writer goes on. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/account_facts.h"
#include "server/core/game_facts.h"

namespace fuhyo::store {

// A finished game without its moves. Of `opened`: number, Game_ID, room, game name, players and times.
struct ArchivedGame {
  core::GameOpened opened;
  core::Outcome outcome{};
  std::string end_kind;
  std::int32_t plies = 0;
};

class Archive {
 public:
  virtual ~Archive() = default;

  // The newest `limit` of the games that `wanted` names, oldest first: a number, a Game_ID, or a game name in which *
  // stands for any characters.
  virtual std::expected<std::vector<ArchivedGame>, std::string> games(std::string_view wanted, std::size_t limit) = 0;
  // The newest `limit` acts, oldest first.
  virtual std::expected<std::vector<core::AdminActed>, std::string> audit(std::size_t limit) = 0;
};

}  // namespace fuhyo::store
