// The CSA port under attack: brute force, floods of strangers, second logins, commands over the CSA port, what
// strangers see. The names of the tests are rows of the reliability page.
#include "tests/support/accounts.h"
#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

using core::AccountPolicy;

struct LogIns : ServerTest {
  LogIns() : ServerTest(account_rules(AccountPolicy::closed)) {
    server.admin("account-add alice");
    alice = issued(server.admin("token alice"));
  }
  std::string alice;
};

// ---- I1: brute force ----

TEST_F(LogIns, I1_UnknownNameWrongSecretAndForbiddenNameAreAnsweredAlike) {
  server.admin("account-add bob");
  server.admin("forbid bob");
  const Lines lines = {"LOGIN alice wrong x1", "LOGIN nobody wrong x1", "LOGIN bob wrong x1",
                       "LOGIN ALICE " + alice + " x1"};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string client = fmt::format("c{}", i);
    server.open(client, "main", fmt::format("192.0.{}.1", i));
    server.say(client, lines[i]);
    server.advance(999);
    EXPECT_THAT(server.heard(client), IsEmpty()) << lines[i];
    server.advance(1);
    EXPECT_THAT(server.heard(client), ElementsAre("LOGIN:incorrect")) << lines[i];
  }
}

TEST_F(LogIns, I1_AfterFiveFailuresEvenTheRightSecretWaits) {
  for (int i = 0; i < 6; ++i) {
    EXPECT_THAT(log_in(server, fmt::format("c{}", i), "alice", "wrong", fmt::format("192.0.2.{}", i)),
                ElementsAre("LOGIN:incorrect"));
  }
  // Six failures: 2 s of wait, of which one has passed with the answer.
  EXPECT_THAT(log_in(server, "same net", "alice", alice, "192.0.2.99"), ElementsAre("LOGIN:incorrect"));
  EXPECT_THAT(log_in(server, "far away", "alice", alice, "198.51.100.1"), Contains("LOGIN:alice OK"));
  server.hang_up("far away");
  server.advance(1000);
  EXPECT_THAT(log_in(server, "again", "alice", alice, "192.0.2.99"), Contains("LOGIN:alice OK"));
}

