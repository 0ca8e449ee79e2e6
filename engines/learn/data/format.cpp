#include "engines/learn/data/format.h"

#include <array>
#include <utility>

namespace fuhyo::learn {
namespace {

struct Name {
  std::string_view name, ending;
  DataFormat format;
};
constexpr std::array<Name, 5> kNames = {{
    {"games", ".games", DataFormat::games},
    {"psv", ".psv", DataFormat::psv},
    {"hcpe", ".hcpe", DataFormat::hcpe},
    {"hcpe3", ".hcpe3", DataFormat::hcpe3},
    {"psv", ".bin", DataFormat::psv},
}};

}  // namespace

std::string_view to_string(DataFormat format) { return kNames[std::to_underlying(format)].name; }

std::optional<DataFormat> format_by_name(std::string_view name) {
  for (const Name& each : kNames) {
    if (each.name == name) return each.format;
  }
  return std::nullopt;
}

std::optional<DataFormat> format_of(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  for (const Name& each : kNames) {
    if (each.ending == ending) return each.format;
  }
  return std::nullopt;
}

}  // namespace fuhyo::learn
