// The rules of the core, as the configuration says them now, with the keys of this server: only with both the keys and
// the store can somebody guess secrets. Any thread.
#pragma once

#include "server/app/config/config.h"
#include "server/app/serve/store_key.h"
#include "server/core/server.h"

namespace fuhyo::app {

core::Rules game_rules(const ServeConfig& config, const Keys& keys);

}  // namespace fuhyo::app
