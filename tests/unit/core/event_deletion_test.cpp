// Events that their host deletes: which may be, what is left of them, and that their names are as good as new.
#include "tests/unit/core/event_test.h"

namespace fuhyo::test {
namespace {

std::string league(std::string_view name, std::initializer_list<const char*> entrants) {
  return with_entrants(fmt::format("name\t{}\nformat\tround-robin\ntime\t300-10F\ncountdown-s\t60\n", name),
                       Lines(entrants.begin(), entrants.end()));
}

class DeletedEvent : public EventTest {
 protected:
  void announce(std::string_view name = "cup", std::initializer_list<const char*> entrants = {"ann", "bob"}) {
    EventTest::announce(league(name, entrants));
  }
  // Its first round is under way.
  void hold() {
    announce();
    come({"ann", "bob"});
    start();
    advance_s(60);
  }
  Lines events() {
    Lines names;
    for (const auto& row : server().admin("tournaments").rows) names.push_back(row[0]);
    return names;
  }
};

TEST_F(DeletedEvent, AnAnnouncedOneIsGoneAlsoAfterAKill) {
  announce();
  announce("other");
  done("delete cup it was a trial");
  EXPECT_THAT(events(), ElementsAre("other"));
  EXPECT_THAT(refused("delete cup"), HasSubstr("there is no event 'cup'"));
  EXPECT_THAT(refused("delete"), HasSubstr("which event?"));
  const auto deleted = host.facts<core::TournamentDeleted>();
  ASSERT_THAT(deleted, SizeIs(1));
  EXPECT_EQ(deleted[0].by, "root");
  EXPECT_EQ(deleted[0].why, "it was a trial");
  host.kill();
  EXPECT_THAT(events(), ElementsAre("other"));
}

TEST_F(DeletedEvent, OneMakesRoomWhereTheServerKeepsAsManyAsItMay) {
  for (std::size_t i = 0; i < core::Limits{}.events; ++i) announce(fmt::format("cup{}", i));
  const auto more = [&] { return host.announce(league("more", {})); };
  EXPECT_EQ(more().text, "the server keeps at most 200 events: delete one that is over");
  announce("cup0");
  done("delete cup0");
  EXPECT_TRUE(more().ok);
}

TEST_F(DeletedEvent, OneThatRunsOrIsPausedHasToBeEndedFirst) {
  announce();
  done("start cup");
  EXPECT_THAT(refused("delete cup"), HasSubstr("cup is running: end it first"));
  done("pause cup");
  EXPECT_THAT(refused("delete cup"), HasSubstr("cup is paused: end it first"));
  done("resume cup");
  done("end cup no time");
  done("delete cup");
  EXPECT_THAT(events(), IsEmpty());
}

TEST_F(DeletedEvent, ItsGamesHaveToBeOverAndStay) {
  hold();
  host.agree(only_game());
  done("end cup no time");
  EXPECT_THAT(refused("delete cup"), HasSubstr("1 game of cup not over"));
  host.finish(only_game(), true);
  done("delete cup");
  EXPECT_THAT(host.facts<core::GameEnded>(), SizeIs(1));
}

// Nothing of the first one is in the second.
TEST_F(DeletedEvent, ItsNameIsFree) {
  hold();
  host.play_all();
  done("delete cup");
  announce("cup", {"ann", "bob", "cat"});
  for (const bool killed : {false, true}) {
    if (killed) host.kill();
    EXPECT_THAT(server().admin("tournament cup").rows, SizeIs(3)) << "its entrants";
    EXPECT_THAT(host.host("pairings cup").text, HasSubstr("no round is paired"));
    EXPECT_THAT(server().admin("tournament cup").text, HasSubstr("cup is announced"));
  }
  come({"ann", "bob", "cat"});
  done("start cup");
  advance_s(60);
  EXPECT_THAT(host.open_games(), SizeIs(1));
}

// "restart" knows the last games: one of a deleted event takes no place in the next one of the name.
TEST_F(DeletedEvent, AGameOfItThatIsRestartedIsNoneOfTheNext) {
  announce();
  host.come_x1("ann");
  host.come_x1("bob");
  done("start cup");
  advance_s(60);
  const core::GameOpened old = only_game();
  host.play_all();
  done("delete cup");
  announce("cup", {"cat", "dan"});
  const auto restarted = server().admin(fmt::format("restart {} 0 again", core::value(old.game)));
  ASSERT_TRUE(restarted.ok) << restarted.text;
  ASSERT_THAT(host.open_games(), SizeIs(1));
  EXPECT_THAT(host.facts<core::TournamentGame>(), SizeIs(1)) << "that of the first event";
  done("delete cup");
}

// Each event has a timer of its own, also when one before it has gone.
TEST_F(DeletedEvent, TheOthersGoOnAtTheirTimes) {
  announce("first");
  announce("second", {"ann", "bob"});
  host.come_csa("ann", "second-1-1");
  host.come_csa("bob", "second-1-1");
  done("delete first");
  announce("third", {"cat", "dan"});
  host.come_csa("cat", "third-1-1");
  host.come_csa("dan", "third-1-1");
  done("start second");
  advance_s(20);
  done("start third");
  advance_s(40);
  EXPECT_THAT(host.open_games(), SizeIs(1)) << "of the second";
  advance_s(20);
  EXPECT_THAT(host.open_games(), SizeIs(2)) << "and of the third";
}

// By a newer program, or with settings that this one does not take any more.
TEST(DeletedEvents, OneThatCannotBeHeldGoesToo) {
  core::Recovery recovery{.last = core::Seq{2}};
  recovery.keyed_facts = {
      {core::Seq{1}, core::TournamentSet{.name = "cup", .text = "name\tcup\nnonsense\t1\n"}},
      {core::Seq{2}, core::TournamentPhaseSet{.event = "cup", .phase = core::TournamentPhase::running}}};
  VirtualServer again(test_rules(), {}, recovery);
  ASSERT_THAT(again.admin("tournaments").rows, SizeIs(1));
  EXPECT_TRUE(again.admin("tournament-delete cup").ok);
  EXPECT_THAT(again.admin("tournaments").rows, IsEmpty());
}

}  // namespace
}  // namespace fuhyo::test
