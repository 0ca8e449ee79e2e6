// Lists of results as shogi-server and this server keep them (00LIST, 00LIST.floodgate, 00LIST.others) and as
// mk_game_results prints them: a finished game a line, eight fields with TABs between them. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "server/core/games/game_terms.h"

namespace fuhyo::store {

// Fields are parts of the line that was parsed, blanks at its ends left out.
struct ResultLine {
  std::string_view ended;  // "YYYY/MM/DD hh:mm:ss", local
  std::string_view kind;   // shogi-server's summary type
  core::Outcome outcome{};
  std::string_view black, white;      // ids, or names without a trip
  std::string_view record;            // path of the record file
  std::optional<std::int32_t> plies;  // old lists lack it
};

std::string_view strip(std::string_view line);  // as Ruby's strip, which mk_rate reads lines with
std::expected<ResultLine, std::string> parse_result_line(std::string_view line);
std::string to_string(const ResultLine& line);  // with the line end

}  // namespace fuhyo::store
