// A visitor of fields() (engines/learn/setting.h): a flag for each setting that has help. The command and the struct
// must outlive the parsing.
#pragma once

#include <fmt/format.h>
#include <string>
#include <type_traits>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/learn/setting.h"

namespace fuhyo::learn {

class SettingFlags {
 public:
  static constexpr bool kReads = false;  // values come later

  // `needed`: the flag that all of them want, if there is one.
  explicit SettingFlags(CLI::App& command, CLI::Option* needed = nullptr) : command_(command), needed_(needed) {}

  // Text is the name of a file that is there.
  template <class T>
  void operator()(T& to, const Setting& setting) {
    if (setting.help.empty()) return;
    const std::string flag = setting.flag_name();
    if constexpr (std::is_enum_v<T>) {
      const auto names = names_of(to);
      command_
          .add_option_function<std::string>(
              flag, [&to](const std::string& word) { to = *value_named<T>(word); }, std::string(setting.help))
          ->check(CLI::IsMember(std::vector<std::string>(names.begin(), names.end())));
    } else {
      CLI::Option* const option = command_.add_option(flag, to, fmt::format(fmt::runtime(setting.help), to));
      if (needed_ != nullptr) option->needs(needed_);
      if constexpr (std::is_same_v<T, std::string>) {
        option->check(CLI::ExistingFile);
      } else if (setting.least < setting.most) {
        option->check(CLI::Range(static_cast<T>(setting.least), static_cast<T>(setting.most)));
      }
    }
  }

 private:
  CLI::App& command_;
  CLI::Option* needed_;
};

// What both trainings have besides.
template <class Options>
void add_training_flags(CLI::App& command, Options& options, std::size_t most_threads) {
  command.add_option("-j,--threads", options.threads, "Threads (1); the network does not depend on them")
      ->check(CLI::Range(std::size_t{1}, most_threads));
  command.add_option("--kernels", options.kernels, "auto, avx512, avx2 or plain (auto)");
  command.add_option("--checkpoint", options.checkpoint_s, "Seconds between two checkpoints (300)")
      ->check(CLI::Range(1, 1'000'000));
  command.add_option("--every", options.progress_s, "Seconds between two lines of progress (10)")
      ->check(CLI::Range(1, 1'000'000));
}

}  // namespace fuhyo::learn
