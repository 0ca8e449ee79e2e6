// Loads the network of an engine's options. One thread at a time.
//
// DNN_Model: a file of a network (ONNX, or our own), in EvalDir unless it says where; looked for from the working
// directory, then beside the program. Where it is empty, or neither says anything and there is no such file, the
// network that is built in takes its place. DNN_Backend: what computes it. FILE.ini beside the file, or built in with
// the network, may set options that nobody has set.
#pragma once

#include <expected>
#include <string>
#include <utility>
#include <vector>

#include "engines/mcts/engine/built_in.h"
#include "engines/mcts/shogi/shogi_model.h"
#include "engines/usi/options.h"

namespace fuhyo::mcts {

class LoadedNetwork {
 public:
  explicit LoadedNetwork(nn::ModelSource built_in = built_in_network()) : built_in_(std::move(built_in)) {}
  static void add_options(usi::OptionTable& options);

  // Loads the network of the options, unless it is already loaded. After an error there is none. An error says how to
  // fix it.
  std::expected<void, std::string> update(const usi::OptionTable& options);

  // The rest only after a successful update().
  const nn::Backend& backend() const { return *model_.backend; }
  // For people.
  std::vector<std::string> description() const;
  // The options as they are, completed by those that go with the network. An error names the ini.
  std::expected<usi::OptionTable, std::string> effective(const usi::OptionTable& options) const;

 private:
  std::expected<void, std::string> take_none();

  nn::ModelSource built_in_;
  ShogiModel model_;
  std::string ini_name_;
  std::string identity_;  // of what is loaded
};

}  // namespace fuhyo::mcts
