// What every store answers to the web: games, players, rounds, buoys and positions.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engines/shogi/position.h"
#include "server/core/civil_time.h"
#include "server/core/position_key.h"
#include "tests/unit/store/contract/contracts.h"

namespace fuhyo::test {

using namespace core;
using testing::ElementsAre;
using testing::IsEmpty;

void CatalogueContract::play(const std::function<void(FinishedGame&)>& change) {
  const auto number = static_cast<std::int64_t>(played_.size()) + 1;
  FinishedGame game;
  game.opened = opened(static_cast<std::uint64_t>(number));
  game.opened.black = {.name = "a", .id = "a+1"};
  game.opened.white = {.name = "b", .id = "b+2"};
  game.opened.preset_moves = {};
  game.opened.at = Wall{number * kSecond};
  game.started = Wall{number * kSecond + 1};
  game.ended = ended(static_cast<std::uint64_t>(number), 3);
  game.ended.at = Wall{number * kSecond + 2};
  game.moves = "+7776FU,T1 -3334FU,T2 +2726FU,T3";
  change(game);
  played_.push_back(std::move(game));
}

void CatalogueContract::keep(const std::vector<Fact>& others) {
  std::vector<Fact> facts = others;
  for (const FinishedGame& game : played_) {
    facts.emplace_back(game.opened);
    facts.emplace_back(GameStarted{game.opened.game, game.started});
    std::int32_t ply = 0;
    for (const std::string_view move : moves_of(game.moves)) {
      if (static_cast<std::size_t>(ply++) < game.opened.preset_moves.size()) continue;
      facts.emplace_back(MoveMade{.game = game.opened.game,
                                  .ply = ply,
                                  .csa = std::string(move.substr(0, 7)),
                                  .spent_s = move.back() - '0',
                                  .comment = ply == 2 ? "* 12" : ""});
    }
    facts.emplace_back(game.ended);
  }
  write(std::move(facts));
  catalogue_ = value_of(store_->open_catalogue());
}

std::vector<std::uint64_t> CatalogueContract::found(const GameQuery& query) {
  const auto games = catalogue_->games(query);
  EXPECT_TRUE(games) << games.error().why;
  std::vector<std::uint64_t> numbers;
  if (!games) return numbers;
  for (const FinishedGame& game : *games) numbers.push_back(value(game.opened.game));
  return numbers;
}

TEST_P(CatalogueContract, GamesComeAsTheyEndedTheNewestFirstPageByPage) {
  for (int i = 0; i < 5; ++i) play();
  play([](FinishedGame& game) { game.ended.at = Wall{1}; });  // it was brought in later
  play([&](FinishedGame& game) { game.ended.at = played_[4].ended.at; });
  keep();
  EXPECT_THAT(found({}), ElementsAre(7, 5, 4, 3, 2, 1, 6));
  EXPECT_THAT(found({.limit = 2}), ElementsAre(7, 5));
  EXPECT_THAT(found({.before = GameId{7}, .limit = 2}), ElementsAre(5, 4)) << "ended in the same moment";
  EXPECT_THAT(found({.before = GameId{5}, .limit = 2}), ElementsAre(4, 3));
  EXPECT_THAT(found({.before = GameId{6}}), IsEmpty());
}

TEST_P(CatalogueContract, GamesOfAPlayerByNameAndIdAndColour) {
  play();
  play([](FinishedGame& game) { std::swap(game.opened.black, game.opened.white); });
  play([](FinishedGame& game) { game.opened.white = {.name = "c", .id = "c+3"}; });
  play([](FinishedGame& game) { game.opened.white = {.name = "A", .id = "A+9"}; });
  play([](FinishedGame& game) { game.opened.black = {.name = "guest", .id = ""}; });
  keep();
  EXPECT_THAT(found({.player = "a+1"}), ElementsAre(4, 3, 2, 1));
  EXPECT_THAT(found({.player = "a"}), ElementsAre(4, 3, 2, 1)) << "a game between two of the name is there once";
  EXPECT_THAT(found({.player = "A+9"}), ElementsAre(4));
  EXPECT_THAT(found({.player = "a+1", .side = shogi::WHITE}), ElementsAre(2));
  EXPECT_THAT(found({.player = "a+1", .opponent = "b"}), ElementsAre(2, 1));
  EXPECT_THAT(found({.player = "b", .opponent = "a+1", .side = shogi::BLACK}), ElementsAre(2));
  EXPECT_THAT(found({.player = "a+1", .won = true}), ElementsAre(4, 3, 1));
  EXPECT_THAT(found({.player = "a+1", .won = false}), ElementsAre(2));
  EXPECT_THAT(found({.player = "Guest"}), ElementsAre(5)) << "without a trip";
  EXPECT_THAT(found({.player = "g*t"}), ElementsAre(5));
  EXPECT_THAT(found({.player = "guest+"}), ElementsAre(5)) << "exactly so";
  EXPECT_THAT(found({.player = "Guest+"}), IsEmpty());
  EXPECT_THAT(found({.player = "a+"}), IsEmpty()) << "who has a trip is not meant";
  EXPECT_THAT(found({.player = "*"}), ElementsAre(5, 4, 3, 2, 1));
  EXPECT_THAT(found({.player = "gu%"}), IsEmpty());
  EXPECT_THAT(found({.player = "nobody"}), IsEmpty());
  EXPECT_THAT(found({.player = "' OR '1' = '1"}), IsEmpty());
}

TEST_P(CatalogueContract, GamesByWhatTheyWere) {
  play([](FinishedGame& game) { game.opened.game_name = "floodgate-300-10F"; });
  play([](FinishedGame& game) { game.ended.outcome = Outcome::draw, game.ended.kind = EndKind::sennichite; });
  play([](FinishedGame& game) {
    game.ended.plies = 120;
    game.opened.local_time = "2026/11/22 23:59:59";
    game.ended.at = Wall{days_from_civil(2026, 11, 23) * 86'400 * kSecond - 9 * 3600 * kSecond};  // in Japan
  });
  play([](FinishedGame& game) { game.opened.room = "demo"; });
  keep();
  EXPECT_THAT(found({}), ElementsAre(3, 2, 1)) << "demonstrations are not asked for";
  EXPECT_THAT(found({.room = "demo"}), ElementsAre(4));
  EXPECT_THAT(found({.game_name = "FLOODGATE-*"}), ElementsAre(1));
  EXPECT_THAT(found({.outcome = Outcome::draw}), ElementsAre(2));
  EXPECT_THAT(found({.end_kind = "sennichite"}), ElementsAre(2));
  EXPECT_THAT(found({.min_plies = 100}), ElementsAre(3));
  EXPECT_THAT(found({.max_plies = 100}), ElementsAre(2, 1));
  EXPECT_THAT(found({.from = "2026/11/22"}), ElementsAre(3));
  EXPECT_THAT(found({.from = "2026/07/02", .to = "2026/11/22"}), ElementsAre(3)) << "a day ends at its end";
  EXPECT_THAT(found({.to = "2026/11/21"}), ElementsAre(2, 1));
  const Wall end = played_[2].ended.at;
  EXPECT_THAT(found({.ended_from = end}), ElementsAre(3));
  EXPECT_THAT(found({.ended_from = Wall{end.us + 1}}), IsEmpty());
  EXPECT_THAT(found({.ended_before = end}), ElementsAre(2, 1));
  EXPECT_THAT(found({.ended_before = Wall{end.us + 1}}), ElementsAre(3, 2, 1));
}

// In an archive of more games than are looked up one by one: what nearly all have, and what one has.
TEST_P(CatalogueContract, WhatFewGamesHaveIsFoundAmongMany) {
  constexpr int kGames = 120;
  for (int i = 0; i < kGames; ++i) {
    play([](FinishedGame& game) { game.ended.plies = 100, game.opened.black_rate = game.opened.white_rate = 1000; });
  }
  play([](FinishedGame& game) {
    game.opened.game_name = "final-900-5F";
    game.opened.room = "cup";
    game.opened.white = {.name = "c", .id = "c+3"};
    game.opened.black_rate = game.opened.white_rate = 3000;
    game.ended.outcome = Outcome::draw;
    game.ended.kind = EndKind::sennichite;
    game.ended.plies = 20;
  });
  play();
  keep();
  constexpr std::uint64_t kRare = kGames + 1;
  const std::vector<GameQuery> rare = {{.player = "c+3"},
                                       {.player = "c"},
                                       {.opponent = "c*"},
                                       {.game_name = "FINAL-*"},
                                       {.room = "cup"},
                                       {.outcome = Outcome::draw},
                                       {.end_kind = "sennichite"},
                                       {.min_plies = 10, .max_plies = 30},
                                       {.min_rate = 2000}};
  for (const GameQuery& query : rare) {
    EXPECT_THAT(found(query), ElementsAre(kRare));
    GameQuery more = query;
    std::string& other = query.player.empty() ? more.player : more.opponent;
    other = "b";
    EXPECT_THAT(found(more), IsEmpty()) << "he was not there";
    other = "a*";
    EXPECT_THAT(found(more), ElementsAre(kRare));
  }
  const std::vector<GameQuery> common = {{.player = "a"},      {.player = "a*"},      {.opponent = "b"},
                                         {.game_name = "g-*"}, {.end_kind = "toryo"}, {.outcome = Outcome::black_wins},
                                         {.max_plies = 100},   {.room = "main"}};
  for (GameQuery query : common) {
    query.before = GameId{kRare};
    query.limit = 2;
    EXPECT_THAT(found(query), ElementsAre(kGames, kGames - 1));
  }
  EXPECT_THAT(found({.min_plies = 100, .min_rate = 1000, .limit = 1}), ElementsAre(kGames));
  EXPECT_THAT(found({.game_name = "open-*"}), IsEmpty());
}

TEST_P(CatalogueContract, MoreNamesThanAreLookedFor) {
  constexpr int kNames = 5'000;
  Recovery recovery;
  ASSERT_TRUE(value_of(store_->open_journal({}, recovery))->close());
  const auto import = value_of(store_->begin_import(false));
  for (int i = 0; i < kNames; ++i) {
    play([&](FinishedGame& game) { game.opened.csa_id = game.opened.game_name = fmt::format("g{}-900-0", i); });
    ASSERT_TRUE(import->add(played_.back()));
  }
  ASSERT_TRUE(import->commit());
  catalogue_ = value_of(store_->open_catalogue());
  EXPECT_THAT(found({.game_name = "G7-*"}), ElementsAre(8));
  EXPECT_THAT(found({.game_name = "g4999-900-0"}), ElementsAre(kNames));
}

TEST_P(CatalogueContract, AGameThatWasSuspendedIsFoundByTheDayOnWhichItBegan) {
  const auto began = [](FinishedGame& game) {
    game.opened.local_time = "2026/03/01 10:00:00";
    game.opened.at = Wall{days_from_civil(2026, 3, 1) * 86'400 * kSecond};
    game.ended.at = Wall{game.opened.at.us + 3600 * kSecond};
  };
  play([&](FinishedGame& game) { began(game), game.ended.at.us += 200 * 86'400 * kSecond; });
  play(began);
  play([&](FinishedGame& game) { began(game), game.ended.at.us += 22 * 3600 * kSecond; });
  keep();
  EXPECT_THAT(found({.from = "2026/03/01", .to = "2026/03/01"}), ElementsAre(1, 3, 2));
  EXPECT_THAT(found({.to = "2026/02/28"}), IsEmpty());
}

// A player of a cross table as "who points: wins-losses-draws", in their order.
std::vector<std::string> standings(const CrossAnswer& answer) {
  std::vector<std::string> lines;
  for (const auto& [who, tally] : answer.table.players) {
    lines.push_back(fmt::format("{} {}: {}-{}-{}", who, tally.points(), tally.wins, tally.losses, tally.draws));
  }
  return lines;
}

TEST_P(CatalogueContract, ACrossTableOfGamesThatASearchFinds) {
  const auto won = [&](const Seat& black, const Seat& white, Outcome outcome, const char* name = "club-1-0") {
    play([&](FinishedGame& game) {
      game.opened.black = black, game.opened.white = white;
      game.opened.game_name = name;
      game.ended.outcome = outcome;
    });
  };
  const Seat a{.name = "a", .id = "a+1"}, b{.name = "b", .id = "b+2"}, guest{.name = "guest"}, b2{.name = "b"};
  won(a, b, Outcome::black_wins);
  won(b, a, Outcome::black_wins);
  won(b, a, Outcome::draw);
  won(a, guest, Outcome::white_wins, "final-1-0");
  won(b, b2, Outcome::black_wins, "final-1-0");
  won(b, b, Outcome::black_wins);
  won(a, b, Outcome::none);
  play([](FinishedGame& game) { game.opened.room = "demo"; });
  keep();
  const auto table = [&](const GameQuery& games, std::size_t players = 9) {
    auto answer = catalogue_->cross_table({.games = games, .players = players});
    EXPECT_TRUE(answer) << answer.error().why;
    return answer.value_or(CrossAnswer());
  };
  const CrossAnswer all = table({});
  EXPECT_EQ(all.players, 4);
  EXPECT_EQ(all.games, 5) << "of one against himself, without a result, and demonstrations are none";
  EXPECT_THAT(standings(all), ElementsAre("b+2 2.5: 2-1-1", "a+1 1.5: 1-2-1", "guest+ 1: 1-0-0", "b+ 0: 0-1-0"));
  ASSERT_EQ(all.table.cells.size(), 3U);
  EXPECT_EQ(all.table.cells[0],
            (CrossTable::Cell{.row = 0, .column = 1, .tally = {.games = 3, .wins = 1, .losses = 1, .draws = 1}}));
  EXPECT_EQ(all.table.cells[1], (CrossTable::Cell{.row = 0, .column = 3, .tally = {.games = 1, .wins = 1}}));

  EXPECT_THAT(standings(table({.game_name = "FINAL-*"})),
              ElementsAre("b+2 1: 1-0-0", "guest+ 1: 1-0-0", "a+1 0: 0-1-0", "b+ 0: 0-1-0"));
  EXPECT_THAT(standings(table({.player = "a+1"})), ElementsAre("b+2 1.5: 1-1-1", "a+1 1.5: 1-2-1", "guest+ 1: 1-0-0"));
  EXPECT_THAT(standings(table({.player = "b"})), ElementsAre("b+2 2.5: 2-1-1", "a+1 1.5: 1-1-1", "b+ 0: 0-1-0"))
      << "a game between two of the name is counted once";
  EXPECT_THAT(standings(table({.player = "a", .opponent = "guest+"})), ElementsAre("guest+ 1: 1-0-0", "a+1 0: 0-1-0"));
  EXPECT_THAT(standings(table({.outcome = Outcome::draw})), ElementsAre("a+1 0.5: 0-0-1", "b+2 0.5: 0-0-1"));
  EXPECT_EQ(table({.before = GameId{2}, .limit = 1}).games, 5) << "pages do not matter";
  const CrossAnswer nobody = table({.player = "nobody"});
  EXPECT_EQ(nobody.players, 0);
  EXPECT_EQ(nobody.games, 0);
  EXPECT_THAT(standings(nobody), IsEmpty());

  const CrossAnswer cut = table({}, 2);
  EXPECT_EQ(cut.players, 4);
  EXPECT_EQ(cut.games, 5);
  EXPECT_THAT(standings(cut), ElementsAre("a+1 1.5: 1-1-1", "b+2 1.5: 1-1-1"))
      << "who has most games, among themselves";
}

TEST_P(CatalogueContract, AGameIsTheWholeGame) {
  play([](FinishedGame& game) {
    game.opened.preset_moves = {"+7776FU,T1"};
    game.opened.black_rate = 2781;
    game.opened.white_rate = -12;
    game.opened.white_time = core::TimeRule{.total_s = 60, .increment_s = 5, .least_s = game.opened.time.least_s};
    game.ended.kind = EndKind::kachi;
    game.ended.line = "%KACHI";
    game.ended.spent_s = 4;
  });
  keep();
  const auto game = catalogue_->game(GameId{1});
  ASSERT_TRUE(game) << game.error().why;
  ASSERT_TRUE(*game);
  FinishedGame expected = played_.front();
  expected.notes = "2 * * 12\n";
  EXPECT_EQ(**game, expected);
  EXPECT_EQ(*catalogue_->game(GameId{2}), std::nullopt);
}

TEST_P(CatalogueContract, PlayersWithWhatTheyAreRated) {
  play();
  play([](FinishedGame& game) { game.opened.black = {.name = "Carol", .id = "Carol+3"}; });
  keep();
  rate("2026-11-20", {{"a+1", {1500, 20}}, {"b+2", {9000, 1}}});
  rate("2026-11-21", {{"a+1", {1600, 30}}, {"Carol+3", {1700, 0}}});
  const auto ids = [&](const PlayerQuery& query) {
    std::vector<std::string> list;
    for (const PlayerRow& player : catalogue_->players(query)->players) list.push_back(player.id);
    return list;
  };
  using enum PlayerQuery::Order;
  EXPECT_THAT(ids({}), ElementsAre("Carol+3", "a+1", "b+2")) << "b+2 is rated no more";
  EXPECT_THAT(ids({.order = games}), ElementsAre("b+2", "Carol+3", "a+1"));
  EXPECT_THAT(ids({.order = recent}), ElementsAre("Carol+3", "b+2", "a+1"));
  EXPECT_THAT(ids({.order = name}), ElementsAre("a+1", "b+2", "Carol+3"));
  EXPECT_THAT(ids({.limit = 1, .offset = 1}), ElementsAre("a+1"));
  EXPECT_EQ(catalogue_->players({.limit = 1})->total, 3);
  EXPECT_THAT(ids({.name = "ARO"}), ElementsAre("Carol+3"));
  const PlayerRow first = catalogue_->players({})->players.at(1);
  EXPECT_EQ(first.rate, 1600);
  EXPECT_EQ(first.error, 30);
  EXPECT_EQ(first.tally, (Tally{.games = 1, .wins = 1}));
  EXPECT_EQ(catalogue_->players({.order = games})->players.front().rate, std::nullopt);
}

TEST_P(CatalogueContract, GamesByWhatTheirPlayersWereRatedThen) {
  const auto rated = [&](std::int32_t black, std::int32_t white) {
    play([=](FinishedGame& game) { game.opened.black_rate = black, game.opened.white_rate = white; });
  };
  rated(1600, 1500);
  rated(1600, 0);
  rated(1600, -12);
  rated(1499, 1600);
  keep();
  rate("2026-11-21", {{"a+1", {3000, 20}}, {"b+2", {3000, 20}}});
  EXPECT_THAT(found({.min_rate = 1500}), ElementsAre(1)) << "both of them, and not as they are rated now";
  EXPECT_THAT(found({.min_rate = 1501}), IsEmpty());
  EXPECT_THAT(found({.min_rate = 1}), ElementsAre(4, 1));
  const auto games = catalogue_->games({});
  ASSERT_EQ(games->size(), 4U);
  EXPECT_EQ((*games)[1].opened.black_rate, 1600);
  EXPECT_EQ((*games)[1].opened.white_rate, -12);
  EXPECT_EQ((*games)[2].opened.white_rate, 0);
}

TEST_P(CatalogueContract, APlayersPageCountsHisGames) {
  play();
  play([](FinishedGame& game) { std::swap(game.opened.black, game.opened.white); });
  play([](FinishedGame& game) {
    game.opened.white = {.name = "c", .id = "c+3"};
    game.ended.outcome = Outcome::draw, game.ended.kind = EndKind::sennichite;
  });
  play([](FinishedGame& game) { game.opened.white = {.name = "guest", .id = ""}; });
  keep();
  for (const char* day : {"2026-11-21", "2026-11-20"}) rate(day, {{"a+1", {1600, 30}}});
  const auto answer = catalogue_->player("a+1");
  ASSERT_TRUE(answer) << answer.error().why;
  ASSERT_TRUE(*answer);
  const PlayerPage& page = **answer;
  EXPECT_EQ(page.player.tally, (Tally{.games = 4, .wins = 2, .losses = 1, .draws = 1}));
  EXPECT_EQ(page.black, (Tally{.games = 3, .wins = 2, .draws = 1}));
  EXPECT_EQ(page.white, (Tally{.games = 1, .losses = 1}));
  ASSERT_EQ(page.rivals.size(), 2U) << "guests are nobody";
  EXPECT_EQ(page.rivals[0].id, "b+2");
  EXPECT_EQ(page.rivals[0].tally, (Tally{.games = 2, .wins = 1, .losses = 1}));
  ASSERT_EQ(page.ends.size(), 2U);
  EXPECT_EQ(page.ends[0].kind, "toryo");
  EXPECT_EQ(page.ends[0].tally, (Tally{.games = 3, .wins = 2, .losses = 1}));
  ASSERT_EQ(page.days.size(), 2U);
  EXPECT_EQ(page.days[0].day, "2026-11-20");
  EXPECT_EQ(*catalogue_->player("nobody+1"), std::nullopt);
}

TEST_P(CatalogueContract, RoundsKnowTheirGames) {
  const auto round = [](std::int64_t number, std::int64_t second) {
    return RoundHeld{.group = "floodgate-1-0",
                     .number = number,
                     .games = {"a+1 b+2", "c+3 d+4"},
                     .sat_out = {"e+5"},
                     .at = Wall{second * kSecond}};
  };
  for (int i = 0; i < 2; ++i) play([](FinishedGame& game) { game.opened.game_name = "floodgate-1-0"; });
  play();
  keep({round(1, 1), round(2, 2), RoundHeld{.group = "floodgate-2-0", .number = 9, .at = Wall{1}}});
  const auto list = catalogue_->rounds({});
  ASSERT_TRUE(list) << list.error().why;
  ASSERT_EQ(list->groups.size(), 2U);
  EXPECT_EQ(list->groups[0].name, "floodgate-1-0");
  EXPECT_EQ(list->groups[0].rounds, 2);
  ASSERT_EQ(list->rounds.size(), 3U);
  EXPECT_EQ(list->rounds[0].group, "floodgate-2-0");
  const RoundRow& second = list->rounds[1];
  EXPECT_EQ(second.number, 2);
  EXPECT_THAT(second.sat_out, ElementsAre("e+5"));
  ASSERT_EQ(second.games.size(), 2U);
  EXPECT_EQ(second.games[0].game, GameId{2}) << "that of the first round is another one";
  EXPECT_EQ(second.games[0].outcome, Outcome::black_wins);
  EXPECT_EQ(second.games[1].game, GameId{}) << "not played yet";
  EXPECT_EQ(list->rounds[2].games[0].game, GameId{1});
  EXPECT_EQ(catalogue_->rounds({.group = "floodgate-1-0", .limit = 1})->rounds.at(0).number, 2);
  const auto earlier = catalogue_->rounds({.before = second.seq});
  ASSERT_EQ(earlier->rounds.size(), 1U);
  EXPECT_EQ(earlier->rounds[0].games[0].game, GameId{1}) << "that of the second one, which is on another page, is not";
}

TEST_P(CatalogueContract, PlayersStandInTheOrderOfTheirBytes) {
  for (const char* name : {"b", "a_b", "B", "a-b", "ab", "_"}) {
    play([&](FinishedGame& game) { game.opened.black = {.name = name, .id = std::string(name) + "+1"}; });
  }
  keep({});
  std::vector<std::string> names;
  for (const PlayerRow& player : catalogue_->players({.order = PlayerQuery::Order::name})->players) {
    if (player.id.ends_with("+1")) names.push_back(player.name);
  }
  EXPECT_THAT(names, ElementsAre("_", "a-b", "a_b", "ab", "B", "b"));
  EXPECT_EQ(catalogue_->players({.name = "\u212A"})->total, 0) << "the sign of kelvin is no k";
}

// Games whose end spectators have not seen are in no answer: "late-*" up to second 3, but "late-now-*" whenever it was.
TEST_P(CatalogueContract, WhatSpectatorsHaveNotSeenIsNotThere) {
  const auto named = [&](const char* name, Outcome outcome = Outcome::black_wins) {
    play([&](FinishedGame& game) { game.opened.game_name = name, game.ended.outcome = outcome; });
  };
  named("late-1-0");
  named("late-[1]-0");
  named("late-1-0");      // 3: ends 2 us after second 3
  named("late-now-1-0");  // 4
  named("Late-1-0");      // 5: case counts
  named("late-[1]-0", Outcome::draw);
  play([](FinishedGame& game) {  // 7
    game.opened.game_name = "late-1-0";
    game.opened.white = {.name = "new", .id = "new+4"};
    game.ended.outcome = Outcome::white_wins;
  });
  keep({RoundHeld{.group = "late-1-0", .number = 1, .games = {"a+1 new+4"}, .at = Wall{7 * kSecond}}});
  ASSERT_EQ(take_in(10), 7U);
  EXPECT_THAT(found({}), ElementsAre(7, 6, 5, 4, 3, 2, 1));
  const std::int64_t start = position_key(*shogi::Position::from_sfen(shogi::Position::kStartSfen));
  const PlayerPage all = **catalogue_->player("a+1");
  EXPECT_EQ(all.player.tally, (Tally{.games = 7, .wins = 5, .losses = 1, .draws = 1}));

  const std::vector<EndsSeen> late = {{"late-now-*", Wall{INT64_MAX}}, {"late-*", Wall{3 * kSecond + 1}}};
  catalogue_->show_ends(late);
  EXPECT_THAT(found({}), ElementsAre(5, 4, 2, 1));
  EXPECT_THAT(found({.player = "a"}), ElementsAre(5, 4, 2, 1));
  EXPECT_THAT(found({.player = "new"}), IsEmpty());
  EXPECT_THAT(found({.outcome = Outcome::draw}), IsEmpty());
  EXPECT_THAT(found({.position = start}), ElementsAre(5, 4, 2, 1));
  EXPECT_THAT(found({.before = GameId{5}}), ElementsAre(4, 2, 1));
  EXPECT_THAT(found({.before = GameId{3}}), ElementsAre(5, 4, 2, 1)) << "it says no more than one that never was";
  EXPECT_EQ(*catalogue_->game(GameId{3}), std::nullopt);
  EXPECT_NE(*catalogue_->game(GameId{4}), std::nullopt);
  EXPECT_EQ(catalogue_->continuations(start)->at(0).games, 4);
  EXPECT_THAT(standings(*catalogue_->cross_table({})), ElementsAre("a+1 4: 4-0-0", "b+2 0: 0-4-0"));
  EXPECT_EQ(catalogue_->rounds({})->rounds.at(0).games.at(0).game, GameId{});
  EXPECT_EQ(catalogue_->rounds({})->rounds.at(0).games.at(0).outcome, std::nullopt);

  const PlayerPage page = **catalogue_->player("a+1");
  EXPECT_EQ(page.player.tally, (Tally{.games = 4, .wins = 4}));
  EXPECT_EQ(page.black, page.player.tally);
  EXPECT_EQ(page.rivals.size(), 1U);
  EXPECT_EQ(page.ends.at(0).tally.games, 4);
  EXPECT_EQ(page.player.last_seen, Wall{3 * kSecond}) << "when the first of the others was opened";
  EXPECT_EQ(*catalogue_->player("new+4"), std::nullopt) << "his first game";
  const PlayerList list = *catalogue_->players({.order = PlayerQuery::Order::games});
  EXPECT_EQ(list.total, 2);
  ASSERT_EQ(list.players.size(), 2U);
  EXPECT_EQ(list.players[0].id, "a+1");
  EXPECT_EQ(list.players[0].tally, page.player.tally);
  EXPECT_EQ(list.players[1].tally, (Tally{.games = 4, .losses = 4}));
  for (const auto order : {PlayerQuery::Order::rate, PlayerQuery::Order::recent, PlayerQuery::Order::name}) {
    EXPECT_EQ(catalogue_->players({.order = order})->players.size(), 2U);
  }

  catalogue_->show_ends({{"late-[*-0", Wall{0}}});
  EXPECT_THAT(found({}), ElementsAre(7, 5, 4, 3, 1)) << "only * stands for others";
  catalogue_->show_ends({{"late-?-0", Wall{0}}, {"late-%-0", Wall{0}}, {"late_1-0", Wall{0}}});
  EXPECT_EQ(found({}).size(), 7U);
  catalogue_->show_ends({{"late-1-0", Wall{0}}});
  EXPECT_THAT(found({}), ElementsAre(6, 5, 4, 2)) << "without * it is the name";
  catalogue_->show_ends({});
  EXPECT_EQ(found({}).size(), 7U);
}

// What rooms say: some games by their numbers, then all of a room, then those of a name.
TEST_P(CatalogueContract, TheEndsOfGamesOfARoomAreSeenAsItSays) {
  for (const char* room : {"main", "final", "final", "open"}) {
    play([room](FinishedGame& game) { game.opened.room = room, game.opened.game_name = "late-1-0"; });
  }
  keep();
  const EndsSeen final{.games = {}, .until = Wall{0}, .room = "final"};
  const EndsSeen open{.games = {}, .until = Wall{INT64_MAX}, .room = "open"};
  catalogue_->show_ends({final});
  EXPECT_THAT(found({}), ElementsAre(4, 1));
  catalogue_->show_ends({final, open, {"late-*", Wall{0}}});
  EXPECT_THAT(found({}), ElementsAre(4)) << "the room comes before the name";
  catalogue_->show_ends({{.games = {}, .until = Wall{0}, .ids = {GameId{4}, GameId{1}}}, open});
  EXPECT_THAT(found({}), ElementsAre(3, 2)) << "and a game before its room";
  EXPECT_EQ(catalogue_->game(GameId{4}).value(), std::nullopt);
  EXPECT_THAT(found({.room = "final"}), ElementsAre(3, 2));
}

TEST_P(CatalogueContract, BuoysAndSetsStand) {
  const BuoySet buoy{.name = "buoy_x-60-0", .owner = "a", .count = 3, .start_sfen = "s", .moves = {"+7776FU,T1"}};
  keep({buoy, BuoySet{.name = "buoy_y-60-0"}, BuoyDeleted{.name = "buoy_y-60-0"},
        PositionSetLoaded{.name = "set", .by = "host", .text = "startpos"}, NameForbidden{.name = "bad"}});
  const auto facts = catalogue_->buoys({});
  ASSERT_TRUE(facts) << facts.error().why;
  ASSERT_EQ(facts->size(), 2U);
  EXPECT_EQ(std::get<PositionSetLoaded>((*facts)[0]).text, "startpos");
  EXPECT_EQ(std::get<BuoySet>((*facts)[1]), buoy);
  EXPECT_TRUE(catalogue_->buoys({.after = buoy.name})->empty());
  EXPECT_EQ(catalogue_->buoys({.after = "buoy_w"})->size(), 1U);
  EXPECT_EQ(catalogue_->buoys({.after = "buoy_w", .limit = 0})->size(), 0U);
}

TEST_P(CatalogueContract, GamesByPosition) {
  play();
  play([](FinishedGame& game) {
    game.moves = "+2726FU,T1 -3334FU,T2 +7776FU,T3 -8384FU,T4";  // the same by another way, and on
    game.ended.outcome = Outcome::white_wins;
  });
  play([](FinishedGame& game) { game.moves = "+7776FU,T1 -5354FU,T2"; });
  play([](FinishedGame& game) { game.moves = "+7776FU,T1 -5354FU,T2", game.opened.room = "demo"; });
  keep();
  const auto key = [](std::string_view sfen) { return position_key(*shogi::Position::from_sfen(sfen)); };
  const std::int64_t start = key(shogi::Position::kStartSfen);
  const std::int64_t third = key("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 4");
  EXPECT_THAT(found({.position = start}), IsEmpty()) << "nothing is taken in yet";
  for (const std::size_t count : {2U, 1U, 0U}) EXPECT_EQ(take_in(2), count);
  EXPECT_THAT(found({.position = start}), ElementsAre(3, 2, 1));
  EXPECT_THAT(found({.position = third}), ElementsAre(2, 1));
  EXPECT_THAT(found({.player = "a+1", .position = third, .before = GameId{2}}), ElementsAre(1));
  const auto moves = catalogue_->continuations(start);
  ASSERT_TRUE(moves) << moves.error().why;
  ASSERT_EQ(moves->size(), 2U);
  EXPECT_EQ((*moves)[0].move, "7g7f");
  EXPECT_EQ((*moves)[0].games, 2) << "and not that of the demonstration";
  EXPECT_EQ((*moves)[0].black_wins, 2);
  EXPECT_EQ((*moves)[0].last, GameId{3});
  EXPECT_EQ((*moves)[1].white_wins, 1);
  EXPECT_EQ(catalogue_->continuations(third)->size(), 1U) << "one of them ended there";
}

TEST_P(CatalogueContract, GamesByOpening) {
  const auto fourth_file = [](FinishedGame& game) {
    game.moves = "+7776FU,T1 -3334FU,T1 +6766FU,T1 -8384FU,T1 +2868HI,T1";
  };
  play();
  play(fourth_file);
  play([&](FinishedGame& game) { fourth_file(game), game.ended.outcome = Outcome::draw; });
  play([&](FinishedGame& game) { fourth_file(game), game.opened.room = "demo"; });
  keep();
  EXPECT_THAT(found({.opening = "shikenbisha"}), IsEmpty()) << "nothing is taken in yet";
  EXPECT_EQ(take_in(10), 3U);
  EXPECT_THAT(found({.opening = "shikenbisha"}), ElementsAre(3, 2));
  EXPECT_THAT(found({.outcome = Outcome::draw, .opening = "shikenbisha"}), ElementsAre(3));
  EXPECT_THAT(found({.player = "b", .opening = "shikenbisha", .before = GameId{3}}), ElementsAre(2));
  EXPECT_THAT(found({.opening = "yagura"}), IsEmpty());
}

TEST_P(CatalogueContract, PositionsOfAGameThatEndsAfterLaterOnes) {
  for (int i = 0; i < 4; ++i) play();
  const FinishedGame first = played_.front(), last = played_.back();
  played_.erase(played_.begin());
  played_.pop_back();
  keep({first.opened, GameStarted{first.opened.game, first.started}});
  const auto index = value_of(store_->open_positions());
  const auto take = [&](std::size_t most) { return value_of(index->take_in(most)); };
  EXPECT_EQ(take(0), 0U);
  EXPECT_EQ(take(1), 1U);
  write({first.ended});
  played_ = {last};
  keep();
  for (const std::size_t count : {1U, 1U, 1U, 0U}) EXPECT_EQ(take(1), count);
  EXPECT_THAT(found({.position = position_key(shogi::Position())}), ElementsAre(4, 3, 2, 1));
}

// More games than are looked up by themselves: the newest are found by looking at games.
TEST_P(CatalogueContract, GamesByAnOpeningThatEverybodyPlays) {
  constexpr int kGames = 102;
  for (int i = 0; i < kGames; ++i) play([](FinishedGame& game) { game.moves = "+5756FU,T1 -8384FU,T1 +2858HI,T1"; });
  keep();
  EXPECT_EQ(take_in(2'000), std::size_t{kGames});
  EXPECT_THAT(found({.opening = "nakabisha", .limit = 2}), ElementsAre(kGames, kGames - 1));
  EXPECT_THAT(found({.opening = "nakabisha", .before = GameId{3}}), ElementsAre(2, 1));
  EXPECT_THAT(found({.opening = "yagura"}), IsEmpty());
}

TEST_P(CatalogueContract, GamesThatAreBroughtInHavePositionsToo) {
  play();
  Recovery recovery;
  const auto journal = value_of(store_->open_journal({}, recovery));
  ASSERT_TRUE(journal->close());
  const auto import = value_of(store_->begin_import(false));
  ASSERT_TRUE(import->add(played_.front()));
  ASSERT_TRUE(import->commit());
  EXPECT_EQ(take_in(10), 1U);
}

}  // namespace fuhyo::test
