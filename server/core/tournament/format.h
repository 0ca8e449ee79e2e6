// The one list of tournament formats. Each of them has its rules (format_rules.h) in a source of its own.
#pragma once

#include <algorithm>
#include <cstdint>

namespace fuhyo::core::tournament {

enum class Format : std::uint8_t {
  round_robin,  // everybody against everybody, `cycles` times
  swiss,        // `rounds` rounds; equal points meet, nobody meets twice
  knock_out,    // who loses a pairing is out
  gauntlet,     // the first `seeds` members against all the others, `cycles` times
  match,        // two members, `rounds` rounds
  open          // rounds of those who are there, paired as floodgate does
};

struct FormatRules;
namespace formats {
extern const FormatRules kRoundRobin, kSwiss, kKnockOut, kGauntlet, kMatch, kOpen;
}
struct FormatEntry {
  Format format;
  const FormatRules* rules;
};
inline constexpr FormatEntry kFormats[] = {
    {Format::round_robin, &formats::kRoundRobin},
    {Format::swiss, &formats::kSwiss},
    {Format::knock_out, &formats::kKnockOut},
    {Format::gauntlet, &formats::kGauntlet},
    {Format::match, &formats::kMatch},
    {Format::open, &formats::kOpen},
};

inline const FormatRules& rules_of(Format format) {
  return *std::ranges::find(kFormats, format, &FormatEntry::format)->rules;
}

}  // namespace fuhyo::core::tournament
