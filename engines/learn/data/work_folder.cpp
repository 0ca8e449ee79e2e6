#include "engines/learn/data/work_folder.h"

#include <fmt/format.h>

namespace fuhyo::learn {

std::expected<void, std::string> make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return std::unexpected(fmt::format("{}: {}", folder.string(), error.message()));
  return {};
}

std::expected<jobs::FileLock, std::string> take_folder(const std::filesystem::path& folder, std::string_view lock) {
  if (auto made = make_folder(folder); !made) return std::unexpected(made.error());
  auto taken = jobs::FileLock::take(folder / lock);
  if (!taken) return std::unexpected(fmt::format("{}: {}", (folder / lock).string(), taken.error()));
  return taken;
}

}  // namespace fuhyo::learn
