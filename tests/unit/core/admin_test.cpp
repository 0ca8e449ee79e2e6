// Admin commands: who may give them, what each does and refuses, and what the audit log says.
#include "server/core/admin/verbs.h"
#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

using core::AdminResult;
using core::Role;

core::Rules staffed() {
  core::Rules rules = test_rules();
  rules.operators = {{"hana", Role::host}, {"aki", Role::admin}};
  rules.operator_secret = [](std::string_view name, std::string_view secret) {
    return secret == "secret-of-" + std::string(name);
  };
  rules.admin_address = [](std::string_view address) { return address == "127.0.0.1"; };
  return rules;
}

struct AdminTest : ServerTest {
  AdminTest() : ServerTest(staffed()) {}
  void log_in(const std::string& name, std::string_view address = "127.0.0.1") {
    server.open(name, "main", address);
    server.say(name, "LOGIN " + name + " secret-of-" + name + " x1");
    server.heard(name);
  }
  Lines ask(const std::string& name, const std::string& text) { return server.reply(name, "%%ADMIN " + text); }
  std::string refused(const std::string& text) {
    const std::size_t before = facts<core::AdminActed>().size();
    const std::string why = ServerTest::refused(text);
    EXPECT_EQ(facts<core::AdminActed>().size(), before) << "a refusal is no act: " << text;
    return why;
  }
};

// ---- who may ----

TEST_F(AdminTest, AnOperatorWithAWrongSecretIsRefused) {
  server.say("x", "LOGIN aki wrong x1");
  server.advance(1000);
  EXPECT_THAT(server.heard("x"), ElementsAre("LOGIN:incorrect"));
  server.say("y", "LOGIN aki g-300-10");  // CSA mode without a trip
  server.advance(1000);
  EXPECT_THAT(server.heard("y"), ElementsAre("LOGIN:incorrect"));
  EXPECT_THAT(server.reply("z", "LOGIN aki g-300-10,secret-of-aki"), ElementsAre("LOGIN:aki OK"));
}

TEST_F(AdminTest, OnlyFromListedNetworks) {
  log_in("aki", "192.0.2.9");
  EXPECT_THAT(ask("aki", "games"),
              ElementsAre("##[ADMIN] ERROR commands are not taken from 192.0.2.9 (admin-networks)"));
}

TEST_F(AdminTest, TheIdOfAnOperatorSaysNothingOfTheSecret) {
  log_in("aki");
  server.login_x1("P");
  server.say("P", "%%WHO");
  const std::string hash = staffed().trip_hash("secret-of-aki");
  for (const std::string& line : server.heard("P")) EXPECT_THAT(line, Not(HasSubstr(hash)));
}

TEST_F(AdminTest, W10_ACommandOfTheWebIsJudgedByItsRole) {
  std::uint64_t token = 1000;
  const auto ask_as = [&](Role role, bool confirmed, std::string_view text) {
    server.deliver(core::AdminLine{.token = ++token,
                                   .who = "aki",
                                   .text = std::string(text),
                                   .role = role,
                                   .via = "web 192.0.2.7",
                                   .confirmed = confirmed});
    const core::AdminReply& last = server.admin_replies().back();
    return last.token == token ? last.result.text : std::string("(asked of the shell)");
  };
  ask_as(Role::admin, true, "help");
  for (const core::AdminVerb& verb : core::admin_verbs()) {
    for (const Role role : {Role::player, Role::host, Role::admin}) {
      for (const bool confirmed : {false, true}) {
        const std::size_t before = server.host_requests().size();
        const std::string text = ask_as(role, confirmed, verb.verb);
        if (role < verb.least) {
          EXPECT_EQ(text, fmt::format("{} is for the role {}", verb.verb, to_string(verb.least)));
        } else if (verb.dangerous && !confirmed) {
          EXPECT_EQ(text, fmt::format("{} wants to know once more who asks", verb.verb));
        } else {
          EXPECT_THAT(text, Not(AnyOf(HasSubstr("for the role"), HasSubstr("once more")))) << verb.verb;
        }
        if (server.host_requests().size() == before) continue;
        EXPECT_TRUE(verb.by_shell && text == "(asked of the shell)") << verb.verb << ": " << text;
        server.deliver(core::HostDone{server.host_requests().back().token, {.ok = true, .text = "done"}});
      }
    }
  }
}

