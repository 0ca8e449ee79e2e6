// A visitor of fields() (engines/learn/setting.h): a flag for each setting that has help. The command and the struct
// must outlive the parsing.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/learn/setting.h"

namespace fuhyo::learn {

class SettingFlags {
 public:
  static constexpr bool kReads = false;  // values come later

  explicit SettingFlags(CLI::App& command) : command_(command) {}

  // Text is the name of a file that is there.
  template <class T>
  void operator()(T& to, const Setting& setting) {
    if (setting.help.empty()) return;
    const std::string flag = setting.flag_name(), help(setting.help);
    if constexpr (std::is_enum_v<T>) {
      const auto names = names_of(to);
      command_
          .add_option_function<std::string>(
              flag, [&to](const std::string& word) { to = *value_named<T>(word); }, help)
          ->check(CLI::IsMember(std::vector<std::string>(names.begin(), names.end())));
    } else {
      CLI::Option* const option = command_.add_option(flag, to, help);
      if constexpr (std::is_same_v<T, std::string>) {
        option->check(CLI::ExistingFile);
      } else if (setting.least < setting.most) {
        option->check(CLI::Range(static_cast<T>(setting.least), static_cast<T>(setting.most)));
      }
    }
  }

 private:
  CLI::App& command_;
};

}  // namespace fuhyo::learn
