// Tables of tournaments as files and pages of their own: CSV, JSON and HTML. Pure; any thread.
#pragma once

#include <functional>
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

// The address, as a page has it, of the record of a game with this id (not empty); empty: no link.
using RecordLink = std::function<std::string(std::string_view record)>;
// All but letters, digits and "-._~" as %XX: a part of an address.
std::string url_escaped(std::string_view text);

// A whole page that needs no other file, light and dark, for any number of tables. Each game links to its record.
std::string tables_html(std::span<const core::tournament::Table> tables, core::tournament::Language language,
                        const RecordLink& link);
// Each game links to `before` with the id of its record behind it. Empty: none does.
std::string tables_html(std::span<const core::tournament::Table> tables, core::tournament::Language language,
                        std::string_view before);

}  // namespace fuhyo::net
