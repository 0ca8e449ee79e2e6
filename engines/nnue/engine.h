// fuhyo-nnue as an engine of the USI loop: its options, its memory, and one search at a time.
#pragma once

#include <random>

#include "engines/book/player.h"
#include "engines/mate/solver.h"
#include "engines/nnue/net/loading.h"
#include "engines/nnue/search/searcher.h"
#include "engines/usi/engine.h"
#include "engines/usi/table_exchange.h"

namespace fuhyo::nnue {

class Engine final : public usi::Engine {
 public:
  Engine();

  std::string name() const override { return "Fuhyo NNUE"; }
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
  usi::TableExchange* table_exchange() override { return &exchange_; }
  int evaluate(const shogi::Position& position) override;
  std::vector<std::string> eval_lines(const shogi::Position& position) override;
  usi::GoLimits bench_limits() const override { return {.depth = 7}; }

 private:
  int threads() const;
  // A level is one player everywhere, and noise is a game's own: neither tells others, nor is told.
  bool plays_alone() const;
  std::size_t take(std::span<const usi::TableEntry> entries);
  SearchTask make_task(const usi::Game& game, const shogi::Position& root, const usi::GoLimits& limits) const;

  usi::OptionTable options_;
  LoadedNetwork network_;
  book::Player book_;
  std::vector<std::string> book_notes_;  // of the last get_ready()
  Searcher searcher_;
  usi::TableExchange exchange_{options_, [this](auto entries) { return take(entries); }};
  mate::Solver mate_solver_;                        // takes its memory when it is first asked
  std::uint64_t noise_seed_ = 0;                    // of this game
  std::mt19937_64 choice_{std::random_device()()};  // of a level's moves in this game
};

}  // namespace fuhyo::nnue
