// What reader and writer of CSA files share: versions, the names of ends and headers, numbers and times.
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engines/record/game.h"

namespace fuhyo::record {

// V1 files carry no version line.
enum class CsaVersion : std::uint8_t { v1, v2, v2_1, v2_2, v3_0 };
std::string_view to_string(CsaVersion version);  // "", "V2", "V2.1", "V2.2", "V3.0"
std::optional<CsaVersion> csa_version(std::string_view line);

// "TORYO" and the like, without the percent sign; "" for none and other.
std::string_view csa_end_name(EndKind kind);
EndKind csa_end_kind(std::string_view name);  // other if unknown

// Seconds with up to three decimals ("12", "0.123"; further digits are cut) to milliseconds.
// Nothing for other text or more than nine digits before the point.
std::optional<std::int64_t> parse_seconds(std::string_view text);
std::string format_seconds(std::int64_t ms);  // "12", "0.123"

std::optional<TimeControl> parse_time_limit(std::string_view text);     // "HH:MM+SS" of $TIME_LIMIT
std::optional<TimeControl> parse_time(std::string_view text);           // "total+byoyomi+increment" of V3's $TIME
std::optional<std::string> format_time_limit(const TimeControl& time);  // nothing if it cannot be said so
std::string format_time(const TimeControl& time);

}  // namespace fuhyo::record
