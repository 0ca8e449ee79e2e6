#include "server/app/serve/seated_engines.h"

#include <algorithm>
#include <fmt/format.h>

#include "server/app/serve/small_file.h"
#include "server/store/records/disk.h"

namespace fuhyo::app {
namespace {

constexpr const char* kFile = "seated-engines";
constexpr std::size_t kMostBytes = 1024 * 1024;
constexpr unsigned kOwnersAlone = 0600;

}  // namespace

std::expected<std::vector<SeatedLine>, std::string> read_seated(const std::filesystem::path& data) {
  const std::filesystem::path path = data / kFile;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  const auto text = read_host_file(path, kMostBytes);
  if (!text) return std::unexpected(fmt::format("{}: {}", path.string(), text.error()));
  std::vector<SeatedLine> lines;
  for (std::string_view rest = *text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t blank = line.find(' ');
    if (blank != line.npos) lines.push_back({std::string(line.substr(0, blank)), std::string(line.substr(blank + 1))});
  }
  return lines;
}

std::expected<void, std::string> write_seated(const std::filesystem::path& data, const std::vector<SeatedLine>& lines) {
  std::string text;
  for (const SeatedLine& each : lines) text += fmt::format("{} {}\n", each.name, each.line);
  if (auto done = store::replace_file(data / kFile, text, kOwnersAlone); !done) return done;
  return store::sync_folder(data);
}

}  // namespace fuhyo::app
