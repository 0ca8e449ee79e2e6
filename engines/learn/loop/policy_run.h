// The loop for policy and value networks (generation_loop.h), whose training goes on with the weights of the best one
// and mixes in a teacher's samples. In its folder lie also
//
//   first.nn, first.checkpoint           the network of the first games
//   generation-N/self-play.hcpe3         the games
//   generation-N/train/                  of engines/learn/policy/trainer.h
#pragma once

#include <expected>
#include <stop_token>
#include <string>

#include "engines/learn/loop/generation_loop.h"
#include "engines/learn/loop/policy_config.h"

namespace fuhyo::learn {

using PolicyLoopOptions = GenerationLoopOptions<PolicyLoopConfig>;  // the engine is fuhyo-mcts

std::expected<LoopResult, std::string> run_policy_loop(const PolicyLoopOptions& options, const std::stop_token& stop);

}  // namespace fuhyo::learn
