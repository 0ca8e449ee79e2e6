// fuhyo-mix as an engine of the USI loop: several engines that decide together.
#pragma once

#include "engines/members/member_pool.h"
#include "engines/mix/decision_log.h"
#include "engines/mix/settings.h"
#include "engines/mix/vote.h"
#include "engines/usi/common_options.h"
#include "engines/usi/engine.h"

namespace fuhyo::mix {

using members::MemberPool;

class Engine final : public usi::Engine {
 public:
  // `beside`: the folder in which members are looked for first.
  explicit Engine(std::string beside);

  std::string name() const override { return "Fuhyo Mix"; }
  std::string author() const override { return "the Fuhyo developers"; }
  usi::OptionTable& options() override { return options_; }
  std::expected<void, std::string> get_ready() override;
  std::vector<std::string> ready_notes() const override { return notes_; }
  void new_game() override;
  usi::SearchResult search(const usi::Game& game, const usi::GoLimits& limits, const usi::SearchControl& control,
                           const std::function<void(const usi::Info&)>& report) override;
  usi::Checkmate solve_mate(const usi::Game& game, const usi::GoLimits& limits, const usi::SearchControl& control,
                            const std::function<void(const usi::Info&)>& report) override;
  // USI has no question for it: 0, and "eval" says so.
  int evaluate(const shogi::Position&) override { return 0; }
  std::vector<std::string> eval_lines(const shogi::Position& position) override;
  usi::GoLimits bench_limits() const override { return {.nodes = 2'000}; }

 private:
  VoteResult vote(VoteOptions options, const usi::SearchControl& control,
                  const std::function<void(const usi::Info&)>& report);
  VoteOptions vote_options(const usi::Game& game, const usi::GoLimits& limits, bool pondering) const;
  void log(const std::string& line, const std::function<void(const usi::Info&)>& report);
  usi::SearchResult conclude(const usi::Game& game, const VoteResult& vote_result, bool played,
                             const std::function<void(const usi::Info&)>& report, std::int64_t time_ms);

  const std::string beside_;
  usi::OptionTable options_;
  usi::CommonOptions common_;  // these two as they were at the last get_ready()
  Settings settings_;
  DecisionLog log_;
  MemberPool pool_;
  std::vector<std::string> notes_;
  bool able_ = false;    // the last get_ready() succeeded, and nothing failed since
  bool played_ = false;  // since then
};

}  // namespace fuhyo::mix
