// What goes over the administration socket: one JSON object a line each way. Pure; any thread.
//   -> {"line":"pause 12 power cut"}
//   <- {"ok":true,"text":"game 12 is paused","columns":[],"rows":[]}
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "server/core/effects.h"

namespace fuhyo::app {

inline std::filesystem::path admin_socket_path(const std::filesystem::path& data) { return data / "admin.sock"; }
// Of a standby, which only says that it is one: the folder may be the active server's, too.
inline std::filesystem::path spare_socket_path(const std::filesystem::path& data) { return data / "spare.sock"; }

// Without the line end. Bytes that are no UTF-8 become U+FFFD.
std::string admin_request(std::string_view line);
std::string admin_answer(const core::AdminResult& result);
// Nothing: it is no such object.
std::optional<std::string> read_admin_request(std::string_view json);
std::optional<core::AdminResult> read_admin_answer(std::string_view json);

}  // namespace fuhyo::app
