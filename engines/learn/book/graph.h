// The graph of a book: each position once, with its moves from searches and games.
// Pure; one thread at a time per object.
//
// It grows by drop-out expansion (Lincke, Strategies for the Automatic Construction of Opening Books, 2001): a position
// is the further away, the more its moves gave up on the way from the start. A move costs `ply_cost`, and what it is
// worth less than the best one there; but a move of games costs no more than `rarity` for each halving of its share.
// The nearest positions are searched next.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engines/learn/book/game_moves.h"
#include "engines/learn/book/propagate.h"
#include "engines/learn/book/search_result.h"
#include "engines/record/packed_sfen.h"

namespace fuhyo::learn {

struct ExpansionOptions {
  int ply_cost = 20, rarity = 30;  // centipawns
  int last_ply = 40;               // positions after more moves are not searched
};

class BookGraph {
 public:
  struct Edge {
    shogi::Move move, reply;
    std::optional<std::int16_t> value{};  // by the search of the position before it; none: only games name the move
    std::uint16_t depth = 0;
    std::uint32_t games = 0;
    std::uint32_t to = kNoNode;  // none if the position cannot be packed
  };
  struct Node {
    record::PackedSfen position;
    bool searched = false;
    std::int16_t ended = 0;  // of a position that was searched and has no edges: the game is over
    std::uint32_t games = 0;
    int ply = 0;  // the fewest moves by which it is reached
    std::vector<Edge> edges{};
  };

  // The starts of the games, after GameMoves::keep(); `games` must outlive the graph.
  BookGraph(const ExpansionOptions& options, const GameMoves& games);

  // The positions to be searched next, nearest first, at most so many; equal ones by their bytes. None: there is
  // nothing left within last_ply.
  std::vector<record::PackedSfen> next(std::size_t most);
  // Adds the result of such a position. An error if one of its moves is not legal; then nothing changes.
  std::expected<void, std::string> add(const record::PackedSfen& position, const SearchResult& found);
  // Updates Node::ply after add(); next() does so, too.
  void count_plies();

  shogi::Position position_of(const Node& node) const;
  // The values of the positions, by number; those of positions that were not searched mean nothing.
  std::vector<NodeValue> values() const;
  // The value of a move, if it has one.
  std::optional<int> value_of(const Edge& edge, const std::vector<NodeValue>& values) const;

  const std::vector<Node>& nodes() const { return nodes_; }
  std::size_t searched() const { return searched_; }

 private:
  std::uint32_t node_at(const record::PackedSfen& position, int ply);
  std::vector<std::int64_t> distances() const;

  ExpansionOptions options_;
  const GameMoves& games_;
  std::vector<Node> nodes_;
  std::map<record::PackedSfen, std::uint32_t> numbers_;
  std::vector<std::pair<std::uint32_t, std::int64_t>> roots_;  // with what they cost
  std::size_t searched_ = 0;
};

}  // namespace fuhyo::learn
