// Loads the network of an engine's options, and describes it. One thread at a time.
//
// EvalDir, EvalFile: the file is EvalFile, or EvalDir/nn.bin if that is empty. If neither is set and there is no such
// file, the built-in network is used. FV_SCALE: the divisor of the network's output. SimdPath: the instruction set to
// use.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "engines/nnue/net/evaluator.h"
#include "engines/shogi/position.h"
#include "engines/usi/options.h"

namespace fuhyo::nnue {

class LoadedNetwork {
 public:
  static void add_options(usi::OptionTable& options);

  // Loads the network of the options, unless it is already loaded. After an error there is none.
  std::expected<void, std::string> update(const usi::OptionTable& options);

  // The rest only after a successful update().
  const std::shared_ptr<const Network>& network() const { return network_; }
  const Kernels& kernels() const { return *kernels_; }
  int fv_scale() const { return fv_scale_; }
  // One line for people: the loaded network, and remarks about its file.
  std::string description() const;

  // Equal wherever positions have the same keys and the same values, by those after all moves of two positions.
  std::uint64_t fingerprint() const;

  // The value of a position for the side to move, without search: a pawn is about 90. In check, too.
  int value(const shogi::Position& position) const;
  // The output of "eval".
  std::vector<std::string> eval_lines(const shogi::Position& position) const;

 private:
  std::shared_ptr<const Network> network_;
  const Kernels* kernels_ = nullptr;
  int fv_scale_ = 16;
  std::string file_;      // empty: built in
  std::string identity_;  // of the file: its time and size
};

// A network's output as a value (a pawn is about 90), a value in hundredths of a pawn, both truncated toward zero, and
// the chance to win.
constexpr int to_value(std::int32_t raw, int fv_scale) { return raw / fv_scale; }
constexpr int to_centipawns(int value) { return value * 100 / 90; }
double to_win_rate(int value);

}  // namespace fuhyo::nnue