TEST_F(AdminTest, TheAuditLogSaysThatAnActCameByTheWeb) {
  server.deliver(
      core::AdminLine{.token = 1, .who = "aki", .text = "forbid mallory", .role = Role::host, .via = "web\n::1"});
  const auto acts = facts<core::AdminActed>();
  ASSERT_EQ(acts.size(), 1u);
  EXPECT_EQ(acts[0].who, "aki");
  EXPECT_EQ(acts[0].via, "web ::1") << "one line";
}

// What asks for the password before a command goes out must see the command that will be carried out.
TEST(AdminVerbs, AreFoundInALineAsTheyAreCarriedOut) {
  for (const char* line : {"kick bob", "KICK bob", "  kick", "\tkick bob", "kick\tbob", "\x01kick\x7f"}) {
    const core::AdminVerb* verb = core::admin_verb_of(line);
    ASSERT_NE(verb, nullptr) << line;
    EXPECT_EQ(verb->verb, "kick");
  }
  EXPECT_EQ(core::admin_verb_of("")->verb, "help");
  EXPECT_EQ(core::admin_verb_of(" \n ")->verb, "help");
  for (const char* line : {"kicks", "kic", "-kick", "kick\xe3\x80\x80"})
    EXPECT_EQ(core::admin_verb_of(line), nullptr) << line;
}

TEST_F(AdminTest, ANewConfigurationTakesARoleAwayAndGivesNone) {
  log_in("aki");
  log_in("hana");
  server.login_x1("P");
  core::Rules rules = staffed();
  rules.operators = {{"hana", Role::admin}, {"P", Role::admin}};
  server.server().change_rules(rules);
  EXPECT_THAT(ask("aki", "games"), ElementsAre("##[ERROR] unknown command: %%ADMIN games"));
  EXPECT_THAT(ask("P", "games"), ElementsAre("##[ERROR] unknown command: %%ADMIN games")) << "P showed no secret";
  EXPECT_THAT(ask("hana", "limits").back(), HasSubstr("for the role admin")) << "until the next login";
}

// ---- the table of commands ----

TEST_F(AdminTest, HelpExplainsEachCommandInBothLanguages) {
  for (const core::AdminVerb& verb : core::admin_verbs()) {
    EXPECT_FALSE(verb.english.empty() || verb.japanese.empty()) << verb.verb;
    EXPECT_THAT(std::string(verb.example), StartsWith(std::string(verb.verb)));
  }
  EXPECT_EQ(server.admin("help").rows.size(), core::admin_verbs().size());
  EXPECT_EQ(server.admin("help").text, "help COMMAND: how it is written, with an example");
  EXPECT_THAT(server.admin("help ja pause").rows,
              ElementsAre(ElementsAre("pause GAME [WHY]", "対局を中断する（時計が止まる）", "pause 12 power cut")));
  EXPECT_THAT(server.admin("help pause").text, StartsWith("GAME is a number of games"));
  EXPECT_EQ(refused("help nonsense"), "no such command: nonsense");
  EXPECT_EQ(refused("nonsense"), "no such command: nonsense; see help");
  EXPECT_EQ(refused("tournament-show cup"), "no such command: tournament-show; did you mean tournament? see help");
  EXPECT_EQ(refused("sesions"), "no such command: sesions; did you mean sessions? see help");
  log_in("hana");
  const Lines lines = ask("hana", "");
  EXPECT_THAT(lines, Contains(StartsWith("##[ADMIN] pause ")));
  EXPECT_THAT(lines, Not(Contains(HasSubstr("drain")))) << "not a host's";
  EXPECT_EQ(lines.back(), "##[ADMIN] +OK");
}

TEST(AdminTable, ColumnsLineUpAlsoInJapanese) {
  const AdminResult result{.ok = true, .text = "2 rows", .columns = {"name", "x"}, .rows = {{"対局", "1"}, {"a", ""}}};
  EXPECT_THAT(core::render(result), ElementsAre("name  x", "対局  1", "a", "2 rows"));
  EXPECT_THAT(core::render({.ok = true, .text = "none", .columns = {"name"}}), ElementsAre("none"));
}

// ---- lists ----

