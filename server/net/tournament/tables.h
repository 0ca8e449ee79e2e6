// Tables of tournaments as files and pages of their own: CSV, JSON and HTML. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "server/core/tournament/tables.h"

namespace fuhyo::net {

// A line a row: rank, number, name, id, points, a column a tie-break, performance and its error, then a column a round
// or an opponent with the cells of core's text (csv_text.h has the rest of the format).
std::string table_csv(const core::tournament::Table& table, core::tournament::View view,
                      core::tournament::Language language);

// Everything that there is to know, in both languages; docs/tournaments.md lists the keys.
std::string table_json(const core::tournament::Table& table);

// A whole page that needs no other file, light and dark, for any number of tables. Each game links to `record_link`
// with the id of its record behind it, if that is not empty.
std::string tables_html(std::span<const core::tournament::Table> tables, core::tournament::Language language,
                        std::string_view record_link);

}  // namespace fuhyo::net
