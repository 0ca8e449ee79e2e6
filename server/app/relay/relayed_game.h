// A game of another server, as facts of ours: what its server tells is taken as decided, and only what it leaves out is
// worked out by the rules: what is left on the clocks, who has won. Pure; one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/app/relay/watched_record.h"
#include "server/core/facts.h"
#include "server/core/games/clock.h"
#include "server/core/games/game.h"
#include "server/core/games/game_story.h"

namespace fuhyo::app {

class RelayedGame {
 public:
  using Facts = std::vector<core::Fact>;

  // As far as its facts stand in the journal. Its start position and preset moves are legal.
  explicit RelayedGame(const core::GameStory& story);

  const core::GameStory& story() const { return story_; }
  std::int32_t plies() const { return static_cast<std::int32_t>(story_.moves.size()); }
  std::int32_t preset() const { return static_cast<std::int32_t>(story_.opened.preset_moves.size()); }

  // Its players have agreed; again does nothing.
  void start(core::Wall at, Facts& facts);
  // What was told of it, from behind move `ply` on: what is known already adds nothing. Returns why it cannot be this
  // game; the facts up to there are good, and nothing more is to be taken.
  std::optional<std::string> take(const WatchedLines& lines, std::int32_t ply, core::Wall at, Facts& facts);
  // By the line that the server has told of it: "%TORYO". `local_time`: as in GameEnded.
  void end(std::string_view line, core::Wall at, std::string local_time, Facts& facts);
  // Nobody will ever tell how it has ended.
  void lose_sight(core::Wall at, std::string local_time, Facts& facts);

 private:
  std::optional<std::string> make(const WatchedMove& move, core::Wall at, Facts& facts);
  void say(std::int32_t ply, const std::string& comment, core::Wall at, Facts& facts);
  core::GameEnded ended_by(std::string_view line);
  core::GameEnded lost_by_mover(core::EndKind kind, std::string line) const;
  core::GameEnded by_rules(core::EndKind kind) const;
  void happen(core::Fact fact, Facts& facts);

  core::GameStory story_;
  core::Game judge_;  // without clocks: the other server has judged them
  core::Clock clock_;
  std::optional<core::GameEnded> due_;  // the end that the rules say has come with the last move
  std::int32_t declared_s_ = 0;         // T of the declaration that its server is about to judge
};

}  // namespace fuhyo::app
