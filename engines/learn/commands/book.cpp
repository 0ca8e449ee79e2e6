// `fuhyo-learn book`: an opening book out of searches, which begin with the moves of games.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/jobs/files/file_lock.h"
#include "engines/learn/book/build.h"
#include "engines/learn/book/export.h"
#include "engines/learn/book/searcher.h"
#include "engines/learn/commands.h"
#include "engines/learn/commands/files.h"
#include "engines/learn/data/source.h"
#include "engines/learn/data/whole_file.h"
#include "engines/manual/add_command.h"
#include "engines/record/counted.h"
#include "engines/usi/process_stop.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;
using Done = std::expected<void, std::string>;
using Failure = std::unexpected<std::string>;

struct BookArguments {
  std::string folder, from;
  std::vector<std::string> games;
  std::uint32_t least_games = 10;
  SearcherOptions searcher;
  ExpansionOptions expansion;
  BuildOptions build;
  ExportOptions exports;
};

Done read_games(const BookArguments& arguments, GameMoves& moves) {
  if (arguments.games.empty()) {
    moves.add(shogi::Position(), {});
    moves.keep(1);
    return {};
  }
  const auto files = input_files(arguments.games, arguments.from);
  if (!files) return Failure(files.error());
  ConversionLosses losses;
  LeftOut left_out;
  std::vector<shogi::Move> line;
  for (const auto& [file, format] : *files) {
    const auto source = open_source(file, format, losses, &left_out);
    if (!source) return Failure(source.error());
    while (true) {
      const auto game = (*source)->next();
      if (!game) return Failure(game.error());
      if (!*game) break;
      line.clear();
      for (const record::ScoredMove& move : (*game)->moves) line.push_back(move.move);
      moves.add((*game)->start, line);
    }
  }
  say_left_out(left_out);
  const std::uint64_t games = moves.games();
  if (games <= left_out.count() * 10) {
    return Failure(fmt::format("{}, and {} could not be read: are these games?", record::counted(games, "game"),
                               left_out.count()));
  }
  moves.keep(arguments.least_games);
  if (moves.starts().empty()) {
    return Failure(fmt::format("no position begins {} of {} games (--least)", arguments.least_games, games));
  }
  print_line(fmt::format("{} games, {} positions with a move that was played in {} of them or more", games,
                         moves.positions(), arguments.least_games));
  return {};
}

Done write(const BookArguments& arguments, const BookGraph& graph) {
  const auto positions = book_of(graph, arguments.exports);
  std::size_t moves = 0;
  for (const auto& each : positions) moves += each.moves.size();
  const auto binary = book::ybb_bytes(positions);
  if (!binary) return Failure(binary.error());
  const fs::path folder = arguments.folder;
  if (auto done = replace_file(folder / "book.db", book::db_text(positions)); !done) return done;
  if (auto done = replace_file(folder / "book.ybb", *binary); !done) return done;
  print_line(fmt::format("{}, {}: {}, {}", (folder / "book.db").string(), (folder / "book.ybb").string(),
                         record::counted(positions.size(), "position"), record::counted(moves, "move")));
  return {};
}

// The exit code.
std::expected<int, std::string> make_book(BookArguments& arguments) {
  std::error_code error;
  const fs::path folder = arguments.folder;
  fs::create_directories(folder, error);
  if (error) return Failure(fmt::format("{}: {}", arguments.folder, error.message()));
  const auto lock = jobs::FileLock::take(folder / "book.lock");
  if (!lock) return Failure(fmt::format("{}: {}", (folder / "book.lock").string(), lock.error()));
  auto searches = text_of_searches(arguments.searcher);
  if (!searches) return Failure(searches.error());
  arguments.build.searches = std::move(*searches);
  arguments.build.file = folder / "book.searches";
  arguments.build.say = print_line;
  GameMoves games(static_cast<std::size_t>(arguments.expansion.last_ply) + 1);
  if (auto done = read_games(arguments, games); !done) return Failure(done.error());
  BookGraph graph(arguments.expansion, games);
  usi::StopBySignal stop;
  const auto built =
      build_book(graph, arguments.build, [&] { return make_searcher(arguments.searcher); }, stop.token());
  if (!built) return Failure(built.error());
  if (!built->complete) return say_stopped();
  if (auto done = write(arguments, graph); !done) return Failure(done.error());
  return kExitOk;
}

