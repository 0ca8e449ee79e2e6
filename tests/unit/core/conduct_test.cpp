// Row I6, games that are kept from counting and pairs from one network: what is counted, what is shown, who is paired
// with nobody for a while.
#include "server/core/games/conduct.h"

#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

using core::Conduct;
using core::Instant;
using core::kSecond;

// ---- the counts ----

TEST(Conduct, I6_TheThirdWithinTenMinutesCoolsForAMinute) {
  Conduct conduct({});
  conduct.aborted("a", Instant{0});
  conduct.aborted("a", Instant{1});
  EXPECT_EQ(conduct.cools_us("a", Instant{1}), 0) << "two are free";
  conduct.aborted("a", Instant{600 * kSecond});
  EXPECT_EQ(conduct.cools_us("a", Instant{600 * kSecond}), 60 * kSecond);
  EXPECT_EQ(conduct.cools_us("a", Instant{660 * kSecond - 1}), 1);
  EXPECT_EQ(conduct.cools_us("a", Instant{660 * kSecond}), 0);
  EXPECT_EQ(conduct.cools_us("b", Instant{600 * kSecond}), 0) << "who is not known";
  conduct.aborted("a", Instant{600 * kSecond + 1});
  EXPECT_EQ(conduct.cools_us("a", Instant{600 * kSecond + 1}), 60 * kSecond) << "and each further one";
}

TEST(Conduct, I6_ThreeInMoreThanTenMinutesAreFree) {
  Conduct conduct({});
  conduct.aborted("a", Instant{0});
  conduct.aborted("a", Instant{1});
  conduct.aborted("a", Instant{600 * kSecond + 1});
  EXPECT_EQ(conduct.cools_us("a", Instant{600 * kSecond + 1}), 0);
}

TEST(Conduct, I6_WhoHasDoneNothingForLongestIsForgottenFirst) {
  Conduct conduct({.players = 2});
  conduct.abandoned("a", Instant{1});
  conduct.abandoned("b", Instant{2});
  conduct.met_neighbour("a", Instant{3});
  EXPECT_EQ(conduct.players().size(), 2u);
  conduct.aborted("c", Instant{4});
  ASSERT_EQ(conduct.players().size(), 2u);
  EXPECT_TRUE(conduct.players().contains("a"));
  EXPECT_FALSE(conduct.players().contains("b"));
}

// ---- the server ----

class ConductOfPlayers : public ServerTest {
 protected:
  using ServerTest::ServerTest;

  void enter(const std::string& name, std::string_view address) {
    server.open(name, "main", address);
    server.login_x1(name);
  }
  void want(const std::string& name, std::string_view turn = "*", std::string_view game = "g-300-10") {
    server.say(name, fmt::format("%%GAME {} {}", game, turn));
  }
  // bob waits for whoever comes; `name` comes and refuses.
  void refuse(const std::string& name) {
    want("bob");
    want(name);
    server.say(name, "REJECT");
    server.say("bob", "%%GAME");
    server.heard("bob");
  }
  bool was_paired(const std::string& name) {
    const Lines lines = server.heard(name);
    return std::ranges::find(lines, "BEGIN Game_Summary") != lines.end();
  }
  // Its row: aborted, left, same_network, unpaired_s; empty: there is none.
  Lines row(const std::string& name) {
    const auto result = server.admin("conduct " + name);
    return result.rows.empty() ? Lines{} : Lines(result.rows[0].begin() + 1, result.rows[0].end());
  }
};

class TwoPlayers : public ConductOfPlayers {
 protected:
  TwoPlayers() {
    enter("alice", "192.0.2.1");
    enter("bob", "198.51.100.1");
  }
};

