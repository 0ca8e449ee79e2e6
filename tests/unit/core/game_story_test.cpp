// A game folded from its facts: its phases, and the record that its watchers read.
#include "server/core/games/game_story.h"

#include "server/core/record_text.h"
#include "tests/unit/core/core_test.h"

namespace fuhyo::core {
namespace {

constexpr GameId kGame{7};

GameStory opened_game() { return {.opened = {.game = kGame, .start_sfen = std::string(shogi::Position::kStartSfen)}}; }

GameStory after(const std::vector<Fact>& facts) {
  GameStory story = opened_game();
  for (const Fact& fact : facts) story.apply(fact);
  return story;
}

const Fact kStarted = GameStarted{kGame, {}};
const Fact kPaused = GamePaused{.game = kGame, .by = "host", .why = "power cut"};
const Fact kResumed = GameResumed{.game = kGame, .by = "host"};
const Fact kSuspended = GameSuspended{.game = kGame, .why = "the server stopped"};
const Fact kContinued = GameContinued{.game = kGame};

TEST(GamePhaseTest, AGameRunsFromItsStartAndNotWhileItIsPausedOrSuspended) {
  EXPECT_FALSE(opened_game().phase.has_started());
  EXPECT_FALSE(opened_game().phase.runs());
  EXPECT_TRUE(after({kStarted}).phase.runs());
  EXPECT_FALSE(after({kStarted, kPaused}).phase.runs());
  EXPECT_TRUE(after({kStarted, kPaused}).phase.has_started());
  EXPECT_TRUE(after({kStarted, kPaused, kResumed}).phase.runs());
  EXPECT_FALSE(after({kStarted, kSuspended}).phase.runs());
  EXPECT_TRUE(after({kStarted, kSuspended, kContinued}).phase.runs());
}

TEST(GamePhaseTest, APauseOutlastsASuspensionAndMayEndInIt) {
  const GamePhase both = after({kStarted, kPaused, kSuspended}).phase;
  EXPECT_TRUE(both.is_paused());
  EXPECT_TRUE(both.is_suspended());
  const GamePhase again = after({kStarted, kPaused, kSuspended, kSuspended, kContinued}).phase;
  EXPECT_TRUE(again.is_paused());
  EXPECT_FALSE(again.is_suspended());
  EXPECT_TRUE(after({kStarted, kPaused, kSuspended, kResumed, kContinued}).phase.runs());
  EXPECT_FALSE(after({kStarted, kSuspended, kPaused, kContinued}).phase.runs());
}

TEST(GamePhaseTest, OnlyASuspendedGameAwaitsAVerdict) {
  GamePhase running = after({kStarted}).phase;
  running.await_verdict(true);
  EXPECT_FALSE(running.awaits_verdict());
  EXPECT_TRUE(running.runs());
  GamePhase suspended = after({kStarted, kSuspended}).phase;
  suspended.await_verdict(true);
  EXPECT_TRUE(suspended.awaits_verdict());
  suspended.go_on();
  EXPECT_FALSE(suspended.awaits_verdict());
}

TEST(GameStoryTest, ItsRecordSaysToAllWhatMayBeRead) {
  const GameStory story =
      after({kStarted, MoveMade{.game = kGame, .ply = 1, .csa = "+7776FU", .spent_s = 3, .comment = "* 30 -3334FU"},
             RecordNote{kGame, "Deferred -3334FU"}, kPaused, kResumed, kSuspended, kContinued,
             RecordNote{kGame, "bob is away"}});
  EXPECT_THAT(story.moves, ElementsAre("+7776FU,T3"));
  constexpr std::string_view kServer =
      "'* paused by host: power cut\n'* resumed by host\n'* suspended: the server stopped\n'* continued\n";
  const std::string head = record_head(story.opened);
  EXPECT_EQ(record_text(story),
            fmt::format("{}+7776FU\nT3\n'** 30 -3334FU\n'Deferred -3334FU\n{}'bob is away\n", head, kServer));
  EXPECT_EQ(record_text(story, {.comments = false}), fmt::format("{}+7776FU\nT3\n{}'bob is away\n", head, kServer));
}

// The file is the same whenever the comments came.
TEST(GameStoryTest, ACommentThatComesLateStandsBehindItsMove) {
  const auto move = [](std::int32_t ply, const char* csa, const char* comment) {
    return MoveMade{.game = kGame, .ply = ply, .csa = csa, .spent_s = 1, .comment = comment};
  };
  const CommentAdded first{.game = kGame, .ply = 1, .comment = "* 30"}, again{.game = kGame, .ply = 1, .comment = "T1"},
      second{.game = kGame, .ply = 2, .comment = "* -20"};
  const GameStory late = after({kStarted, move(1, "+7776FU", ""), first, move(2, "-3334FU", ""), second, again});
  EXPECT_EQ(late.comments_on(1), "* 30\nT1");
  EXPECT_EQ(late.comments_on(2), "* -20");
  std::string file = record_head(late.opened) + record_lines(move(1, "+7776FU", "")) +
                     record_lines(move(2, "-3334FU", "")) + record_note({kGame, "bob is away"});
  for (const CommentAdded& said : {second, first, again}) add_comment(file, said);
  EXPECT_EQ(file, record_text(late) + "'bob is away\n");
}

TEST(GameStoryTest, ItsEndStandsBehindItsMoves) {
  const GameEnded ended{.game = kGame, .kind = EndKind::toryo};
  const GameStory story = after({kStarted, ended});
  EXPECT_TRUE(story.phase.has_started());
  EXPECT_EQ(record_text(story), record_head(story.opened) + record_end(story.opened, ended));
}

}  // namespace
}  // namespace fuhyo::core
