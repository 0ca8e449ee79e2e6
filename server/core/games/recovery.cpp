// Makes the sessions of unfinished games out of their facts, and does what the rule of each game says (PROTOCOL.md,
// "After a crash"). Facts are applied as they stand; nothing is judged again.
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "server/core/admin/restarts.h"
#include "server/core/games/games.h"
#include "server/core/rounds/rounds.h"
#include "server/core/tournaments/tournaments.h"

namespace fuhyo::core {
namespace {

constexpr std::string_view kServerRestarted = "the Server (restarted)";

// What the side to move had used of its turn, of facts that leave a clock at rest.
std::optional<std::int64_t> used_of_turn_us(const Fact& fact) {
  if (const auto* paused = std::get_if<GamePaused>(&fact)) return paused->used_us;
  if (const auto* suspended = std::get_if<GameSuspended>(&fact)) return suspended->used_us;
  return std::holds_alternative<MoveMade>(fact) ? std::optional<std::int64_t>(0) : std::nullopt;
}

void apply(GameSession& session, const Fact& fact) {
  session.game.apply(fact);
  if (const auto used_us = used_of_turn_us(fact)) session.turn.begin(*used_us);
  if (const auto* game = std::get_if<TournamentGame>(&fact)) session.event = {.event = game->event, .key = game->key};
}

}  // namespace

void Games::rebuild_games(const std::vector<Journaled>& interrupted) {
  std::map<GameId, GameSession> found;
  for (const Journaled& row : interrupted) {
    if (const auto* opened = std::get_if<GameOpened>(&row.fact)) {
      found.emplace(opened->game, GameSession{{Game(*opened, limits_.plies)}});
    } else if (const auto it = found.find(game_of(row.fact)); it != found.end()) {
      apply(it->second, row.fact);
    }
  }
  for (auto& [id, session] : found) {
    if (!session.game.phase().has_started()) {
      append(
          GameRejected{.game = id, .by = std::string(kServerRestarted), .at = now_.wall, .local_time = local_time()});
      parts_.rounds.owe_unstarted(session.game.opened());
    } else if (session.game.opened().resume == ResumeRule::abort) {
      end_interrupted(session);
    } else {
      GameSession& revived = games_.emplace(id, std::move(session)).first->second;
      revived.round = parts_.rounds.round_of(revived.game.opened());
      parts_.tournaments.know_again(revived);
      revive(revived);
    }
  }
}

void Games::end_interrupted(const GameSession& session) {
  note(Note::Level::warning,
       fmt::format("game {} was interrupted by the end of the server", session.game.opened().csa_id));
  parts_.restarts.remember(session);
  GameEnded ended = session.game.interrupted("the server stopped");
  ended.at = now_.wall;
  ended.local_time = local_time();
  append(std::move(ended));
}

}  // namespace fuhyo::core
