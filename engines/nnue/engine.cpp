#include "engines/nnue/engine.h"

#include <algorithm>
#include <new>
#include <random>

#include "engines/nnue/search/parameters.h"
#include "engines/nnue/search/root_mate.h"
#include "engines/shogi/declaration.h"
#include "engines/shogi/movegen.h"
#include "engines/usi/common_options.h"
#include "engines/usi/declaring.h"
#include "engines/usi/go_mate.h"
#include "engines/usi/levels.h"
#include "engines/usi/time_manager.h"

namespace fuhyo::nnue {
namespace {

// The moves to choose from; those that are never better than another only if they are all there is, or asked for.
std::vector<shogi::Move> root_moves(const shogi::Position& position, const std::vector<shogi::Move>& wanted, bool all) {
  std::vector<shogi::Move> moves;
  if (wanted.empty() && !all) {
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
  usi::add_common_options(options_);
  usi::add_level_options(options_);
  // For sparring: a little noise in the evaluation makes every game a new one.
  options_.add_spin("EvalNoise", 0, 0, 1'000,
                    {"evaluations are off by up to so much: for sparring, every game a new one",
                     "評価値に加える乱れの大きさ。毎回違う将棋になる"});
  usi::add_mate_options(options_);
  LoadedNetwork::add_options(options_);
  usi::add_time_options(options_);
  book::Player::add_options(options_);
  usi::TableExchange::add_options(options_);
  add_tuning_options(options_);
}

std::expected<void, std::string> Engine::get_ready() {
  if (auto loaded = network_.update(options_); !loaded) return loaded;
  if (exchange_.on()) exchange_.set_keys(network_.fingerprint());
  take_tuning_options(options_);
  book_notes_ = book_.update(options_);
  const usi::CommonOptions common = usi::common_options(options_);
  const std::size_t megabytes = common.hash_mb;
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

bool Engine::plays_alone() const { return usi::level_of(options_, {}) != 0 || options_.spin("EvalNoise") != 0; }

std::size_t Engine::take(std::span<const usi::TableEntry> entries) {
  return plays_alone() ? entries.size() : searcher_.take(entries);
}

std::vector<std::string> Engine::ready_notes() const {
  std::vector<std::string> notes = book_notes_;
  notes.insert(notes.begin(), network_.description());
  return notes;
}

usi::BestMove Engine::book_move(const usi::Game& game, const usi::GoLimits& limits,
                                const std::function<void(const usi::Info&)>& report) {
  // A game that can be ended by a declaration needs no book; and a level would open like a master and go on as itself.
  const shogi::Position root = game.current();
  const auto requirement = shogi::DeclarationRequirement::of(usi::common_options(options_).declaration, root);
  if (shogi::can_declare(root, requirement) || usi::level_of(options_, limits) != 0) return {};
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
  const bool analysis = limits.infinite || options_.check("ConsiderationMode");
  SearchTask task = make_task(game, root, limits);
  const auto declared = usi::win_by_declaration(root, task.declaration, report);
  if (declared && !analysis) return {.best = *declared};
  if (task.root_moves.empty()) return {.best = {.kind = usi::BestMove::Kind::resign}};
  const auto plan = usi::TimePlan::make(limits, root.side_to_move(), root.ply(), usi::time_options(options_));
  const int level = usi::level_of(options_, limits);
  if (level == 0 || declared) {
    usi::GoLimits left = limits;
    if (!analysis) {
      if (auto mate = find_root_mate(mate_solver_, task, left, plan, control, report)) return *mate;
    }
    const auto sender = plays_alone() ? nullptr : exchange_.sender();
    task.sender = sender.get();
    usi::SearchResult result = searcher_.run(task, left, plan, control, report);
    result.nodes += limits.nodes.value_or(0) - left.nodes.value_or(0);
    if (declared) result.best = *declared;
    return result;
  }
  const usi::LevelMove move(usi::level(level), task.multi_pv, root, task.root_moves);
  task.root_moves = move.moves();
  task.multi_pv = move.lines();
  task.finish_first = true;
  const auto tell = [&](const usi::Info& info) { move.tell(info, report); };
  const double random = std::uniform_real_distribution<double>()(choice_);
  return move.choose(searcher_.run(task, move.limits(limits), plan, control, tell), random, report);
}

SearchTask Engine::make_task(const usi::Game& game, const shogi::Position& root, const usi::GoLimits& limits) const {
  const usi::CommonOptions common = usi::common_options(options_);
  const shogi::Color us = root.side_to_move();
  SearchTask task{.game = game,
                  .max_moves = usi::time_options(options_).max_moves,
                  .root_moves = root_moves(root, limits.searchmoves, common.generate_all)};
  task.declaration = shogi::DeclarationRequirement::of(common.declaration, root);
  task.depth_limit = std::min(limits.depth.value_or(kMaxPly - 1), kMaxPly - 1);
  task.multi_pv = common.multi_pv;
  task.report_bounds = common.report_bounds;
  task.report_repetition = common.report_repetition;
  task.full_pvs = limits.infinite || common.consideration;
  // For the side that the game's draw is valued for; the opponent sees the reverse.
  const int draw = common.draw_value_cp[us] * 90 / 100;
  task.draw_value[us] = draw;
  task.draw_value[~us] = -draw;
  task.fv_scale = network_.fv_scale();
  task.noise = static_cast<int>(options_.spin("EvalNoise"));
  task.noise_seed = noise_seed_;
  task.send_from = exchange_.least_depth();
  task.send_root = limits.searchmoves.empty();
  return task;
}

usi::Checkmate Engine::solve_mate(const usi::Game& game, const usi::GoLimits& limits, const usi::SearchControl& control,
                                  const std::function<void(const usi::Info&)>& report) {
  return usi::answer_go_mate(mate_solver_, options_, game, limits, control, report);
}

int Engine::evaluate(const shogi::Position& position) { return to_centipawns(network_.value(position)); }

std::vector<std::string> Engine::eval_lines(const shogi::Position& position) { return network_.eval_lines(position); }

}  // namespace fuhyo::nnue
