#include "engines/mcts/engine/engine.h"

#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <random>

#include "engines/mcts/engine/levels.h"
#include "engines/mcts/engine/mates.h"
#include "engines/mcts/engine/search_manager.h"
#include "engines/mcts/shogi/labels.h"
#include "engines/mcts/shogi/planes.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/declaring.h"
#include "engines/usi/go_mate.h"

namespace fuhyo::mcts {
namespace {

constexpr std::size_t kMegabyte = 1 << 20;
constexpr std::size_t kMoveLines = 10;  // of "eval"
// A level overlooks longer mates.
constexpr int kLeafMateOfLevels = 1;

// The moves to choose from, all of which a tree has that leaves out what is never better than another move; unless it
// must not leave out anything.
std::vector<shogi::Move> usual_moves(const shogi::Position& root) {
  std::vector<shogi::Move> moves;
  for (const shogi::Move move : shogi::MoveList<shogi::GenKind::SEARCH>(root)) moves.push_back(move);
  return moves;
}
std::vector<shogi::Move> moves_to_choose_from(const shogi::Position& root, const std::vector<shogi::Move>& wanted,
                                              bool all) {
  std::vector<shogi::Move> moves;
  if (wanted.empty() && !all) return usual_moves(root);
  for (const shogi::Move move : shogi::legal_moves(root)) {
    if (wanted.empty() || std::ranges::find(wanted, move) != wanted.end()) moves.push_back(move);
  }
  return moves;
}
bool are_usual(const shogi::Position& root, const std::vector<shogi::Move>& moves) {
  const auto usual = usual_moves(root);
  return std::ranges::all_of(moves, [&](shogi::Move move) { return std::ranges::find(usual, move) != usual.end(); });
}

// What the network says of one position.
nn::Evaluations evaluate_one(const nn::Backend& backend, const shogi::Position& position) {
  nn::Batch batch(backend.shape(), 1);
  nn::Evaluations out(backend.shape(), 1);
  add(position, batch);
  if (const auto done = backend.for_another_thread()->evaluate(batch, out); !done) out.value(0) = 0.5F;
  return out;
}

}  // namespace

Engine::Engine() : book_(std::random_device()()) {
  usi::add_common_options(options_);
  usi::add_mate_options(options_);
  LoadedNetwork::add_options(options_);
  add_settings(options_);
  usi::add_time_options(options_);
  usi::add_level_options(options_);
  book::Player::add_options(options_);
}

std::expected<void, std::string> Engine::get_ready() {
  if (auto loaded = network_.update(options_); !loaded) return loaded;
  const auto effective = network_.effective(options_);
  if (!effective) return std::unexpected(effective.error());
  common_ = usi::common_options(*effective);
  settings_ = settings_of(*effective);
  notes_ = network_.description();
  for (std::string& note : book_.update(options_)) notes_.push_back(std::move(note));
  try {
    if (tree_ == nullptr || tree_megabytes_ != common_.hash_mb) {
      tree_.reset();
      tree_ = std::make_unique<Tree>(common_.hash_mb * kMegabyte);
      tree_megabytes_ = common_.hash_mb;
      grown_.reset();
    }
    set_up_threads();
  } catch (const std::bad_alloc&) {
    tree_.reset();
    return std::unexpected(fmt::format("USI_Hash: there is no memory for {} MB", common_.hash_mb));
  }
  if (tree_->capacity() + kMegabyte < common_.hash_mb * kMegabyte) {
    notes_.push_back(fmt::format("USI_Hash: only {} MB can be used", tree_->capacity() / kMegabyte));
  }
  return {};
}

// A level is the same player on every machine: one thread, which knows what came of each position before it chooses the
// next one.
void Engine::set_up_threads() {
  const nn::Backend& backend = network_.backend();
  std::uint32_t batch =
      settings_.batch > 0 ? static_cast<std::uint32_t>(settings_.batch) : std::max(backend.best_batch(), 1U);
  int threads = common_.threads;
  if (level() != 0) threads = 1, batch = 1;
  std::vector<std::unique_ptr<nn::Backend>> backends;
  for (int i = 0; i < threads; ++i) backends.push_back(backend.for_another_thread());
  threads_ = std::make_unique<SearchThreads<ShogiGame>>(std::move(backends), batch);
  notes_.push_back(fmt::format("{} threads, batches of {}", threads, batch));
}

int Engine::level() const { return usi::level_of(options_, {}); }

std::vector<std::string> Engine::ready_notes() const { return notes_; }

void Engine::new_game() {
  if (tree_ != nullptr) tree_->clear();
  grown_.reset();
  choice_.seed(usi::level_seed(options_, std::random_device()()));
}

usi::BestMove Engine::book_move(const usi::Game& game, const usi::GoLimits& limits,
                                const std::function<void(const usi::Info&)>& report) {
  // A game that can be ended by a declaration needs no book; and a level would open like a master and go on as itself.
  const shogi::Position root = game.current();
  const auto requirement = shogi::DeclarationRequirement::of(common_.declaration, root);
  if (shogi::can_declare(root, requirement) || usi::level_of(options_, limits) != 0) return {};
  return book_.choose(game, limits, options_, report);
}

usi::SearchResult Engine::search(const usi::Game& game, const usi::GoLimits& limits, const usi::SearchControl& control,
                                 const std::function<void(const usi::Info&)>& report) {
  const shogi::Position root = game.current();
  const bool analysis = limits.infinite || common_.consideration;
  const auto requirement = shogi::DeclarationRequirement::of(common_.declaration, root);
  const auto declared = usi::win_by_declaration(root, requirement, report);
  if (declared && !analysis) return {.best = *declared};
  if (shogi::legal_moves(root).empty()) return {.best = {.kind = usi::BestMove::Kind::resign}};
  const auto plan = usi::TimePlan::make(limits, root.side_to_move(), root.ply(), usi::time_options(options_));
  if (const int number = usi::level_of(options_, limits); number != 0 && !declared) {
    return search_at_level(mcts::level(number), game, limits, control, plan, report);
  }
  const bool free = !analysis && !control.pondering() && common_.multi_pv == 1 && limits.searchmoves.empty();
  if (free && settings_.root_mate) {
    const std::int64_t max_moves = usi::time_options(options_).max_moves;
    if (auto mate = find_root_mate(root_solver_, game, max_moves, limits, plan, control, report)) return *mate;
  }
  const Manner manner{
      .lines = common_.multi_pv, .fresh = !settings_.reuse, .leaf_mate_plies = settings_.leaf_mate_plies};
  usi::SearchResult result = search_tree(game, limits, manner, control, plan, report);
  if (declared) result.best = *declared;
  return result;
}

usi::SearchResult Engine::search_at_level(const usi::Level& level, const usi::Game& game, const usi::GoLimits& limits,
                                          const usi::SearchControl& control, const usi::TimePlan& plan,
                                          const std::function<void(const usi::Info&)>& report) {
  const shogi::Position root = game.current();
  const usi::LevelMove move(level, common_.multi_pv, root,
                            moves_to_choose_from(root, limits.searchmoves, common_.generate_all));
  usi::GoLimits own = move.limits(limits);
  own.searchmoves = move.moves();
  const Manner manner{.lines = move.lines(), .fresh = true, .leaf_mate_plies = kLeafMateOfLevels};
  const auto tell = [&](const usi::Info& info) { move.tell(info, report); };
  const double random = std::uniform_real_distribution<double>()(choice_);
  return move.choose(search_tree(game, own, manner, control, plan, tell), random, report);
}

usi::SearchResult Engine::search_tree(const usi::Game& game, const usi::GoLimits& limits, const Manner& manner,
                                      const usi::SearchControl& control, const usi::TimePlan& plan,
                                      const std::function<void(const usi::Info&)>& report) {
  const shogi::Position root = game.current();
  // A search on the opponent's time before his move is for our move after it.
  const bool his_move = control.pondering() && common_.stochastic_ponder && limits.infinite;
  Grown grown{.game = game,
              .parameters = parameters_for(his_move ? ~root.side_to_move() : root.side_to_move()),
              .rules = rules_for(root, limits, manner)};
  const auto played = played_since(grown);
  const bool same = grown_ && grown_->parameters == grown.parameters && grown_->rules == grown.rules;
  if (!same || manner.fresh) tree_->clear();
  grown_.reset();
  ShogiGame at_root(game.start, game.moves, grown.rules);
  TreeSearch<ShogiGame> search(*tree_, grown.parameters, at_root);
  const bool analysis = limits.infinite || common_.consideration;
  const SearchTask task{.multi_pv = manner.lines,
                        .analysis = analysis,
                        .final_move = settings_.final_move,
                        .interval_ms = analysis ? 0 : common_.pv_interval_ms};
  Allowance allowance{.playouts = limits.nodes.value_or(usi::kForever)};
  SearchManager manager(task, limits, plan, control, report, search, allowance);
  auto done = threads_->prepare(search, played);
  if (done) {
    std::vector<MoveCode> wanted;
    for (const shogi::Move move : limits.searchmoves) wanted.push_back(move.bits());
    if (!wanted.empty()) search.restrict_to(wanted);
    if (task.multi_pv > 1) search.spread_over(task.multi_pv);
    if (limits.nodes && *limits.nodes <= settings_.halving_playouts && task.multi_pv == 1 && !analysis) {
      search.halve({.playouts = *limits.nodes});
    }
    done = threads_->play_out(search, allowance, [&] { manager.check(); });
  }
  if (!done) {
    tree_->clear();
    report({.text = "Error! the network cannot be computed any more: " + done.error()});
    return {};
  }
  grown_ = std::move(grown);
  return manager.conclude();
}

// Moves of the game since the root of the tree; the tree itself finds out whether it knows them.
std::optional<std::vector<MoveCode>> Engine::played_since(const Grown& now) const {
  if (!grown_) return std::nullopt;
  const auto& before = grown_->game.moves;
  const auto& moves = now.game.moves;
  const bool goes_on = grown_->game.start.same_as(now.game.start) && before.size() <= moves.size() &&
                       std::equal(before.begin(), before.end(), moves.begin());
  if (!goes_on) return std::nullopt;
  std::vector<MoveCode> played;
  for (std::size_t i = before.size(); i < moves.size(); ++i) played.push_back(moves[i].bits());
  return played;
}

Parameters Engine::parameters_for(shogi::Color us) const {
  Parameters parameters = settings_.parameters;
  // Even plies are Black's.
  const double draw = to_chance(common_.draw_value_cp[us]);
  parameters.draw[us] = draw;
  parameters.draw[~us] = 1 - draw;
  return parameters;
}

ShogiGame::Rules Engine::rules_for(const shogi::Position& root, const usi::GoLimits& limits,
                                   const Manner& manner) const {
  return {.declaration = shogi::DeclarationRequirement::of(common_.declaration, root),
          .max_moves = usi::time_options(options_).max_moves,
          .all_moves = common_.generate_all || !are_usual(root, limits.searchmoves),
          .mate_plies = manner.leaf_mate_plies};
}

usi::Checkmate Engine::solve_mate(const usi::Game& game, const usi::GoLimits& limits, const usi::SearchControl& control,
                                  const std::function<void(const usi::Info&)>& report) {
  return usi::answer_go_mate(mate_solver_, options_, game, limits, control, report);
}

int Engine::evaluate(const shogi::Position& position) {
  return to_centipawns(evaluate_one(network_.backend(), position).value(0));
}

std::vector<std::string> Engine::eval_lines(const shogi::Position& position) {
  const nn::Evaluations said = evaluate_one(network_.backend(), position);
  std::vector<std::string> lines = {fmt::format("eval = {} (centipawns, side to move), chance to win {:.4f}",
                                                to_centipawns(said.value(0)), said.value(0))};
  std::vector<std::pair<double, shogi::Move>> moves;
  double sum = 0;
  for (const shogi::Move move : shogi::legal_moves(position)) {
    moves.emplace_back(std::exp(said.logits(0)[label_of(move, position.side_to_move())]), move);
    sum += moves.back().first;
  }
  std::ranges::sort(moves, std::greater());
  for (std::size_t i = 0; i < std::min(kMoveLines, moves.size()); ++i) {
    lines.push_back(fmt::format("{:<6} {:.4f}", shogi::to_usi(moves[i].second), moves[i].first / sum));
  }
  return lines;
}

}  // namespace fuhyo::mcts
