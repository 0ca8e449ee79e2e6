// What spectators get to see, as the configuration says, and the store keeps; both kinds of node ask for it.
#pragma once

#include "server/app/config/config.h"
#include "server/app/serve/log.h"
#include "server/app/serve/start_error.h"
#include "server/net/http_server.h"
#include "server/store/store.h"

namespace fuhyo::app {

// An error: the folder of `web-root` has no pages, or the store cannot be read.
// `log` must outlive the user of the options.
Started set_pages(const ServeConfig& config, store::Store& store, Log& log, net::HttpOptions& options);

}  // namespace fuhyo::app