TEST_F(AdminTest, ListsShowWhatThereIs) {
  server.start_game("A", "B");
  server.login_x1("C");
  server.say("C", "%%GAME late-60-0 -");
  const AdminResult sessions = server.admin("sessions");
  ASSERT_EQ(sessions.rows.size(), 3u);
  EXPECT_THAT(sessions.rows[0],
              ElementsAre("A", "game", "x1", "main", "#1 g-300-10", "", StartsWith("192.0.2.1:"), "player", ""));
  EXPECT_THAT(sessions.rows[2],
              ElementsAre("C", "game_waiting", "x1", "main", "late-60-0", "-", StartsWith("192.0.2.1:"), "player", ""));
  EXPECT_THAT(server.admin("sessions demo").rows, IsEmpty());
  server.advance(7000);
  server.say("A", "+7776FU");
  EXPECT_THAT(server.admin("games").rows, ElementsAre(ElementsAre("1", "running", "main", "A", "B", "1", "white", "293",
                                                                  "300", "ev+g-300-10+A+B+20261121041440")));
  EXPECT_THAT(server.admin("counters").rows, Contains(ElementsAre("games running", "1")));
  server.deliver(core::HostCounter{"TLS certificate ends in, days", "30"});
  server.deliver(core::HostCounter{"TLS certificate ends in, days", "29"});
  EXPECT_THAT(server.admin("counters").rows, Contains(ElementsAre("TLS certificate ends in, days", "29")).Times(1));
  EXPECT_THAT(server.admin("limits").rows, Contains(ElementsAre("connections", "19500")));
  EXPECT_THAT(server.admin("operators").rows,
              ElementsAre(ElementsAre("aki", "admin", ""), ElementsAre("hana", "host", "")));
}

// ---- people ----

TEST_F(AdminTest, KickEndsTheConnectionAndTheGame) {
  server.start_game("A", "B");
  EXPECT_EQ(done("kick A plays from two machines"), "A is disconnected");
  EXPECT_FALSE(server.is_open("A"));
  EXPECT_THAT(server.heard("B"), ElementsAre("%TORYO", "#RESIGN", "#WIN"));
  EXPECT_EQ(facts<core::AdminActed>().at(0).why, "plays from two machines");
  EXPECT_EQ(refused("kick A"), "nobody is connected as A");
  log_in("aki");
  EXPECT_THAT(ask("aki", "kick aki"), ElementsAre("##[ADMIN] ERROR that is you"));
}

TEST_F(AdminTest, AForbiddenNameStaysForbiddenAcrossARestartUntilItIsAllowed) {
  EXPECT_EQ(done("forbid P until friday"), "P is forbidden");
  server.say("p", "LOGIN P pw x1");
  server.advance(1000);
  EXPECT_THAT(server.heard("p"), ElementsAre("LOGIN:incorrect"));
  EXPECT_EQ(refused("forbid P"), "P is forbidden already");
  EXPECT_EQ(refused("forbid aki"), "aki is an operator: see the configuration");
  EXPECT_EQ(refused("forbid no/name"), "no name was given");
  EXPECT_EQ(refused("allow Q"), "Q is not forbidden");
  server.kill();
  server.say("p", "LOGIN P pw x1");
  server.advance(1000);
  EXPECT_THAT(server.heard("p"), ElementsAre("LOGIN:incorrect"));
  EXPECT_THAT(server.admin("forbidden").rows, ElementsAre(ElementsAre("P", "root", "until friday")));
  done("allow P");
  EXPECT_THAT(server.reply("p", "LOGIN P pw x1"), Contains("LOGIN:P OK"));
}

TEST_F(AdminTest, MessagesReachExtendedModeOnly) {
  server.login_x1("A");
  server.say("C", "LOGIN C g-300-10");
  server.heard("C");
  EXPECT_EQ(done("tell all round 2 at 14:00"), "told 1; 1 in CSA mode cannot be told");
  EXPECT_THAT(server.heard("A"), ElementsAre("##[ADMIN] root: round 2 at 14:00"));
  EXPECT_THAT(server.heard("C"), IsEmpty());
  EXPECT_EQ(done("tell room:demo hello"), "told 0; 0 in CSA mode cannot be told");
  done("tell room:main hello");
  done("tell A one\ntwo");
  EXPECT_THAT(server.heard("A"), ElementsAre("##[ADMIN] root: hello", "##[ADMIN] root: one two"));
  EXPECT_EQ(refused("tell Z hello"), "nobody is connected as Z");
  EXPECT_EQ(refused("tell all"), "there is nothing to tell");
}

// ---- starting and ending games ----

TEST_F(AdminTest, StartPairsTwoWaitingPlayers) {
  server.login_x1("A");
  server.say("C", "LOGIN C other-60-0");
  EXPECT_THAT(done("start C A final-900-5F"), HasSubstr("game 1: ev+final-900-5F+C+A+"));
  const Lines summary = server.heard("C");
  EXPECT_THAT(summary, IsSupersetOf({"Your_Turn:+", "Increment:5"}));
  EXPECT_EQ(refused("start C A final-900-5F"), "C is not waiting (agree_waiting)");
}

