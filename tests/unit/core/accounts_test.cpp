// Names, accounts, who gets in under what: open, claim, closed; entry lists; secrets issued and taken away.
#include "server/core/logins/accounts.h"

#include "tests/support/accounts.h"
#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

using core::AccountPolicy;

// ---- names ----

TEST(I3_NameKey, NamesThatLookAlikeAreTheSame) {
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{{"gps_l", "gps_1"},
                                                                             {"Gps_L", "gps_l"},
                                                                             {"gpsI", "gpsl"},
                                                                             {"b0nanza", "bonanza"},
                                                                             {"BONANZA", "bonanza"},
                                                                             {"elmo-x", "elmo_x"},
                                                                             {"elmo.x", "elmox"},
                                                                             {"rnodern", "modern"},
                                                                             {"vvalk", "walk"}}) {
    EXPECT_EQ(core::name_key(a), core::name_key(b)) << a << " " << b;
  }
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{
           {"gps", "gpss"}, {"elmo", "elno"}, {"suisho5", "suisho6"}, {"a@b", "ab"}, {"___", "..."}}) {
    EXPECT_NE(core::name_key(a), core::name_key(b)) << a << " " << b;
  }
}

TEST(EntryPattern, StarStandsForAnyCharacters) {
  for (const auto* good : {"club-900-5F", "club-*", "*", "*-900-*", "c*b-900-5F", "**5F"}) {
    EXPECT_TRUE(core::fits(good, "club-900-5F")) << good;
  }
  for (const auto* good : {"*ab*ba*", "ab*ba", "*b*b*"}) EXPECT_TRUE(core::fits(good, "abbba")) << good;
  EXPECT_FALSE(core::fits("aba*ba", "aba")) << "the parts do not share letters";
  std::string many;
  for (int i = 0; i < 30; ++i) many += "*a";
  EXPECT_FALSE(core::fits(many + "*b", std::string(60, 'a'))) << "and in no time";
  for (const auto* bad : {"club", "lub*", "*-900", "", "club-900-5F*x"})
    EXPECT_FALSE(core::fits(bad, "club-900-5F")) << bad;
}

// ---- policies ----

using Accounts = ServerTest;

TEST_F(Accounts, OpenServersTakeAnybodyButOwnedAndReservedNames) {
  serve([&](core::Rules& rules) { rules.reserved = {core::name_key("admin")}; }, account_rules());
  EXPECT_THAT(log_in(server, "A", "nobody", "trip"), Contains("LOGIN:nobody OK"));
  EXPECT_THAT(log_in(server, "B", "Admin", "trip"), ElementsAre("LOGIN:incorrect"));
  EXPECT_THAT(log_in(server, "C", "adm1n", "trip"), ElementsAre("LOGIN:incorrect"));
  server.admin("account-add alice");
  const std::string token = issued(server.admin("token alice at home"));
  EXPECT_EQ(token.size(), 32u);
  EXPECT_THAT(log_in(server, "D", "alice", "trip"), ElementsAre("LOGIN:incorrect"));
  EXPECT_THAT(log_in(server, "E", "Al1ce", token), ElementsAre("LOGIN:incorrect")) << "her secret under another name";
  EXPECT_THAT(log_in(server, "F", "alice", token, "198.51.100.1"), Contains("LOGIN:alice OK"));
}

TEST_F(Accounts, TheFirstSecretOwnsAClaimedName) {
  server = VirtualServer(account_rules(AccountPolicy::claim));
  EXPECT_THAT(log_in(server, "A", "gps_l", "first"), Contains("LOGIN:gps_l OK"));
  ASSERT_NE(account(server, "gps_l"), nullptr);
  EXPECT_EQ(account(server, "gps_l")->id, "gps_l+" + test_rules().trip_hash("first")) << "filed as before";
  server.hang_up("A");
  EXPECT_THAT(log_in(server, "B", "gps_l", "second"), ElementsAre("LOGIN:incorrect"));
  EXPECT_THAT(log_in(server, "C", "gps_1", "second"), ElementsAre("LOGIN:incorrect")) << "it looks like an owned one";
  EXPECT_THAT(log_in(server, "D", "gps_l", "first"), Contains("LOGIN:gps_l OK"));
  EXPECT_THAT(log_in_csa(server, "E", "untripped", "g-300-10"), ElementsAre("LOGIN:incorrect"));
  EXPECT_EQ(account(server, "untripped"), nullptr);
}

