// What `fuhyo setup` writes: the files of its answers. Any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "server/app/config/operators.h"
#include "server/app/setup/questions.h"

namespace fuhyo::app {

inline constexpr const char *kSetupConfig = "fuhyo.toml", *kSetupEvent = "tournament.toml";

struct SetupPlace {
  std::filesystem::path folder;
  int csa_port = 0, http_port = 0;
  std::string nnue, mcts;  // paths of the engines; mcts may be empty
};

// The configuration of `fuhyo serve`, with a comment in the language a line; and the event for `fuhyo tournament new`.
std::string setup_config(const Answers& answers, const SetupPlace& place, const Operator& post, Language language);
std::string setup_event(const Answers& answers, Language language);

// Both files, whole and durable, or none; none where one is there already. They are checked as `fuhyo config check` and
// `fuhyo tournament check` do. The configuration, which has the hash of a secret, is 0600.
std::expected<void, std::string> write_setup(const std::filesystem::path& folder, const std::string& config,
                                             const std::string& event);

}  // namespace fuhyo::app
