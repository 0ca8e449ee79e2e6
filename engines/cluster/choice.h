// Which move is played: the vote of all nodes, as threads vote (usi/ballot.h). Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engines/usi/values.h"

namespace fuhyo::cluster {

enum class Reason : std::uint8_t {
  only,       // there is no other move
  mate,       // a proven mate
  vote,       // of the nodes that answered
  last_line,  // no node answered: the last line of one of them
  fallback,   // no node said anything: a legal move
};
std::string_view to_text(Reason reason);

// What a node says of one move of the position.
struct Opinion {
  shogi::Move move{};
  usi::Info line{};        // that begins with it; of a node below the move the same, seen from the position
  bool below = false;      // the node has searched the position after the move
  shogi::Move expected{};  // the answer to the move
};

// The index of the opinion whose move is played. A node below a move votes only if it values the move higher than
// every node of the position values its own. Moves of `refuted` are left out where there are others. Nothing if no
// opinion has a value.
std::optional<std::size_t> choose(std::span<const Opinion> opinions, std::span<const shogi::Move> refuted);

// A line of the position after the move, as one of the position before it. `info` has a score.
usi::Info before_move(const usi::Info& info, shogi::Move move);

}  // namespace fuhyo::cluster
