// fuhyo-cluster as an engine of the USI loop: the nodes of a cluster that think as one engine.
#pragma once

#include <optional>

#include "engines/cluster/cluster.h"
#include "engines/cluster/cluster_file.h"
#include "engines/members/member_pool.h"
#include "engines/usi/common_options.h"
#include "engines/usi/engine.h"

namespace fuhyo::cluster {

// The nodes of the file as members, with the values of the common options.
std::vector<members::MemberConfig> configs_of(const ClusterFile& file, const usi::OptionTable& table);
// Reads it; an error names it.
std::expected<ClusterFile, std::string> read_cluster_file(const std::string& file, const std::string& beside);

class Engine final : public usi::Engine {
 public:
  // `beside`: the folder in which nodes' programs are looked for first. `ranks`: of an MPI job, beside this one's;
  // then `spawn` starts nodes there.
  explicit Engine(std::string beside, int ranks = 0, members::MemberPool::Spawn spawn = &usi::ChildProcess::spawn);

  std::string name() const override { return "Fuhyo Cluster"; }
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
  std::expected<void, std::string> start();
  Request request_of(const usi::Game& game, const usi::GoLimits& limits, bool pondering) const;
  void run(Request request, const usi::SearchControl& control, const std::function<void(const usi::Info&)>& report);

  const std::string beside_;
  const int ranks_;
  usi::OptionTable options_;
  usi::CommonOptions common_;  // these two as they were at the last get_ready()
  ClusterFile file_;
  std::optional<Cluster> cluster_;
  members::MemberPool pool_;  // below: its threads may use the cluster
  std::vector<std::string> notes_;
  bool able_ = false;    // the last start() succeeded
  bool played_ = false;  // since then
};

}  // namespace fuhyo::cluster
