// `fuhyo-learn duplicates`: how often the same positions occur in training data.
#include "engines/learn/data/duplicates.h"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/commands/files.h"
#include "engines/learn/data/source.h"
#include "engines/manual/add_command.h"
#include "engines/match/tune/random.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;
using Done = std::expected<void, std::string>;

struct DuplicatesArguments {
  std::vector<std::string> in;
  std::string from, folder;
  std::uint64_t memory_mb = 1'024;
  bool strict = false;
};

struct Counts {
  OccurrenceCount positions, moves;  // positions; positions with the move that was made there

  Done add(const shogi::Position& position, shogi::Move move) {
    if (auto done = positions.add(position.key()); !done) return done;
    return moves.add(match::tune::Random(position.key(), move.bits()).bits());
  }
};

// What is learnt from: searched moves; all of them of records, and starts of games without moves.
Done add(const record::ScoredGame& game, bool all, Counts& counts) {
  if (game.moves.empty()) return counts.add(game.start, {});
  shogi::Position position = game.start;
  for (const record::ScoredMove& each : game.moves) {
    if (all || each.score) {
      if (auto done = counts.add(position, each.move); !done) return done;
    }
    position.do_move(each.move);
  }
  return {};
}

Done count(const InputFiles& files, bool strict, Counts& counts, LeftOut& left_out) {
  ConversionLosses losses;
  for (const auto& [file, format] : files) {
    auto source = open_source(file, format, losses, strict ? nullptr : &left_out);
    if (!source) return std::unexpected(source.error());
    for (;;) {
      const auto game = (*source)->next();
      if (!game) return std::unexpected(game.error());
      if (!*game) break;
      if (auto done = add(**game, is_record(format), counts); !done) return done;
    }
  }
  return {};
}

void say(std::string_view what, const Occurrences& found) {
  const auto percent = [&](std::uint64_t part) {
    return found.all == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(found.all);
  };
  fmt::print("{}: {}, {} of them distinct; {} duplicates ({:.2f}%)\n", what, found.all, found.distinct,
             found.duplicates(), percent(found.duplicates()));
  for (std::size_t i = 0; i < found.things.size(); ++i) {
    const std::uint64_t from = Occurrences::kFrom[i];
    const bool last = i + 1 == found.things.size();
    const std::uint64_t to = last ? 0 : Occurrences::kFrom[i + 1] - 1;
    const std::string times = last ? fmt::format("{} or more", from)
                                   : (from == to ? fmt::to_string(from) : fmt::format("{} to {}", from, to));
    if (found.things[i] > 0) fmt::print("  {:<12} times {}\n", times, found.things[i]);
  }
  fmt::print("  the most frequent one {} times\n", found.most);
}

int run(const DuplicatesArguments& arguments) {
  const auto files = input_files(arguments.in, arguments.from);
  if (!files) return complain(files.error()), kExitUsage;
  std::uint64_t bytes = 0;
  std::error_code error;
  for (const auto& [file, format] : *files) bytes += fs::file_size(file, error);
  // No format has a position in less than three bytes, but records may be compressed; each of the two counts takes
  // eight bytes a position and half of the memory.
  const std::uint64_t memory = (arguments.memory_mb << 20U) / 2;
  const auto buckets = Buckets::count_for(bytes * 4, memory);
  if (!buckets) return complain(buckets.error()), kExitUsage;
  const fs::path folder = arguments.folder.empty() ? fs::temp_directory_path(error) : fs::path(arguments.folder);
  if (!fs::is_directory(folder, error)) return complain(folder.string() + ": is no folder"), kExitUsage;
  const auto now = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  const std::uint64_t id = match::tune::Random(bytes, now).bits();
  const auto place = [&](std::string_view what) { return folder / fmt::format("fuhyo-duplicates-{:x}-{}", id, what); };
  Counts counts{{place("positions"), *buckets, memory}, {place("moves"), *buckets, memory}};
  LeftOut left_out;
  if (auto done = count(*files, arguments.strict, counts, left_out); !done) return complain(done.error()), kExitFailed;
  const auto positions = counts.positions.count();
  if (!positions) return complain(positions.error()), kExitFailed;
  const auto moves = counts.moves.count();
  if (!moves) return complain(moves.error()), kExitFailed;
  say("positions", *positions);
  say("positions with their moves", *moves);
  say_left_out(left_out);
  return kExitOk;
}

}  // namespace

Command add_duplicates(CLI::App& root) {
  CLI::App* command =
      manual::add_command(root, "duplicates", "Counts how often the same positions occur in training data");
  const auto arguments = std::make_shared<DuplicatesArguments>();
  command->add_option("in", arguments->in, "Files, folders, or patterns with * and ?")->required();
  command->add_option("--from", arguments->from, "Format, if names do not tell")->check(CLI::IsMember(format_names()));
  command->add_option("--memory", arguments->memory_mb, "Megabytes, about (1024)")->check(CLI::Range(1, 1 << 20));
  command->add_option("--scratch", arguments->folder, "Folder for what does not fit (that for temporary files)");
  command->add_flag("--strict", arguments->strict, "Stop at a record that cannot be read, instead of counting it");
  return [arguments] { return run(*arguments); };
}

}  // namespace fuhyo::learn