TEST_F(Accounts, SquattingCostsAnAddressTime) {
  server = VirtualServer(account_rules(AccountPolicy::claim));
  int claimed = 0;
  for (int i = 0; i < 50; ++i) {
    const std::string client = fmt::format("c{}", i);
    server.open(client, "main", "192.0.2.77");
    if (!server.is_open(client)) break;
    server.say(client, fmt::format("LOGIN squat{} trip x1", i));
    claimed += account(server, fmt::format("squat{}", i)) != nullptr;
  }
  EXPECT_EQ(claimed, 8);
  EXPECT_THAT(log_in(server, "other", "squat99", "trip", "192.0.2.78"), Contains("LOGIN:squat99 OK"));
}

TEST_F(Accounts, SurviveARestartAndTheirIdsAreTheSame) {
  server = VirtualServer(account_rules(AccountPolicy::closed));
  server.admin("account-add alice");
  const std::string token = issued(server.admin("token alice"));
  server.admin("account-add bob");
  server.admin("account-delete bob went away");
  server.kill();
  EXPECT_THAT(log_in_csa(server, "D", "alice", "g-300-10"), ElementsAre("LOGIN:incorrect")) << "no trip at all";
  EXPECT_THAT(log_in(server, "A", "alice", token), Contains("LOGIN:alice OK"));
  EXPECT_THAT(server.admin("accounts").rows, ElementsAre(Contains("alice")));
  EXPECT_THAT(server.admin("account-add bob").text, HasSubstr("bob has an account"));
}

// ---- games under TLS ----

struct TlsGames : ServerTest {
  static core::Rules rules() {
    core::Rules rules = account_rules();
    rules.entry = {{.games = "final-*", .tls = true}};
    return rules;
  }
  TlsGames() : ServerTest(rules()) {}
  Lines come(const std::string& client, bool secure, const std::string& login, std::string_view address = "192.0.2.1") {
    server.open(client, "main", address, secure);
    return server.reply(client, "LOGIN " + login);
  }
  void play() {
    for (const std::string name : {"alice", "bob"}) come(name, true, name + " final-900-5F,trip");
    server.agree("alice", "bob");
  }
};
constexpr std::string_view kTlsWanted = "##[ERROR] final-900-5F is played under TLS only: connect to the port for that";

TEST_F(TlsGames, AreNotPlayedInTheClear) {
  EXPECT_THAT(come("A", false, "alice final-900-5F-B,trip"), ElementsAre("LOGIN:incorrect", kTlsWanted)) << "at once";
  server.ask("A", "LOGIN alice trip x1");
  EXPECT_THAT(server.reply("A", "%%GAME final-900-5F -"), ElementsAre(kTlsWanted));
  EXPECT_THAT(server.reply("A", "%%GAME free-900-5F -"), IsEmpty()) << "others are";
  EXPECT_THAT(come("B", false, "bob final-900-5F-B,trip", "127.0.0.1"), ElementsAre("LOGIN:bob OK"))
      << "on the server's own machine nobody reads along";
  EXPECT_THAT(come("C", true, "carol final-900-5F-W,trip"), Contains("END Game_Summary"));
}

