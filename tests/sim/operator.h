// An operator, by the administration socket: pauses and resumes games, adjudicates them, kicks, forbids and allows
// names, holds rounds. In the quiet at the end every game goes on and every name is allowed.
#pragma once

#include <iterator>

#include "tests/sim/auditor.h"

namespace fuhyo::sim {

inline constexpr std::array<std::string_view, 12> kQueries = {
    "games",     "sessions", "counters", "rounds",  "positions", "help ja",
    "forbidden", "pause",    "nonsense", "pause 0", "resume",    "adjudicate 99999 black there is no such game"};

// Who waits goes to and fro between rooms; what games are played by stays as the auditors know it.
inline constexpr std::array<std::string_view, 4> kRoomActs = {
    "set-room hall games=*-* chat=no", "set-room hall games=*-* chat=", "close-room hall it is late", "rooms"};

inline constexpr std::array<std::pair<std::string_view, core::Outcome>, 4> kVerdicts = {
    {{"black", core::Outcome::black_wins},
     {"white", core::Outcome::white_wins},
     {"draw", core::Outcome::draw},
     {"void", core::Outcome::none}}};

class Operator {
 public:
  // `tell` brings a command to the server; nothing happens while there is none.
  Operator(Stage& stage, Auditor& auditor, std::function<void(core::AdminLine)> tell)
      : stage_(stage), auditor_(auditor), rng_(stage.rng.fork()), tell_(std::move(tell)) {}

  void start() {
    stage_.time.after(rng_.exponential(10 * kSecond), [this] {
      if (stage_.quiet) return;
      act();
      start();
    });
  }

  // The server may be between two lives when it is told.
  void wind_down() {
    const auto stands = [this] {
      std::vector<core::GameId> games = auditor_.running();
      std::erase_if(games, [this](core::GameId game) { return !auditor_.awaits_verdict(game); });
      std::ranges::copy(auditor_.paused(), std::back_inserter(games));
      return games;
    };
    for (const core::GameId game : stands()) say(fmt::format("resume {}", core::value(game)));
    for (const std::string& name : std::exchange(forbidden_, {})) say("allow " + name);
    stage_.time.after(60 * kSecond, [this, stands] {
      if (!stands().empty()) wind_down();
    });
  }

 private:
  void say(std::string text) {
    if (stage_.trace) stage_.trace("operator: " + text);
    tell_(core::AdminLine{.token = ++tokens_, .who = "host", .text = std::move(text)});
  }

  void act() {
    if (++acts_ % 5 == 0) say(std::string(kRoomActs[acts_ / 5 % kRoomActs.size()]));
    const std::vector<core::GameId> games = auditor_.running();
    if (games.empty() || rng_.chance(0.2)) {
      if (rng_.chance(0.5)) return say(fmt::format("round {}", kRoundGroup));
      return say(std::string(rng_.pick(kQueries)));
    }
    const core::GameId game = rng_.pick(games);
    if (auditor_.awaits_verdict(game) && rng_.chance(0.6)) return say(fmt::format("resume {}", core::value(game)));
    const std::string player = auditor_.player_of(game, rng_.chance(0.5));
    if (rng_.chance(0.6)) {
      say(fmt::format("pause {} tea is served", core::value(game)));
      return resume_later(game);
    }
    if (rng_.chance(0.3)) return say(fmt::format("kick {} two machines", player));
    if (rng_.chance(0.2)) {
      forbidden_.push_back(player);
      return say(fmt::format("forbid {} until tomorrow", player));
    }
    if (!forbidden_.empty() && rng_.chance(0.5)) return say("allow " + forbidden_.front());
    if (rng_.chance(0.3)) return say(fmt::format("tell {} good luck", player));
    const auto& [word, outcome] = rng_.pick(kVerdicts);
    auditor_.may_be_adjudicated(game, outcome);
    say(fmt::format("adjudicate {} {} the hall closes", core::value(game), word));
  }

  void resume_later(core::GameId game) {
    stage_.time.after(rng_.exponential(rng_.chance(0.3) ? 100 * kMillisecond : 20 * kSecond),
                      [this, game] { say(fmt::format("resume {}", core::value(game))); });
  }

  Stage& stage_;
  Auditor& auditor_;
  Rng rng_;
  std::function<void(core::AdminLine)> tell_;
  std::vector<std::string> forbidden_;
  std::uint64_t tokens_ = 0, acts_ = 0;
};

}  // namespace fuhyo::sim
