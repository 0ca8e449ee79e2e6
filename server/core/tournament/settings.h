// An event as settings: "stage[0].division[1].rounds" = "9". That is what a TOML file comes to without its syntax
// (server/app/tournament), what is kept of an event in the journal, and what read_event() makes an event of. Pure.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/tournament/event.h"

namespace fuhyo::core::tournament {

// A value of a list has the key of the list; its values follow one another.
struct Setting {
  std::string key, value;
  int line = 0;  // of the file, from 1; 0: not known
  bool operator==(const Setting&) const = default;
};

// Of one event. Strangers do not write them, but an operator may paste anything.
inline constexpr std::size_t kMostSettings = 10'000, kMostSettingBytes = 4096;

struct Problem {
  int line = 0;
  std::string text;  // "rouns: there is no such setting; did you mean 'rounds'?"
  bool operator==(const Problem&) const = default;
};

// All that is wrong, in the order of lines: unknown keys, values that are none, and what no event can be (a Swiss
// without rounds, more rounds than opponents, divisions that take more than there are).
std::expected<Event, std::vector<Problem>> read_event(std::span<const Setting> settings);

// What is wrong with the groups of an entrant; nothing: they are good.
std::optional<std::string> groups_fault(std::span<const std::string> groups);

// One line a setting: key, TAB, value; backslash, TAB and line feed escaped. parse_settings() fails on nothing that
// settings_text() writes; the lines are counted from 1.
std::string settings_text(std::span<const Setting> settings);
std::expected<std::vector<Setting>, std::string> parse_settings(std::string_view text);
// Text of several lines that stands on one: \\n, \\t and \\\\ as what they mean. Nothing: a backslash before anything
// else.
std::optional<std::string> unescaped(std::string_view text);

}  // namespace fuhyo::core::tournament
