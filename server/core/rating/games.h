// Finished games as ratings see them: who met whom, how it ended, when. Values only; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/core/ids.h"

namespace fuhyo::core::rating {

using PlayerIndex = std::uint32_t;

enum class Score : std::uint8_t { black_wins, white_wins, draw };

struct PlayedGame {
  PlayerIndex black = 0, white = 0;  // of Games::players()
  Score score{};
  bool abnormal = false;   // a player left: shogi-server's summary type "abnormal"
  std::int32_t plies = 0;  // in the record
  Wall ended;
  bool operator==(const PlayedGame&) const = default;
};

// Games in the order in which they were added, and the players that are named in them.
class Games {
 public:
  // The number of this player; the id is taken as it is (see rated_id()).
  PlayerIndex player(std::string_view id);
  void add(const PlayedGame& game) { games_.push_back(game); }

  const std::vector<std::string>& players() const { return players_; }
  const std::vector<PlayedGame>& games() const { return games_; }
  std::size_t size() const { return games_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::vector<std::string> players_;
  std::vector<PlayedGame> games_;
  std::unordered_map<std::string, PlayerIndex, Hash, std::equal_to<>> numbers_;
};

}  // namespace fuhyo::core::rating
