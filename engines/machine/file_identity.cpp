#include "engines/machine/file_identity.h"

#include <fmt/format.h>
#include <system_error>

namespace fuhyo::machine {

std::string file_identity(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error) return {};
  const auto written = std::filesystem::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("{} {} {}", file.string(), size, written);
}

}  // namespace fuhyo::machine
