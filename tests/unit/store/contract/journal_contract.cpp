// The journal of every store.
#include <atomic>
#include <gmock/gmock.h>
#include <numeric>

#include "tests/unit/store/contract/contracts.h"

namespace fuhyo::test {

using namespace core;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {

void append_all(Journal& journal, const std::vector<Transaction>& transactions) {
  for (const Transaction& transaction : transactions) journal.append(transaction);
}

std::vector<Journaled> read_all(store::JournalReader& reader, Seq after = {}) {
  return value_of(reader.read_after(after, SIZE_MAX));
}

store::JournalLimits keeping(std::int64_t us, std::int64_t rows) {
  store::JournalLimits limits = test_limits();
  limits.keep_us = us;
  limits.keep_rows = rows;
  limits.prune_idle_ms = 1;
  return limits;
}

// Retention has looked at everything once more, and leaves what is there now.
void let_retention_look(const store::QueuedJournal& journal) {
  const auto before = journal.stats().prunings;
  EXPECT_TRUE(eventually([&] { return journal.stats().prunings >= before + 2; }));
}

}  // namespace

std::vector<std::string> JournalContract::archive() {
  return under_test_->ask(
      "SELECT game, csa_id, black_name, white_name, end_kind, outcome, moves, notes, preset_plies, plies FROM game"
      " ORDER BY game");
}

TEST_P(JournalContract, AnEmptyStoreRecoversNothing) {
  const auto journal = open(listener_.events());
  ASSERT_TRUE(journal);
  EXPECT_EQ(recovery_.last, Seq{0});
  EXPECT_EQ(recovery_.last_game, GameId{0});
  EXPECT_EQ(recovery_.last_stamp, 0U);
  EXPECT_THAT(recovery_.live, IsEmpty());
  EXPECT_TRUE(journal->close());
  EXPECT_EQ(listener_.durable(), Seq{0});
}

TEST_P(JournalContract, AnEmptyStepIsNothing) {
  const auto journal = open(listener_.events());
  journal->append({});
  EXPECT_TRUE(listener_.keeps(*journal, Script().transaction({opened(1)})));
  EXPECT_THAT(listener_.groups(), ElementsAre(1U));
}

TEST_P(JournalContract, WhatWasAppendedIsAnnouncedInOrderOnceAndCloseMakesItDurable) {
  const std::vector<Transaction> transactions = workload(300);
  const auto journal = open(listener_.events());
  append_all(*journal, transactions);
  EXPECT_TRUE(journal->close());
  EXPECT_EQ(listener_.durable(), transactions.back().back().seq);
  EXPECT_EQ(listener_.committed(), transactions);
  EXPECT_TRUE(listener_.orderly());
  EXPECT_EQ(listener_.lost(), 0);
  EXPECT_TRUE(journal->close()) << "a second time";
}

// While one commit runs, the rest gathers: the first callback is held until everything is queued.
TEST_P(JournalContract, WhatQueuedDuringACommitIsTheNextCommit) {
  const std::vector<Transaction> transactions = workload(100);
  std::atomic<bool> queued{false};
  JournalEvents events = listener_.events();
  events.durable = [inner = events.durable, &queued](Seq seq) {
    queued.wait(false);
    inner(seq);
  };
  const auto journal = open(events);
  append_all(*journal, transactions);
  queued = true;
  queued.notify_one();
  EXPECT_TRUE(journal->close());
  const std::vector<std::size_t> groups = listener_.groups();
  EXPECT_LE(groups.size(), 2U);
  EXPECT_EQ(std::accumulate(groups.begin(), groups.end(), std::size_t{0}), transactions.size());
}

TEST_P(JournalContract, RecoveryFindsTheUnfinishedGames) {
  const std::vector<Transaction> transactions = workload(57);
  append_all(*open({}), transactions);
  const auto journal = open({});
  const std::vector<Journaled> rows = rows_of(transactions);
  EXPECT_EQ(recovery_.last, rows.back().seq);
  EXPECT_EQ(recovery_.live, live_rows(rows));
  EXPECT_THAT(recovery_.live, ::testing::Not(IsEmpty()));
  GameId newest{};
  for (const Journaled& row : rows) newest = std::max(newest, game_of(row.fact));
  EXPECT_EQ(recovery_.last_game, newest);
  EXPECT_EQ(recovery_.last_stamp, 20260701000000 + value(newest));
}

TEST_P(JournalContract, WhatStandsIsFoundAgainUntilItIsOver) {
  const auto buoy = [](std::string name, int count) {
    return BuoySet{.name = std::move(name), .owner = "host", .count = count, .start_sfen = "s", .moves = {"+1,T1"}};
  };
  {
    const auto journal = open({});
    journal->append(script_.transaction({buoy("buoy_a-1-1", 3), buoy("buoy_b-1-1", 1)}));
    journal->append(script_.transaction({buoy("buoy_a-1-1", 2), BuoyDeleted{.name = "buoy_b-1-1"}}));
    journal->append(script_.transaction({buoy("buoy_c-1-1", 7)}));
  }
  {
    const auto journal = open({});
    EXPECT_THAT(recovery_.keyed_facts,
                ElementsAre(Journaled{Seq{3}, buoy("buoy_a-1-1", 2)}, Journaled{Seq{5}, buoy("buoy_c-1-1", 7)}));
    EXPECT_THAT(recovery_.live, IsEmpty());
    journal->append(script_.transaction({BuoyDeleted{.name = "buoy_c-1-1"}}));
  }
  open({});
  EXPECT_THAT(recovery_.keyed_facts, ElementsAre(Journaled{Seq{3}, buoy("buoy_a-1-1", 2)}));
}

// Whatever stands under keys of that beginning, of before or of the same commit; nothing else, and nothing of after it.
TEST_P(JournalContract, OfADeletedEventNothingStands) {
  const auto entered = [](std::string event, std::string player) {
    return TournamentDecided{.event = std::move(event),
                             .decision = tournament::Entered{{.player = std::move(player), .title = {}}}};
  };
  const auto set = [](std::string event) { return TournamentSet{.name = std::move(event), .text = "x"}; };
  {
    const auto journal = open({});
    journal->append(script_.transaction({set("cup"), set("cup_2"), set("cu_"), entered("cup", "ann")}));
    journal->append(script_.transaction({entered("cup", "bob"), TournamentPhaseSet{.event = "cup"}}));
    journal->append(script_.transaction({entered("cup", "cat"), TournamentDeleted{.event = "cup"}, set("cup")}));
    journal->append(script_.transaction({TournamentDeleted{.event = "cu_"}}));
  }
  open({});
  std::vector<std::string> keys;
  for (const Journaled& row : recovery_.keyed_facts) keys.push_back(keyed_fact_of(row.fact)->key);
  EXPECT_THAT(keys, ElementsAre("tournament/cup_2/event", "tournament/cup/event"));
  EXPECT_EQ(recovery_.keyed_facts.back().seq, Seq{9});
}

// Pairing looks back on these: newest last, only games of two players with a trip that came to a result.
TEST_P(JournalContract, RecoveryTellsTheLastGamesOfEachFloodgateGroup) {
  {
    const auto journal = open({});
    for (std::uint64_t id = 1; id <= 105; ++id) {
      GameOpened game = opened(id);
      game.game_name = id == 104 ? "other-300-10" : "floodgate-300-10F";
      game.black.id = "b+1";
      game.white.id = id == 105 ? "" : "w+2";
      journal->append(script_.transaction({game, started(id)}));
      journal->append(script_.transaction({ended(id, 4)}));
    }
  }
  open({});
  ASSERT_EQ(recovery_.past.size(), kPastGames);
  EXPECT_EQ(recovery_.past.front().csa_id, opened(4).csa_id);
  EXPECT_EQ(recovery_.past.back().csa_id, opened(103).csa_id);
  EXPECT_EQ(recovery_.past.back().white_id, "w+2");
}

TEST_P(JournalContract, AFinishedGameBecomesOneRow) {
  auto journal = open({});
  journal->append(script_.transaction({opened(1)}));
  journal->append(script_.transaction({opened(2), started(1)}));
  journal->append(script_.transaction({move(1, 2)}));
  journal->append(script_.transaction({RecordNote{.game = GameId{1}, .text = "Deferred -3334FU"}, move(1, 3)}));
  journal->append(script_.transaction({rejected(2)}));
  EXPECT_TRUE(journal->close());
  EXPECT_THAT(archive(), IsEmpty()) << "nothing has finished, and a rejected game was never played";

  // The end comes after a restart: the row is whole all the same.
  journal.reset();
  journal = open({});
  journal->append(script_.transaction({move(1, 4), ended(1, 4)}));
  journal.reset();
  const std::string expected = "1|" + opened(1).csa_id +
                               "|b1|w1|toryo|black_wins|+7776FU,T1 -3334FU,T2 +2726FU,T3 -3334FU,T4|"
                               "2 ' Deferred -3334FU\n3 * " +
                               move(1, 3).comment + "\n|1|4";
  EXPECT_THAT(archive(), ElementsAre(expected));
  open({});
  EXPECT_THAT(recovery_.live, IsEmpty());
  EXPECT_EQ(recovery_.last_game, GameId{2});
}

TEST_P(JournalContract, AReaderFollowsTheWriter) {
  const std::vector<Transaction> transactions = workload(400);
  const std::vector<Journaled> rows = rows_of(transactions);
  const auto journal = open(listener_.events());
  const auto reading = reader();
  std::vector<Journaled> seen;
  std::thread follower([&] {
    while (seen.size() < rows.size()) {
      const auto more = reading->read_after(seen.empty() ? Seq{0} : seen.back().seq, 7);
      ASSERT_TRUE(more.has_value()) << more.error();
      ASSERT_LE(more->size(), 7U);
      seen.insert(seen.end(), more->begin(), more->end());
    }
  });
  for (const Transaction& transaction : transactions) {
    journal->append(transaction);
    if (value(transaction.back().seq) % 40 == 0) listener_.wait_durable(transaction.back().seq);
  }
  follower.join();
  EXPECT_EQ(seen, rows);
  EXPECT_THAT(read_all(*reading, rows.back().seq), IsEmpty());
}

TEST_P(JournalContract, WhileCommitsFailNothingIsLostOrAnnounced) {
  const std::vector<Transaction> transactions = workload(100);
  const auto journal = open(listener_.events());
  for (std::size_t i = 0; i < 10; ++i) journal->append(transactions[i]);
  const Seq before = transactions[9].back().seq;
  ASSERT_TRUE(listener_.wait_durable(before));
  under_test_->break_off(true);
  for (std::size_t i = 10; i < 100; ++i) journal->append(transactions[i]);
  ASSERT_TRUE(listener_.wait_lost());
  ASSERT_TRUE(eventually([&] { return journal->stats().failures >= 3; })) << "it is tried again";
  EXPECT_EQ(listener_.durable(), before);
  EXPECT_EQ(listener_.lost(), 1) << "once an episode";
  EXPECT_FALSE(listener_.why().empty());
  under_test_->break_off(false);
  ASSERT_TRUE(listener_.wait_durable(transactions.back().back().seq));
  EXPECT_EQ(listener_.committed(), transactions);
  EXPECT_EQ(listener_.lost(), 1);
  EXPECT_EQ(listener_.back(), 1);
  EXPECT_TRUE(listener_.orderly());
}

TEST_P(JournalContract, CloseGivesUpWhenTheStoreIsAway) {
  const std::vector<Transaction> transactions = workload(20);
  {
    const auto journal = open(listener_.events());
    for (std::size_t i = 0; i < 10; ++i) journal->append(transactions[i]);
    ASSERT_TRUE(listener_.wait_durable(transactions[9].back().seq));
    under_test_->break_off(true);
    for (std::size_t i = 10; i < 20; ++i) journal->append(transactions[i]);
    EXPECT_FALSE(journal->close());
    EXPECT_EQ(listener_.durable(), transactions[9].back().seq);
  }
  under_test_->break_off(false);
  open({});
  EXPECT_EQ(recovery_.last, transactions[9].back().seq);
}

TEST_P(JournalContract, AReplacedWriterNeverWritesAgain) {
  const std::vector<Transaction> transactions = workload(3);
  const auto journal = open(listener_.events());
  ASSERT_TRUE(listener_.keeps(*journal, transactions[0]));
  under_test_->ask("UPDATE lease SET epoch = epoch + 1");
  journal->append(transactions[1]);
  ASSERT_TRUE(listener_.wait_replaced());
  EXPECT_THAT(listener_.replaced(), ::testing::HasSubstr("another writer has taken over"));
  EXPECT_FALSE(journal->close());
  EXPECT_EQ(listener_.durable(), transactions[0].back().seq);
  EXPECT_EQ(read_all(*reader()), rows_of({transactions[0]}));
}

TEST_P(JournalContract, RetentionKeepsWhatLiveGamesNeed) {
  {
    const auto journal = open({});
    for (std::uint64_t game = 1; game <= 3; ++game) {
      journal->append(script_.transaction({opened(game), started(game), move(game, 2)}));
    }
    journal->append(script_.transaction({ended(1, 2)}));
    journal->append(script_.transaction({ended(3, 2)}));
  }
  const auto journal = open({}, keeping(0, 1));
  const auto reading = reader();
  EXPECT_TRUE(eventually([&] { return read_all(*reading).front().seq == Seq{4}; })) << "game 2 began there";
  let_retention_look(*journal);
  EXPECT_EQ(read_all(*reading).front().seq, Seq{4});
  EXPECT_EQ(read_all(*reading).back().seq, script_.last());
  EXPECT_EQ(archive().size(), 2U);
}

// Five rows, two of which go at a time: once, what goes ends where what stays begins.
TEST_P(JournalContract, RetentionNeverEmptiesTheJournal) {
  open({})->append(script_.transaction({opened(1), started(1), ended(1, 1), opened(2), rejected(2)}));
  {
    const auto journal = open({}, keeping(0, 0));
    const auto reading = reader();
    EXPECT_TRUE(eventually([&] { return read_all(*reading).size() <= 1; }));
    let_retention_look(*journal);
    EXPECT_EQ(read_all(*reading).size(), 1U);
  }
  open({});
  EXPECT_EQ(recovery_.last, Seq{5}) << "or seqs would be given twice";
  EXPECT_EQ(recovery_.last_game, GameId{2});
}

TEST_P(JournalContract, RetentionCountsByTheTimesOfTheFacts) {
  const store::JournalLimits kTenSeconds = keeping(10 * kSecond, 1'000'000);
  {
    const auto journal = open(listener_.events(), kTenSeconds);
    journal->append(script_.transaction({opened(1), started(1)}));
    for (std::int32_t ply = 2; ply <= 60; ++ply) {
      ASSERT_TRUE(listener_.keeps(*journal, script_.transaction({move(1, ply)})));  // at second ply + 1
    }
    journal->append(script_.transaction({ended(1, 60)}));  // at second 62
  }
  const auto journal = open({}, kTenSeconds);
  const auto reading = reader();
  const auto oldest = [&] { return read_all(*reading).front().fact; };
  EXPECT_TRUE(eventually([&] { return oldest() == Fact{move(1, 51)}; }));
  let_retention_look(*journal);
  EXPECT_EQ(oldest(), Fact{move(1, 51)});
}

TEST_P(JournalContract, WithinRetentionEveryRowStays) {
  const std::vector<Transaction> transactions = workload(200);
  append_all(*open({}), transactions);
  const auto journal = open(listener_.events(), keeping(3'600'000'000, 100'000));
  let_retention_look(*journal);
  EXPECT_EQ(read_all(*reader()), rows_of(transactions));
}

TEST_P(JournalContract, ALiveGameThatCannotBeReadIsRefusedWithItsRow) {
  open({})->append(script_.transaction({opened(1), started(1), move(1, 2)}));
  under_test_->ask("UPDATE journal SET version = 9 WHERE seq = 3");
  EXPECT_THAT(refusal(), ::testing::HasSubstr("journal row 3: MoveMade (kind 4): version 9"));
}

TEST_P(JournalContract, OldFinishedGamesNeedNotBeReadable) {
  open({})->append(script_.transaction({opened(1), ended(1, 1), opened(2)}));
  under_test_->ask("UPDATE journal SET version = 9 WHERE game = 1");
  EXPECT_TRUE(open(listener_.events()));
  EXPECT_EQ(recovery_.live.size(), 1U);
}

TEST_P(JournalContract, EachOpenTakesTheLease) {
  for (int i = 0; i < 3; ++i) open(listener_.events()).reset();
  EXPECT_THAT(under_test_->ask("SELECT epoch FROM lease"), ElementsAre("3"));
}

TEST_P(JournalContract, AReaderMayOutliveTheWriter) {
  auto journal = open(listener_.events());
  const auto reading = reader();
  journal->append(Script().transaction({opened(1)}));
  EXPECT_TRUE(journal->close());
  journal.reset();
  EXPECT_EQ(reading->read_after(Seq{0}, 10)->size(), 1U);
}

TEST_P(JournalContract, AReaderSaysWhichRowItCannotRead) {
  const auto journal = open(listener_.events());
  ASSERT_TRUE(listener_.keeps(*journal, Script().transaction({opened(1), started(1)})));
  under_test_->ask("UPDATE journal SET kind = 77 WHERE seq = 2");
  const auto reading = reader();
  EXPECT_THAT(error_of(reading->read_after(Seq{0}, 10)), ::testing::HasSubstr("journal row 2: unknown kind 77"));
  EXPECT_EQ(reading->read_after(Seq{0}, 1)->size(), 1U) << "the reader goes on";
}

TEST_P(JournalContract, ReadersOfSeveralThreadsShareOneReader) {
  const auto journal = open(listener_.events());
  append_all(*journal, workload(200));
  EXPECT_TRUE(journal->close());
  const auto reading = reader();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 20; ++k) EXPECT_EQ(reading->read_after(Seq{5}, 50)->size(), 50U);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(JournalContract, ANewerFileIsRefused) {
  open(listener_.events()).reset();
  under_test_->ask("INSERT INTO " + under_test_->migrations() + " VALUES (99, '0099_future', '')");
  EXPECT_THAT(refusal(), ::testing::HasSubstr("was written by a newer program: it has migration 0099_future"));
}

TEST_P(JournalContract, ASecondWriterIsRefusedAndTheFirstGoesOn) {
  const auto journal = open(listener_.events());
  EXPECT_THAT(refusal(), ::testing::StartsWith(under_test_->make()->name() + ": is in use by "));
  EXPECT_TRUE(listener_.keeps(*journal, Script().transaction({opened(1)})));
  EXPECT_TRUE(journal->close());
  EXPECT_THAT(refusal(), ::testing::HasSubstr("is in use by ")) << "until the object is gone";
}

TEST_P(JournalContract, CountersAreInWords) {
  const auto journal = open(listener_.events());
  ASSERT_TRUE(listener_.keeps(*journal, Script().transaction({opened(1), started(1)})));
  using store::Counter;
  EXPECT_THAT(journal->counters(),
              ::testing::IsSupersetOf({Counter{"store", under_test_->make()->name()}, Counter{"commits", "1"},
                                       Counter{"rows", "2"}, Counter{"failed commits", "0"}}));
}

TEST_P(JournalContract, AReaderWaitsForTheNextRow) {
  const auto journal = open(listener_.events());
  const auto reading = reader();
  EXPECT_EQ(reading->wait_after(Seq{0}, std::chrono::milliseconds(1)), false);
  ASSERT_TRUE(listener_.keeps(*journal, script_.transaction({opened(1)})));
  EXPECT_EQ(reading->wait_after(Seq{0}, kPatience), true) << "it is there already";
  std::thread waiting([&] { EXPECT_EQ(reading->wait_after(Seq{1}, kPatience), true); });
  journal->append(script_.transaction({started(1)}));
  waiting.join();
  EXPECT_EQ(reading->read_after(Seq{1}, 10)->size(), 1U);
}

// Whatever bytes a name has, the commit that carries it comes about, and they come back.
TEST_P(JournalContract, NamesMayBeAnyBytes) {
  const std::string name = std::string("f\xff\x00g\xc3", 5) + "\xef\xbd\xb1\xee\xbc\x80'; --";
  {
    const auto journal = open({});
    GameOpened game = opened(1);
    game.csa_id = game.black.name = game.black.id = name;
    GameEnded end = ended(1, 1);
    end.reason = end.line = name;
    journal->append(script_.transaction({game, started(1), end}));
    journal->append(script_.transaction({NameForbidden{.name = name}}));
    EXPECT_TRUE(journal->close());
  }
  const auto journal = open({});
  ASSERT_EQ(recovery_.keyed_facts.size(), 1U);
  EXPECT_EQ(std::get<NameForbidden>(recovery_.keyed_facts.front().fact).name, name);
  const auto games = value_of(value_of(store_->open_archive())->games(name, 10));
  ASSERT_EQ(games.size(), 1U) << "found by its Game_ID";
  EXPECT_EQ(games.front().opened.black.id, name);
}

TEST_P(JournalContract, EveryRoundIsKept) {
  const auto round = [](std::int64_t number, std::vector<std::string> games) {
    return RoundHeld{.group = "floodgate-300-10F",
                     .number = number,
                     .games = std::move(games),
                     .sat_out = {"c+3"},
                     .at = Wall{1'750'000'000'000'000 + number}};
  };
  {
    const auto journal = open({});
    journal->append(script_.transaction({round(1, {"a+1 b+2", "d+4 e+5"})}));
    journal->append(script_.transaction({round(2, {})}));
  }
  EXPECT_THAT(under_test_->ask("SELECT seq, game_name, number, games, sat_out, at_us FROM round ORDER BY seq"),
              ElementsAre("1|floodgate-300-10F|1|a+1 b+2\nd+4 e+5\n|c+3\n|1750000000000001",
                          "2|floodgate-300-10F|2||c+3\n|1750000000000002"));
  open({});
  EXPECT_EQ(recovery_.keyed_facts.size(), 1U) << "the newest stands";
}

TEST_P(JournalContract, PlayersAreCountedWithTheirGames) {
  const auto play = [&](Journal& journal, std::uint64_t id, const std::string& black, const std::string& white,
                        Outcome outcome) {
    GameOpened game = opened(id);
    game.black = {.name = black.substr(0, 1), .id = black};
    game.white = {.name = white.substr(0, 1), .id = white};
    game.at = Wall{static_cast<std::int64_t>(id) * 10};
    GameEnded end = ended(id, 1);
    end.outcome = outcome;
    end.at = Wall{static_cast<std::int64_t>(id) * 10 + 5};
    journal.append(script_.transaction({game, started(id), end}));
  };
  const auto journal = open({});
  play(*journal, 1, "a+1", "b+2", Outcome::black_wins);
  play(*journal, 2, "b+2", "a+1", Outcome::draw);
  play(*journal, 3, "a+1", "b+2", Outcome::white_wins);
  play(*journal, 4, "a+1", "", Outcome::none);
  journal->append(script_.transaction({opened(5), rejected(5)}));
  EXPECT_TRUE(journal->close());
  EXPECT_THAT(under_test_->ask("SELECT id, name, first_seen_us, last_seen_us, games, wins, losses, draws FROM player"
                               " ORDER BY id"),
              ElementsAre("a+1|a|10|45|4|1|1|1", "b+2|b|10|35|3|1|1|1"));
}

}  // namespace fuhyo::test
