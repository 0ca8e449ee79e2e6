// Where games of self-play begin: positions out of lines of play that people or programs have made, or random moves.
// Immutable once made; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/match/tune/random.h"
#include "engines/shogi/position.h"

namespace fuhyo::learn {

using Random = match::tune::Random;

struct StartTerms {
  int first_ply = 8, last_ply = 40;  // of the lines' positions; of so many random moves where there are no lines
  int random_moves = 4;              // behind the position: 0 to so many
  bool operator==(const StartTerms&) const = default;
};

class Starts {
 public:
  // Random moves from the normal start position.
  explicit Starts(const StartTerms& terms) : terms_(terms) {}
  // Lines as opening_line.h of engines/match reads them, plain or compressed. What cannot be played is left out, as
  // real collections hold a line of it now and then; more than one line of a hundred is an error that names the first.
  static std::expected<Starts, std::string> read(const std::filesystem::path& file, const StartTerms& terms);
  static std::expected<Starts, std::string> parse(std::string_view text, const std::string& name,
                                                  const StartTerms& terms);

  // Each position of the tree that the lines make together, from first_ply to last_ply, with the same chance, and
  // random legal moves behind it. Nothing if that ended the game: draw again.
  std::optional<shogi::Position> draw(Random& random) const;

  // What was left out, for people; empty if nothing was.
  const std::string& remark() const { return remark_; }
  // Positions to choose from; 0 without lines.
  std::uint64_t positions() const { return branches_.empty() ? 0 : branches_.back().end; }

 private:
  struct Line {
    std::uint32_t root;  // where it starts
    std::vector<shogi::Move> moves;
    auto operator<=>(const Line&) const = default;
  };
  // A line, and what it adds to those before it: its positions from `from` plies on. `end`: all positions up to here.
  struct Branch {
    int from;
    std::uint64_t end;
    Line line;
  };

  void add(std::vector<Line> lines);

  StartTerms terms_;
  std::string remark_;
  std::vector<shogi::Position> roots_;
  std::vector<Branch> branches_;
};

}  // namespace fuhyo::learn
