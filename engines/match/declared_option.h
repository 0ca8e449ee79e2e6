// What an engine declared of an option in its greeting: "type spin default 5 min 1 max 9", "type combo default A var A
// var B". Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fuhyo::match {

// What the engine takes instead of that value, in words; nothing: it takes it, or has not said. Choices ignore case, as
// engines do.
std::optional<std::string> expected_instead(std::string_view declaration, std::string_view value);

}  // namespace fuhyo::match
