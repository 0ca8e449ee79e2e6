// Reading the journal: at start-up what is unfinished, later whatever a projection asks for.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "server/core/facts.h"
#include "server/core/journal.h"
#include "server/store/batch.h"
#include "server/store/sqlite/database.h"

namespace fuhyo::store {

// A row of "SELECT seq, kind, version, payload" as a fact; the error names the row.
std::expected<core::Journaled, std::string> read_fact(const Statement& row);

// Fills `out`, and `live` with the same unfinished games.
std::expected<void, std::string> recover(Database& db, core::Recovery& out, LiveGames& live);

}  // namespace fuhyo::store