TEST_F(TlsGames, AreNotTakenOverInTheClear) {
  play();
  EXPECT_THAT(server.heard("bob"), Contains(HasSubstr("START:")));
  server.advance(60'000);
  EXPECT_THAT(come("A", false, "alice trip x1"), Contains("LOGIN:incorrect"));
  EXPECT_TRUE(server.is_open("alice")) << "she plays on";
  EXPECT_THAT(come("B", true, "alice trip x1"), Contains("END Game_Summary"));
}

TEST_F(TlsGames, AreNotComeBackToInTheClear) {
  core::Rules patient = rules();
  patient.grace_s = 60;
  server = VirtualServer(patient);
  play();
  server.hang_up("alice");
  EXPECT_THAT(come("A", false, "alice trip x1"), ElementsAre("LOGIN:alice OK", "##[LOGIN] +OK x1"));
  EXPECT_THAT(come("B", true, "alice trip x1"), Contains("END Game_Summary"));
}

// ---- entry lists ----

TEST_F(Accounts, OfEntryListsAGameMayAskForAnAccountAndAName) {
  core::Rules rules = account_rules();
  rules.entry = {{.games = "final-*", .accounts = AccountPolicy::closed, .players = {core::name_key("alice")}},
                 {.games = "club-*", .accounts = AccountPolicy::claim}};
  server = VirtualServer(rules);
  for (const auto* name : {"alice", "bob"}) server.admin(fmt::format("account-add {}", name));
  const std::string alice = issued(server.admin("token alice")), bob = issued(server.admin("token bob"));
  EXPECT_THAT(log_in(server, "A", "alice", alice), Contains("LOGIN:alice OK"));
  EXPECT_THAT(log_in(server, "B", "bob", bob), Contains("LOGIN:bob OK"));
  EXPECT_THAT(log_in(server, "C", "carol", "trip"), Contains("LOGIN:carol OK"));
  const auto ask = [&](const std::string& client, const std::string& game) {
    server.say(client, "%%GAME " + game + " *");
    return server.heard(client);
  };
  EXPECT_THAT(ask("A", "final-900-5F"), IsEmpty());
  EXPECT_THAT(ask("B", "final-900-5F"), Contains("##[ERROR] bob is not on the entry list of final-900-5F"));
  EXPECT_THAT(ask("C", "final-900-5F"), Contains(HasSubstr("not on the entry list")));
  EXPECT_THAT(ask("B", "free-900-5F"), IsEmpty());
  EXPECT_EQ(account(server, "carol"), nullptr);
  EXPECT_THAT(ask("C", "club-900-5F"), IsEmpty());
  ASSERT_NE(account(server, "carol"), nullptr) << "her first game of that kind makes the name hers";
  // In CSA mode the game is part of the LOGIN.
  EXPECT_THAT(log_in_csa(server, "D", "dave", "final-900-5F,trip"), ElementsAre("LOGIN:incorrect"));
  server.hang_up("B");
  EXPECT_THAT(log_in_csa(server, "E", "bob", "final-900-5F," + bob), ElementsAre("LOGIN:incorrect"));
  server.hang_up("A");
  EXPECT_THAT(log_in_csa(server, "F", "alice", "final-900-5F," + alice), Contains("LOGIN:alice OK"));
}

TEST_F(Accounts, OfBrowsersAGameMayAskForAnAccountOrRefuseThem) {
  core::Rules rules = account_rules();
  rules.entry = {{.games = "club-*", .browsers = core::BrowserPolicy::accounts},
                 {.games = "final-*", .browsers = core::BrowserPolicy::nobody}};
  server = VirtualServer(rules);
  server.admin("account-add alice");
  const std::string alice = issued(server.admin("token alice"));
  const auto come = [&](const std::string& client, const std::string& login,
                        core::ConnectionKind kind = core::ConnectionKind::web) {
    server.open(client, "main", "192.0.2.1", false, kind);
    return server.reply(client, "LOGIN " + login);
  };
  const auto shut = [](std::string_view game) {
    return ElementsAre("LOGIN:incorrect", fmt::format("##[ERROR] {} is not open to you from a browser", game));
  };
  EXPECT_THAT(come("A", "ann free-900-0,trip"), Contains("LOGIN:ann OK"));
  EXPECT_THAT(come("B", "bob club-900-0,trip"), shut("club-900-0"));
  EXPECT_THAT(come("C", "bob club-900-0,trip", core::ConnectionKind::csa), Contains("LOGIN:bob OK"));
  EXPECT_THAT(come("D", "alice club-900-0," + alice), Contains("LOGIN:alice OK"));
  server.hang_up("D");
  EXPECT_THAT(come("E", "alice final-900-0," + alice), shut("final-900-0"));
  EXPECT_THAT(come("F", "alice " + alice + " x1"), Contains("LOGIN:alice OK"));
  EXPECT_THAT(server.reply("F", "%%GAME final-900-0 *"),
              ElementsAre("##[ERROR] final-900-0 is not open to you from a browser"));
  server.admin("set-room last games=final-* browsers=anybody");
  EXPECT_THAT(server.reply("F", "%%GAME final-900-0 *"), IsEmpty()) << "the room's word comes first";
}

// ---- secrets ----

struct Secrets : ServerTest {
  Secrets() : ServerTest(account_rules()) {}
  void add_alice() { done("account-add alice"); }
};

TEST_F(Secrets, AreToldOnceAndLieNowhere) {
  add_alice();
  const core::AdminResult made = server.admin("token alice engine at home");
  const std::string token = issued(made);
  EXPECT_THAT(made.text, Not(HasSubstr(token)));
  for (const auto& row : server.journal()) EXPECT_THAT(core::encode(row.fact).payload, Not(HasSubstr(token)));
  for (const std::string& note : server.notes()) EXPECT_THAT(note, Not(HasSubstr(token)));
  const core::AdminResult shown = server.admin("account alice");
  ASSERT_EQ(shown.rows.size(), 1u);
  EXPECT_EQ(shown.rows[0][0], "t1");
  EXPECT_EQ(shown.rows[0][2], "engine at home");
  EXPECT_NE(issued(server.admin("token alice")), token);
}

TEST_F(Secrets, RevokedOnesAreGoodNoMore) {
  add_alice();
  const std::string first = issued(server.admin("token alice")), second = issued(server.admin("token alice"));
  done("revoke alice t1 laptop stolen");
  refused("revoke alice t1");
  EXPECT_THAT(log_in(server, "A", "alice", first), ElementsAre("LOGIN:incorrect"));
  EXPECT_THAT(log_in(server, "B", "alice", second), Contains("LOGIN:alice OK"));
  done("account-delete alice left");
  server.hang_up("B");
  EXPECT_THAT(log_in(server, "C", "alice", "anything"), Contains("LOGIN:alice OK")) << "an open server: free again";
}

TEST_F(Secrets, ThereAreOnlySoMany) {
  serve(
      [](core::Limits& limits) {
        limits.credentials = 2;
        limits.accounts = 1;
      },
      account_rules());
  done("account-add alice");
  refused("account-add bob");
  done("token alice");
  done("token alice");
  refused("token alice");
  done("revoke alice t2");
  EXPECT_EQ(server.admin("token alice").rows.at(0).at(1), "t3") << "numbers are not given twice";
  EXPECT_FALSE(server.admin("token alice " + std::string(65, 'x')).ok);
  server.admin("load-accounts players.yaml");
  server.deliver(
      core::AccountsRead{.token = server.host_requests().at(0).token, .ids = {"bob+" + legacy_hash("oldtrip")}});
  EXPECT_THAT(server.admin_replies().back().result.text, HasSubstr("0 accounts made; left out: 1 name taken"));
}

TEST_F(Secrets, BadCommandsSayWhatIsWrong) {
  EXPECT_THAT(refused("account-add"), HasSubstr("no name"));
  EXPECT_THAT(refused("account-add a/b"), HasSubstr("no name"));
  EXPECT_THAT(refused("account-add alice king"), HasSubstr("player, host, admin"));
  done("account-add alice host");
  EXPECT_THAT(refused("account-add alice"), HasSubstr("already"));
  EXPECT_THAT(refused("account-add ALICE"), HasSubstr("looks like alice"));
  EXPECT_THAT(refused("token bob"), HasSubstr("has no account"));
  EXPECT_THAT(refused("account-delete alice"), HasSubstr("reason"));
  EXPECT_THAT(refused("account-role alice king"), HasSubstr("player, host, admin"));
  EXPECT_THAT(refused("second-factor alice"), HasSubstr("on|off"));
  VirtualServer without;  // test_rules() have no key
  EXPECT_THAT(without.admin("account-add alice").text, HasSubstr("no key"));
}

TEST_F(Secrets, OldServersTripsAreTakenOverAtTheFirstLogin) {
  server.admin("load-accounts players.yaml");
  ASSERT_EQ(server.host_requests().size(), 1u);
  const std::string hash = legacy_hash("oldtrip");
  server.deliver(core::AccountsRead{.token = server.host_requests()[0].token,
                                    .ids = {"gps_l+" + hash, "gps_1+" + hash, "bad", "x+nothex", "GPS_L+" + hash}});
  EXPECT_THAT(server.admin_replies().back().result.text, HasSubstr("1 account made; left out: 2 names taken"));
  EXPECT_THAT(log_in(server, "A", "gps_l", "wrong"), ElementsAre("LOGIN:incorrect"));
  EXPECT_THAT(log_in(server, "B", "gps_l", "oldtrip"), Contains("LOGIN:gps_l OK"));
  const core::AccountSet* kept = account(server, "gps_l");
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(kept->credentials.at(0).kind, core::CredentialKind::trip);
  EXPECT_EQ(kept->id, "gps_l+" + hash) << "its games stay where they are";
  server.hang_up("B");
  EXPECT_THAT(log_in(server, "C", "gps_l", "oldtrip"), Contains("LOGIN:gps_l OK"));
}

// ---- passwords of people ----

struct Passwords : ServerTest {
  Passwords() : ServerTest(account_rules()) {
    server.admin("account-add alice");
    server.deliver(core::PasswordChosen{.name = "alice", .hash = "$argon2id$of hunter2"});
  }
  void come(const std::string& client, std::string_view password = "hunter2") {
    server.log_in(client, fmt::format("alice {} x1", password), "127.0.0.1");
  }
  // Answers the newest check as the hasher would.
  void check(const std::string& right = "hunter2") {
    const core::CheckPassword& asked = server.password_checks().back();
    EXPECT_EQ(asked.hash, "$argon2id$of hunter2");
    server.deliver(core::PasswordChecked{.token = asked.token, .right = asked.secret.reveal() == right});
  }
};

TEST_F(Passwords, AreComparedBesideTheCoreAndRemembered) {
  come("A");
  EXPECT_THAT(server.reply("A", "%%WHO"), IsEmpty()) << "nothing is answered before that";
  check();
  const Lines heard = server.heard("A");
  EXPECT_THAT(heard, IsSupersetOf({"LOGIN:alice OK", "##[WHO] +OK"}));
  server.hang_up("A");
  come("B");
  EXPECT_EQ(server.password_checks().size(), 1u) << "known for ten minutes";
  EXPECT_THAT(server.heard("B"), Contains("LOGIN:alice OK"));
  server.hang_up("B");
  server.advance(601'000);
  come("C");
  EXPECT_EQ(server.password_checks().size(), 2u);
}

TEST_F(Passwords, AChangedOneIsNotRemembered) {
  come("A");
  const core::CheckPassword asked = server.password_checks().back();
  server.deliver(core::PasswordChosen{.name = "alice", .hash = "$argon2id$of another"});
  server.deliver(core::PasswordChecked{.token = asked.token, .right = true, .renewed = "$argon2id$renewed"});
  server.advance(3000);
  EXPECT_THAT(server.heard("A"), ElementsAre("LOGIN:incorrect")) << "it was right when it was asked for";
  EXPECT_EQ(account(server, "alice")->credentials.back().hash, "$argon2id$of another") << "nor is its hash renewed";
}

TEST_F(Passwords, TheAnswerToANewOneWaitsForTheDisk) {
  const core::Seq before = server.journal().back().seq;
  server.deliver(core::PasswordChosen{.token = 7, .name = "alice", .hash = "$argon2id$of another"});
  const core::AdminReply& told = server.admin_replies().back();
  EXPECT_EQ(told.token, 7u);
  EXPECT_TRUE(told.result.ok);
  EXPECT_GT(told.after, before) << "not before the row that holds it";
  server.deliver(core::PasswordChosen{.token = 8, .name = "nobody", .hash = "$argon2id$of another"});
  EXPECT_EQ(server.admin_replies().back().token, 8u);
  EXPECT_FALSE(server.admin_replies().back().result.ok);
}

TEST_F(Passwords, AnOutdatedHashIsMadeAnewWhereThePasswordIsRight) {
  const auto answer = [&](bool right, const std::string& renewed) {
    server.deliver(
        core::PasswordChecked{.token = server.password_checks().back().token, .right = right, .renewed = renewed});
  };
  const auto hash = [&] { return account(server, "alice")->credentials.back().hash; };
  come("A", "wrong");
  answer(false, "$argon2id$of wrong");
  EXPECT_EQ(hash(), "$argon2id$of hunter2");
  server.advance(3000);
  come("B");
  const std::size_t changes = server.changed_accounts().size();
  answer(true, "$argon2id$renewed of hunter2");
  EXPECT_THAT(server.heard("B"), Contains("LOGIN:alice OK"));
  EXPECT_EQ(hash(), "$argon2id$renewed of hunter2");
  EXPECT_EQ(server.changed_accounts().size(), changes) << "nobody has to log in again for that";
  server.hang_up("B");
  come("C");
  EXPECT_EQ(server.password_checks().size(), 2u) << "nor is it forgotten that the password was right";
}

TEST_F(Passwords, AreNotTakenWhereOthersReadAlong) {
  EXPECT_THAT(log_in(server, "A", "alice", "hunter2", "192.0.2.1"), ElementsAre("LOGIN:incorrect"));
  EXPECT_TRUE(server.password_checks().empty());
  server.open("B", "main", "192.0.2.1", true);
  server.say("B", "LOGIN alice hunter2 x1");
  check();
  EXPECT_THAT(server.heard("B"), Contains("LOGIN:alice OK"));
}

TEST_F(Passwords, I2_TheQueueIsBoundedAndTokensPassItBy) {
  core::Limits limits;
  limits.password_checks = 3;
  limits.unauthenticated_per_address = 100;
  VirtualServer small(account_rules(), limits);
  small.admin("account-add alice");
  small.admin("account-add bob");
  const std::string token = issued(small.admin("token bob"));
  small.deliver(core::PasswordChosen{.name = "alice", .hash = "$argon2id$of hunter2"});
  for (int i = 0; i < 10; ++i) {
    small.open(fmt::format("c{}", i), "main", fmt::format("127.0.0.{}", i + 1));
    small.say(fmt::format("c{}", i), "LOGIN alice wrong x1");
  }
  EXPECT_EQ(small.password_checks().size(), 1u) << "one after the other";
  EXPECT_THAT(log_in(small, "B", "bob", token), Contains("LOGIN:bob OK"));
  small.advance(1000);
  for (int i = 0; i < 10; ++i) {
    const Lines heard = small.heard(fmt::format("c{}", i));
    if (i < 4) {
      EXPECT_THAT(heard, IsEmpty()) << i << ": its turn has not come";
    } else {
      EXPECT_THAT(heard, ElementsAre("LOGIN:incorrect")) << i;
    }
  }
}

TEST_F(Passwords, WhoHasGoneIsNotWaitedFor) {
  come("A");
  for (const auto* client : {"B", "C"}) come(client, "wrong");
  server.hang_up("B");
  check();
  EXPECT_EQ(server.password_checks().size(), 2u);
  EXPECT_EQ(server.password_checks().back().secret.reveal(), "wrong");
  check();
  EXPECT_EQ(server.password_checks().size(), 2u) << "that was C's";
}

TEST_F(Passwords, LinesThatComeMeanwhileAreFew) {
  come("A");
  for (int i = 0; i < 16; ++i) server.say("A", "%%WHO");
  EXPECT_TRUE(server.is_open("A"));
  server.say("A", "%%WHO");
  EXPECT_FALSE(server.is_open("A"));
  check();  // the answer comes for somebody who is gone
}

// ---- the key of the server ----

TEST(KeyOfTheStore, ItsFingerprintIsWrittenDownOnce) {
  core::Rules rules = account_rules();
  rules.key_fingerprint = "f1";
  VirtualServer first(rules);
  ASSERT_EQ(first.journal().size(), 1u);
  EXPECT_EQ(std::get<core::KeyKept>(first.journal().front().fact).fingerprint, "f1");
  core::Recovery recovered;
  recovered.last = core::Seq{1};
  recovered.keyed_facts = first.journal();
  VirtualServer again(rules, {}, recovered);
  EXPECT_THAT(again.journal(), IsEmpty());
  rules.key_fingerprint = "f2";
  VirtualServer other(rules, {}, recovered);
  ASSERT_EQ(other.journal().size(), 1u) << "a host has said that it goes on with another one";
  EXPECT_EQ(std::get<core::KeyKept>(other.journal().front().fact).fingerprint, "f2");
  VirtualServer without(account_rules(), {}, recovered);
  EXPECT_THAT(without.journal(), IsEmpty());
}

}  // namespace
}  // namespace fuhyo::test