TEST_F(TwoPlayers, I6_WhoAbortsThriceIsPairedWithNobodyForAMinuteAndThenIs) {
  enter("carol", "203.0.113.1");
  for (int i = 0; i < 2; ++i) refuse("alice");
  server.heard("alice");
  want("alice");
  EXPECT_THAT(server.heard("alice"), IsEmpty()) << "she waits like anybody";
  want("bob");
  EXPECT_TRUE(was_paired("alice"));
  server.say("alice", "REJECT");
  EXPECT_THAT(server.notes(), Contains(HasSubstr("has aborted several games: it is paired with nobody for 60 s")));
  server.heard("bob");
  want("alice");
  EXPECT_THAT(server.heard("alice"), Contains(HasSubstr("you are paired with nobody for 60 s")));
  want("bob");
  EXPECT_FALSE(was_paired("bob"));
  EXPECT_THAT(row("alice"), ElementsAre("3", "0", "0", "60"));
  EXPECT_THAT(row("bob"), IsEmpty());
  want("carol");
  EXPECT_TRUE(was_paired("carol"));
  EXPECT_TRUE(was_paired("bob")) << "with each other, though she was there first";
  server.say("bob", "REJECT");
  want("bob");
  server.advance(59'999);
  EXPECT_FALSE(was_paired("alice"));
  server.advance(1);
  EXPECT_TRUE(was_paired("alice"));
  EXPECT_TRUE(was_paired("bob"));
}

TEST_F(TwoPlayers, I6_AChallengeFindsNobodyMeanwhile) {
  for (int i = 0; i < 3; ++i) refuse("alice");
  EXPECT_THAT(facts<core::GameRejected>(), SizeIs(3));
  EXPECT_THAT(facts<core::GameEnded>(), IsEmpty()) << "what is rated are games that ended";
  want("bob");
  server.heard("alice");
  EXPECT_THAT(server.reply("alice", "%%CHALLENGE g-300-10 *"), Contains(HasSubstr("can't find rival")));
  server.say("alice", "LOGOUT");
  server.advance(120'000);
  EXPECT_FALSE(was_paired("bob")) << "who has left is paired with nobody";
}

TEST_F(TwoPlayers, I6_OnlyWhoDidNotAgreeIsToBlame) {
  want("alice");
  want("bob");
  server.say("bob", "AGREE");
  server.advance(120'000);
  EXPECT_THAT(row("alice"), ElementsAre("1", "0", "0", ""));
  EXPECT_THAT(row("bob"), IsEmpty());
  want("alice");
  want("bob");
  server.hang_up("bob");
  EXPECT_THAT(row("bob"), ElementsAre("1", "0", "0", ""));
  EXPECT_THAT(row("alice"), ElementsAre("1", "0", "0", ""));
}

TEST_F(TwoPlayers, I6_NobodyIsToBlameForADrain) {
  want("alice");
  want("bob");
  server.deliver(core::Drain{});
  EXPECT_THAT(facts<core::GameRejected>(), SizeIs(1));
  EXPECT_THAT(server.admin("conduct").rows, IsEmpty());
}

TEST_F(TwoPlayers, I6_WhoLeavesAGameHasLostItAndIsCounted) {
  want("alice", "+");
  want("bob", "-");
  server.agree("alice", "bob");
  server.hang_up("alice");
  const auto& ended = std::get<core::GameEnded>(server.journal().back().fact);
  EXPECT_EQ(ended.outcome, core::Outcome::white_wins) << "nobody saves his rating by leaving";
  EXPECT_THAT(row("alice"), ElementsAre("0", "1", "0", ""));
  EXPECT_THAT(row("bob"), IsEmpty());
}

TEST_F(TwoPlayers, I6_WithoutATripTheNameIsAnother) {
  for (int i = 0; i < 3; ++i) refuse("alice");
  server.hang_up("alice");
  server.log_in("other", "alice g-300-10", "192.0.2.9");
  want("bob");
  EXPECT_TRUE(was_paired("bob")) << "nobody makes another one wait under his name";
}

class Graceful : public ConductOfPlayers {
 protected:
  static core::Rules rules() {
    core::Rules rules = test_rules();
    rules.grace_s = 30;
    return rules;
  }
  Graceful() : ConductOfPlayers(rules()) {}
};

TEST_F(Graceful, I6_AGameThatBothStayAwayFromIsCountedForBothAndVoid) {
  enter("alice", "192.0.2.1");
  enter("bob", "198.51.100.1");
  want("alice", "+");
  want("bob", "-");
  server.agree("alice", "bob");
  server.hang_up("alice");
  server.hang_up("bob");
  server.advance(30'000);
  const auto& ended = std::get<core::GameEnded>(server.journal().back().fact);
  EXPECT_EQ(ended.outcome, core::Outcome::none);
  EXPECT_EQ(ended.kind, core::EndKind::chudan);
  EXPECT_THAT(row("alice"), ElementsAre("1", "0", "0", ""));
  EXPECT_THAT(row("bob"), ElementsAre("1", "0", "0", ""));
}

// ---- rounds ----

TEST_F(TwoPlayers, I6_ARoundIsHeldWithoutWhoCoolsDown) {
  constexpr std::string_view kGroup = "floodgate-300-10F";
  hold_rounds(server, kGroup, "every 30 min\n");
  enter("carol", "203.0.113.1");
  for (int i = 0; i < 3; ++i) refuse("alice");
  server.heard("alice");
  for (const char* name : {"alice", "bob"}) want(name, "*", kGroup);
  EXPECT_THAT(server.admin(fmt::format("round {}", kGroup)).text, HasSubstr("1 of 2 players"));
  want("carol", "*", kGroup);
  EXPECT_TRUE(server.admin(fmt::format("round {}", kGroup)).ok);
  EXPECT_FALSE(was_paired("alice"));
  EXPECT_TRUE(was_paired("carol"));
}

// ---- neighbours ----

class Neighbours : public ConductOfPlayers {
 protected:
  static core::Rules rules() {
    core::Rules rules = test_rules();
    rules.exempt = [](std::string_view address) { return address.starts_with("203.0.113."); };
    return rules;
  }
  Neighbours() : ConductOfPlayers(rules()) {}
};

TEST_F(Neighbours, I6_RatedGamesOfOneNetworkAreFlaggedAndPlayed) {
  struct Case {
    std::string_view why, one, other;
    bool flagged;
  };
  for (const Case& c : {Case{"one network", "192.0.2.1", "192.0.2.254", true},
                        {"another one", "192.0.2.1", "192.0.3.1", false},
                        {"spared by the host", "203.0.113.1", "203.0.113.2", false}}) {
    SCOPED_TRACE(c.why);
    server = VirtualServer(rules());
    enter("alice", c.one);
    enter("bob", c.other);
    want("alice");
    want("bob");
    EXPECT_TRUE(was_paired("alice")) << "they are played all the same";
    const auto row_of_either = c.flagged ? Lines{"0", "0", "1", ""} : Lines{};
    for (const char* name : {"alice", "bob"}) EXPECT_EQ(row(name), row_of_either) << name;
    EXPECT_EQ(
        std::ranges::any_of(server.notes(), [](const std::string& note) { return note.contains("both players"); }),
        c.flagged);
    if (c.flagged) EXPECT_THAT(server.notes(), Contains(HasSubstr("both players are of 192.0.2.0/24")));
  }
}

TEST_F(Neighbours, I6_NorIsWhatIsNotRated) {
  for (const char* name : {"alice", "bob"}) {
    server.log_in(name, fmt::format("{} g-300-10", name), "192.0.2.1");
  }
  EXPECT_TRUE(was_paired("alice"));
  EXPECT_THAT(server.admin("conduct").rows, IsEmpty());
}

}  // namespace
}  // namespace fuhyo::test
