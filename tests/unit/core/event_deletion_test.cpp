// Events that their host deletes: which may be, what is left of them, and that their names are as good as new.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/event_host.h"

namespace fuhyo::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string league(std::string_view name, std::initializer_list<const char*> entrants) {
  std::string text = fmt::format("name\t{}\nformat\tround-robin\ntime\t300-10F\ncountdown-s\t60\n", name);
  std::size_t i = 0;
  for (const char* entrant : entrants) text += fmt::format("entrant[{}].name\t{}\n", i++, entrant);
  return text;
}

class DeletedEvent : public testing::Test {
 protected:
  void announce(std::string_view name = "cup", std::initializer_list<const char*> entrants = {"ann", "bob"}) {
    const auto told = host.announce(league(name, entrants));
    ASSERT_TRUE(told.ok) << told.text;
  }
  std::string refused(const std::string& line) {
    const core::AdminResult result = host.host(line);
    EXPECT_FALSE(result.ok) << line << ": " << result.text;
    return result.text;
  }
  void done(const std::string& line) {
    const core::AdminResult result = host.host(line);
    EXPECT_TRUE(result.ok) << line << ": " << result.text;
  }
  std::vector<std::string> events() {
    std::vector<std::string> names;
    for (const auto& row : host.server().admin("tournaments").rows) names.push_back(row[0]);
    return names;
  }
  void advance_s(std::int64_t s) { host.server().advance(s * 1000); }

  EventHost host;
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
  announce();
  host.come_csa("ann");
  host.come_csa("bob");
  done("start cup");
  advance_s(60);
  ASSERT_THAT(host.open_games(), SizeIs(1));
  host.agree(host.open_games()[0]);
  done("end cup no time");
  EXPECT_THAT(refused("delete cup"), HasSubstr("1 games of cup are not over"));
  host.finish(host.open_games()[0], true);
  done("delete cup");
  EXPECT_THAT(host.facts<core::GameEnded>(), SizeIs(1));
}

// Nothing of the first one is in the second.
TEST_F(DeletedEvent, ItsNameIsFree) {
  announce();
  host.come_csa("ann");
  host.come_csa("bob");
  done("start cup");
  advance_s(60);
  host.play_all();
  done("delete cup");
  announce("cup", {"ann", "bob", "cat"});
  for (const bool killed : {false, true}) {
    if (killed) host.kill();
    EXPECT_THAT(host.server().admin("tournament cup").rows, SizeIs(3)) << "its entrants";
    EXPECT_THAT(host.host("pairings cup").text, HasSubstr("no round is paired"));
    EXPECT_THAT(host.server().admin("tournament cup").text, HasSubstr("cup is announced"));
  }
  for (const char* name : {"ann", "bob", "cat"}) host.come_csa(name);
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
  const core::GameOpened old = host.open_games().at(0);
  host.play_all();
  done("delete cup");
  announce("cup", {"cat", "dan"});
  const auto restarted = host.server().admin(fmt::format("restart {} 0 again", core::value(old.game)));
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
  recovery.standing = {
      {core::Seq{1}, core::TournamentSet{.name = "cup", .text = "name\tcup\nnonsense\t1\n"}},
      {core::Seq{2}, core::TournamentPhaseSet{.event = "cup", .phase = core::TournamentPhase::running}}};
  VirtualServer server(test_rules(), {}, recovery);
  ASSERT_THAT(server.admin("tournaments").rows, SizeIs(1));
  EXPECT_TRUE(server.admin("tournament-delete cup").ok);
  EXPECT_THAT(server.admin("tournaments").rows, IsEmpty());
}

TEST_F(DeletedEvent, PlayersCannot) {
  announce();
  host.server().login_x1("ann");
  host.server().say("ann", "%%TOURNAMENT DELETE cup");
  EXPECT_THAT(host.server().heard("ann"), Contains(HasSubstr("unknown command")));
  EXPECT_THAT(events(), ElementsAre("cup"));
}

}  // namespace
}  // namespace fuhyo::test
