// Events inside the server: who is seated when, what is counted, what a host decides, what a restart knows of it. How
// players are paired and ranked is tested with tournament/ itself.
#include <fmt/ranges.h>

#include "tests/unit/core/event_test.h"

namespace fuhyo::test {
namespace {

using core::Outcome;
using core::TournamentPhase;
using namespace core::tournament;

class Cup : public EventTest {
 protected:
  TournamentPhase phase() const { return host.facts<core::TournamentPhaseSet>().back().phase; }
  std::string show() { return server().admin("tournament cup").text; }
};

TEST_F(Cup, WhoComesAfterTheEndIsToldThatNobodyWillPlay) {
  hold({"ann", "bob"});
  done("end cup the hall closes");
  host.come_x1("cat", "cup-900-0");
  EXPECT_THAT(server().heard("cat"),
              Contains("##[ADMIN] you are never paired in cup-900-0: the event cup is over").Times(1));
  EXPECT_THAT(server().notes(), Contains("cat waits for cup-900-0 and is never paired: the event cup is over"));
}

TEST_F(Cup, TheRoundBeginsAfterItsCountdownAndTheServerNamesTheGames) {
  begin({"ann", "bob"});
  host.come_csa("ann");
  host.come_x1("bob", "cup-900-0");
  start();
  EXPECT_THAT(host.decided<RoundPaired>(), SizeIs(1));
  EXPECT_THAT(server().heard("bob"), Contains(HasSubstr("round 1 starts in 60 s: White against ann")));
  advance_s(59);
  EXPECT_THAT(host.open_games(), IsEmpty());
  EXPECT_THAT(server().heard("ann"), ElementsAre("LOGIN:ann OK")) << "nothing that CSA does not know";
  advance_s(1);
  const core::GameOpened game = only_game();
  EXPECT_EQ(game.game_name, "cup-300-10F");
  EXPECT_EQ(game.time.increment_s, 10);
  EXPECT_EQ(game.resume, core::ResumeRule::position);
  EXPECT_EQ(game.grace_s, 600);
  EXPECT_EQ(game.max_moves, 320);
  EXPECT_THAT(host.facts<core::TournamentGame>(), SizeIs(1));
}

// It would be paired as soon as two had come, whoever is on the way.
TEST_F(Cup, IsNotStartedWithoutTwoWhoCanPlay) {
  begin({});
  EXPECT_EQ(refused("start cup"), "cup has no entrants");
  host.come_csa("ann");
  EXPECT_EQ(refused("start cup"), "cup has fewer than two players");
  host.come_csa("bob");
  done("withdraw cup bob");
  EXPECT_EQ(refused("start cup"), "cup has fewer than two players");
  EXPECT_THAT(host.facts<core::TournamentPhaseSet>(), IsEmpty());
  host.come_csa("cat");
  start();
}

// A class that nobody is left for would be waited for without end.
TEST_F(Cup, IsNotStartedWithAnEmptyClass) {
  const std::string classes =
      "name\tcup\nformat\tround-robin\ntime\t300-10F\nstage[0].division[0].name\tA\nstage[0].division[0].take\t2\n"
      "stage[0].division[1].name\tB\n";
  announce(with_entrants(classes, {"ann", "bob", "cat"}));
  EXPECT_EQ(refused("start cup"), "B of cup has fewer than two players");
  host.come_csa("dan");
  start();
}

// Until the time of its first round entrants can come; without open entries nobody does.
TEST_F(Cup, MayBeStartedEmptyAheadOfItsTime) {
  const std::string timed = std::string(kRoundRobin) + "starts\t2099-01-01 10:00\n";
  announce(timed + "entry.open\tfalse\n");
  EXPECT_EQ(refused("start cup"), "cup has no entrants");
  announce(timed);
  start();
}

// The shell writes the file; what has begun it hears from the core. The audit log has who did it, not the text.
TEST_F(Cup, AFileIsWrittenByWhoeverKnowsWhatHasBegun) {
  const auto letters = [](int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += "水";
    return text;
  };
  const std::string text = letters(133) + "x";  // 400 bytes
  server().admin("tournament-write cup.toml " + text);
  EXPECT_EQ(server().host_requests().back().rest, "- cup.toml " + text);
  begin({"ann", "bob"});
  server().admin("tournament-write cup.toml x");
  EXPECT_EQ(server().host_requests().back().rest, "- cup.toml x") << "it may still be changed";
  start();
  server().admin("tournament-write cup.toml x");
  EXPECT_EQ(server().host_requests().back().rest, "cup cup.toml x");
  EXPECT_EQ(host.facts<core::AdminActed>().front().act, "tournament-write cup.toml " + letters(91) + "... (426 bytes)")
      << "299 bytes: no letter is cut";
}

TEST_F(Cup, ResultAndEndOfTheGameAreOneStep) {
  hold({"ann", "bob"});
  host.agree(host.open_games()[0]);
  server().hold_commits(true);
  host.finish(host.open_games()[0], false);
  const core::Journaled last = host.journal().back();
  server().commit();
  std::size_t ended = 0, counted = 0;
  const auto journal = host.journal();
  for (std::size_t i = 0; i < journal.size(); ++i) {
    if (std::holds_alternative<core::GameEnded>(journal[i].fact)) ended = i;
    const auto* decided = std::get_if<core::TournamentDecided>(&journal[i].fact);
    if (decided != nullptr && std::holds_alternative<GameResult>(decided->decision)) counted = i;
  }
  EXPECT_EQ(counted, ended + 1);
  EXPECT_GE(last.seq, journal[counted].seq) << "appended before anything of it was durable";
}

TEST_F(Cup, WhoIsMissingAtTheDeadlineHasLost) {
  begin({"ann", "bob", "cat", "dan"});
  host.come_csa("ann");
  start();
  advance_s(60 + 599);
  EXPECT_THAT(host.results(), IsEmpty());
  advance_s(1);
  ASSERT_THAT(host.results(), SizeIs(2));
  for (const GameResult& result : host.results()) {
    EXPECT_EQ(result.how, How::forfeit);
    const bool of_ann = result.black == "ann" || result.white == "ann";
    const Outcome ann = result.black == "ann" ? Outcome::black_wins : Outcome::white_wins;
    EXPECT_EQ(result.outcome, of_ann ? ann : Outcome::none) << result.black << " " << result.white;
  }
}

TEST_F(Cup, WhileTheStoreWasAwayNobodyIsMissing) {
  begin({"ann", "bob"});
  host.come_csa("ann");
  start();
  advance_s(60 + 500);
  server().deliver(core::StoreLost{"disk full"});
  advance_s(1000);
  server().deliver(core::StoreBack{});
  advance_s(599);
  EXPECT_THAT(host.results(), IsEmpty()) << "he has the whole time again";
  advance_s(1);
  EXPECT_THAT(host.results(), SizeIs(1));
}

TEST_F(Cup, WhoComesBeforeTheDeadlinePlays) {
  begin({"ann", "bob"});
  host.come_csa("ann");
  start();
  advance_s(60 + 590);
  host.come_csa("bob");
  ASSERT_THAT(host.open_games(), SizeIs(1));
  advance_s(20);
  EXPECT_THAT(host.results(), IsEmpty()) << "the game is agreed to, or not, by its own rules";
}

TEST_F(Cup, WhoGoesAndComesAgainIsTheSameEntrant) {
  hold({"ann", "bob", "cat", "dan"});
  host.play_all();
  EXPECT_THAT(server().reply("ann", "LOGOUT"), Contains("LOGOUT:completed"));
  server().hang_up("bob");
  host.come_csa("cat");  // again, while his first line is still there
  advance_s(30);
  host.come_csa("ann", "cup-300-10F");
  host.come_x1("bob");
  advance_s(90);
  EXPECT_THAT(host.open_games(), SizeIs(2));
  EXPECT_THAT(server().admin("tournament cup").rows, SizeIs(4));
  EXPECT_THAT(host.decided<Entered>(), IsEmpty()) << "they are those of the file";
}

TEST_F(Cup, WhoeverWaitsForAnOpenEventHasEntered) {
  begin({});
  host.come_csa("ann");
  host.come_x1("bob", "cup-60-0");
  EXPECT_THAT(host.decided<Entered>(), SizeIs(2));
  start();
  advance_s(60);
  EXPECT_THAT(host.open_games(), SizeIs(1));
}

TEST_F(Cup, StrangersDoNotEnterAClosedEvent) {
  begin({"ann", "bob"}, "entry.open\tfalse\n");
  server().login_x1("mallory");
  EXPECT_THAT(server().reply("mallory", "%%GAME cup-1-1 *"), Contains(HasSubstr("entries are closed")));
  host.come_csa("eve");
  start();
  advance_s(60);
  EXPECT_THAT(host.open_games(), IsEmpty()) << "nor do they meet each other under its name";
}

TEST_F(Cup, BothGamesOfAPairingFollowEachOtherWithColoursChanged) {
  hold({"ann", "bob"}, "games\t2\n");
  const core::GameOpened first = only_game();
  host.play(first, true);
  EXPECT_THAT(host.open_games(), IsEmpty()) << "clients that log out after a game have the time to";
  advance_s(5);
  EXPECT_EQ(only_game().black.name, first.white.name);
  host.play_all();
  EXPECT_EQ(phase(), TournamentPhase::over);
}

TEST_F(Cup, DesignatedPositionsAndTheirMoves) {
  hold({"ann", "bob"}, "games\t2\npositions\t+7776FU\n");
  EXPECT_THAT(host.open_games().at(0).preset_moves, ElementsAre(HasSubstr("+7776FU")));
}

TEST_F(Cup, ADrawnGameIsReplayedWithColoursChangedWhereTheEventSaysSo) {
  hold({"ann", "bob"}, "draws\treplay\nreplays\t1\n");
  const core::GameOpened first = only_game();
  host.agree(first);
  for (int i = 0; i < 4; ++i) {
    server().say(first.black.name, "+2858HI");
    server().say(first.white.name, "-8252HI");
    server().say(first.black.name, "+5828HI");
    server().say(first.white.name, "-5282HI");
  }
  ASSERT_THAT(host.results(), SizeIs(1));
  EXPECT_EQ(host.results()[0].outcome, Outcome::draw);
  advance_s(5);
  EXPECT_EQ(only_game().black.name, first.white.name);
  EXPECT_EQ(host.facts<core::TournamentGame>().back().key.attempt, 2);
}

TEST_F(Cup, AGameThatWasNotAgreedToIsSeatedAgain) {
  begin({"ann", "bob"});
  host.come_x1("ann");
  host.come_csa("bob");
  start();
  advance_s(60);
  server().say("ann", "REJECT");
  EXPECT_THAT(host.open_games(), IsEmpty());
  EXPECT_TRUE(server().is_open("bob")) << "who is not to blame waits on";
  advance_s(10);
  EXPECT_THAT(host.open_games(), IsEmpty()) << "who refuses does not wait again at once";
  server().say("ann", "%%GAME cup-1-1 *");
  EXPECT_THAT(host.open_games(), SizeIs(1));
}

// ---- standing still ----

TEST_F(Cup, APauseStopsClocksAndCountdownsAndAResumeGoesOn) {
  hold({"ann", "bob", "cat", "dan"});
  const auto games = host.open_games();
  for (const core::GameOpened& game : games) host.agree(game);
  advance_s(100);
  done("pause cup power cut");
  EXPECT_THAT(host.facts<core::GamePaused>(), SizeIs(2));
  advance_s(3600);
  EXPECT_THAT(host.facts<core::GameEnded>(), IsEmpty()) << "no flag falls";
  done("resume cup");
  advance_s(209);
  EXPECT_THAT(host.facts<core::GameEnded>(), IsEmpty());
  advance_s(2);
  EXPECT_THAT(host.facts<core::GameEnded>(), SizeIs(2)) << "300 s and 10 s of the first move";
  host.host("pause cup");
  advance_s(3600);
  EXPECT_THAT(host.decided<RoundPaired>(), SizeIs(1)) << "nor is a round paired";
}

// ---- what a host decides ----

TEST_F(Cup, ResultsAreSetCorrectedAndReplayed) {
  begin({"ann", "bob", "cat", "dan"});
  come({"ann", "bob", "cat"});
  start();
  advance_s(60);
  const core::GameOpened game = only_game();
  const auto pairings = server().admin("tournament-pairings cup");
  ASSERT_THAT(pairings.rows, SizeIs(2));
  const auto row_of = [&](std::string_view state) {
    for (const auto& row : pairings.rows) {
      if (row[3] == state) return row;
    }
    return Lines(5);
  };
  const Lines waiting = row_of("to come"), playing = row_of("playing");
  refused(fmt::format("result cup {} black", playing[0]));  // it runs
  done(fmt::format("forfeit cup {} dan not here", waiting[0]));
  EXPECT_EQ(host.results().back().how, How::forfeit);
  done(fmt::format("result cup {} draw both agreed", waiting[0]));
  EXPECT_EQ(host.results().back().outcome, Outcome::draw);
  EXPECT_EQ(host.results().back().how, How::adjudicated);
  host.agree(game);
  refused(fmt::format("adjudicate cup {} black", playing[0]));  // no reason
  done(fmt::format("adjudicate cup {} black the engine hangs", playing[0]));
  EXPECT_EQ(host.results().back().how, How::adjudicated);
  EXPECT_EQ(host.results().back().record, game.csa_id);
  done(fmt::format("replay cup {} network", playing[0]));
  advance_s(5);
  EXPECT_EQ(only_game().black.name, game.black.name);
  host.play(host.open_games()[0], true);
  EXPECT_EQ(host.results().back().game.attempt, 2);
  refused("result cup 9.9 black");
  refused("result nowhere 1.1 black");
}

TEST_F(Cup, ARunningGameThatIsBrokenOffIsPlayedAgain) {
  hold({"ann", "bob"});
  const core::GameOpened game = only_game();
  host.agree(game);
  done("replay cup 1.1 power cut");
  ASSERT_THAT(host.results(), SizeIs(1));
  EXPECT_EQ(host.results()[0].how, How::replayed);
  advance_s(5);
  EXPECT_EQ(only_game().black.name, game.black.name) << "the same colours";
  EXPECT_EQ(host.facts<core::TournamentGame>().back().key.attempt, 2);
}

TEST_F(Cup, AGameOfAnEventThatIsOverIsPlayedAgainAndTheEventGoesOn) {
  hold({"ann", "bob"});
  host.play(only_game(), true);
  ASSERT_EQ(phase(), TournamentPhase::over);
  come({"ann", "bob"});
  done("replay cup 1.1 power cut");
  advance_s(5);
  EXPECT_EQ(host.facts<core::TournamentGame>().back().key.attempt, 2);
  host.play(host.open_games().back(), true);
  EXPECT_EQ(phase(), TournamentPhase::over);
}

TEST_F(Cup, ARoundIsPairedByHandAndDoubtsAreTold) {
  announce_swiss(2, {"ann", "bob", "cat", "dan"}, "countdown-s\t60\n");
  come({"ann", "bob", "cat", "dan"});
  start();
  done("pair cup ann:bob cat:dan");
  advance_s(60);
  for (const core::GameOpened& game : host.open_games()) {
    EXPECT_TRUE(game.black.name == "ann" || game.black.name == "cat") << game.black.name;
  }
  refused("pair cup ann:cat bob:dan");  // its games run
  host.play_all();
  refused("pair cup ann:bob cat:cat");
  refused("pair cup ann:bob");  // who is there is in the round
  EXPECT_THAT(done("pair cup ann:bob cat:dan"), HasSubstr("ann and bob meet again"));
  EXPECT_TRUE(host.decided<RoundPaired>().back().manual);
}

TEST_F(Cup, ASwissThatHasOnlyRematchesLeftGoesOnWhenItsHostSaysSo) {
  announce_swiss(3, {"ann", "bob"}, "gap-s\t60\n");
  come({"ann", "bob"});
  start();
  EXPECT_THAT(host.facts<core::TournamentDecided>().front().why, HasSubstr("too few members for all rounds"));
  advance_s(60);
  host.play_all();
  advance_s(60);
  EXPECT_THAT(show(), HasSubstr("somebody meets the same opponent again"));
  EXPECT_THAT(refused("pair cup"), HasSubstr("'tournament-pair EVENT rematches' pairs it all the same"));
  refused("pair cup rematches rematches");
  EXPECT_THAT(done("pair cup rematches"), HasSubstr("meet again"));
  EXPECT_FALSE(host.decided<RoundPaired>().back().manual);
  host.play_all();
  advance_s(60);
  EXPECT_THAT(host.decided<RoundPaired>(), SizeIs(3)) << "what was said once holds for the rest";
}

TEST_F(Cup, ARoundIsTakenBackWhileTheEventIsPaused) {
  begin({"ann", "bob"});
  start();
  ASSERT_THAT(host.decided<RoundPaired>(), SizeIs(1));
  refused("unpair cup");
  host.host("pause cup");
  done("unpair cup");
  EXPECT_TRUE(host.facts<core::TournamentDecided>().back().taken_back);
  host.kill();
  EXPECT_THAT(show(), HasSubstr("round 0 of 1")) << "gone after a restart, too";
  host.host("resume cup");
  EXPECT_THAT(show(), HasSubstr("round 1 of 1"));
}

TEST_F(Cup, WithdrawalsReturnsAndLateEntries) {
  announce_swiss(3, {"ann", "bob", "cat", "dan"}, "countdown-s\t60\ngap-s\t120\nentry.late-until\t2\n");
  come({"ann", "bob", "cat"});
  start();
  advance_s(60);
  done("withdraw cup dan has a cold");
  ASSERT_THAT(host.results(), SizeIs(1));
  EXPECT_EQ(host.results()[0].how, How::forfeit);
  come({"eve", "fay"});
  EXPECT_THAT(host.decided<Joined>(), SizeIs(2));
  host.play_all();
  advance_s(120);
  EXPECT_EQ(host.decided<RoundPaired>().back().pairings.size(), 2u) << "dan is not paired, eve and fay are";
  EXPECT_THAT(host.decided<RoundPaired>().back().byes, SizeIs(1));
  host.play_all();
  done("return cup dan");
  refused("return cup dan");  // he is back
  host.come_csa("gil");
  EXPECT_THAT(host.decided<Joined>(), SizeIs(2)) << "too late";
  advance_s(120);
  EXPECT_THAT(host.decided<RoundPaired>().back().pairings, SizeIs(3));
}

TEST_F(Cup, WhatIsWrongIsRefusedWithItsReason) {
  const auto told = [&](const std::string& text) { return host.announce(text).text; };
  EXPECT_THAT(told("name\tcup\nformat\tround-robin\ntime\t60-0\ndeclaration\t25\n"), HasSubstr("none of 27, "));
  EXPECT_THAT(told("name\tfloodgate\nformat\tround-robin\ntime\t60-0\n"), HasSubstr("something else"));
  EXPECT_THAT(told("name\tcup\nformat\tround\ntime\t60-0\n"), HasSubstr("line 2"));
  EXPECT_THAT(host.facts<core::TournamentSet>(), IsEmpty());
  begin({"ann", "bob"});
  begin({"ann", "bob", "cat"});
  start();
  EXPECT_THAT(told(with_entrants(kRoundRobin, {"ann", "bob"})), HasSubstr("has begun"));
}

TEST_F(Cup, ARestartFromAMoveTakesThePlaceOfItsGame) {
  begin({"ann", "bob"});
  host.come_csa("ann");
  host.come_x1("bob");
  start();
  advance_s(60);
  const core::GameOpened game = only_game();
  host.agree(game);
  server().say(game.black.name, "+7776FU");
  server().say(game.white.name, "-3334FU");
  const auto restarted = server().admin(fmt::format("restart {} 1 the wrong move", game.csa_id));
  ASSERT_TRUE(restarted.ok) << restarted.text;
  const core::GameOpened again = only_game();
  EXPECT_THAT(again.preset_moves, SizeIs(1));
  EXPECT_THAT(host.results(), IsEmpty()) << "what ended void is no attempt";
  host.agree(again);
  server().say(again.white.name, "%TORYO");
  ASSERT_THAT(host.results(), SizeIs(1));
  EXPECT_EQ(host.results()[0].record, again.csa_id);
  EXPECT_EQ(host.results()[0].game.attempt, 1);
}

TEST_F(Cup, MessagesReachEntrantsAndTheEndNeedsAReason) {
  begin({"ann", "bob", "cat"});
  host.come_x1("ann");
  host.come_csa("bob");
  server().login_x1("eve");
  server().forget_heard();
  done("message cup lunch until 13:00");
  EXPECT_THAT(server().heard("ann"), ElementsAre("##[ADMIN] cup: lunch until 13:00"));
  EXPECT_THAT(server().heard("bob"), IsEmpty()) << "CSA mode";
  EXPECT_THAT(server().heard("eve"), IsEmpty()) << "no entrant";
  start();
  refused("end cup");
  done("end cup the hall closes");
  advance_s(3600);
  EXPECT_THAT(host.open_games(), IsEmpty());
  host.kill();
  EXPECT_THAT(show(), HasSubstr("cup is over"));
}

TEST_F(Cup, EndsByItselfWhenEverybodyHasLeft) {
  const std::set<std::string> names = {"ann", "bob", "cat", "dan"};
  begin({"ann", "bob", "cat", "dan"});
  for (const std::string& name : names) host.come_x1(name);
  start();
  advance_s(60);
  for (const std::string& name : names) done("withdraw cup " + name);
  EXPECT_EQ(phase(), TournamentPhase::running) << "games of its first round go on";
  host.play_all();
  advance_s(1);
  EXPECT_EQ(phase(), TournamentPhase::over);
  EXPECT_EQ(host.decided<RoundPaired>().size(), 1u);
  EXPECT_THAT(server().notes(), Contains(HasSubstr("the event cup is over: too few are left to be paired")));
  host.kill();
  EXPECT_THAT(show(), HasSubstr("cup is over"));
}

TEST_F(Cup, AHostPutsAnEntrantIntoGroupsAndARestartKnowsThem) {
  announce("name\tcup\nformat\tswiss\nrounds\t2\ntime\t300-10F\n");
  done("enter cup ann group=lab,club Ann");
  done("enter cup bob group=lab");
  EXPECT_EQ(refused("enter cup cat group=a/b"), "'a/b' is no name of a group");
  EXPECT_EQ(refused("enter cup cat group=a,b,c,d,e,f,g,h,i"), "more than 8 groups");
  host.come_x1("ann");
  host.come_x1("bob");
  start();
  EXPECT_THAT(host.decided<RoundPaired>(), IsEmpty());
  EXPECT_THAT(server().notes(), Contains(HasSubstr("two meet who must not")));
  host.kill();
  EXPECT_THAT(host.decided<RoundPaired>(), IsEmpty());
  host.come_x1("ann");
  host.come_x1("bob");
  done("enter cup bob group=");
  advance_s(1);
  EXPECT_THAT(host.decided<RoundPaired>(), SizeIs(1));
}

TEST_F(Cup, AnExportIsEverythingThatWasDecided) {
  hold({"ann", "bob", "cat", "dan"});
  host.play_all();
  const auto told = host.host("export cup");
  ASSERT_TRUE(told.ok);
  std::size_t decisions = 0;
  for (const auto& row : told.rows) {
    const std::string fields = fmt::format("{}", fmt::join(row.begin() + 2, row.end(), "\t"));
    const auto fact = core::decode(static_cast<std::uint16_t>(std::stoi(row[0])),
                                   static_cast<std::uint16_t>(std::stoi(row[1])), fields);
    ASSERT_TRUE(fact.has_value()) << fact.error();
    decisions += std::holds_alternative<core::TournamentDecided>(*fact) ? 1 : 0;
  }
  EXPECT_EQ(decisions, host.facts<core::TournamentDecided>().size());
}

// ---- on the wire ----

TEST_F(Cup, EverybodyMayAskAndOnlyHostsDecide) {
  begin({"ann", "bob"});
  server().login_x1("eve");
  start();
  advance_s(60);
  const auto ask = [&](const std::string& line) {
    server().say("eve", line);
    return server().heard("eve");
  };
  EXPECT_THAT(ask("%%TOURNAMENT LIST"), Contains(HasSubstr("##[TOURNAMENT] cup")));
  EXPECT_THAT(ask("%%TOURNAMENT show cup"), Contains(HasSubstr("ann"))) << "in any case, as the shell has it";
  EXPECT_THAT(ask("%%TOURNAMENT TABLE cup"), Contains("##[TOURNAMENT] +OK"));
  EXPECT_THAT(ask("%%TOURNAMENT PAIRINGS cup 1"), Contains(HasSubstr("1.1")));
  EXPECT_THAT(ask("%%TOURNAMENT TABLE nowhere"), Contains(HasSubstr("##[TOURNAMENT] ERROR")));
  for (const char* act :
       {"START cup", "END cup why", "RESULT cup 1.1 black", "NEW cup.toml", "DELETE cup", "nonsense"}) {
    EXPECT_THAT(ask(fmt::format("%%TOURNAMENT {}", act)), Contains(HasSubstr("unknown command"))) << act;
  }
  EXPECT_THAT(host.results(), IsEmpty());
}

// ---- spectators who see games late ----

class LateCup : public Cup {
 protected:
  static core::Rules rules(core::SpectatorDelay delay) {
    core::Rules rules = test_rules();
    rules.delays = {{"cup-*", delay}};
    rules.operators = {{"hana", core::Role::host}};
    rules.operator_secret = [](std::string_view, std::string_view secret) { return secret == "secret"; };
    rules.admin_address = [](std::string_view address) { return address == "127.0.0.1"; };
    return rules;
  }
  void hold_shown(core::SpectatorDelay delay) {
    host = EventHost(rules(delay));
    hold({"ann", "bob", "cat", "dan"});
  }
  void watch() {
    server().login_x1("eve");
    server().log_in("hana", "hana secret x1", "127.0.0.1");
  }
  std::string ask(const std::string& who, const std::string& what) {
    server().heard(who);
    server().say(who, "%%TOURNAMENT " + what);
    return fmt::format("{}", fmt::join(server().heard(who), "\n"));
  }
};

TEST_F(LateCup, NoQuestionTellsAResultBeforeItIsSeen) {
  hold_shown({.seconds = 180});
  watch();
  const std::string table = ask("eve", "TABLE cup"), pairings = ask("eve", "PAIRINGS cup 1");
  EXPECT_THAT(pairings, HasSubstr("playing"));
  host.play_all();
  EXPECT_EQ(ask("eve", "PAIRINGS cup 1"), pairings);
  EXPECT_EQ(ask("eve", "TABLE cup"), table);
  EXPECT_THAT(ask("ann", "PAIRINGS cup"), Not(HasSubstr("wins"))) << "its players hear no more than others";
  EXPECT_THAT(ask("hana", "PAIRINGS cup 1"), HasSubstr("black wins")) << "its host does";
  EXPECT_NE(ask("hana", "TABLE cup"), table);
  EXPECT_THAT(server().admin("tournament-pairings cup").rows[0][3], HasSubstr("wins"));
  advance_s(120);
  ASSERT_THAT(host.decided<RoundPaired>(), SizeIs(2)) << "its players play on";
  EXPECT_EQ(ask("eve", "PAIRINGS cup 1"), pairings);
  EXPECT_THAT(ask("eve", "PAIRINGS cup 2"), HasSubstr("round 2 is not paired"));
  EXPECT_EQ(ask("eve", "TABLE cup"), table);
  host.kill();
  watch();
  EXPECT_THAT(ask("eve", "PAIRINGS cup 1"), Not(HasSubstr("wins"))) << "a restart tells nothing";
  EXPECT_EQ(ask("eve", "TABLE cup"), table);
  EXPECT_THAT(ask("hana", "PAIRINGS cup 1"), HasSubstr("black wins"));
  advance_s(59);
  EXPECT_EQ(ask("eve", "TABLE cup"), table);
  advance_s(1);
  EXPECT_THAT(ask("eve", "PAIRINGS cup 1"), HasSubstr("black wins"));
  EXPECT_EQ(ask("eve", "TABLE cup"), ask("hana", "TABLE cup"));
}

TEST_F(LateCup, AnOperatorFromElsewhereIsASpectator) {
  hold_shown({.seconds = 180});
  host.play_all();
  server().log_in("hana", "hana secret x1", "192.0.2.1");
  EXPECT_THAT(ask("hana", "PAIRINGS cup 1"), Not(HasSubstr("wins")));
}

TEST_F(LateCup, OfAHiddenGameNothingIsToldUntilItIsOver) {
  hold_shown({.hidden = true});
  watch();
  EXPECT_THAT(ask("eve", "PAIRINGS cup 1"), AllOf(HasSubstr("to come"), Not(HasSubstr("playing"))));
  EXPECT_THAT(ask("eve", "SHOW cup"), Not(HasSubstr("plays")));
  EXPECT_THAT(ask("hana", "PAIRINGS cup 1"), HasSubstr("playing"));
  EXPECT_THAT(ask("hana", "SHOW cup"), HasSubstr("plays 1.1"));
  host.play_all();
  EXPECT_THAT(ask("eve", "PAIRINGS cup 1"), HasSubstr("wins"));
}

// ---- after a crash ----

TEST_F(Cup, AtEveryMomentOfAnEventAKillLosesAndRepeatsNothing) {
  begin({"ann", "bob", "cat", "dan"});
  come({"ann", "bob", "cat", "dan"});
  start();
  for (int round = 0; round < 3; ++round) {
    advance_s(120);
    host.play_all();
  }
  const std::vector<core::Journaled> whole = host.journal();
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    if (core::game_of(whole[cut].fact) != core::GameId{})
      continue;  // a transaction of an event ends with one of its facts
    const core::Recovery recovery = recovery_of(whole, whole[cut].seq);
    VirtualServer again(test_rules(), {}, recovery);
    std::set<std::string> known;
    for (const core::Journaled& row : recovery.keyed_facts) known.insert(core::keyed_fact_of(row.fact)->key);
    for (const core::Journaled& row : again.journal()) {
      const auto* decided = std::get_if<core::TournamentDecided>(&row.fact);
      if (decided == nullptr) continue;
      EXPECT_FALSE(known.contains(core::keyed_fact_of(row.fact)->key)) << "decided twice after " << cut;
    }
  }
}

TEST_F(Cup, TheOrderOfEntriesSurvivesTheirChange) {
  begin({});
  for (const char* name : {"ann", "bob", "cat"}) done(fmt::format("enter cup {}", name));
  done("enter cup ann rate=2000 Ann of the club");
  const auto before = server().admin("tournament cup").rows;
  host.kill();
  EXPECT_EQ(server().admin("tournament cup").rows, before);
  EXPECT_EQ(before[0][1], "Ann of the club");
}

}  // namespace
}  // namespace fuhyo::test
