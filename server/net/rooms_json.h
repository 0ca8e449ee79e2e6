// Rooms as the JSON of the API:
// {"v":1,"now_ms":..,"csa":["HOST:PORT"...],"csa_tls":[...],"csa_websocket":PATH,"engines":[..],"rooms":[ROOM...]}, the
// main room first; csa and csa_tls are where players connect to this node, if they can. Pure; any thread.
//
// ROOM: name, title {"ja":..,"en":..} (null: none), games (the game names that it claims), what its games are opened
// with where the room says so and null where it does not (time, time_black, time_white, max_moves, declaration,
// least_time_per_move_s, start, delay, comments, resume, loss_grace_s), who enters (accounts, players, tls, builtin),
// rated, rules, after_game, pairing, chat, commentator, by_file, playing (its games that are shown and not over),
// waiting_count, waiting
// [{name, id, builtin, game}] of the first 100 of them (both null: not known on this node).
//
// Hidden rooms are not there.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/core/live_view.h"
#include "server/core/lobby/waiter.h"
#include "server/core/rooms/rooms.h"

namespace fuhyo::net {

// A built-in player that plays on request: games of one of these names, or patterns with '*'.
struct ServingEngine {
  std::string name;
  std::vector<std::string> games;
};

struct PlayerEndpoints {
  std::vector<std::string> csa, csa_tls;              // HOST:PORT of each, as it listens
  bool websocket = false;                             // at kCsaPath of the web
  std::optional<std::vector<ServingEngine>> engines;  // nothing: not known here
};

std::string rooms_json(const core::Rooms& rooms, const std::map<core::GameId, core::LiveGame>& games,
                       const std::vector<core::Waiter>* lobby, const PlayerEndpoints& endpoints, core::Wall now);

}  // namespace fuhyo::net
