// The proven result of a position or a move. Values; any thread.
#pragma once

#include <cstdint>

namespace fuhyo::mcts {

// For the side to move, or for the one that makes the move. The order is that of preference.
enum class Result : std::uint8_t { unknown, loss, draw, win };

constexpr Result reversed(Result result) {
  return result == Result::win ? Result::loss : result == Result::loss ? Result::win : result;
}

// The result of a position by the rules, at the end of a path.
struct Verdict {
  // The result follows from the position (and from how many moves were made) alone.
  static constexpr int kOfItself = -1;

  Result result = Result::unknown;  // for the side to move
  // The ply of the earlier position with which it makes a cycle: whoever comes to this position without having been
  // there has another result. What lies before the root counts as the root.
  int since = kOfItself;
  bool proven = true;  // or only as good as that
};

}  // namespace fuhyo::mcts
