// How fast the web's questions about finished games are answered.
//   bench_catalogue [--dir FOLDER] [--games N] [--times N] [--store ADDRESS]
// A SQLite store, or the empty one at ADDRESS, is filled with games of random moves between 500 players, the first
// plies out of few, so that positions come back; their positions are taken in, and every question is asked N times.
// Beside the search by position stands what it would cost to play all games through instead.
#include <random>

#include "engines/record/csa_move.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/position.h"
#include "server/core/civil_time.h"
#include "server/core/position_key.h"
#include "server/store/store.h"
#include "tests/bench/flags.h"
#include "tests/bench/measure.h"
#include "tests/support/temporary_folder.h"

namespace {

using namespace fuhyo;
using bench::Clock, bench::fail, bench::ms_since, bench::sure;

constexpr std::int64_t kPlayers = 500;
constexpr std::size_t kPlies = 110, kOpeningPlies = 12;
constexpr std::int64_t kFirst_us = 1'767'225'600 * core::kSecond;  // 2026-01-01; a game every 200 s
constexpr std::size_t kOpeningMoves = 4;                           // of the legal ones, in the opening

struct Options {
  std::string folder = std::filesystem::temp_directory_path().string(), store;
  std::int64_t games = 20'000;
  int times = 50;
};

core::Seat player(std::int64_t number) {
  const std::string name = fmt::format("engine{}", number);
  return {.name = name, .id = name + "+0123456789abcdef", .builtin = false};
}

// Openings with a name: of one game in 10, of one in 100, of none.
std::vector<std::string_view> opening_of(std::int64_t number) {
  if (number % 100 == 1) return {"+7776FU", "-3334FU", "+5756FU", "-8384FU", "+2858HI"};
  if (number % 10 == 2) return {"+7776FU", "-3334FU", "+6766FU", "-8384FU", "+2868HI"};
  return {};
}

std::string random_moves(std::int64_t number, std::mt19937_64& dice) {
  shogi::Position position;
  std::string text;
  const std::vector<std::string_view> opening = opening_of(number);
  for (std::size_t ply = 0; ply < kPlies; ++ply) {
    const shogi::MoveList moves = shogi::legal_moves(position);
    if (moves.size() == 0) break;
    const std::size_t choices = ply < kOpeningPlies ? std::min(kOpeningMoves, moves.size()) : moves.size();
    shogi::Move move = moves[dice() % choices];
    if (ply < opening.size()) move = *record::resolve(position, *record::parse_csa_move(opening[ply]));
    text += fmt::format("{}{},T{}", ply == 0 ? "" : " ", record::to_csa(position, move), dice() % 30);
    position.do_move(move);
  }
  return text;
}

core::FinishedGame random_game(std::int64_t number, std::mt19937_64& dice) {
  core::FinishedGame game;
  game.opened.room = "main";
  game.opened.game_name = number % 1000 == 0 ? "final-900-5F" : "floodgate-300-10F";
  // A few of them play most of the games.
  const auto someone = [&] { return static_cast<std::int64_t>((dice() % kPlayers) * (dice() % kPlayers)) / kPlayers; };
  game.opened.black = player(someone());
  game.opened.white = player(someone());
  game.opened.csa_id = fmt::format("bench+g+{}+{}+{}", game.opened.black.name, game.opened.white.name, number);
  game.opened.time = {.total_s = 300, .increment_s = 10};
  game.opened.start_sfen = shogi::Position::kStartSfen;
  game.opened.at = core::Wall{kFirst_us + number * 200 * core::kSecond};
  const core::CivilTime at = core::civil(game.opened.at, {});
  game.opened.local_time = fmt::format("{:04}/{:02}/{:02} 12:00:00", at.year, at.month, at.day);
  game.started = game.opened.at;
  game.moves = random_moves(number, dice);
  game.ended = {.kind = core::EndKind::toryo,
                .outcome = dice() % 2 == 0 ? core::Outcome::black_wins : core::Outcome::white_wins,
                .plies = kPlies,
                .line = "%TORYO",
                .at = game.opened.at};
  return game;
}

void fill(store::Store& store, std::int64_t games) {
  core::Recovery recovery;
  if (!sure(store.open_journal({}, recovery))->close()) fail("the store fails");
  std::mt19937_64 dice(1);
  const auto import = sure(store.begin_import(false));
  for (std::int64_t number = 1; number <= games; ++number) {
    core::FinishedGame game = random_game(number, dice);
    if (!sure(import->add(game))) fail("two games of one Game_ID");
  }
  sure(import->commit());
}

void ask(std::string_view what, int times, const std::function<std::size_t()>& question) {
  std::vector<double> ms;
  std::size_t rows = 0;
  for (int i = 0; i < times; ++i) {
    const auto began = Clock::now();
    rows = question();
    ms.push_back(ms_since(began));
  }
  std::ranges::sort(ms);
  fmt::print("{:<44} {:8.2f} {:8.2f} ms {:6} rows\n", what, ms[ms.size() / 2], ms[ms.size() * 99 / 100], rows);
}

void ask_all(core::Catalogue& catalogue, const Options& options) {
  const std::string busy = player(3).id, rare = player(490).id;
  shogi::Position third;
  for (int ply = 0; ply < 3; ++ply) third.do_move(shogi::legal_moves(third)[0]);
  const std::int64_t start = core::position_key(shogi::Position()), later = core::position_key(third);
  const auto games = [&](std::string_view what, const core::GameQuery& query) {
    ask(what, options.times, [&] { return sure(catalogue.games(query)).size(); });
  };
  fmt::print("{:<44} {:>8} {:>8}\n", "", "p50", "p99");
  games("the newest 50 games", {});
  games("... in the middle of all", {.before = core::GameId{static_cast<std::uint64_t>(options.games / 2)}});
  games("of a busy player, by id", {.player = busy});
  games("of a busy player, by name", {.player = "engine3"});
  games("of a player who is rarely there", {.player = rare});
  games("between two players", {.player = busy, .opponent = player(5).id});
  games("of an event of one game in 1,000", {.game_name = "final-*"});
  games("of one day", {.from = "2026/01/05", .to = "2026/01/05"});
  games("of an opening that one game in 10 has", {.opening = "shikenbisha"});
  games("of an opening that one game in 100 has", {.opening = "nakabisha"});
  games("with the start position", {.position = start});
  games("with a position of ply 3", {.position = later});
  ask("moves from the start position", options.times, [&] { return sure(catalogue.continuations(start)).size(); });
  ask("moves from that of ply 3", options.times, [&] { return sure(catalogue.continuations(later)).size(); });
  const auto cross = [&](std::string_view what, const core::CrossQuery& query) {
    ask(what, options.times, [&] { return sure(catalogue.cross_table(query)).table.cells.size(); });
  };
  cross("cross table of all games, 40 players", {});
  cross("... 100 players", {.games = {}, .players = 100});
  cross("... of an event of one game in 1,000", {.games = {.game_name = "final-*"}});
  cross("... of one day", {.games = {.from = "2026/01/05", .to = "2026/01/05"}});
  ask("the page of a busy player", options.times, [&] { return sure(catalogue.player(busy))->rivals.size(); });
  ask("100 players", options.times, [&] { return sure(catalogue.players({})).players.size(); });
  ask("one game", options.times, [&] { return sure(catalogue.game(core::GameId{7})) ? 1 : 0; });
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bench::take_flags(
      argc, argv,
      {{"--dir", options.folder}, {"--store", options.store}, {"--games", options.games}, {"--times", options.times}});
  const test::TemporaryFolder folder(options.folder);
  const std::string where = options.store.empty() ? "sqlite:" + folder.file("fuhyo.db") : options.store;
  const auto store = sure(store::make_store(where, {.limits = {}, .unsafe = true, .warn = {}}));
  fill(*store, options.games);
  const auto began = Clock::now();
  std::size_t taken = 0;
  const auto positions = sure(store->open_positions());
  while (const std::size_t more = sure(positions->take_in(500))) taken += more;
  const double taken_ms = ms_since(began);
  fmt::print("{} games taken in, {:.2f} ms each\n", taken, taken_ms / static_cast<double>(taken));
  if (options.store.empty()) {
    const auto mb = [&](const char* file) { return double(std::filesystem::file_size(folder / file)) / 1e6; };
    fmt::print("{:.0f} MB of games, {:.0f} MB of positions\n", mb("fuhyo.db"), mb("fuhyo.db-positions"));
  }
  const auto catalogue = sure(store->open_catalogue());
  ask_all(*catalogue, options);
  std::mt19937_64 dice(1);
  const core::FinishedGame game = random_game(1, dice);
  const auto played = Clock::now();
  std::size_t found = 0;
  for (int i = 0; i < 1'000; ++i) found += core::occurrences(game.opened.start_sfen, game.moves).size();
  fmt::print("{:<44} {:8.0f} ms, without reading them ({} positions a game)\n", "all games played through instead",
             ms_since(played) * static_cast<double>(options.games) / 1'000, found / 1'000);
}