TEST_F(AdminTest, StartFromAPosition) {
  server.login_x1({"A", "B"});
  const std::string sfen = "4k4/9/9/9/9/9/9/9/4K4 w G 1";
  done("start A B end-60-0 sfen " + sfen);
  EXPECT_EQ(facts<core::GameOpened>().at(0).start_sfen, sfen);
  EXPECT_THAT(server.heard("B"), Contains("To_Move:-"));
}

TEST_F(AdminTest, WhatStartRefuses) {
  server.login_x1({"A", "B"});
  server.open("D", "demo");
  server.say("D", "LOGIN D pw x1");
  EXPECT_EQ(refused("start A Z g-1-1"), "nobody is connected as Z");
  EXPECT_EQ(refused("start Z A g-1-1"), "nobody is connected as Z");
  EXPECT_EQ(refused("start A A g-1-1"), "a game has two players");
  EXPECT_EQ(refused("start A D g-1-1"), "they are in different rooms");
  EXPECT_EQ(refused("start A B g"), "bad game name: g");
  EXPECT_EQ(refused("start A B g-1-1 sfen 9"), "no such position: a board, a side to move and hands expected");
  EXPECT_EQ(refused("start A B g-1-1 upside-down"), "no such position: a board, a side to move and hands expected");
  server.deliver(core::StopFile{true});
  EXPECT_EQ(refused("start A B g-1-1"), "no new games: the server is going to stop");
  server.deliver(core::StopFile{false});
}

TEST_F(AdminTest, WhileTheStoreIsAwayQuestionsAreAnsweredAndNothingIsChanged) {
  server.deliver(core::StoreLost{"disk full"});
  EXPECT_EQ(refused("forbid mallory"), "the store is away (disk full): nothing is changed");
  EXPECT_EQ(refused("drain"), "the store is away (disk full): nothing is changed");
  EXPECT_THAT(server.admin("counters").rows, Contains(ElementsAre("store", "away: disk full")));
  server.deliver(core::StoreBack{});
  done("forbid mallory");
}

TEST_F(AdminTest, AdjudicationInTheWordsOfOtherEnds) {
  struct Case {
    std::string verdict;
    Lines black, white;
    core::Outcome outcome;
  };
  const Case cases[] = {
      {"black", {"%TORYO", "#RESIGN", "#WIN"}, {"%TORYO", "#RESIGN", "#LOSE"}, core::Outcome::black_wins},
      {"white", {"%TORYO", "#RESIGN", "#LOSE"}, {"%TORYO", "#RESIGN", "#WIN"}, core::Outcome::white_wins},
      {"draw", {"#SENNICHITE", "#DRAW"}, {"#SENNICHITE", "#DRAW"}, core::Outcome::draw},
      {"void", {"#CHUDAN"}, {"#CHUDAN"}, core::Outcome::none},
  };
  for (const Case& c : cases) {
    const std::string a = "A" + c.verdict, b = "B" + c.verdict;
    const std::string id = server.start_game(a, b);
    done("adjudicate " + id + " " + c.verdict + " both agreed");
    EXPECT_EQ(server.heard(a), c.black);
    EXPECT_EQ(server.heard(b), c.white);
    const auto ended = facts<core::GameEnded>().back();
    EXPECT_EQ(ended.kind, core::EndKind::adjudicated);
    EXPECT_EQ(ended.outcome, c.outcome);
    EXPECT_EQ(ended.reason, "both agreed");
  }
  server.start_game("A", "B");
  EXPECT_EQ(refused("adjudicate A black"), "a verdict needs its reason");
  EXPECT_EQ(refused("adjudicate A green because"), "the verdict is one of black, white, draw, void");
  EXPECT_EQ(refused("adjudicate 99 draw because"), "there is no game 99");
  server.login_x1({"C", "D"});
  done("start C D g-1-1");
  EXPECT_EQ(refused("adjudicate C draw because"), "game C is not yet agreed to");
}

TEST_F(AdminTest, WhoCameWhileTheStoreWasAwayIsPairedWhenTheFileStopIsGoneToo) {
  server.login_x1({"A", "B"});
  server.deliver(core::StoreLost{"disk full"});
  server.say("A", "%%GAME x-1-1 +");
  server.say("B", "%%GAME x-1-1 -");
  server.deliver(core::StopFile{true});
  server.deliver(core::StoreBack{});
  EXPECT_THAT(facts<core::GameOpened>(), IsEmpty());
  server.deliver(core::StopFile{false});
  EXPECT_THAT(facts<core::GameOpened>(), SizeIs(1));
}

