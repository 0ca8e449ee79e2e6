#include "engines/nnue/engine.h"

#include <algorithm>
#include <new>
#include <random>

#include "engines/nnue/search/parameters.h"
#include "engines/shogi/declaration.h"
#include "engines/shogi/movegen.h"
#include "engines/usi/levels.h"
#include "engines/usi/time_manager.h"

namespace fuhyo::nnue {
namespace {

constexpr int kMaxMultiPv = 600;

// The moves to choose from; those that are never better than another only if they are all there is, or asked for.
std::vector<shogi::Move> root_moves(const shogi::Position& position, const std::vector<shogi::Move>& wanted) {
  std::vector<shogi::Move> moves;
  if (wanted.empty()) {
    for (const shogi::Move move : shogi::MoveList<shogi::GenKind::SEARCH>(position)) moves.push_back(move);
    if (!moves.empty()) return moves;
  }
  for (const shogi::Move move : shogi::legal_moves(position)) {
    if (wanted.empty() || std::ranges::find(wanted, move) != wanted.end()) moves.push_back(move);
  }
  return moves;
}

}  // namespace

Engine::Engine() : book_(std::random_device()()) {
  options_.add_spin("Threads", 1, 1, 512);
  options_.add_spin("USI_Hash", 64, 1, 1'048'576);
  options_.add_check("USI_Ponder", false);
  options_.add_spin("MultiPV", 1, 1, kMaxMultiPv);
  options_.add_spin("DrawValueBlack", -2, -30'000, 30'000);
  options_.add_spin("DrawValueWhite", -2, -30'000, 30'000);
  usi::add_level_options(options_);
  // For demonstrations and sparring: a little noise in the evaluation makes every game a new one.
  options_.add_spin("EvalNoise", 0, 0, 1'000);
  // For "go mate": its memory in megabytes, and whether it looks on for the shortest mate.
  options_.add_spin("MateHash", 64, 1, 65'536);
  options_.add_check("MateShortestLine", false);
  LoadedNetwork::add_options(options_);
  usi::add_time_options(options_);
  book::Player::add_options(options_);
  add_tuning_options(options_);
}

std::string Engine::name() const {
  return LoadedNetwork::would_be_untrained(options_) ? "Fuhyo NNUE (untrained)" : "Fuhyo NNUE";
}

std::expected<void, std::string> Engine::get_ready() {
  if (auto loaded = network_.update(options_); !loaded) return loaded;
  take_tuning_options(options_);
  book_notes_ = book_.update(options_);
  const auto megabytes = static_cast<std::size_t>(options_.spin("USI_Hash"));
  try {
    searcher_.set_up(megabytes, threads(), network_.network(), network_.kernels());
  } catch (const std::bad_alloc&) {
    return std::unexpected("USI_Hash: there is no memory for " + std::to_string(megabytes) + " MB");
  }
  return {};
}

// A level is the same player on every machine; more threads would make it another one each time.
int Engine::threads() const {
  return usi::level_of(options_, {}) != 0 ? 1 : static_cast<int>(options_.spin("Threads"));
}

std::vector<std::string> Engine::ready_notes() const {
  std::vector<std::string> notes = book_notes_;
  notes.insert(notes.begin(), network_.description());
  return notes;
}

usi::BestMove Engine::book_move(const usi::Game& game, const usi::GoLimits& limits,
                                const std::function<void(const usi::Info&)>& report) {
  // A game that can be ended by a declaration needs no book.
  if (shogi::can_declare(game.current())) return {};
  return book_.choose(game, limits, options_, report);
}

void Engine::new_game() {
  searcher_.clear();
  noise_seed_ = std::random_device()();
  choice_.seed(usi::level_seed(options_, std::random_device()()));
}

usi::SearchResult Engine::search(const usi::Game& game, const usi::GoLimits& limits, const usi::SearchControl& control,
                                 const std::function<void(const usi::Info&)>& report) {
  const shogi::Position root = game.current();
  if (shogi::can_declare(root)) return {.best = {.kind = usi::BestMove::Kind::win}};
  SearchTask task = make_task(game, root, limits);
  if (task.root_moves.empty()) return {.best = {.kind = usi::BestMove::Kind::resign}};
  const auto plan = usi::TimePlan::make(limits, root.side_to_move(), root.ply(), usi::time_options(options_));
  const int level = usi::level_of(options_, limits);
  if (level == 0) return searcher_.run(task, limits, plan, control, report);

  const usi::LevelMove move(usi::level(level), task.multi_pv, root, task.root_moves);
  task.root_moves = move.moves();
  task.multi_pv = move.lines();
  const auto tell = [&](const usi::Info& info) { move.tell(info, report); };
  const double random = std::uniform_real_distribution<double>()(choice_);
  return move.choose(searcher_.run(task, move.limits(limits), plan, control, tell), random, report);
}

SearchTask Engine::make_task(const usi::Game& game, const shogi::Position& root, const usi::GoLimits& limits) const {
  SearchTask task{.game = game,
                  .max_moves = usi::time_options(options_).max_moves,
                  .root_moves = root_moves(root, limits.searchmoves)};
  task.depth_limit = std::min(limits.depth.value_or(kMaxPly - 1), kMaxPly - 1);
  task.multi_pv = static_cast<int>(options_.spin("MultiPV"));
  // In centipawns, for the side that the game's draw is valued for; the opponent sees the reverse.
  const bool black = root.side_to_move() == shogi::BLACK;
  const auto draw = static_cast<int>(options_.spin(black ? "DrawValueBlack" : "DrawValueWhite") * 90 / 100);
  task.draw_value[root.side_to_move()] = draw;
  task.draw_value[~root.side_to_move()] = -draw;
  task.fv_scale = network_.fv_scale();
  task.noise = static_cast<int>(options_.spin("EvalNoise"));
  task.noise_seed = noise_seed_;
  return task;
}

usi::Checkmate Engine::solve_mate(const usi::Game& game, const usi::GoLimits& limits, const usi::SearchControl& control,
                                  const std::function<void(const usi::Info&)>& report) {
  using Kind = mate::Answer::Kind;
  const auto megabytes = static_cast<std::size_t>(options_.spin("MateHash"));
  try {
    if (megabytes != mate_solver_.megabytes()) mate_solver_.resize(megabytes);
  } catch (const std::bad_alloc&) {
    report({.text = "Error! MateHash: there is no memory for " + std::to_string(megabytes) + " MB"});
    return {.kind = usi::Checkmate::Kind::timeout};
  }
  const std::int64_t limit_ms = limits.mate_ms.value_or(usi::kForever);
  const mate::Answer answer = mate_solver_.solve(game.current(), options_.check("MateShortestLine"),
                                                 [&] { return control.stopped() || control.elapsed_ms() >= limit_ms; });
  usi::Info info{.time_ms = control.elapsed_ms(), .nodes = static_cast<std::int64_t>(answer.nodes)};
  if (answer.kind == Kind::mate) {
    info.score = {.kind = usi::Score::Kind::win, .value = static_cast<int>(answer.line.size())};
    info.pv = answer.line;
  }
  report(info);
  switch (answer.kind) {
    case Kind::mate:
      return {.kind = usi::Checkmate::Kind::mate, .line = answer.line};
    case Kind::no_mate:
      return {.kind = usi::Checkmate::Kind::no_mate};
    case Kind::unknown:
      break;
  }
  return {.kind = usi::Checkmate::Kind::timeout};
}

int Engine::evaluate(const shogi::Position& position) { return to_centipawns(network_.value(position)); }

std::vector<std::string> Engine::eval_lines(const shogi::Position& position) { return network_.eval_lines(position); }

}  // namespace fuhyo::nnue
