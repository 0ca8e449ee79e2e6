// `fuhyo-learn starts`: positions to begin self-play at, out of floodgate's records.
#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/learn/commands.h"
#include "engines/learn/commands/files.h"
#include "engines/learn/data/frequent_positions.h"
#include "engines/learn/data/record_texts.h"
#include "engines/learn/data/sink.h"
#include "engines/learn/data/whole_file.h"
#include "engines/learn/generate/self_play.h"
#include "engines/manual/add_command.h"
#include "engines/record/counted.h"
#include "engines/record/csa_reader.h"

namespace fuhyo::learn {
namespace {

using Done = std::expected<void, std::string>;

struct StartsArguments : RecordArguments {
  FrequencyOptions options;
  SelfPlayOptions play;
  int games = 4, plies = 30;  // of self-play from each position
  double often = 0.5;         // of them that repeat: the position goes
};

// Without the positions from which too much of the self-play repeats. The games of one position differ by their nodes.
Done drop_repeating(const StartsArguments& arguments, std::vector<FrequentPosition>& starts) {
  if (arguments.games == 0) return {};
  auto player = SelfPlay::make(arguments.play);
  if (!player) return std::unexpected(player.error());
  std::vector<FrequentPosition> kept;
  for (const FrequentPosition& start : starts) {
    const auto position = record::unpack(start.position, start.ply);
    if (!position) return std::unexpected(position.error());
    int repeated = 0;
    for (int i = 0; i < arguments.games; ++i) {
      const std::int64_t nodes = arguments.play.nodes + arguments.play.nodes * i / 4;
      repeated += player->repeats(*position, arguments.plies, nodes) ? 1 : 0;
    }
    if (repeated == 0 || repeated < arguments.often * arguments.games) kept.push_back(start);
  }
  starts = std::move(kept);
  return {};
}

Done write(const StartsArguments& arguments, DataFormat format, const std::vector<FrequentPosition>& starts) {
  if (format == DataFormat::usi) {
    std::string lines;
    for (const FrequentPosition& start : starts) {
      lines += fmt::format("sfen {} # {} times\n", record::unpack(start.position, start.ply)->sfen(), start.count);
    }
    return replace_file(arguments.out.out, lines);
  }
  ConversionLosses losses;
  auto sink = open_sink(arguments.out.out, format, "fuhyo-learn starts", losses);
  if (!sink) return std::unexpected(sink.error());
  for (const FrequentPosition& start : starts) {
    const record::ScoredGame game{.start = *record::unpack(start.position, start.ply), .moves = {}};
    if (auto appended = (*sink)->append(game); !appended) return appended;
  }
  return (*sink)->finish();
}

int run(const StartsArguments& arguments) {
  const auto format = output_format(arguments.out);
  if (!format) return complain(format.error()), kExitUsage;
  const bool holds_starts = *format == DataFormat::hcp || *format == DataFormat::usi || *format == DataFormat::games;
  if (!holds_starts) return complain(arguments.out.out + ": starts are written as hcp, usi or games"), kExitUsage;
  const auto files = record_files_named(arguments.in, DataFormat::csa);
  if (!files) return complain(files.error()), kExitUsage;
  FrequentPositions positions(arguments.options);
  LeftOut left_out;
  const auto count = [&](RecordTexts& texts, std::string_view text) {
    const auto read = record::read_csa(text);
    const Done done = read ? positions.add(read->games.front().game) : std::unexpected(record::to_string(read.error()));
    return done ? done : texts.leave_out(done.error());
  };
  if (auto done = each_text(*files, arguments, left_out, count); !done) return complain(done.error()), kExitFailed;
  const auto& counts = positions.counts();
  fmt::print("{}; out: {} without such a rating, {} of less than {} plies, {} with sennichite\n",
             record::counted(counts.games, "game"), counts.unrated, counts.too_short, arguments.options.least_plies,
             counts.repeated);
  say_left_out(left_out);
  auto starts = positions.frequent();
  fmt::print("{} positions, {} of them distinct; {} occurred {} times or more\n", counts.positions,
             positions.distinct(), starts.size(), positions.threshold());
  std::fflush(stdout);
  if (starts.empty()) return complain("no position is left"), kExitFailed;
  const std::size_t before = starts.size();
  if (auto done = drop_repeating(arguments, starts); !done) return complain(done.error()), kExitFailed;
  if (arguments.games > 0) {
    fmt::print("{} removed: {:.0f}% or more of {} games repeated within {} plies\n", before - starts.size(),
               arguments.often * 100, arguments.games, arguments.plies);
  }
  if (auto done = write(arguments, *format, starts); !done) return complain(done.error()), kExitFailed;
  fmt::print("{}: {}\n", arguments.out.out, record::counted(starts.size(), "position"));
  return kExitOk;
}

}  // namespace

Command add_starts(CLI::App& root) {
  CLI::App* command =
      manual::add_command(root, "starts", "Finds positions to begin self-play at, in records of strong players");
  const auto arguments = std::make_shared<StartsArguments>();
  add_record_flags(*command, *arguments);
  command->add_option("--rating", arguments->options.rating, "Games with a player rated so (3000)");
  command->add_flag("--both", arguments->options.both, "... with two of them");
  command->add_option("--plies", arguments->options.least_plies, "... of so many plies or more (80)");
  command->add_option("--first", arguments->options.first_plies, "Positions before their first moves, so many (26)")
      ->check(CLI::Range(1, 1'000));
  command->add_option("--percentile", arguments->options.percentile, "... that occur as often as this percentile (99)")
      ->check(CLI::Range(0.0, 100.0));
  command
      ->add_option("--games", arguments->games,
                   "Games of self-play from each that show whether it repeats (4); 0: none")
      ->check(CLI::Range(0, 1'000));
  command->add_option("--within", arguments->plies, "... within so many plies (30)")->check(CLI::Range(1, 1'000));
  command->add_option("--often", arguments->often, "... in this part of them or more, and goes (0.5)")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--nodes", arguments->play.nodes, "... with so many nodes a move (1000)")
      ->check(CLI::Range(1, 1'000'000'000));
  command->add_option("--network", arguments->play.network, "... and this network (the one that is built in)")
      ->check(CLI::ExistingFile);
  return [arguments] { return run(*arguments); };
}

}  // namespace fuhyo::learn
