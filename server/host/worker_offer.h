// The players that a worker offers, as lines of the setting `engine`: their engines run on its machine. Keys about that
// machine alone (the command, files, memory) stay there; the rest goes to the server. Pure, but for
// parse_player_line(); any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "server/host/builtin_host.h"

namespace fuhyo::host {

struct WorkerOffer {
  int engine = 0;        // the worker's number for it
  std::int64_t nps = 0;  // nodes a second, as the worker measured; 0: its engine does not say
  std::string line;      // offer_of()
  bool operator==(const WorkerOffer&) const = default;
};

// So many engines may one worker offer, so many players may they be together (count=), and so many seats may it have.
constexpr std::size_t kMostOffers = 64, kMostWorkerPlayers = 64, kMostWorkerSeats = 256;

// The server's part of a line that parse_player_line() understands, quoted again where it must be.
std::expected<std::string, std::string> offer_of(std::string_view player_line);

// At the server: the player, or what is wrong with it. A key that is the worker's own business is refused. `command` is
// "WORKER:", for people.
std::expected<BuiltinPlayer, std::string> parse_offer(std::string_view line, std::string_view worker);

// Whether the worker may bring a player of this name: one that fits a pattern ("Oni*").
bool fits_any(std::string_view name, const std::vector<std::string>& patterns);

}  // namespace fuhyo::host
