// The headers of KIF, KI2 and JKF ("先手：...", "持ち時間：..."): to and from the fields of a Game. Pure functions; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/record/game.h"

namespace fuhyo::record {

// Sets the field that the header is about; one that has no field, or whose value is no such thing, is kept among the
// others as it is written. 手合割 is none of them: see KifSetupReader.
void set_header(Game& game, std::string_view key, std::string_view value);

// What set_header() would be told to make the same game, in the order in which it is usual to write it. Both names are
// there even if they are empty.
std::vector<Header> headers_of(const Game& game);

// "各10分", "1時間30分", "15分＋秒読み30秒", "5分＋1手10秒加算"; nothing for anything that says more, or less.
std::optional<TimeControl> parse_kif_time(std::string_view text);
std::string format_kif_time(const TimeControl& time);  // "1時間30分＋秒読み30秒"

// How long a move took: "0:12", "1:02:03" (hours), " 0:01.5"; nothing for other text.
std::optional<std::int64_t> parse_spent(std::string_view text);

}  // namespace fuhyo::record
