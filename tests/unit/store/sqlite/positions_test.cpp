// The file of positions beside a SQLite database: it belongs to that database, and to no other one.
#include <gtest/gtest.h>

#include "engines/shogi/position.h"
#include "server/core/position_key.h"
#include "server/store/sqlite/database.h"
#include "server/store/store.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/store/journal_script.h"

namespace fuhyo::test {
namespace {

class PositionsFile : public testing::Test {
 protected:
  // The database with this one game; how many games were new to the file of positions.
  std::size_t keep(const std::string& csa_id, const std::string& moves) {
    core::Recovery recovery;
    EXPECT_TRUE((*store_->open_journal({}, recovery))->close());
    core::FinishedGame game{.opened = opened(1), .ended = ended(1, 1), .moves = moves};
    game.opened.csa_id = csa_id;
    const auto import = *store_->begin_import(false);
    EXPECT_TRUE(import->add(game));
    EXPECT_TRUE(import->commit());
    return take_in();
  }
  std::size_t take_in() { return *(*store_->open_positions())->take_in(10); }
  std::size_t games_from_the_start() {
    return (*store_->open_catalogue())->continuations(core::position_key(shogi::Position()))->size();
  }

  TemporaryFolder folder_;
  const std::string file_ = folder_.file("fuhyo.db");
  const std::unique_ptr<store::Store> store_ = *store::make_store("sqlite:" + file_);
};

TEST_F(PositionsFile, IsMadeAnewWhereItIsGone) {
  EXPECT_EQ(keep("ev+g+a+b+1", "+7776FU,T1"), 1U);
  EXPECT_EQ(take_in(), 0U);
  std::filesystem::remove(file_ + "-positions");
  EXPECT_EQ(games_from_the_start(), 0U);
  EXPECT_EQ(take_in(), 1U);
  EXPECT_EQ(games_from_the_start(), 1U);
}

TEST_F(PositionsFile, ForgetsTheGamesOfAnotherDatabase) {
  EXPECT_EQ(keep("ev+g+a+b+1", "+7776FU,T1"), 1U);
  for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(file_ + part);
  EXPECT_EQ(keep("ev+g+a+b+2", "nonsense"), 1U) << "another first game";
  EXPECT_EQ(games_from_the_start(), 0U);
}

TEST_F(PositionsFile, OfAnotherVersionIsMadeAnew) {
  EXPECT_EQ(keep("ev+g+a+b+1", "+7776FU,T1"), 1U);
  {
    auto file = *store::Database::open(file_ + "-positions", store::Database::Access::write, nullptr, 1'000);
    ASSERT_TRUE(file.run("DROP TABLE placed; CREATE TABLE placed (game INTEGER PRIMARY KEY); PRAGMA user_version = 0"));
  }
  EXPECT_EQ(games_from_the_start(), 0U);
  EXPECT_EQ(take_in(), 1U);
  EXPECT_EQ(games_from_the_start(), 1U);
}

TEST_F(PositionsFile, IsRefusedWhereItIsNone) {
  keep("ev+g+a+b+1", "+7776FU,T1");
  for (const char* part : {"-wal", "-shm"}) std::filesystem::remove(file_ + "-positions" + part);
  std::filesystem::resize_file(file_ + "-positions", 100);
  EXPECT_FALSE(store_->open_positions());
  EXPECT_FALSE(store_->open_catalogue());
}

}  // namespace
}  // namespace fuhyo::test
