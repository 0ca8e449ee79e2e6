// What every store keeps for good, read back: finished games and the audit log.
#include <gmock/gmock.h>

#include "tests/unit/store/contract/contracts.h"

namespace fuhyo::test {

using testing::ElementsAre;
using testing::IsEmpty;

namespace {

core::GameOpened named(std::uint64_t id, const std::string& name) {
  core::GameOpened game = opened(id);
  game.game_name = name;
  return game;
}

}  // namespace

std::vector<std::uint64_t> ArchiveContract::games(const std::string& wanted, std::size_t limit) {
  std::vector<std::uint64_t> found;
  for (const store::ArchivedGame& game : value_of(value_of(store_->open_archive())->games(wanted, limit))) {
    found.push_back(core::value(game.opened.game));
  }
  return found;
}

TEST_P(ArchiveContract, GamesByNumberByGameIdAndByName) {
  write({named(1, "club-900-5F"), started(1), ended(1, 3), named(2, "club-60-0"), started(2), ended(2, 3),
         named(3, "other-60-0"), started(3), ended(3, 3), named(4, "club-60-0"), started(4)});
  EXPECT_THAT(games("*"), ElementsAre(1, 2, 3)) << "the fourth still runs";
  EXPECT_THAT(games("club-*"), ElementsAre(1, 2));
  EXPECT_THAT(games("2"), ElementsAre(2));
  EXPECT_THAT(games(opened(3).csa_id), ElementsAre(3));
  EXPECT_THAT(games("*", 2), ElementsAre(2, 3)) << "the newest";
  EXPECT_THAT(games("cl_b*"), IsEmpty()) << "nothing but * stands for others";
  EXPECT_THAT(games("cl?b*"), IsEmpty());
  EXPECT_THAT(games("c[l]ub*"), IsEmpty());
  EXPECT_THAT(games("club%"), IsEmpty());
  EXPECT_THAT(games("4"), IsEmpty());
  EXPECT_THAT(games("' OR 1=1 --"), IsEmpty());
}

TEST_P(ArchiveContract, TheAuditLogIsKeptWordForWordAndOldestFirst) {
  std::vector<core::Fact> facts;
  std::vector<core::AdminActed> acts;
  for (int i = 1; i <= 3; ++i) {
    acts.push_back({.who = "host",
                    .via = "127.0.0.1:1",
                    .act = "pause " + std::to_string(i) + " \xff 停電",
                    .why = "停電",
                    .outcome = "ok",
                    .at = core::Wall{i},
                    .local_time = "2026/07/01 21:34:56"});
    facts.emplace_back(acts.back());
  }
  write(facts);
  const auto archive = value_of(store_->open_archive());
  EXPECT_EQ(archive->audit(10), acts);
  acts.erase(acts.begin());
  EXPECT_EQ(archive->audit(2), acts);
}

TEST_P(ArchiveContract, AGameIsReadBackAsItWas) {
  core::GameEnded end = ended(1, 7);
  end.kind = core::EndKind::sennichite;
  end.outcome = core::Outcome::draw;
  write({opened(1), started(1), end});
  const store::ArchivedGame game = value_of(value_of(store_->open_archive())->games("1", 1)).at(0);
  EXPECT_EQ(game.opened.csa_id, opened(1).csa_id);
  EXPECT_EQ(game.opened.room, "main");
  EXPECT_EQ(game.opened.game_name, "g-900-0");
  EXPECT_EQ(game.opened.black.id, "b1+trip");
  EXPECT_EQ(game.opened.white.name, "w1");
  EXPECT_EQ(game.opened.at, opened(1).at);
  EXPECT_EQ(game.opened.local_time, "2026/07/01 00:00:00");
  EXPECT_EQ(game.outcome, core::Outcome::draw);
  EXPECT_EQ(game.end_kind, core::summary_type(end.kind));
  EXPECT_EQ(game.plies, 7);
}

TEST_P(ArchiveContract, PausesAreInTheNotesOfAFinishedGame) {
  write({opened(1), started(1), move(1, 2),  // behind a preset move
         core::GamePaused{.game = core::GameId{1}, .used_us = 5, .by = "host", .why = "power cut", .at = {}},
         core::GameResumed{.game = core::GameId{1}, .by = "host", .why = "", .at = {}}, ended(1, 2)});
  const std::string notes = under_test_->ask("SELECT notes FROM game").at(0);
  EXPECT_THAT(notes, testing::HasSubstr("2 *  paused by host: power cut\n2 *  resumed by host\n"));
}

}  // namespace fuhyo::test