TEST_F(LogIns, I1_SprayingOverNamesShutsTheAddressOut) {
  server.open("early", "main", "192.0.2.1");
  for (int i = 0; i < 5; ++i) server.say("early", fmt::format("LOGIN name{} wrong x1", i));
  server.advance(5000);
  EXPECT_TRUE(server.is_open("early")) << "who is connected stays";
  server.open("late", "main", "192.0.2.1");
  EXPECT_FALSE(server.is_open("late"));
  server.open("neighbour", "main", "192.0.2.2");
  EXPECT_TRUE(server.is_open("neighbour"));
  server.advance(600'000);
  server.open("much later", "main", "192.0.2.1");
  EXPECT_TRUE(server.is_open("much later"));
}

TEST_F(LogIns, I1_LinesBehindAWrongOneAreAnsweredInTheirTurn) {
  server.log_in("A", "alice wrong x1");
  server.say("A", "LOGIN alice " + alice + " x1");
  EXPECT_THAT(server.reply("A", "%%WHO"), IsEmpty());
  server.advance(1000);
  const Lines heard = server.heard("A");
  ASSERT_GE(heard.size(), 3u);
  EXPECT_EQ(heard[0], "LOGIN:incorrect");
  EXPECT_EQ(heard[1], "LOGIN:alice OK");
  EXPECT_EQ(heard.back(), "##[WHO] +OK");
}

TEST_F(LogIns, I1_SparedAddressesAreSpared) {
  core::Rules rules = account_rules(AccountPolicy::closed);
  rules.exempt = [](std::string_view address) { return address == "192.0.2.1"; };
  VirtualServer spared(rules);
  spared.admin("account-add alice");
  const std::string token = issued(spared.admin("token alice"));
  for (int i = 0; i < 30; ++i) log_in(spared, fmt::format("c{}", i), "alice", "wrong");
  EXPECT_THAT(log_in(spared, "A", "alice", token), Contains("LOGIN:alice OK"));
}

// ---- strangers ----

using Strangers = ServerTest;

// B13: whoever comes again and again pushes out himself, not those who came once.
TEST_F(Strangers, B13_ThoseOfANetworkThatHoldsMostGoFirst) {
  serve([](core::Limits& limits) { limits.unauthenticated = 6; });
  server.open("honest", "main", "198.51.100.1");
  for (int i = 0; i < 100; ++i) server.open(fmt::format("idle{}", i), "main", fmt::format("192.0.2.{}", i % 3));
  EXPECT_TRUE(server.is_open("honest")) << "the oldest of all";
  for (int i = 0; i < 100; ++i) server.open(fmt::format("v6 {}", i), "main", fmt::format("2001:db8:1:2::{:x}", i + 1));
  EXPECT_TRUE(server.is_open("honest")) << "a machine has a /64";
  EXPECT_THAT(server.reply("honest", "LOGIN honest trip x1"), Contains("LOGIN:honest OK"));
}

TEST_F(Strangers, B13_NobodyGoesForOneWhoIsRefusedAnyway) {
  serve([](core::Limits& limits) {
    limits.unauthenticated = 1;
    limits.sessions_per_address = 1;
  });
  server.open("inside", "main", "192.0.2.1");
  server.reply("inside", "LOGIN inside trip x1");
  server.open("honest", "main", "198.51.100.1");
  server.open("again", "main", "192.0.2.1");
  EXPECT_FALSE(server.is_open("again"));
  EXPECT_TRUE(server.is_open("honest"));
}

TEST_F(Strangers, B4_SeveralOfAnExemptAddressComeAtOnce) {
  core::Limits limits;
  limits.unauthenticated = 4;
  core::Rules rules = account_rules();
  rules.exempt = [](std::string_view address) { return address == "198.51.100.9"; };
  server = VirtualServer(std::move(rules), limits);
  for (int i = 0; i < 4; ++i) server.open(fmt::format("slow{}", i), "main", fmt::format("192.0.2.{}", 1 + i));
  for (const char* name : {"one", "two", "three"}) server.open(name, "main", "198.51.100.9");
  EXPECT_TRUE(server.is_open("one") && server.is_open("two") && server.is_open("three"));
  EXPECT_TRUE(server.is_open("slow3"));
}

TEST_F(Strangers, WhoHasSaidSomethingGoesLast) {
  serve([](core::Limits& limits) { limits.unauthenticated = 4; });
  server.open("talker");
  server.say("talker", "hello");
  for (int i = 0; i < 10; ++i) server.open(fmt::format("new{}", i), "main", fmt::format("192.0.2.{}", 20 + i));
  EXPECT_TRUE(server.is_open("talker"));
  EXPECT_FALSE(server.is_open("new0"));
  EXPECT_TRUE(server.is_open("new9"));
  serve([](core::Limits& limits) { limits.unauthenticated = 4; });
  for (int i = 0; i < 4; ++i) {
    server.open(fmt::format("talker{}", i), "main", fmt::format("192.0.2.{}", i / 2));
    server.say(fmt::format("talker{}", i), "hello");
  }
  server.open("guest", "main", "198.51.100.1");
  EXPECT_TRUE(server.is_open("guest")) << "a line that is no login keeps nobody's place";
  EXPECT_FALSE(server.is_open("talker0"));
}

// ---- B14: names that cost nothing ----

struct Places : ServerTest {
  // Room for `throwaways` of these, one who is known, and two strangers.
  void fill(int throwaways) {
    core::Limits limits;
    limits.unauthenticated = 2;
    limits.reserved_sessions = 1;
    limits.sessions = static_cast<std::size_t>(throwaways) + 3;
    core::Rules rules = account_rules(AccountPolicy::open);
    rules.exempt = [](std::string_view address) { return address == "198.51.100.9"; };
    rules.operators.emplace("hana", core::Role::host);
    rules.operator_secret = [](std::string_view, std::string_view secret) { return secret == "right"; };
    server = VirtualServer(std::move(rules), limits);
    server.admin("account-add alice");
    server.admin("account-add bob");
    alice = issued(server.admin("token alice"));
    bob = issued(server.admin("token bob"));
    for (int i = 0; i < throwaways; ++i) {
      EXPECT_THAT(log_in(server, fmt::format("t{}", i), fmt::format("t{}", i), "x", "192.0.2.1"),
                  Contains(fmt::format("LOGIN:t{} OK", i)));
    }
  }
  std::string alice, bob;
};

TEST_F(Places, B14_WhoIsKnownGetsInAndTheOldestIdleThrowawayGoes) {
  fill(4);
  EXPECT_THAT(log_in(server, "t9", "t9", "x", "192.0.2.1"), Contains("LOGIN:t9 OK"));
  EXPECT_FALSE(server.is_open("t0")) << "a network that holds all pushes out itself";
  EXPECT_THAT(log_in(server, "alice", "alice", alice, "198.51.100.1"), Contains("LOGIN:alice OK"));
  EXPECT_TRUE(server.is_open("t1")) << "a place was reserved";
  EXPECT_THAT(log_in(server, "bob", "bob", bob, "198.51.100.2"), Contains("LOGIN:bob OK"));
  EXPECT_FALSE(server.is_open("t1"));
  EXPECT_THAT(log_in(server, "hana", "hana", "right", "198.51.100.3"), Contains("LOGIN:hana OK"));
  EXPECT_FALSE(server.is_open("t2"));
  EXPECT_TRUE(server.is_open("alice") && server.is_open("bob"));
}

TEST_F(Places, B14_AGuestIsNotPushedOutByThoseWhoHoldMore) {
  fill(3);
  EXPECT_THAT(log_in(server, "guest", "guest", "x", "198.51.100.1"), Contains("LOGIN:guest OK"));
  for (int i = 0; i < 10; ++i) log_in(server, fmt::format("u{}", i), fmt::format("u{}", i), "x", "192.0.2.1");
  EXPECT_TRUE(server.is_open("guest"));
}

TEST_F(Places, B14_AGuestIsNotKeptOutByOneWhoFoundNoPlaceJustBefore) {
  fill(1);
  server.open("silent", "main", "198.51.100.1");
  server.open("greedy", "main", "198.51.100.1");
  server.say("greedy", "LOGIN greedy x x1");
  EXPECT_THAT(log_in(server, "guest", "guest", "x", "198.51.100.2"), Contains("LOGIN:guest OK"));
  EXPECT_FALSE(server.is_open("t0"));
  server.advance(1'000);
  EXPECT_THAT(server.heard("greedy"), ElementsAre("LOGIN:incorrect"));
}

TEST_F(Places, B14_AnExemptAddressHasNoShare) {
  fill(2);
  for (const char* name : {"one", "two"}) {
    EXPECT_THAT(log_in(server, name, name, "x", "198.51.100.9"), Contains(fmt::format("LOGIN:{} OK", name)));
  }
  EXPECT_FALSE(server.is_open("t0") || server.is_open("t1"));
}

TEST_F(Places, B14_WhoPlaysIsNotIdle) {
  fill(2);
  for (int i = 0; i < 2; ++i) server.say(fmt::format("t{}", i), "%%GAME g-300-10 *");
  for (int i = 0; i < 2; ++i) server.say(fmt::format("t{}", i), "AGREE");
  ASSERT_EQ(facts<core::GameStarted>().size(), 1U);
  EXPECT_THAT(log_in(server, "late", "late", "x", "198.51.100.1"), ElementsAre("LOGIN:incorrect"));
  EXPECT_THAT(log_in(server, "alice", "alice", alice, "198.51.100.1"), Contains("LOGIN:alice OK"));
  EXPECT_THAT(log_in(server, "bob", "bob", bob, "198.51.100.2"), ElementsAre("LOGIN:incorrect"));
  for (const char* refused : {"late", "bob"}) server.hang_up(refused);
  server.say("t0", "%TORYO");
  EXPECT_THAT(log_in(server, "bob again", "bob", bob, "198.51.100.2"), Contains("LOGIN:bob OK"));
}

// ---- I4: the second login ----

// Whether it is given over.
struct SecondLogin : ServerTest, testing::WithParamInterface<bool> {
  static core::Rules rules() {
    core::Rules rules = account_rules();
    rules.takeover = GetParam();
    return rules;
  }
  SecondLogin() : ServerTest(rules()) {}
};

TEST_P(SecondLogin, I4_WithTheWrongSecretNothingChangesForTheFirst) {
  server.start_game("A", "B");
  server.advance(20'000);
  EXPECT_THAT(log_in(server, "thief", "A", "wrong"), Contains("LOGIN:incorrect"));
  EXPECT_TRUE(server.is_open("A"));
  EXPECT_FALSE(server.is_open("thief"));
  EXPECT_THAT(server.reply("A", "+7776FU"), Contains("+7776FU,T20"));
  EXPECT_THAT(server.heard("B"), Contains("+7776FU,T20"));
}

TEST_P(SecondLogin, I4_WhileWaitingTheNewestWinsAndKeepsItsPlace) {
  EXPECT_THAT(log_in(server, "A", "alice", "trip"), Contains("LOGIN:alice OK"));
  server.say("A", "%%GAME g-300-10 *");
  EXPECT_THAT(log_in(server, "A2", "alice", "trip"), Contains("LOGIN:alice OK"));
  EXPECT_FALSE(server.is_open("A"));
  EXPECT_TRUE(server.is_open("A2"));
}

INSTANTIATE_TEST_SUITE_P(LogIns, SecondLogin, testing::Bool(),
                         [](const auto& taken) { return taken.param ? "taken_over" : "refused"; });

struct Takeover : ServerTest {
  Takeover() : ServerTest(account_rules()) {}
};

TEST_F(Takeover, I4_TheRightSecretTakesTheRunningGameOver) {
  server.start_game("A", "B");
  server.say("A", "+7776FU");
  server.advance(20'000);
  server.heard("B");
  server.log_in("A2", "A pwA x1", "198.51.100.7");
  EXPECT_FALSE(server.is_open("A"));
  const Lines told = server.heard("A2");
  EXPECT_THAT(told, IsSupersetOf({"BEGIN Game_Summary", "+7776FU,T0"}));
  EXPECT_THAT(server.heard("B"), Not(Contains(HasSubstr("#"))));
  EXPECT_THAT(server.reply("A2", "AGREE"), Contains(HasSubstr("START:")));
  server.say("B", "-3334FU");
  EXPECT_THAT(server.heard("A2"), Contains(HasSubstr("-3334FU,T20")));
  server.say("A2", "+2726FU");
  EXPECT_THAT(server.heard("B"), AllOf(Contains(HasSubstr("-3334FU")), Contains(HasSubstr("+2726FU"))));
}

TEST_F(Takeover, I4_ThereAreNeverTwoWriters) {
  server.start_game("A", "B");
  server.advance(20'000);
  server.hold_commits(true);
  server.say("A", "+7776FU");  // under way when the other one comes
  server.log_in("A2", "A pwA x1");
  server.say("A", "+2726FU");  // said by a session that is no more
  server.commit();
  server.hold_commits(false);
  server.say("A2", "AGREE");
  server.say("B", "-3334FU");
  EXPECT_THAT(facts<core::MoveMade>(),
              ElementsAre(Field(&core::MoveMade::csa, "+7776FU"), Field(&core::MoveMade::csa, "-3334FU")));
}

TEST_F(Takeover, I4_TwoProgramsWithOneNameDoNotTakeTurns) {
  server.start_game("A", "B");
  server.advance(20'000);
  server.log_in("A2", "A pwA x1");
  server.say("A2", "AGREE");
  EXPECT_THAT(log_in(server, "A3", "A", "pwA"), Contains("LOGIN:incorrect")) << "too soon";
  EXPECT_TRUE(server.is_open("A2"));
}

TEST_F(Takeover, I4_IsRefusedWhereTheRulesSaySo) {
  serve([&](core::Rules& rules) { rules.takeover = false; }, account_rules());
  server.start_game("A", "B");
  server.advance(20'000);
  EXPECT_THAT(log_in(server, "A2", "A", "pwA"), Contains("LOGIN:incorrect"));
  EXPECT_TRUE(server.is_open("A"));
}

// ---- W7: commands over the CSA port ----

struct Commands : ServerTest {
  Commands() : ServerTest(account_rules()) {
    server.admin("account-add ref host");
    token = issued(server.admin("token ref"));
    server.admin("second-factor ref on");
  }
  std::string now_code() { return code_of((kStartWall.us / core::kSecond + server.now_ms() / 1000) / 30); }
  Lines ask(const std::string& line) {
    server.say("R", line);
    return server.heard("R");
  }
  void come(bool secure) {
    server.open("R", "main", "192.0.2.1", secure);
    server.say("R", "LOGIN ref " + token + " x1");
    server.heard("R");
  }
  std::string token;
};

TEST_F(Commands, W7_OverPlainTextThereAreNone) {
  come(false);
  EXPECT_THAT(ask("%%ADMIN code " + now_code()), ElementsAre("##[ADMIN] ERROR commands are taken over TLS only"));
  EXPECT_THAT(ask("%%ADMIN games"), ElementsAre("##[ADMIN] ERROR commands are taken over TLS only"));
}

TEST_F(Commands, W7_OverTlsTheyNeedACodeThatIsGoodOnce) {
  come(true);
  EXPECT_THAT(ask("%%ADMIN games"), Contains(HasSubstr("one-time code first")));
  EXPECT_THAT(ask("%%ADMIN code 000000"), Contains("##[ADMIN] ERROR that code is not good"));
  const std::string code = now_code();
  EXPECT_THAT(ask("%%ADMIN code " + code), Contains("##[ADMIN] +OK"));
  EXPECT_THAT(ask("%%ADMIN games"), Contains("##[ADMIN] +OK"));
  EXPECT_THAT(ask("%%ADMIN limits"), Contains(HasSubstr("for the role admin")));
  server.hang_up("R");
  come(true);
  EXPECT_THAT(ask("%%ADMIN code " + code), Contains("##[ADMIN] ERROR that code is not good")) << "seen by somebody";
  server.advance(30'000);
  EXPECT_THAT(ask("%%ADMIN code " + now_code()), Contains("##[ADMIN] +OK"));
  server.advance(1'800'000);
  EXPECT_THAT(ask("%%ADMIN games"), Contains(HasSubstr("one-time code first"))) << "half an hour later";
}

TEST_F(Commands, W7_ARoleThatIsTakenAwayIsGoneAtOnce) {
  come(true);
  ask("%%ADMIN code " + now_code());
  EXPECT_THAT(ask("%%ADMIN games"), Contains("##[ADMIN] +OK"));
  server.admin("account-role ref player");
  EXPECT_THAT(ask("%%ADMIN games"), Contains(HasSubstr("unknown command")));
}

TEST_F(Commands, W7_SecretsAreNotToldOverTheCsaPort) {
  server.admin("account-role ref admin");
  come(true);
  ask("%%ADMIN code " + now_code());
  for (const auto* line : {"%%ADMIN token ref", "%%ADMIN password ref", "%%ADMIN second-factor ref on"}) {
    EXPECT_THAT(ask(line), Contains(HasSubstr("not told over the CSA port"))) << line;
  }
}

TEST_F(Commands, W7_ToPlayersThereIsNoSuchCommand) {
  server.login_x1("P");
  EXPECT_THAT(server.reply("P", "%%ADMIN games"), Contains(HasSubstr("unknown command")));
  EXPECT_THAT(server.reply("P", "%%ADMIN code 123456"), Contains(HasSubstr("unknown command")));
}

// ---- web logins ----

struct Web : ServerTest {
  Web() : ServerTest(account_rules()) {
    server.admin("account-add ref host");
    server.admin("account-add boss admin");
    ref = issued(server.admin("password ref"));
    boss = issued(server.admin("password boss"));
    token = issued(server.admin("token ref"));
  }
  // Answered at once, or a second later. Whatever has to be compared slowly is wrong.
  core::WebLoginAnswer ask(const std::string& name, const std::string& password, const std::string& code = {},
                           const std::string& address = "192.0.2.1") {
    server.deliver(core::WebLogin{
        .token = ++asked, .name = name, .password = csa::Secret(password), .code = code, .address = address});
    if (server.password_checks().size() > checked) {
      server.deliver(core::PasswordChecked{.token = server.password_checks().back().token, .right = false});
    }
    checked = server.password_checks().size();
    at_once = !server.web_answers().empty() && server.web_answers().back().token == asked;
    if (!at_once) server.advance(1000);
    EXPECT_EQ(server.web_answers().size(), asked) << "one answer each";
    return server.web_answers().back();
  }
  std::string now_code() { return code_of((kStartWall.us / core::kSecond + server.now_ms() / 1000) / 30); }
  std::string ref, boss, token;
  std::uint64_t asked = 0;
  std::size_t checked = 0;
  bool at_once = false;
};

TEST_F(Web, W6_PasswordsAreTakenAndNothingElse) {
  const auto in = ask("ref", ref);
  EXPECT_TRUE(in.ok);
  EXPECT_EQ(in.name, "ref");
  EXPECT_EQ(in.role, core::Role::host);
  EXPECT_FALSE(ask("ref", token).ok) << "a program's token is for the CSA port";
  EXPECT_FALSE(at_once);
  EXPECT_FALSE(ask("REF", ref).ok);
  EXPECT_FALSE(ask("nobody", ref).ok);
  EXPECT_FALSE(at_once) << "no answer says which names there are";
}

TEST_F(Web, W6_AdminsNeedASecondFactor) {
  EXPECT_FALSE(ask("boss", boss).ok);
  server.admin("second-factor boss on");
  EXPECT_TRUE(ask("boss", boss).needs_code);
  EXPECT_FALSE(ask("boss", boss, "000000").ok);
  const std::string code = now_code();
  const auto in = ask("boss", boss, code);
  EXPECT_TRUE(in.ok);
  EXPECT_EQ(in.role, core::Role::admin);
  EXPECT_FALSE(ask("boss", boss, code).ok) << "each code is good once";
}

TEST_F(Web, W10_AChangedAccountIsSaidAtOnce) {
  const std::size_t before = server.changed_accounts().size();
  server.admin("account-role ref player");
  server.admin("account-delete boss left");
  ASSERT_EQ(server.changed_accounts().size(), before + 2);
  EXPECT_EQ(server.changed_accounts()[before], "ref");
  EXPECT_EQ(server.changed_accounts()[before + 1], "boss");
}

// ---- I8: what others see ----

TEST_F(ServerTest, I8_NobodySeesASecret) {
  server = VirtualServer(account_rules(AccountPolicy::claim));
  constexpr std::string_view kSecret = "correcthorse";
  for (const auto* name : {"A", "B"}) {
    server.log_in(name, fmt::format("{} {}{} x1", name, kSecret, name));
  }
  server.log_in("spy", "spy spytrip x1", "198.51.100.1");
  server.log_in("late", fmt::format("A {}wrong x1", kSecret), "198.51.100.2");
  for (const auto* name : {"A", "B"}) server.say(name, fmt::format("%%GAME g-300-10 {}", *name == 'A' ? "+" : "-"));
  for (const auto* name : {"A", "B"}) server.say(name, "AGREE");
  server.say("A", fmt::format("LOGIN A {}A x1", kSecret));  // a client that is confused
  for (const auto* line : {"%%WHO", "%%LIST", "%%HELP", "%%VERSION", "%%RATING", "%%BUOYS"}) server.say("spy", line);
  server.advance(2000);
  for (const auto* name : {"A", "B", "spy", "late"}) {
    for (const std::string& line : server.heard(name)) EXPECT_THAT(line, Not(HasSubstr(kSecret))) << name;
  }
  for (const auto* line : {"sessions", "games", "accounts", "account A", "forbidden", "counters", "operators"}) {
    const core::AdminResult shown = server.admin(line);
    EXPECT_THAT(shown.text, Not(HasSubstr(kSecret)));
    for (const auto& row : shown.rows) {
      for (const std::string& cell : row) EXPECT_THAT(cell, Not(HasSubstr(kSecret))) << line;
    }
  }
  for (const std::string& note : server.notes()) EXPECT_THAT(note, Not(HasSubstr(kSecret)));
  for (const auto& row : server.journal()) EXPECT_THAT(core::encode(row.fact).payload, Not(HasSubstr(kSecret)));
}

}  // namespace
}  // namespace fuhyo::test
