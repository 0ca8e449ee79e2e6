// What `fuhyo store` does to a store: each a run of the command, which says on the terminal what became of it. The
// value is the exit code.
#pragma once

#include <string>

#include "server/store/store.h"

namespace fuhyo::app {

int export_store(store::Store& store, const std::string& file, bool replace);
int import_store(store::Store& store, const std::string& file);
int backup_store(store::Store& store, const std::string& file, bool replace);
int verify_store(store::Store& store);
// An export, or a backup of SQLite. What cannot be opened is a fault of it.
int verify_file(const std::string& file);

}  // namespace fuhyo::app
