// A setting, described once for all that read and write it. Beside each struct of settings stands a function
// fields(visitor, struct), which calls visitor(member, Setting) for each setting in the order of its JSON. Visitors:
// flags of a command (commands/setting_flags.h), tables of TOML (loop/settings_table.h), JSON (setting_json.h, and
// generate/job_text.h to read it). An enumeration has names_of(), its words in the order of its values. Values; any
// thread.
#pragma once

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include "engines/shogi/enum_names.h"

namespace fuhyo::learn {

struct Setting {
  std::string_view name;            // the key in TOML: draw_at_ply
  std::string_view help{};          // of the flag, {} in it is the value unless said; empty: there is no flag
  double least = 0, most = 0;       // both included; 0 and 0: no limits
  std::string_view flag{}, json{};  // empty: --draw-at-ply and drawAtPly
  bool toml = true;                 // whether it is a key of TOML

  std::string flag_name() const {
    if (!flag.empty()) return std::string(flag);
    std::string out = "--" + std::string(name);
    std::ranges::replace(out, '_', '-');
    return out;
  }
  std::string json_key() const {
    if (!json.empty()) return std::string(json);
    std::string out;
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (name[i] != '_') out += i > 0 && name[i - 1] == '_' ? static_cast<char>(std::toupper(name[i])) : name[i];
    }
    return out;
  }
};

// The value of an enumeration that the word means; nothing if there is none.
template <class Enum>
std::optional<Enum> value_named(std::string_view word) {
  return shogi::value_named<Enum>(names_of(Enum{}), word);
}
template <class Enum>
std::string_view name_of(Enum value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

}  // namespace fuhyo::learn
