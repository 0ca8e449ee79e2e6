// fuhyo-mcts as an engine of the USI loop: its options, its tree, and one search at a time.
#pragma once

#include <optional>
#include <random>

#include "engines/book/player.h"
#include "engines/mate/solver.h"
#include "engines/mcts/engine/network.h"
#include "engines/mcts/engine/settings.h"
#include "engines/mcts/shogi/shogi_game.h"
#include "engines/mcts/tree/search_threads.h"
#include "engines/usi/common_options.h"
#include "engines/usi/engine.h"
#include "engines/usi/levels.h"
#include "engines/usi/time_manager.h"

namespace fuhyo::mcts {

class Engine final : public usi::Engine {
 public:
  Engine();

  std::string name() const override { return "Fuhyo MCTS"; }
  std::string author() const override { return "the Fuhyo developers"; }
  usi::OptionTable& options() override { return options_; }
  std::expected<void, std::string> get_ready() override;
  std::vector<std::string> ready_notes() const override;
  void new_game() override;
  usi::BestMove book_move(const usi::Game& game, const usi::GoLimits& limits,
                          const std::function<void(const usi::Info&)>& report) override;
  usi::SearchResult search(const usi::Game& game, const usi::GoLimits& limits, const usi::SearchControl& control,
                           const std::function<void(const usi::Info&)>& report) override;
  usi::Checkmate solve_mate(const usi::Game& game, const usi::GoLimits& limits, const usi::SearchControl& control,
                            const std::function<void(const usi::Info&)>& report) override;
  int evaluate(const shogi::Position& position) override;
  std::vector<std::string> eval_lines(const shogi::Position& position) override;
  usi::GoLimits bench_limits() const override { return {.nodes = 2'000}; }

 private:
  // What the tree was grown by: with anything else, it says nothing.
  struct Grown {
    usi::Game game;
    Parameters parameters;
    ShogiGame::Rules rules;
  };

  // How the tree is searched.
  struct Manner {
    int lines = 1;       // MultiPV
    bool fresh = false;  // nothing is known of the position from before
    int leaf_mate_plies = 0;
  };

  usi::SearchResult search_tree(const usi::Game& game, const usi::GoLimits& limits, const Manner& manner,
                                const usi::SearchControl& control, const usi::TimePlan& plan,
                                const std::function<void(const usi::Info&)>& report);
  usi::SearchResult search_at_level(const usi::Level& level, const usi::Game& game, const usi::GoLimits& limits,
                                    const usi::SearchControl& control, const usi::TimePlan& plan,
                                    const std::function<void(const usi::Info&)>& report);
  Parameters parameters_for(shogi::Color us) const;
  ShogiGame::Rules rules_for(const shogi::Position& root, const usi::GoLimits& limits, const Manner& manner) const;
  int level() const;  // 0: none
  std::optional<std::vector<MoveCode>> played_since(const Grown& now) const;
  void set_up_threads();

  usi::OptionTable options_;
  usi::CommonOptions common_;  // these two as they were at the last get_ready()
  Settings settings_;
  LoadedNetwork network_;
  book::Player book_;
  std::vector<std::string> notes_;
  std::unique_ptr<Tree> tree_;
  std::size_t tree_megabytes_ = 0;
  std::unique_ptr<SearchThreads<ShogiGame>> threads_;
  std::optional<Grown> grown_;
  mate::Solver mate_solver_;  // each takes its memory when it is first asked
  mate::Solver root_solver_;
  std::mt19937_64 choice_{std::random_device()()};  // of a level's moves in this game
};

}  // namespace fuhyo::mcts
