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

// Whether a search is to stop, given the nodes that it has looked at.
using Stop = std::function<bool(std::uint64_t nodes)>;

class ProofSearch {
 public:
  // `stop` is asked every few hundred nodes; once true, the search answers unknown and stays stopped.
  ProofSearch(ProofTable& table, shogi::Color attacker, Stop stop)
      : table_(table), attacker_(attacker), stop_(std::move(stop)) {}

  // Whether the attacker mates within `limit` plies (kNoLimit: ever), whoever of the two is to move: proven with a
  // bound of its length, disproven, or unknown if stopped. The position is given back as it was.
  Knowledge solve(shogi::Position& position, Plies limit);
  // What the table knows of that question.
  Knowledge known(const shogi::Position& position, Plies limit) const;

  // Counts one more node, and looks at the clock now and then.
  bool must_stop();
  bool stopped() const { return stopped_; }
  std::uint64_t nodes() const { return nodes_; }

 private:
  struct Child {
    Question question;
    Knowledge knowledge;
    shogi::Move move;
  };
  struct Threshold {
    std::uint32_t phi, delta;
  };
  // What the children amount to for their node, and the one to look into.
  struct Summary {
    std::size_t best = 0;
    std::uint32_t phi = Knowledge::kInfinite, second = Knowledge::kInfinite, sum = 0, delta = 0;
  };

  Question ask(const shogi::Position& position, Plies limit) const;
  Question ask_after(const shogi::Position& position, const Question& question, shogi::Move move) const;
  Knowledge visit(shogi::Position& position, const Question& question, Threshold threshold);
  Knowledge search_children(shogi::Position& position, const Question& question, Threshold threshold);
  void expand(shogi::Position& position, const Question& question);
  void add_child(const shogi::Position& position, const Question& question, shogi::Move move);
  bool add_next_drop(const shogi::Position& position, const Question& question, shogi::Move move);
  Knowledge first_look(shogi::Position& position, Child& child);
  Knowledge evaluate(shogi::Position& position, Plies limit);
  bool repeats(const Question& question, std::uint32_t& ply) const;
  Summary summarize(std::size_t first, bool attack) const;
  Knowledge conclude(const shogi::Position& position, std::size_t first, const Summary& summary) const;
  Knowledge conclude_mate(const shogi::Position& position, std::size_t first) const;

  bool attacks(const shogi::Position& position) const { return position.side_to_move() == attacker_; }

  ProofTable& table_;
  const shogi::Color attacker_;
  Stop stop_;
  std::vector<Child> children_;  // of every node on the path, those of the last one at the end
  std::vector<Question> path_;
  std::vector<std::uint8_t> on_path_ = std::vector<std::uint8_t>(1024);  // how many of the path, by key
  shogi::Move moves_[shogi::MAX_LEGAL_MOVES];
  std::uint64_t nodes_ = 0;
  bool stopped_ = false;
  bool too_deep_ = false;  // a path was cut off: from then on nothing counts as disproven
};

}  // namespace fuhyo::mate
