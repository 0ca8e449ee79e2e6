// Selection of the next move: PUCT. One thread at a time per tree.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/mcts/tree/parameters.h"
#include "engines/mcts/tree/tree.h"

namespace fuhyo::mcts {

// The edge to select at an expanded node, by value and exploration, without moves that are proven to lose. Nothing if
// there is none. It has a child, unless it is the first edge without one.
std::optional<std::uint16_t> choose_edge(const Tree& tree, const Node& node, const Parameters& parameters);

// The same at the root, where all edges have children, and only those are looked at for which `allowed` says 1.
std::optional<std::uint16_t> choose_root_edge(const Tree& tree, const Parameters& parameters,
                                              const std::vector<std::uint8_t>& allowed);

// What the side to move may expect of a move that was tried; nothing of others.
std::optional<double> value_of(const Child& child, const Parameters& parameters, int ply);

}  // namespace fuhyo::mcts