void add_search_flags(CLI::App& command, BookArguments& arguments) {
  command.add_option("-n,--positions", arguments.build.positions, "Positions to search; more may be asked for later")
      ->required()
      ->check(CLI::Range(1, 100'000'000));
  command.add_option("-j,--jobs", arguments.build.threads, "Searches at a time (one a core)")
      ->check(CLI::Range(1, 1024));
  command.add_option("--nodes", arguments.searcher.nodes, "Nodes of each (50000)")->check(CLI::Range(1, 1'000'000'000));
  command.add_option("--lines", arguments.searcher.lines, "Moves that each looks for, MultiPV (4)")
      ->check(CLI::Range(1, static_cast<int>(kMostLines)));
  command.add_option("--hash", arguments.searcher.hash_mb, "Megabytes of its table (16)")->check(CLI::Range(1, 65'536));
  command.add_option("--network", arguments.searcher.network, "Network of the engine (the one that is built in)")
      ->check(CLI::ExistingFile);
  command.add_option("--fv-scale", arguments.searcher.fv_scale, "Its FV_SCALE (16)")->check(CLI::Range(1, 128));
  command.add_option("--every", arguments.build.every_s, "Seconds between two lines of progress (30)")
      ->check(CLI::Range(1, 86'400));
}

void add_growth_flags(CLI::App& command, BookArguments& arguments) {
  command.add_option("-g,--games", arguments.games, "Games to begin with: records or lines, plain or compressed");
  command.add_option("--from", arguments.from, "Their format, if their names do not tell")
      ->check(CLI::IsMember(format_names()));
  command.add_option("--least", arguments.least_games, "A move counts that was played in so many of them (10)")
      ->check(CLI::Range(1, 1'000'000));
  command.add_option("--plies", arguments.expansion.last_ply, "Positions after more moves are not searched (40)")
      ->check(CLI::Range(0, 1'000));
  command
      .add_option("--ply-cost", arguments.expansion.ply_cost,
                  "A move on the way to a position puts it off like a loss of so many centipawns (20)")
      ->check(CLI::Range(0, 10'000));
  command
      .add_option("--rarity", arguments.expansion.rarity,
                  "... and a move of the games by no more than this for each halving of its share (30)")
      ->check(CLI::Range(0, 10'000));
}

void add_export_flags(CLI::App& command, BookArguments& arguments) {
  command.add_option("--margin", arguments.exports.margin, "The book has moves that are worth so much less (50)")
      ->check(CLI::Range(0, 100'000));
  command
      .add_option("--last-ply", arguments.exports.last_ply, "... in positions after so many moves at most (--plies)")
      ->check(CLI::Range(0, 1'000));
  command.add_flag("--counts", arguments.exports.counts,
                   "... with how often they were played, which engines put first; else all 1, so that values decide");
}

}  // namespace

Command add_book(CLI::App& root) {
  CLI::App* command = manual::add_command(
      root, "book",
      "Makes an opening book by search: grows from the start where the least was given up, or games went");
  const auto arguments = std::make_shared<BookArguments>();
  arguments->build.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  command
      ->add_option("folder", arguments->folder,
                   "Gets book.db and book.ybb, and book.searches, from which the same command goes on")
      ->required();
  add_search_flags(*command, *arguments);
  add_growth_flags(*command, *arguments);
  add_export_flags(*command, *arguments);
  return [command, arguments] {
    if (command->count("--last-ply") == 0) arguments->exports.last_ply = arguments->expansion.last_ply;
    const auto code = make_book(*arguments);
    if (!code) return complain(code.error()), kExitFailed;
    return *code;
  };
}

}  // namespace fuhyo::learn
