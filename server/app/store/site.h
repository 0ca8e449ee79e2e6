// Games as a folder of files: the pages (web/src/site.ts) and what the API answers, for any static host and for
// file://. Needs no running server, and disturbs none. One thread.
#pragma once

#include <string>

#include "server/app/config/config.h"

namespace fuhyo::app {

struct SiteWish {
  std::string folder;   // is made; must not be there, or be empty
  std::string games;    // which: a query of /api/v1/games, "event=cup-*"
  std::string event;    // whose page is the first one; empty: the list of the games is
  std::string address;  // where the folder will be, "https://example.org/cup", for cards of links; empty: not known
};
// Of the store of this configuration, as spectators see it. Says on the terminal what became of it, and returns the
// exit code.
int write_site(ServeConfig config, const SiteWish& wish);

}  // namespace fuhyo::app
