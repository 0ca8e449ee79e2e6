// The key of all secrets (DATA/secret.key), and whether it is the one that the store belongs to. A store keeps the
// fingerprint of its key: under another one nobody's secret would be right, and players would be other players. Called
// while the server starts.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

#include "server/app/serve/start_error.h"
#include "server/core/journal.h"

namespace fuhyo::app {

struct Keys {
  std::string secrets;    // of all secrets of players
  std::string reconnect;  // of tokens that players reconnect with; empty: there are none
};

// By which a key can be told from others, and which tells nothing of it.
std::string key_fingerprint(std::string_view key);

// The fingerprint that the store has; empty: none yet.
std::string kept_fingerprint(const core::Recovery& stands);

// Whether the key in `file` is that of `kept`, if that is not empty; the refusal otherwise. `store`: its name, for it.
Started check_store_key(const std::filesystem::path& file, std::string_view store, std::string_view kept);

// The key in `file`; made if there is none and `kept` is empty. Refused, without touching the file: a key of another
// fingerprint, and none where there was one, unless `accept` says that the store is to go on with what is there.
std::expected<std::string, StartError> open_store_key(const std::filesystem::path& file, std::string_view store,
                                                      std::string_view kept, bool accept);

}  // namespace fuhyo::app
