// YAML as shogi-server's Ruby writes it: what its files have in common. Included by the readers of those files only.
// Pure functions; any thread; nothing throws out of this room.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <yaml-cpp/yaml.h>

#include "server/core/ids.h"
#include "server/core/server.h"
#include "server/store/file_fault.h"

namespace fuhyo::store {

// A YAML file under its name. What read_yaml() calls may throw a YAML::Exception or fail(): both become a FileFault
// with the line.
class YamlFault : public YAML::Exception {
 public:
  using YAML::Exception::Exception;
};
[[noreturn]] void fail(const YAML::Node& node, const std::string& text);

template <class Value>
std::expected<Value, FileFault> read_yaml(std::string_view text, const std::string& file,
                                          const std::function<Value(const YAML::Node&)>& take) {
  try {
    return take(YAML::Load(std::string(text)));
  } catch (const YAML::Exception& error) {
    const std::size_t line = error.mark.is_null() ? 0 : static_cast<std::size_t>(error.mark.line) + 1;
    return std::unexpected(FileFault{file, line, error.msg});
  }
}

// The values below fail() where the node is something else.
std::string yaml_text(const YAML::Node& node, std::string_view what);  // a scalar that is not null
double yaml_number(const YAML::Node& node, std::string_view what);     // finite
std::int64_t yaml_integer(const YAML::Node& node, std::string_view what);
core::Wall yaml_time(const YAML::Node& node, std::string_view what);  // "2025-12-24 04:51:09.000000000 +09:00"
// The value under a key, or under the Ruby symbol of that name (":game_id"); undefined if there is none.
YAML::Node yaml_member(const YAML::Node& map, std::string_view key);
// The same, but fails where there is none.
YAML::Node yaml_required(const YAML::Node& map, std::string_view key);

// How Ruby writes them.
std::string ruby_float(double value);  // "849.0", "6.3569006125014385", "1.0e-05"
std::string ruby_time(core::Wall wall, const core::TimeZone& zone);
std::string ruby_string(std::string_view text);  // quoted where it could be taken for something else

}  // namespace fuhyo::store
