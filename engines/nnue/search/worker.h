// One thread of a search: iterative deepening with aspiration windows over a principal variation search.
//
// The workers of one search share the transposition table, SharedHistory and the stop signal. Each has its own board,
// evaluator and History. lead() or help() runs on the worker's own thread; the results may be read after it has
// returned, nodes() at any time.
#pragma once

#include <array>
#include <atomic>
#include <climits>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engines/nnue/net/evaluator.h"
#include "engines/nnue/search/history.h"
#include "engines/nnue/search/move_picker.h"
#include "engines/nnue/search/parameters.h"
#include "engines/nnue/search/transposition_table.h"
#include "engines/shogi/declaration.h"
#include "engines/shogi/path.h"
#include "engines/shogi/position.h"
#include "engines/usi/engine.h"
#include "engines/usi/table_exchange.h"

namespace fuhyo::nnue {

// A principal variation, from the node on.
struct PvLine {
  PvLine() {}

  void set(shogi::Move first, const PvLine& rest);

  int size = 0;
  union {  // left as they are: a line is made for every node, and seldom filled
    std::array<shogi::Move, kMaxPly + 2> moves;
  };
};

struct RootMove {
  explicit RootMove(shogi::Move first) : move(first), pv{first} {}

  shogi::Move move;
  int value = -kInfinite;     // of this iteration
  int previous = -kInfinite;  // of the one before
  int average = -kInfinite;   // fading mean
  std::int64_t mean_square = -1;
  usi::Score::Bound bound = usi::Score::Bound::exact;
  int seldepth = 0;
  std::int64_t nodes = 0;  // spent on it
  std::vector<shogi::Move> pv;
};

// The input of every worker of a search.
struct SearchTask {
  const usi::Game& game;
  int depth_limit = kMaxPly - 1;
  bool finish_first = false;  // complete the first iteration, whatever the limit of nodes
  int multi_pv = 1;
  bool report_bounds = true;            // lines whose value is only a bound, too
  bool full_pvs = false;                // ... completed by what the table knows
  bool report_repetition = false;       // ... and how they end, if a position comes back
  std::int64_t max_moves = 0;           // plies after which the game is a draw; 0: none
  std::array<int, 2> draw_value{0, 0};  // of a draw, for each colour
  int fv_scale = 16;
  shogi::DeclarationRequirement declaration;
  int noise = 0;  // evaluations are off by up to this much, the same way wherever a position recurs
  std::uint64_t noise_seed = 0;
  std::vector<shogi::Move> root_moves;  // to choose from, not empty
  usi::TableSender* sender = nullptr;   // of table entries to other engines; null: none are sent
  std::optional<int> send_from{};       // the least depth of what is sent as it is saved; none: the lines are sent
  bool send_root = true;                // the root's value is of all its moves
};

class Worker {
 public:
  // Stops a search in time and reports it. One worker of a search calls it, the first.
  class Manager {
   public:
    virtual ~Manager() = default;
    // Checks the clock and the limits. Returns the number of nodes until the next check; 0 stops all workers.
    virtual int check_time(const Worker& worker) = 0;
    // The search of line `line` of MultiPV (from 0) ended: with a value, or with a bound (outside of the window).
    virtual void on_pv(const Worker& worker, int line) = 0;
    // An iteration ended, with all its lines. True stops the search.
    virtual bool stop_after_iteration(const Worker& worker) = 0;
  };

  Worker(TranspositionTable& table, SharedHistory& shared, std::shared_ptr<const Network> network,
         const Kernels& kernels);

  void clear() { history_->clear(); }
  // Before lead() and help(), on the thread that starts all workers.
  void get_ready();
  // Searches as the first worker; `manager` decides when the search ends.
  void lead(const SearchTask& task, std::atomic<bool>& stop, Manager& manager);
  // Searches as a helper. Waits after `most_nodes`, or when there is nothing left to search.
  void help(const SearchTask& task, std::atomic<bool>& stop, std::int64_t most_nodes);
  // Whether this helper waits.
  bool waits() const { return waits_.load(std::memory_order_acquire); }

  std::int64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
  const std::vector<RootMove>& root() const { return root_; }
  int completed_depth() const { return completed_depth_; }
  int depth() const { return root_depth_; }
  // Recent changes of the best move; halved with each iteration.
  double instability() const { return best_move_changes_; }

 private:
  enum class NodeType : std::uint8_t { root, pv, non_pv };

  // One ply of the search stack.
  struct Stack {
    int ply = 0;
    shogi::Move move;      // being searched
    shogi::Move excluded;  // left out, to see what the node is worth without it
    shogi::Piece moved = shogi::NO_PIECE;
    PieceToHistory* continuation = nullptr;  // of that move
    PieceToCorrectionHistory* correction = nullptr;
    int evaluation = kUnknown;  // static, corrected; kUnknown in check
    int move_count = 0;
    int cutoffs = 0;  // of its children
    bool in_check = false, on_pv = false, tt_hit = false;
    PartKeys keys;
    shogi::Position::Undo undo;
  };
  // What a node works with.
  struct Node;

