// Lines of the log that may come in any number, each about a name: one a second for each name, and how many were left
// out before it. Pure; the caller sees to it that there are not too many names.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/core/ids.h"

namespace fuhyo::app {

class QuietLog {
 public:
  // How many lines about the name were left out since the last one that was not; nothing: this one is left out, too.
  std::optional<std::size_t> tell(std::string_view name, core::Instant now) {
    const auto [found, fresh] = told_.try_emplace(std::string(name), Told{now, 0});
    Told& told = found->second;
    if (!fresh && now - told.at < core::kSecond) {
      ++told.left_out;
      return std::nullopt;
    }
    told.at = now;
    return std::exchange(told.left_out, 0);
  }

 private:
  struct Told {
    core::Instant at;
    std::size_t left_out = 0;
  };
  std::map<std::string, Told, std::less<>> told_;
};

}  // namespace fuhyo::app
