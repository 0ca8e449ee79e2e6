// Lines of play as a tree of positions: each position once, however many lines pass it.
// Immutable once made; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/shogi/position.h"

namespace fuhyo::learn {

// A position of the tree: a start and moves.
struct LinePosition {
  const shogi::Position& start;
  std::span<const shogi::Move> moves;
};

class LineTree {
 public:
  LineTree() = default;
  // Lines as opening_line.h of engines/match reads them, plain or compressed; of each, the positions from first_ply to
  // last_ply moves behind its start. What cannot be played is left out, as real collections hold a line of it now and
  // then; more than one line of a hundred is an error that names the first, and so are lines without any position.
  static std::expected<LineTree, std::string> read(const std::filesystem::path& file, int first_ply, int last_ply);
  static std::expected<LineTree, std::string> parse(std::string_view text, const std::string& name, int first_ply,
                                                    int last_ply);

  std::uint64_t size() const { return branches_.empty() ? 0 : branches_.back().end; }
  // Start by start, in the order of their moves. `index` is less than size().
  LinePosition operator[](std::uint64_t index) const;

  // What was left out, for people; empty if nothing was.
  const std::string& remark() const { return remark_; }

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

  void add(std::vector<Line> lines, int first_ply, int last_ply);

  std::string remark_;
  std::vector<shogi::Position> roots_;
  std::vector<Branch> branches_;
};

}  // namespace fuhyo::learn
