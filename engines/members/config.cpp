#include "engines/members/config.h"

#include <array>
#include <filesystem>

#include "engines/usi/process.h"

namespace fuhyo::members {
namespace {

constexpr std::array<std::string_view, 5> kHandedOn = {"MultiPV", "EnteringKingRule", "DrawValueBlack",
                                                       "DrawValueWhite", "GenerateAllLegalMoves"};

}  // namespace

void look_beside(std::vector<std::string>& words, const std::string& beside) {
  if (words.front().contains('/')) return;
  std::error_code ignored;
  const std::filesystem::path near = std::filesystem::path(beside) / words.front();
  if (std::filesystem::is_regular_file(near, ignored)) words.front() = near.string();
}

std::expected<std::vector<std::string>, std::string> parse_command(const std::string& text, const std::string& beside) {
  auto words = usi::split_command(text);
  if (words) look_beside(*words, beside);
  return words;
}

std::expected<EngineOptions, std::string> parse_options(const std::string& text) {
  EngineOptions options;
  if (text.find_first_not_of(" \t") == std::string::npos) return options;
  const auto words = usi::split_command(text);
  if (!words) return std::unexpected(words.error());
  for (const std::string& word : *words) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return std::unexpected("NAME=VALUE expected, not '" + word + "'");
    }
    options.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return options;
}

EngineOptions common_setup(const usi::OptionTable& table, std::int64_t threads, std::int64_t megabytes) {
  EngineOptions options = {{"Threads", std::to_string(threads)}, {"USI_Hash", std::to_string(megabytes)}};
  for (const std::string_view name : kHandedOn) options.emplace_back(name, table.find(name)->value);
  return options;
}

}  // namespace fuhyo::members
