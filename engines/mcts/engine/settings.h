// The options of the search, under the names and in the units that users of dlshogi know. One thread at a time.
#pragma once

#include "engines/mcts/tree/parameters.h"
#include "engines/mcts/tree/root_moves.h"
#include "engines/usi/options.h"

namespace fuhyo::mcts {

struct Settings {
  Parameters parameters;  // but for the value of draws
  int batch = 0;          // leaves that a thread evaluates together; 0: as many as the network likes best
  int leaf_mate_plies = 3;
  bool root_mate = true;
  bool reuse = true;
  FinalMove final_move = FinalMove::visits;
  std::int64_t halving_playouts = 32;  // searches of so many playouts at most choose by sequential halving
  bool operator==(const Settings&) const = default;
};

void add_settings(usi::OptionTable& options);
Settings settings_of(const usi::OptionTable& options);

}  // namespace fuhyo::mcts
