// A network that plays shogi, ready for use: loaded, fit for the planes and labels of shogi, and tried. One thread at a
// time.
//
// Beside the model, FILE.ini may say what it must think of a position (so may what the program carries); a network that
// thinks otherwise is refused, as it is not what its maker tried:
//   SelfTest_Position=SFEN       (default: the normal start)
//   SelfTest_Move=7g7f           the legal move with the highest logit
//   SelfTest_Value=0.53          the chance of the side to move to win
//   SelfTest_Tolerance=0.01      of the value (this is the default)
// Whatever it says, the back end must compute that position as the definition of the network does (nn/self_test.h);
// where that is not known, because ONNX Runtime has read the file, it must say numbers, and a chance from 0 to 1.
// Other names are the engine's options, left to the engine.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "engines/nn/loading.h"
#include "engines/shogi/position.h"

namespace fuhyo::mcts {

struct ShogiModel {
  std::unique_ptr<nn::Backend> backend;
  nn::ModelOptions options;  // without those of the self-test
  std::string description;   // one line for people: the network, what computes it, and what it said in its test
};

// An error is one line that says what was found and what was expected, and names the source if that does not fit.
std::expected<ShogiModel, std::string> load_shogi_model(const nn::ModelSource& source,
                                                        const nn::BackendChoice& choice = {});

// The legal move with the highest logit; no move if there is none.
shogi::Move best_move(const shogi::Position& position, std::span<const float> logits);

}  // namespace fuhyo::mcts