  void set_up(const SearchTask& task);
  void deepen();
  void aspiration_search(int number);

  template <NodeType Type>
  int search(Stack* ss, int alpha, int beta, int depth, bool cut_node, PvLine* line);
  template <bool Pv>
  int qsearch(Stack* ss, int alpha, int beta, bool with_checks = use::quiescence_checks);

  // Steps of search(); a value ends the node.
  template <NodeType Type>
  std::optional<int> end_before_moves(Stack* ss, Node& n);
  template <NodeType Type>
  void probe(Stack* ss, Node& n);
  template <NodeType Type>
  std::optional<int> tt_cutoff(Stack* ss, Node& n);
  template <NodeType Type>
  std::optional<int> win_at_once(Stack* ss, Node& n);
  void evaluate_node(Stack* ss, Node& n);
  template <NodeType Type>
  std::optional<int> prune_node(Stack* ss, Node& n);
  std::optional<int> null_move(Stack* ss, Node& n);
  std::optional<int> probcut(Stack* ss, Node& n);
  template <NodeType Type>
  std::optional<int> search_moves(Stack* ss, Node& n, PvLine* line);
  template <NodeType Type>
  bool prune_move(Stack* ss, Node& n, MovePicker& picker);
  template <NodeType Type>
  std::optional<int> extend(Stack* ss, Node& n);
  int basic_reduction(const Node& n) const;
  template <NodeType Type>
  int reduction_of(Stack* ss, Node& n);
  template <NodeType Type>
  int search_move(Stack* ss, Node& n, PvLine* line);
  template <NodeType Type>
  bool update_best(Stack* ss, Node& n, int value, PvLine* line, const PvLine& child);
  void update_root_move(const Node& n, int value, const PvLine& line, std::int64_t spent);
  template <NodeType Type>
  int finish_node(Stack* ss, Node& n);

  // Steps of qsearch().
  std::optional<int> stand_pat(Stack* ss, Node& n);
  template <bool Pv>
  void quiescence_moves(Stack* ss, Node& n, bool with_checks);
  bool prune_in_quiescence(Stack* ss, Node& n, const shogi::CheckInfo& checks, int hope);

  void do_move(Stack* ss, shogi::Move move);
  void undo_move(Stack* ss);
  void do_null(Stack* ss);
  void undo_null(Stack* ss);

  void store_tt(const Stack* ss, const Node& n, shogi::Move move, int value, int depth, Bound bound);
  // To other engines.
  void send_entry(const Stack* ss, shogi::Key key, const TtEntry& entry);
  void send_waiting();
  void send_iteration();
  int evaluation();
  int correction(const Stack* ss);
  int corrected(int evaluation, int correction) const;
  int draw_value() const { return task_->draw_value[position_.side_to_move()]; }
  // Repetition and the move limit.
  std::optional<int> decided(const Stack* ss);
  bool stopping();
  void count_nodes(int more) { nodes_.store(nodes() + more, std::memory_order_relaxed); }

  std::array<const PieceToHistory*, 6> continuations(const Stack* ss) const;
  void update_all_stats(Stack* ss, Node& n);
  void update_quiet_histories(Stack* ss, shogi::Move move, shogi::Piece piece, int bonus);
  void update_continuation_histories(const Stack* ss, shogi::Piece piece, shogi::Square to, int bonus);
  void update_prior_move(Stack* ss, Node& n);
  void update_correction_histories(Stack* ss, Node& n, int best, shogi::Move best_move);

  TranspositionTable& table_;
  SharedHistory* const shared_;
  Evaluator evaluator_;
  LargeArray<History> history_storage_;
  History* history_;
  std::array<int, 256> logarithms_{};

  const SearchTask* task_ = nullptr;
  std::atomic<bool>* stop_ = nullptr;
  Manager* manager_ = nullptr;   // of one who leads
  std::int64_t most_nodes_ = 0;  // of one who helps
  std::atomic<bool> waits_ = false;

  shogi::Position position_;
  int root_ply_ = 0;  // plies before the root
  shogi::Path path_;
  std::vector<Stack> stack_;
  std::vector<RootMove> root_;
  int pv_index_ = 0;  // of MultiPV
  int root_depth_ = 0;
  int completed_depth_ = 0;
  int root_delta_ = 1;
  int seldepth_ = 0;
  int nodes_to_check_ = 0;
  double best_move_changes_ = 0;
  int send_from_ = INT_MAX;  // the least depth of entries that are sent as they are saved
  std::vector<usi::TableEntry> waiting_entries_;
  std::atomic<std::int64_t> nodes_ = 0;
};

}  // namespace fuhyo::nnue
