#include "tests/sim/operator.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace fuhyo::sim {
namespace {

constexpr std::array<std::string_view, 12> kQuestions = {
    "games",     "sessions", "counters", "rounds",  "positions", "help ja",
    "forbidden", "pause",    "nonsense", "pause 0", "resume",    "adjudicate 99999 black there is no such game"};

// Who waits goes to and fro between rooms; what games are played by stays as the auditors know it.
constexpr std::array<std::string_view, 4> kRoomActs = {
    "set-room hall games=*-* chat=no", "set-room hall games=*-* chat=", "close-room hall it is late", "rooms"};

struct Verdict {
  std::string_view word;
  core::Outcome outcome;
};
constexpr std::array<Verdict, 4> kVerdicts = {{{"black", core::Outcome::black_wins},
                                               {"white", core::Outcome::white_wins},
                                               {"draw", core::Outcome::draw},
                                               {"void", core::Outcome::none}}};

}  // namespace

void Operator::start() {
  stage_.time.after(rng_.exponential(10 * kSecond), [this] {
    if (stage_.quiet) return;
    act();
    start();
  });
}

void Operator::say(std::string text) {
  if (stage_.trace) stage_.trace("operator: " + text);
  tell_(core::AdminLine{.token = ++tokens_, .who = "host", .text = std::move(text)});
}

void Operator::act() {
  if (++acts_ % 5 == 0) say(std::string(kRoomActs[acts_ / 5 % kRoomActs.size()]));
  const std::vector<core::GameId> games = auditor_.running();
  if (games.empty() || rng_.chance(0.2)) {
    if (rng_.chance(0.5)) return say(fmt::format("round {}", kRoundGroup));
    return say(std::string(rng_.pick(kQuestions)));
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
  const Verdict verdict = rng_.pick(kVerdicts);
  auditor_.may_be_adjudicated(game, verdict.outcome);
  say(fmt::format("adjudicate {} {} the hall closes", core::value(game), verdict.word));
}

void Operator::resume_later(core::GameId game) {
  stage_.time.after(rng_.exponential(rng_.chance(0.3) ? 100 * kMillisecond : 20 * kSecond),
                    [this, game] { say(fmt::format("resume {}", core::value(game))); });
}

// The server may be between two lives when it is told.
void Operator::wind_down() {
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

}  // namespace fuhyo::sim
