// The network that an engine's options ask for. One thread at a time.
//
// DNN_Model: a file of a network (ONNX, or our own), in EvalDir unless it says where; looked for from the working
// directory, then beside the program. DNN_Backend: what computes it. Beside the file, FILE.ini may set options that
// nobody has set.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engines/mcts/shogi/shogi_model.h"
#include "engines/usi/options.h"

namespace fuhyo::mcts {

class LoadedNetwork {
 public:
  static void add_options(usi::OptionTable& options);

  // Loads what the options ask for, unless it is what is loaded already. After an error there is none. An error says
  // what to do about it.
  std::expected<void, std::string> update(const usi::OptionTable& options);

  // The rest only after an update() that succeeded.
  const nn::Backend& backend() const { return *model_.backend; }
  // For people.
  std::vector<std::string> description() const;
  // The options as they are, completed by those that go with the network. An error names the file.
  std::expected<usi::OptionTable, std::string> effective(const usi::OptionTable& options) const;

 private:
  ShogiModel model_;
  std::filesystem::path file_;  // empty: no network
  std::string identity_;        // of what is loaded
};

}  // namespace fuhyo::mcts
