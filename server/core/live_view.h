// What spectators see: the current games, folded from durable facts. Pure; one thread at a time.
// It follows the facts and never judges them. Where facts are missing (a spectator node fell behind), the game goes on
// without a position instead of showing a wrong one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "engines/shogi/position.h"
#include "server/core/facts.h"
#include "server/core/games/game_story.h"
#include "server/core/ids.h"
#include "server/core/monitors/spectator_delay.h"

namespace fuhyo::core {

struct LiveGame : GameStory {
  // As far as `story` has come. When its moves were made is not known.
  explicit LiveGame(GameStory story, SpectatorDelay delay = {});

  SpectatorDelay delay;                       // so far behind the players is all of it
  std::optional<shogi::Position> position;    // after its moves; nothing if one is missing
  std::array<std::int32_t, 2> remaining_s{};  // of Black and White, as of their last move
  Wall turn_since;                            // since when the clock of the side to move runs
  std::optional<std::int64_t> paused_us{};    // the clocks stand; what the side to move had used of its turn by then

  void apply(const Fact& fact);
};

// What one fact changed. Valid until the next apply().
struct LiveChange {
  Seq seq{};
  const Fact& fact;
  const LiveGame& game;  // after the fact
};

class LiveView {
 public:
  // `max_ended`: how many ended games stay visible, the newest ones. `delays`: of the games whose facts come late.
  explicit LiveView(std::size_t max_ended, DelayRules delays = {})
      : max_ended_(max_ended), delays_(std::move(delays)) {}

  // Nothing if spectators have no business with the fact, or its game is unknown.
  std::optional<LiveChange> apply(const Journaled& row);

  Seq upto() const { return upto_; }  // newest fact seen
  void start_at(Seq seq) { upto_ = seq; }
  const std::map<GameId, LiveGame>& games() const { return games_; }

 private:
  void end(GameId id);

  std::map<GameId, LiveGame> games_;
  std::deque<GameId> ended_;          // oldest first
  std::optional<LiveGame> rejected_;  // the last one, out of games_ already
  std::size_t max_ended_;
  DelayRules delays_;
  Seq upto_{};
};

}  // namespace fuhyo::core
