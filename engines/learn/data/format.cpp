#include "engines/learn/data/format.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace fuhyo::learn {
namespace {

struct Name {
  std::string_view name, ending;
  DataFormat format;
};
constexpr std::size_t kFormats = 10;  // at the front, one each, in their order
constexpr std::array<Name, 15> kNames = {{
    {"games", ".games", DataFormat::games},
    {"psv", ".psv", DataFormat::psv},
    {"hcpe", ".hcpe", DataFormat::hcpe},
    {"hcpe3", ".hcpe3", DataFormat::hcpe3},
    {"hcpe2", ".hcpe2", DataFormat::hcpe2},
    {"hcp", ".hcp", DataFormat::hcp},
    {"csa", ".csa", DataFormat::csa},
    {"usi", ".usi", DataFormat::usi},
    {"kif", ".kif", DataFormat::kif},
    {"jkf", ".jkf", DataFormat::jkf},
    {"psv", ".bin", DataFormat::psv},
    {"usi", ".sfen", DataFormat::usi},
    {"kif", ".kifu", DataFormat::kif},
    {"kif", ".ki2", DataFormat::kif},
    {"kif", ".ki2u", DataFormat::kif},
}};
constexpr std::array<std::string_view, 5> kCompressed = {".xz", ".gz", ".bz2", ".zst", ".lzma"};
constexpr std::array<std::string_view, 6> kArchives = {".7z", ".zip", ".tar", ".txz", ".tgz", ".tbz2"};

std::optional<DataFormat> by_ending(const std::string& ending) {
  const auto found = std::ranges::find(kNames, ending, &Name::ending);
  return found == kNames.end() ? std::nullopt : std::optional(found->format);
}

}  // namespace

std::string_view to_string(DataFormat format) { return kNames[std::to_underlying(format)].name; }

std::optional<DataFormat> format_by_name(std::string_view name) {
  for (const Name& each : kNames) {
    if (each.name == name) return each.format;
  }
  return std::nullopt;
}

std::optional<DataFormat> format_of(const std::filesystem::path& file) {
  std::filesystem::path name = file.filename();
  bool packed = false, archive = false;
  for (; name.has_extension(); name = name.stem()) {
    const std::string ending = name.extension().string();
    if (const auto format = by_ending(ending); format && (!packed || is_record(*format))) return format;
    const bool holds_many = std::ranges::find(kArchives, ending) != kArchives.end();
    if (!holds_many && std::ranges::find(kCompressed, ending) == kCompressed.end()) break;
    packed = true;
    archive = archive || holds_many;
  }
  return archive ? std::optional(DataFormat::csa) : std::nullopt;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Name& each : std::span(kNames).first(kFormats)) names.emplace_back(each.name);
  return names;
}

std::string which_format(const std::filesystem::path& file, std::string_view flag) {
  return fmt::format("{}: which format? {} {}", file.string(), flag, fmt::join(format_names(), ", "));
}

}  // namespace fuhyo::learn
