// Reading the journal: at start-up what is unfinished, later whatever a reader asks for. See connection.h for threads.
#pragma once

#include <expected>
#include <string>

#include "server/core/facts.h"
#include "server/core/journal.h"
#include "server/store/batch.h"
#include "server/store/postgres/connection.h"

namespace fuhyo::store {

// A row of "SELECT seq, kind, version, payload" as a fact; the error names the row.
std::expected<core::Journaled, std::string> read_fact(const PgRows& rows, int row);

// Fills `out`, and `live` with the same unfinished games.
std::expected<void, std::string> recover(PgConnection& connection, core::Recovery& out, LiveGames& live);

}  // namespace fuhyo::store
