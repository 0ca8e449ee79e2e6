// How fast the web's questions about finished games are answered.
//   bench_catalogue [--dir FOLDER] [--games N] [--positions N] [--times N] [--store ADDRESS]
// A SQLite store, or the empty one at ADDRESS, is filled with a year's games of random moves between 500 players, the
// first plies out of few, so that positions come back; the positions of all games, or of the first N, are taken in, and
// every question is asked N times.
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
constexpr std::int64_t kFirst_us = 1'767'225'600 * core::kSecond;  // 2026-01-01
constexpr std::int64_t kYear_us = 365 * 24 * 3600 * core::kSecond;
constexpr std::size_t kOpeningMoves = 4;  // of the legal ones, in the opening

struct Options {
  std::string folder = std::filesystem::temp_directory_path().string(), store;
  std::int64_t games = 20'000, positions = INT64_MAX;
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

core::FinishedGame random_game(std::int64_t number, std::int64_t games, std::mt19937_64& dice) {
  core::FinishedGame game;
  game.opened.room = number % 3000 == 0 ? "cup" : "main";
  game.opened.game_name = number % 1000 == 0 ? "final-900-5F" : "floodgate-300-10F";
  std::normal_distribution<> rate(2'000, 400);
  game.opened.black_rate = static_cast<std::int32_t>(rate(dice));
  game.opened.white_rate = static_cast<std::int32_t>(rate(dice));
  // A few of them play most of the games.
  const auto someone = [&] { return static_cast<std::int64_t>((dice() % kPlayers) * (dice() % kPlayers)) / kPlayers; };
  game.opened.black = player(someone());
  game.opened.white = player(someone());
  game.opened.csa_id = fmt::format("bench+g+{}+{}+{}", game.opened.black.name, game.opened.white.name, number);
  game.opened.time = {.total_s = 300, .increment_s = 10};
  game.opened.start_sfen = shogi::Position::kStartSfen;
  game.opened.at = core::Wall{kFirst_us + static_cast<std::int64_t>(double(number) / double(games) * double(kYear_us))};
  const core::CivilTime at = core::civil(game.opened.at, {});
  game.opened.local_time = fmt::format("{:04}/{:02}/{:02} 12:00:00", at.year, at.month, at.day);
  game.started = game.opened.at;
  const bool drawn = number % 2000 == 0;
  game.ended = {.kind = drawn ? core::EndKind::sennichite : core::EndKind::toryo,
                .outcome = drawn             ? core::Outcome::draw
                           : dice() % 2 == 0 ? core::Outcome::black_wins
                                             : core::Outcome::white_wins,
                .plies = number % 1500 == 0 ? 20 : static_cast<std::int32_t>(kPlies),
                .line = "%TORYO",
                .at = game.opened.at};
  return game;
}

// Moves of as many games as memory holds; later games have them again.
void fill(store::Store& store, std::int64_t games) {
  constexpr std::int64_t kPlayed = 100'000;
  core::Recovery recovery;
  if (!sure(store.open_journal({}, recovery))->close()) fail("the store fails");
  std::mt19937_64 dice(1);
  std::vector<std::string> played;
  for (std::int64_t number = 1; number <= std::min(games, kPlayed); ++number) {
    played.push_back(random_moves(number, dice));
  }
  const auto import = sure(store.begin_import(false));
  for (std::int64_t number = 1; number <= games; ++number) {
    core::FinishedGame game = random_game(number, games, dice);
    game.moves = played[static_cast<std::size_t>((number - 1) % kPlayed)];
    if (!sure(import->add(game))) fail("two games of one Game_ID");
  }
  sure(import->commit());
}

using Rows = core::Catalogue::Answer<std::size_t>;

template <class Found>
Rows counted(const core::Catalogue::Answer<Found>& answer, auto rows) {
  if (!answer) return std::unexpected(answer.error());
  return static_cast<std::size_t>(rows(*answer));
}

void ask(std::string_view what, int times, const std::function<Rows()>& question) {
  std::vector<double> ms;
  std::size_t rows = 0;
  for (int i = 0; i < times; ++i) {
    const auto began = Clock::now();
    const auto answer = question();
    if (!answer && !answer.error().too_much) fail(answer.error().why);
    if (!answer) return fmt::print("{:<44} takes too long\n", what);
    rows = *answer;
    ms.push_back(ms_since(began));
  }
  std::ranges::sort(ms);
  fmt::print("{:<44} {:8.2f} {:8.2f} ms {:6} rows\n", what, ms[ms.size() / 2], ms[ms.size() * 95 / 100], rows);
}

void ask_all(store::Store& store, const Options& options) {
  const auto opened = sure(store.open_catalogue());
  core::Catalogue& catalogue = *opened;
  const std::string busy = player(3).id, rare = player(490).id;
  shogi::Position third;
  for (int ply = 0; ply < 3; ++ply) third.do_move(shogi::legal_moves(third)[0]);
  const std::int64_t start = core::position_key(shogi::Position()), later = core::position_key(third);
  const auto size = [](const auto& list) { return list.size(); };
  const auto games = [&](std::string_view what, const core::GameQuery& query) {
    ask(what, options.times, [&] { return counted(catalogue.games(query), size); });
  };
  fmt::print("{:<44} {:>8} {:>8}\n", "", "p50", "p95");
  games("the newest 50 games", {});
  games("... in the middle of all", {.before = core::GameId{static_cast<std::uint64_t>(options.games / 2)}});
  games("of a busy player, by id", {.player = busy});
  games("of a busy player, by name", {.player = "engine3"});
  games("of a player who is rarely there", {.player = rare});
  games("between two players", {.player = busy, .opponent = player(5).id});
  games("of an event of one game in 1,000", {.game_name = "final-*"});
  games("of an event that is not there", {.game_name = "open-*"});
  games("of a room of one game in 3,000", {.room = "cup"});
  games("of one day", {.from = "2026/01/05", .to = "2026/01/05"});
  games("of a month", {.from = "2026/02/01", .to = "2026/02/28"});
  games("drawn, one game in 2,000", {.outcome = core::Outcome::draw});
  games("by sennichite, the same games", {.end_kind = "sennichite"});
  games("of at most 30 plies, one game in 1,500", {.max_plies = 30});
  games("of players rated 2,800 and more, one in 2,000", {.min_rate = 2'800});
  games("of players rated 2,000 and more, one in 4", {.min_rate = 2'000});
  games("of all whose name begins so", {.player = "engine4*"});
  games("drawn by a busy player", {.player = busy, .outcome = core::Outcome::draw});
  games("of an opening that one game in 10 has", {.opening = "shikenbisha"});
  games("of an opening that one game in 100 has", {.opening = "nakabisha"});
  games("with the start position", {.position = start});
  games("with a position of ply 3", {.position = later});
  ask("moves from the start position", options.times, [&] { return counted(catalogue.continuations(start), size); });
  ask("moves from that of ply 3", options.times, [&] { return counted(catalogue.continuations(later), size); });
  const auto cross = [&](std::string_view what, const core::CrossQuery& query) {
    ask(what, options.times, [&] {
      return counted(catalogue.cross_table(query), [](const auto& answer) { return answer.table.cells.size(); });
    });
  };
  cross("cross table of all games, 40 players", {});
  cross("... 100 players", {.games = {}, .players = 100});
  cross("... of an event of one game in 1,000", {.games = {.game_name = "final-*"}});
  cross("... of one day", {.games = {.from = "2026/01/05", .to = "2026/01/05"}});
  ask("the page of a busy player", options.times,
      [&] { return counted(catalogue.player(busy), [](const auto& page) { return page->rivals.size(); }); });
  ask("100 players", options.times,
      [&] { return counted(catalogue.players({}), [](const auto& list) { return list.players.size(); }); });
  ask("what a start of the server reads", 1, [&]() -> Rows {
    core::Recovery recovery;
    if (!sure(store.open_journal({}, recovery))->close()) fail("the store fails");
    return recovery.past.size();
  });
  ask("one game", options.times,
      [&] { return counted(catalogue.game(core::GameId{7}), [](const auto& game) { return game ? 1 : 0; }); });
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bench::take_flags(argc, argv,
                    {{"--dir", options.folder},
                     {"--store", options.store},
                     {"--games", options.games},
                     {"--positions", options.positions},
                     {"--times", options.times}});
  const test::TemporaryFolder folder(options.folder);
  const std::string where = options.store.empty() ? "sqlite:" + folder.file("fuhyo.db") : options.store;
  const auto store = sure(store::make_store(where, {.limits = {}, .unsafe = true, .warn = {}}));
  fill(*store, options.games);
  const auto began = Clock::now();
  std::size_t taken = 0;
  const auto positions = sure(store->open_positions());
  const auto wanted = static_cast<std::size_t>(std::min(options.games, options.positions));
  while (const std::size_t more = sure(positions->take_in(std::min<std::size_t>(500, wanted - taken)))) taken += more;
  const double taken_ms = ms_since(began);
  fmt::print("{} games taken in, {:.2f} ms each\n", taken,
             taken_ms / static_cast<double>(std::max<std::size_t>(taken, 1)));
  if (options.store.empty()) {
    const auto mb = [&](const char* file) { return double(std::filesystem::file_size(folder / file)) / 1e6; };
    fmt::print("{:.0f} MB of games, {:.0f} MB of positions\n", mb("fuhyo.db"), mb("fuhyo.db-positions"));
  }
  ask_all(*store, options);
  std::mt19937_64 dice(1);
  core::FinishedGame game = random_game(1, 1, dice);
  game.moves = random_moves(1, dice);
  const auto played = Clock::now();
  std::size_t found = 0;
  for (int i = 0; i < 1'000; ++i) found += core::occurrences(game.opened.start_sfen, game.moves).size();
  fmt::print("{:<44} {:8.0f} ms, without reading them ({} positions a game)\n", "all games played through instead",
             ms_since(played) * static_cast<double>(options.games) / 1'000, found / 1'000);
}
