// What operators ask for and only files can answer: results, records, the audit log. Runs on a thread of its own:
// reading may take a while. Pure but for the files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/effects.h"
#include "server/store/store.h"

namespace fuhyo::app {

struct AdminFiles {
  store::Store& store;
  std::filesystem::path records;
};

// `verb` is results, export or audit.
core::AdminResult ask_files(const AdminFiles& files, std::string_view verb, const std::string& rest);

// Who scored how much against whom: rows by points (a draw is half a point), then by name. Games without a result do
// not count.
core::AdminResult cross_table(const std::vector<store::ArchivedGame>& games);

}  // namespace fuhyo::app
