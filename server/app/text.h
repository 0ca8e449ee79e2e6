// Bytes of strangers made safe for logs, and times for people. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "server/core/ids.h"

namespace fuhyo::app {

// Printable ASCII as it is; every other byte, and the backslash, as \xNN: one event stays one line and no terminal
// obeys it.
std::string escape(std::string_view bytes);

// Text for people in their own language: control characters alone as \xNN, everything else as it is.
std::string escape_controls(std::string_view text);

// The inside of a JSON string, with controls as \u00NN: text in UTF-8 as it is; of other text every byte that is not
// printable ASCII as \u00NN.
std::string escape_json(std::string_view bytes);

// "2026-11-21T04:14:40.123456Z"
std::string utc(core::Wall wall);

// "LOGIN name *** x1": the line with the password of a LOGIN left out, however badly the line is formed.
std::string mask_password(std::string_view line);

}  // namespace fuhyo::app
