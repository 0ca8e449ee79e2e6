// Depth-first proof-number search (df-pn) for a forced mate by checks. One thread at a time per object.
// A proof never rests on a repetition. That there is no mate may: on a path on which the attacker would have to repeat
// a position (or one with more in hand). Such an answer holds on that path only and is kept so, until the position that
// it leads back to is itself without a mate; then all of them hold together, because the defender can go round for
// ever.
#pragma once

#include <functional>
#include <vector>

#include "engines/mate/proof_table.h"
#include "engines/shogi/position.h"

namespace fuhyo::mate {

// Whether a search must stop, given the number of nodes it has searched.
using Stop = std::function<bool(std::uint64_t nodes)>;

class ProofSearch {
 public:
  // `stop` is asked every few hundred nodes; once true, the search answers unknown and stays stopped.
  ProofSearch(ProofTable& table, shogi::Color attacker, Stop stop)
      : table_(table), attacker_(attacker), stop_(std::move(stop)) {}

  // Whether the attacker mates within `limit` plies (kNoLimit: ever), whoever of the two is to move: proven with a
  // bound of its length, disproven, or unknown if stopped. The position is given back as it was.
  Knowledge solve(shogi::Position& position, Plies limit);
  // What the table has of that query.
  Knowledge known(const shogi::Position& position, Plies limit) const;

  // Counts one more node, and asks `stop` now and then.
  bool must_stop();
  bool stopped() const { return stopped_; }
  std::uint64_t nodes() const { return nodes_; }

 private:
  struct Child {
    ProofQuery query;
    Knowledge knowledge;
    shogi::Move move;
  };
  struct Threshold {
    std::uint32_t phi, delta;
  };
  // The numbers of a node by its children, and the most promising child.
  struct Summary {
    std::size_t best = 0;
    std::uint32_t phi = Knowledge::kInfinite, second = Knowledge::kInfinite, sum = 0, delta = 0;
  };

  ProofQuery query_of(const shogi::Position& position, Plies limit) const;
  ProofQuery query_after(const shogi::Position& position, const ProofQuery& query, shogi::Move move) const;
  Knowledge visit(shogi::Position& position, const ProofQuery& query, Threshold threshold);
  Knowledge search_children(shogi::Position& position, const ProofQuery& query, Threshold threshold);
  void expand(shogi::Position& position, const ProofQuery& query);
  void add_child(const shogi::Position& position, const ProofQuery& query, shogi::Move move);
  bool add_next_drop(const shogi::Position& position, const ProofQuery& query, shogi::Move move);
  Knowledge first_look(shogi::Position& position, Child& child);
  Knowledge evaluate(shogi::Position& position, Plies limit);
  bool repeats(const ProofQuery& query, std::uint32_t& ply) const;
  Summary summarize(std::size_t first, bool attack) const;
  Knowledge conclude(const shogi::Position& position, std::size_t first, const Summary& summary) const;
  Knowledge conclude_mate(const shogi::Position& position, std::size_t first) const;

  bool attacks(const shogi::Position& position) const { return position.side_to_move() == attacker_; }

  ProofTable& table_;
  const shogi::Color attacker_;
  Stop stop_;
  std::vector<Child> children_;  // of every node on the path, those of the last one at the end
  std::vector<ProofQuery> path_;
  std::vector<std::uint8_t> on_path_ = std::vector<std::uint8_t>(1024);  // how many of the path, by key
  shogi::Move moves_[shogi::MAX_LEGAL_MOVES];
  std::uint64_t nodes_ = 0;
  bool stopped_ = false;
  bool too_deep_ = false;  // a path was cut off: from then on nothing counts as disproven
};

}  // namespace fuhyo::mate
