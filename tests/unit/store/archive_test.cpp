// What the database keeps for good, read back: finished games and the audit log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/store/sqlite/database.h"
#include "server/store/store.h"
#include "tests/unit/store/journal_script.h"

namespace fuhyo::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ArchiveTest : public testing::Test {
 protected:
  // Writes the facts and closes the journal.
  void write(std::vector<core::Fact> facts) {
    core::Recovery recovery;
    auto journal = store_->open_journal({}, recovery);
    ASSERT_TRUE(journal) << journal.error();
    (*journal)->append(Script(recovery.last).step(std::move(facts)));
    EXPECT_TRUE((*journal)->close());
  }
  std::vector<std::uint64_t> games(const std::string& wanted, std::size_t limit = 10) {
    auto archive = store_->open_archive();
    EXPECT_TRUE(archive) << archive.error();
    std::vector<std::uint64_t> found;
    for (const store::ArchivedGame& game : *(*archive)->games(wanted, limit)) {
      found.push_back(core::value(game.opened.game));
    }
    return found;
  }
  static core::GameOpened named(std::uint64_t id, const std::string& name) {
    core::GameOpened game = opened(id);
    game.game_name = name;
    return game;
  }

  TemporaryFolder folder;
  const std::string file = folder.file("x.db");
  const std::unique_ptr<store::Store> store_ = *store::make_store("sqlite:" + file);
};

TEST_F(ArchiveTest, GamesByNumberByGameIdAndByName) {
  write({named(1, "club-900-5F"), started(1), ended(1, 3), named(2, "club-60-0"), started(2), ended(2, 3),
         named(3, "other-60-0"), started(3), ended(3, 3), named(4, "club-60-0"), started(4)});
  EXPECT_THAT(games("*"), ElementsAre(1, 2, 3)) << "the fourth still runs";
  EXPECT_THAT(games("club-*"), ElementsAre(1, 2));
  EXPECT_THAT(games("2"), ElementsAre(2));
  EXPECT_THAT(games(opened(3).csa_id), ElementsAre(3));
  EXPECT_THAT(games("*", 2), ElementsAre(2, 3)) << "the newest";
  EXPECT_THAT(games("4"), IsEmpty());
  EXPECT_THAT(games("' OR 1=1 --"), IsEmpty());
}

TEST_F(ArchiveTest, TheAuditLogIsKeptWordForWordAndOldestFirst) {
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
  auto archive = store_->open_archive();
  ASSERT_TRUE(archive);
  EXPECT_EQ((*archive)->audit(10), acts);
  acts.erase(acts.begin());
  EXPECT_EQ((*archive)->audit(2), acts);
}

TEST_F(ArchiveTest, PausesAreInTheNotesOfAFinishedGame) {
  write({opened(1), started(1), move(1, 1),
         core::GamePaused{.game = core::GameId{1}, .used_us = 5, .by = "host", .why = "power cut", .at = {}},
         core::GameResumed{.game = core::GameId{1}, .by = "host", .why = "", .at = {}}, ended(1, 1)});
  auto db = store::Database::open(file, store::Database::Access::read, nullptr, 100);
  ASSERT_TRUE(db);
  const std::string notes = db->text("SELECT notes FROM game").value();
  EXPECT_THAT(notes, testing::HasSubstr("1 *  paused by host: power cut\n1 *  resumed by host\n"));
}

}  // namespace
}  // namespace fuhyo::test
