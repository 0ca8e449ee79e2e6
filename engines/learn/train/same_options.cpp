#include "engines/learn/train/same_options.h"

#include <fmt/format.h>
#include <string_view>

#include <boost/json.hpp>

namespace fuhyo::learn {

namespace json = boost::json;

std::optional<std::string> differing_option(const json::object& then, const json::object& mine) {
  // Written and read again, so that numbers compare as texts do.
  const json::value again = json::parse(json::serialize(mine));
  for (const auto& [key, value] : again.as_object()) {
    const json::value* const before = then.if_contains(key);
    if (before != nullptr && *before == value) continue;
    return fmt::format("it was trained with {} {}, not {}", std::string_view(key),
                       before == nullptr ? "unknown" : json::serialize(*before), json::serialize(value));
  }
  return std::nullopt;
}

}  // namespace fuhyo::learn
