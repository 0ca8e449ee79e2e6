// The loop for NNUE networks (generation_loop.h). In its folder lie also
//
//   untrained.nn.bin, first.nn.bin       the network of the first games
//   generation-N/self-play.games         the games
//   generation-N/train/                  of engines/learn/train/trainer.h
#pragma once

#include <expected>
#include <stop_token>
#include <string>

#include "engines/learn/loop/config.h"
#include "engines/learn/loop/generation_loop.h"

namespace fuhyo::learn {

using LoopOptions = GenerationLoopOptions<LoopConfig>;  // the engine is fuhyo-nnue

std::expected<LoopResult, std::string> run_loop(const LoopOptions& options, const std::stop_token& stop);

}  // namespace fuhyo::learn
