// Tables of a TOML file of settings. One thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <type_traits>

#include "engines/learn/setting.h"
#include "engines/machine/toml_table.h"

namespace fuhyo::learn {

// The file's text as a table. An error names the file and the line.
using machine::parse_toml;

// Whether the text has a table of this name. False for what cannot be read, too.
inline bool has_table(std::string_view text, std::string_view name) {
  const toml::parse_result parsed = toml::parse(text);
  return parsed && parsed.table().contains(name);
}

// A table of the file, as a visitor of fields() (engines/learn/setting.h), too.
class SettingsTable : public machine::TomlTable {
 public:
  using TomlTable::TomlTable;

  static constexpr bool kReads = true;
  template <class T>
  void operator()(T& to, const Setting& setting) {
    if (!setting.toml) return;
    if constexpr (std::is_enum_v<T>) {
      word(setting.name, [&](const std::string& word) {
        const auto value = value_named<T>(word);
        to = value.value_or(to);
        return value ? std::string() : fmt::format("'{}'", fmt::join(names_of(to), "' or '"));
      });
    } else if constexpr (std::is_integral_v<T>) {
      integer(setting.name, to, static_cast<std::int64_t>(setting.least), static_cast<std::int64_t>(setting.most));
    } else {
      real(setting.name, to, setting.least, setting.most);
    }
  }
};

}  // namespace fuhyo::learn
