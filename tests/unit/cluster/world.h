// A cluster of scripted engines, in a time that the test lets pass.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engines/cluster/cluster.h"
#include "engines/members/own_checks.h"
#include "tests/unit/members/scripted_engine.h"

namespace fuhyo::cluster {

using members::mv;
using members::Script;
using members::ScriptedEngine;

class World : public members::ScriptedEngines {
 public:
  explicit World(const std::vector<Script>& scripts, const Modes& modes = {}, const std::vector<Role>& roles = {})
      : ScriptedEngines(scripts) {
    std::vector<Cluster::Node> nodes;
    for (const auto& engine : engines) {
      const Role role = nodes.size() < roles.size() ? roles[nodes.size()] : Role::search;
      nodes.push_back({.member = &engine->member, .role = role});
    }
    cluster = std::make_unique<Cluster>(modes, nodes);
  }

  static Request request(const usi::Game& game, const usi::GoLimits& limits = {.movetime_ms = 1'000},
                         const usi::TimeOptions& time = {.whole_seconds = false}) {
    const shogi::Position root = game.current();
    return {.game = game,
            .moves = playable_moves(root, limits.searchmoves),
            .limits = limits,
            .plan = usi::TimePlan::make(limits, root.side_to_move(), root.ply(), time),
            .pondering = limits.ponder,
            .analysis = limits.infinite};
  }
  static Request request(const std::string& position, const usi::GoLimits& limits = {.movetime_ms = 1'000}) {
    return request(*usi::parse_position(position), limits);
  }

  void begin(Request asked) {
    begun = now;
    cluster->begin(std::move(asked), now, now);
    pass();
  }
  // Lets so much time pass, or until there is an outcome.
  bool run(std::int64_t ms) {
    const std::int64_t end = now + ms;
    while (!cluster->outcome() && now < end) {
      ++now;
      pass();
      cluster->look(now);
      pass();
    }
    return cluster->outcome().has_value();
  }
  // The whole move.
  const Outcome& decide(Request asked, std::int64_t most_ms = 100'000) {
    begin(std::move(asked));
    run(most_ms);
    if (!cluster->outcome()) cluster->stop(now), run(1'000);
    return *cluster->outcome();
  }
  std::int64_t spent() const { return now - begun; }
  std::string move() const { return shogi::to_usi(cluster->outcome()->move); }
  std::size_t heard(std::size_t engine, std::string_view what) const { return engines[engine]->count(what); }

  std::unique_ptr<Cluster> cluster;
  std::int64_t begun = 0;

 private:
  static std::vector<shogi::Move> playable_moves(const shogi::Position& root, std::span<const shogi::Move> wanted) {
    return fuhyo::members::playable_moves(root, wanted);
  }
};

}  // namespace fuhyo::cluster
