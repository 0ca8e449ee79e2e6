// The text of an event's file as a host gives it by a command, on one line: what it means, and a file made of it, so
// that an event needs no shell. Reads and writes files; any thread.
#pragma once

#include <filesystem>
#include <string_view>

#include "server/core/effects.h"

namespace fuhyo::app {

// "[ja] TEXT", the text with \n, \t and \\ for line ends, TABs and backslashes: what it means, a line a row; or what is
// wrong with it, with the lines. Times are those of the zone. What this server would not announce is wrong, too.
core::AdminResult check_event_text(std::string_view rest, const core::TimeZone& zone = {});

// "BEGUN FILE TEXT": TEXT becomes DATA/tournaments/FILE, whole or as it was. Refused: a text that check_event_text()
// refuses, and where the text or the file that it would replace is one of the events BEGUN ("cup,club"; "-": none),
// whose settings stay.
core::AdminResult write_event_text(const std::filesystem::path& data, std::string_view rest);

}  // namespace fuhyo::app
