// `fuhyo-learn inspect`: what is in files of training data.
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/data/format.h"
#include "engines/learn/data/game_files.h"
#include "engines/learn/data/source.h"
#include "engines/learn/data/summary.h"
#include "engines/manual/add_command.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;

struct InspectArguments {
  std::vector<std::string> files;
  std::string format;
  std::uint64_t show = 3;
  bool scores = false;
};

std::string scores_of(const record::ScoredGame& game) {
  std::string out;
  for (const record::ScoredMove& each : game.moves) out += each.score ? fmt::format(" {}", *each.score) : " -";
  return out;
}

void show(const record::ScoredGame& game, std::uint64_t number, bool scores) {
  fmt::print("  game {:<4} {} ({}, {})\n", number, position_line(game), to_string(game.winner), to_string(game.end));
  if (scores) fmt::print("    scores{}\n", scores_of(game));
}

// What is read before an error is shown, too.
std::expected<void, std::string> inspect(const fs::path& file, const InspectArguments& arguments) {
  const auto format = arguments.format.empty() ? format_of(file) : format_by_name(arguments.format);
  if (!format) return std::unexpected(which_format(file, "--format"));
  ConversionLosses notes;
  auto source = open_source(file, *format, notes);
  if (!source) return std::unexpected(source.error());
  fmt::print("{}: {}\n", file.string(), to_string(*format));
  if (*format == DataFormat::games) fmt::print("  made by   {}\n", GameReader::open(file)->made_by());
  Summary summary;
  std::expected<std::optional<record::ScoredGame>, std::string> game;
  while ((game = (*source)->next()) && *game) {
    summary.add(**game);
    if (summary.games() <= arguments.show) show(**game, summary.games(), arguments.scores);
  }
  std::error_code error;
  fmt::print("{}", summary.text(fs::file_size(file, error)));
  for (const auto& [what, count] : notes.counts()) fmt::print("  also      {} ({})\n", what, count);
  if (!game) return std::unexpected(game.error());
  return {};
}

int run(const InspectArguments& arguments) {
  const auto files = files_named(arguments.files, arguments.format.empty() ? kGameFileEnd : "." + arguments.format);
  if (!files) return complain(files.error()), kExitUsage;
  int code = kExitOk;
  for (const fs::path& file : *files) {
    if (const auto inspected = inspect(file, arguments); !inspected) {
      complain(inspected.error());
      code = kExitFailed;
    }
  }
  return code;
}

}  // namespace

Command add_inspect(CLI::App& root) {
  CLI::App* command =
      manual::add_command(root, "inspect", "Counts what is in training data, and shows its first games");
  const auto arguments = std::make_shared<InspectArguments>();
  command->add_option("files", arguments->files, "Files, folders, or patterns with * and ?")->required();
  command->add_option("--format", arguments->format, "If the names do not tell it")
      ->check(CLI::IsMember(format_names()));
  command->add_option("--games", arguments->show, "How many games to show (3)");
  command->add_flag("--scores", arguments->scores, "... with their scores");
  return [arguments] { return run(*arguments); };
}

}  // namespace fuhyo::learn
