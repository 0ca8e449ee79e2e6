// One search of one position: iterative deepening over an alpha-beta search with a transposition table.
// One thread; what outlives a search (table, move statistics) is lent by the engine.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engines/nnue/ordering.h"
#include "engines/nnue/path.h"
#include "engines/nnue/table.h"
#include "engines/shogi/position.h"
#include "engines/usi/engine.h"
#include "engines/usi/time_manager.h"

namespace fuhyo::nnue {

// Scores: evaluations lie within kMaxEvaluation; a mate in n plies is kMate - n.
constexpr int kInfinite = 32'000;
constexpr int kMate = 31'000;
constexpr int kMateInMax = kMate - 2 * kMaxPly;  // anything beyond is a mate
usi::Score to_usi_score(int value);

struct SearchTask {
  const usi::Game& game;
  const usi::GoLimits& limits;
  usi::TimePlan plan;
  std::int64_t max_moves = 0;  // plies after which the game is a draw; 0: none
  int noise = 0;               // evaluations are off by up to this much, the same way wherever a position recurs
  std::uint64_t noise_seed = 0;
};

class Search {
 public:
  using Report = std::function<void(const usi::Info&)>;
  Search(Table& table, Ordering& ordering, const SearchTask& task, const usi::SearchControl& control, Report report);

  usi::SearchResult run();

 private:
  struct Line {  // a principal variation, best move first
    std::array<shogi::Move, kMaxPly + 2> moves;
    int size = 0;
    void set(shogi::Move first, const Line& rest);
  };
  struct RootMove {
    shogi::Move move;
    int value = -kInfinite;
  };

  std::vector<shogi::Move> root_moves() const;
  void deepen();
  int aspire(int depth, int previous);
  int search_root(int alpha, int beta, int depth);
  int search(int alpha, int beta, int depth, int ply, bool null_allowed, Line& line);
  int quiesce(int alpha, int beta, int ply, int depth);
  bool null_move_refutes(int beta, int depth, int ply, int evaluation);
  int search_moves(std::span<ScoredMove> moves, int alpha, int beta, int depth, int ply, Line& line);
  int search_child(int alpha, int beta, int depth, int ply, int reduction, bool first, Line& line);

  void do_move(shogi::Move move);
  void undo_move();
  int static_value() const;
  std::optional<int> terminal(int ply) const;

  bool out_of_time();
  void note_iteration();
  bool iteration_suffices(int value) const;
  void report(int depth, int value, usi::Score::Bound bound);

  Table& table_;
  Ordering& ordering_;
  const SearchTask& task_;
  const usi::SearchControl& control_;
  Report report_;

  shogi::Position position_;
  shogi::Color us_ = shogi::BLACK;
  int root_game_ply_ = 0;
  Path path_;
  struct Done {
    shogi::Move move;
    shogi::Position::Undo undo;
  };
  std::vector<Done> done_;

  std::vector<RootMove> root_;
  Line best_line_;
  shogi::Move previous_best_;
  int stable_iterations_ = 0;
  std::int64_t nodes_ = 0;
  int iteration_ = 0;  // the depth being searched
  int deepest_ = 0;
  bool stopped_ = false;
  std::int64_t target_ms_ = usi::kForever;   // enough, as far as this search can tell
  std::int64_t stop_at_ms_ = usi::kForever;  // decided
};

}  // namespace fuhyo::nnue