TEST_F(AdminTest, TheFileStopRefusesNewGamesOnly) {
  server.start_game("A", "B");
  server.login_x1("C");
  server.deliver(core::StopFile{true});
  EXPECT_THAT(server.reply("C", "%%GAME x-1-1 +"),
              ElementsAre("##[ERROR] As the service is going to shutdown shortly, starting new games is not allowed "
                          "now."));
  server.say("A", "+7776FU");
  EXPECT_THAT(server.heard("B"), ElementsAre("+7776FU,T0"));
  server.deliver(core::StopFile{false});
  EXPECT_THAT(server.reply("C", "%%GAME x-1-1 +"), IsEmpty());
}

// ---- the audit log, and the gate ----

TEST_F(AdminTest, EveryActIsWrittenDownWithWhoWhenWhy) {
  log_in("hana");
  server.start_game("A", "B");
  ask("hana", "pause A power cut");
  const auto acted = facts<core::AdminActed>();
  ASSERT_EQ(acted.size(), 1u);
  EXPECT_EQ(acted[0].who, "hana");
  EXPECT_THAT(acted[0].via, StartsWith("127.0.0.1:"));
  EXPECT_EQ(acted[0].act, "pause A power cut");
  EXPECT_EQ(acted[0].why, "power cut");
  EXPECT_EQ(acted[0].outcome, "game 1 is paused");
  EXPECT_EQ(acted[0].local_time, "2026/11/21 04:14:40");
  ask("hana", "games");
  EXPECT_EQ(facts<core::AdminActed>().size(), 1u) << "a question is no act";
}

TEST_F(AdminTest, AnActIsAnsweredOnlyWhenItIsDurable) {
  log_in("hana");
  server.start_game("A", "B");
  server.hold_commits(true);
  EXPECT_THAT(ask("hana", "pause A"), IsEmpty());
  EXPECT_THAT(server.heard("A"), IsEmpty());
  EXPECT_EQ(server.admin("games").text, "(no answer yet)");
  server.commit();
  EXPECT_EQ(server.heard("hana").back(), "##[ADMIN] +OK");
  EXPECT_THAT(server.heard("A"), ElementsAre("##[ADMIN] the game is paused"));
}

TEST_F(AdminTest, WhatTheShellDoesIsAskedForAndAnswered) {
  server.deliver(core::AdminLine{.token = 77, .who = "root", .text = "drain maintenance"});
  ASSERT_EQ(server.host_requests().size(), 1u);
  const core::HostRequest request = server.host_requests()[0];
  EXPECT_EQ(request.verb, "drain");
  EXPECT_EQ(request.rest, "maintenance");
  EXPECT_EQ(request.after, server.durable()) << "not before it is written down";
  EXPECT_EQ(facts<core::AdminActed>().at(0).why, "maintenance");
  EXPECT_THAT(server.admin_replies(), IsEmpty());
  const AdminResult result{.ok = true, .text = "the server ends after the last game"};
  server.deliver(core::HostDone{request.token, result});
  server.deliver(core::HostDone{request.token, result});  // a second answer is no answer
  ASSERT_EQ(server.admin_replies().size(), 1u);
  EXPECT_EQ(server.admin_replies()[0].token, 77u);
  EXPECT_EQ(server.admin_replies()[0].result, result);
}

TEST_F(AdminTest, ATerminalOnTheCsaPortIsToldNothingThatItObeys) {
  log_in("hana");
  ask("hana", "export 1");
  server.deliver(
      core::HostDone{server.host_requests().back().token,
                     {.ok = true, .text = "one\x07", .columns = {}, .rows = {{"V2"}, {"'\x1b[2J先手\x7f."}}}});
  EXPECT_THAT(server.heard("hana"),
              ElementsAre("##[ADMIN] V2", "##[ADMIN] ' [2J先手 .", "##[ADMIN] one ", "##[ADMIN] +OK"));
}

TEST_F(AdminTest, TheShellIsNotAskedForTooMuchAtOnce) {
  for (std::size_t i = 0; i < core::Limits{}.host_requests; ++i) server.admin("results");
  EXPECT_EQ(refused("results"), "too much is asked at once");
  EXPECT_EQ(server.host_requests().size(), core::Limits{}.host_requests);
}

}  // namespace
}  // namespace fuhyo::test
