// The starts of self-play: positions of lines of play, or random moves.
// Immutable once made; any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engines/learn/data/line_tree.h"
#include "engines/learn/setting.h"
#include "engines/match/tune/random.h"
#include "engines/shogi/position.h"

namespace fuhyo::learn {

using Random = match::tune::Random;

struct StartOptions {
  int first_ply = 8, last_ply = 40;  // of the lines' positions; of so many random moves where there are no lines
  int random_moves = 4;              // behind the position: 0 to so many
  bool operator==(const StartOptions&) const = default;
};
template <class A>
void fields(A& a, StartOptions& starts) {
  a(starts.first_ply, {"first_ply", "... from the position after so many plies (8)", 0, 1'000});
  const double first = A::kReads ? starts.first_ply : 0;
  a(starts.last_ply, {"last_ply", "... to that after so many (40; without lines 16)", first, 1'000});
  a(starts.random_moves, {"random_moves", "Behind it, so many random moves at most (4)", 0, 1'000});
}

// The last ply where none is said.
constexpr int usual_last_ply(int first_ply, bool lines) { return std::max(first_ply, lines ? 40 : 16); }

class Starts {
 public:
  // Random moves from the normal start position.
  explicit Starts(const StartOptions& options) : options_(options) {}
  // Positions of these lines (data/line_tree.h).
  static std::expected<Starts, std::string> read(const std::filesystem::path& file, const StartOptions& options);
  static std::expected<Starts, std::string> parse(std::string_view text, const std::string& name,
                                                  const StartOptions& options);

  // A position of the tree of the lines from first_ply to last_ply, each with the same chance, and random legal moves
  // after it. Nothing if these end the game: draw again.
  std::optional<shogi::Position> draw(Random& random) const;

  // What was left out, for people; empty if nothing was.
  const std::string& remark() const { return lines_.remark(); }
  // Positions to choose from; 0 without lines.
  std::uint64_t positions() const { return lines_.size(); }

 private:
  Starts(const StartOptions& options, LineTree lines) : options_(options), lines_(std::move(lines)) {}

  StartOptions options_;
  LineTree lines_;
};

}  // namespace fuhyo::learn
