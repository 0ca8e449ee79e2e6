// Lines of the configuration that say more than one thing: operators, workers, what spectators see late, what games
// ask.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/app/config/config.h"
#include "server/app/config/delay.h"
#include "server/app/config/entry.h"
#include "server/app/config/operators.h"
#include "server/app/join/options.h"
#include "server/app/join/worker_session.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using core::DelayRule;
using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

std::expected<Resolved, std::string> configured(const Words& flags, const std::filesystem::path& file = {}) {
  return resolve_config(flags, [](const char*) -> const char* { return nullptr; }, file);
}

// Lines, and what the refusal of each says.
template <class Parse>
void expect_refused(Parse parse, std::initializer_list<std::pair<std::string, const char*>> lines) {
  for (const auto& [line, why] : lines) EXPECT_THAT(error_of(parse(line)), HasSubstr(why)) << line;
}

// ---- operators ----

TEST(Operators, OnlyTheSecretItselfIsTaken) {
  const std::string hash = hash_secret("hushhush");
  EXPECT_EQ(hash.size(), 97u);
  EXPECT_NE(hash, hash_secret("hushhush")) << "each has a salt of its own";
  const auto post = parse_operator("name=aki role=admin secret_hash=" + hash);
  ASSERT_TRUE(post) << post.error();
  EXPECT_EQ(post->role, core::Role::admin);
  EXPECT_TRUE(is_secret(*post, "hushhush"));
  for (const char* wrong : {"", "hushhus", "hushhush ", "Hushhush"}) EXPECT_FALSE(is_secret(*post, wrong)) << wrong;
}

// SHA-256 of the salt's digits and then the secret, worked out with sha256sum.
TEST(Operators, TheHashIsWhatOtherToolsMakeOfIt) {
  const auto post = parse_operator(
      "name=a role=host secret_hash=00000000000000000000000000000000:"
      "47e113f3e278bbdfe3873687b1e0544bbbc4cb744e1590b96ee1bae1370131d2");
  ASSERT_TRUE(post) << post.error();
  EXPECT_TRUE(is_secret(*post, "hushhush"));
}

TEST(Operators, WhatIsNoOperator) {
  const std::string hash = " secret_hash=" + hash_secret("x");
  expect_refused(parse_operator, {{"name=a/b role=host" + hash, "'a/b' is no name"},
                                  {"role=host" + hash, "'' is no name"},
                                  {"name=a role=player" + hash, "host or admin"},
                                  {"name=a" + hash, "host or admin"},
                                  {"name=a role=host secret_hash=abc", "secret_hash of a"},
                                  {"name=a role=host", "secret_hash of a"},
                                  {"name=a secret=x", "not 'secret'"}});
}

TEST(Operators, ComeFromTheConfigurationFile) {
  const test::TemporaryFolder folder;
  const std::string one = operator_toml({"aki", core::Role::admin, hash_secret("x")});
  const std::string two = operator_toml({"hana", core::Role::host, hash_secret("y")});
  const auto read = configured({}, folder.write("fuhyo.toml", "max-moves = 3\n" + one + "\n" + two));
  ASSERT_TRUE(read) << read.error();
  ASSERT_EQ(read->config.operators.size(), 2u);
  EXPECT_EQ(read->config.operators[1].name, "hana");
  EXPECT_EQ(read->config.admin_networks, NetworkList::parse({"127.0.0.0/8", "::1"}));
  EXPECT_THAT(error_of(configured({}, folder.write("fuhyo.toml", one + one))),
              HasSubstr("there are two operators aki"));
}

// ---- workers ----

TEST(WorkerConfig, ATableIsReadBackAsItWasWritten) {
  const test::TemporaryFolder folder;
  const auto lab = parse_worker("name=lab secret_hash=" + hash_secret("t1"));
  const auto club = parse_worker("name=club players=Oni*,Gps secret_hash=" + hash_secret("t2"));
  ASSERT_TRUE(lab && club);
  const std::string both = worker_toml(*lab) + "\n" + worker_toml(*club);
  const auto read = configured({}, folder.write("f.toml", both));
  ASSERT_TRUE(read) << read.error();
  const std::vector<WorkerPost>& workers = read->config.workers;
  ASSERT_EQ(workers.size(), 2u);
  EXPECT_THAT(workers[0].players, ElementsAre("lab", "lab-*"));
  EXPECT_THAT(workers[1].players, ElementsAre("Oni*", "Gps"));
  EXPECT_TRUE(is_worker_token(workers, "lab", "t1"));
  EXPECT_FALSE(is_worker_token(workers, "lab", "t2"));
  EXPECT_FALSE(is_worker_token(workers, "nobody", "t1"));
  EXPECT_FALSE(is_worker_token(workers, "lab", ""));
  const auto twice = configured({}, folder.write("f.toml", both + "\n" + worker_toml(*lab)));
  EXPECT_THAT(error_of(twice), HasSubstr("there are two workers lab"));
}

TEST(WorkerConfig, SaysWhatIsWrong) {
  const std::string hash = " secret_hash=" + hash_secret("x");
  expect_refused(parse_worker, {{"name=a/b" + hash, "'a/b' is no name"},
                                {hash, "'' is no name"},
                                {"name=" + std::string(33, 'x') + hash, "is no name"},
                                {"name=a", "secret_hash of a"},
                                {"name=a token=x", "not 'token'"},
                                {"name=a players=a/*" + hash, "players of a"},
                                {"name=a players=*a*" + hash, "players of a"}});
}

TEST(WorkerConfig, TheDoorNeedsACertificate) {
  EXPECT_THAT(error_of(configured({{"worker-door", {"127.0.0.1:0"}}})), HasSubstr("worker-door: needs a certificate"));
}

TEST(WorkerConfig, ATokenIsTheFirstLineOfAFile) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("token");
  EXPECT_THAT(error_of(read_worker_token(file)), HasSubstr("cannot be read"));
  for (const char* wrong : {"\n", "lab\n", "lab token more\n", "\nlab token\n"}) {
    folder.write("token", wrong);
    EXPECT_THAT(error_of(read_worker_token(file)), HasSubstr("NAME TOKEN")) << wrong;
  }
  folder.write("token", "lab token\r\nmore\n");
  EXPECT_EQ(read_worker_token(file), (std::pair<std::string, std::string>("lab", "token")));
}

TEST(WorkerConfig, AFingerprintIsWrittenWithColonsOrWithout) {
  std::string plain, colons;
  for (int i = 0; i < 32; ++i) {
    plain += "ab";
    colons += i == 0 ? "AB" : ":AB";
  }
  EXPECT_EQ(parse_fingerprint(plain).value_or(""), plain);
  EXPECT_EQ(parse_fingerprint(colons).value_or(""), plain);
  for (const std::string& wrong : {std::string(), plain + "a", plain.substr(1), "g" + plain.substr(1)}) {
    EXPECT_THAT(error_of(parse_fingerprint(wrong)), HasSubstr("--fingerprint")) << wrong;
  }
}

// ---- delays ----

TEST(DelayRuleText, IsInSecondsOrMoves) {
  EXPECT_EQ(parse_delay("games=club-* seconds=60"), (DelayRule{"club-*", {.seconds = 60}}));
  EXPECT_EQ(parse_delay("moves=3  games=*"), (DelayRule{"*", {.moves = 3}}));
  EXPECT_EQ(parse_delay("games=x seconds=0"), (DelayRule{"x", {}}));
  EXPECT_TRUE(parse_delay("games=x seconds=3600"));
  EXPECT_TRUE(parse_delay("games=x moves=100"));
  EXPECT_TRUE(parse_delay("games=" + std::string(100, 'a') + " seconds=1"));
}

TEST(DelayRuleText, WhatIsWrongIsSaid) {
  expect_refused(parse_delay, {{"seconds=60", "needs games="},
                               {"games= seconds=60", "needs games="},
                               {"games=x", "needs seconds= or moves="},
                               {"games=x seconds=3601", "seconds is a number from 0 to 3600, not '3601'"},
                               {"games=x moves=101", "moves is a number from 0 to 100, not '101'"},
                               {"games=x seconds=-1", "is a number from 0"},
                               {"games=x seconds=", "is a number from 0"},
                               {"games=x moves=3s", "is a number from 0"},
                               {"games=x seconds=1.5", "is a number from 0"},
                               {"games=x seconds=60 moves=3", "in seconds or in moves"},
                               {"games=x minutes=1", "not 'minutes'"},
                               {"games=\xe6\xa3\x8b seconds=1", "fits no game name"},
                               {"games=" + std::string(101, 'a') + " seconds=1", "fits no game name"}});
}

TEST(DelayRuleText, LinesKeepTheirOrderAndAreNotTooMany) {
  const auto resolved = [](const std::vector<std::string>& lines) { return configured({{"spectator-delay", lines}}); };
  const auto two = resolved({"games=final-* seconds=0", "games=* moves=3"});
  ASSERT_TRUE(two) << two.error();
  EXPECT_THAT(two->config.spectator_delay, ElementsAre(DelayRule{"final-*", {}}, DelayRule{"*", {.moves = 3}}));
  EXPECT_THAT(error_of(resolved({"games=x"})), HasSubstr("spectator-delay"));
  EXPECT_TRUE(resolved(std::vector<std::string>(64, "games=x seconds=1")));
  EXPECT_THAT(error_of(resolved(std::vector<std::string>(65, "games=x seconds=1"))), HasSubstr("at most 64"));
}

// ---- what games ask of their players ----

TEST(EntryLine, SaysWhatAGameAsks) {
  const auto rule = parse_entry("players=Ann,bob tls=yes games=final-* browsers=nobody accounts=closed");
  ASSERT_TRUE(rule) << rule.error();
  EXPECT_EQ(rule->games, "final-*");
  EXPECT_EQ(rule->accounts, core::AccountPolicy::closed);
  EXPECT_THAT(rule->players, ElementsAre(core::name_key("ann"), core::name_key("bob")));
  EXPECT_TRUE(rule->tls);
  EXPECT_EQ(rule->browsers, core::BrowserPolicy::nobody);
  for (const char* plain : {"games=x accounts=open", "games=x accounts=open tls=no"}) {
    const auto other = parse_entry(plain);
    ASSERT_TRUE(other) << plain;
    EXPECT_FALSE(other->tls) << plain;
    EXPECT_EQ(other->browsers, core::BrowserPolicy::anybody) << plain;
    EXPECT_TRUE(other->players.empty()) << plain;
  }
}

TEST(EntryLine, RefusesWhatItDoesNotKnow) {
  expect_refused(parse_entry, {{"accounts=open", "needs games="},
                               {"games=x", "needs accounts="},
                               {"games=x accounts=some", "open, claim or closed, not 'some'"},
                               {"games=x accounts=open tls=true", "tls is yes or no, not 'true'"},
                               {"games=x accounts=open tls=", "tls is yes or no"},
                               {"games=x accounts=open browsers=", "anybody, accounts or nobody, not ''"},
                               {"games=x accounts=open port=1", "not 'port'"},
                               {"games=x accounts=open players=", "names nobody"},
                               {"games=x accounts=open players=a/b", "'a/b' is no name"},
                               {"games=x accounts=open players=gps_l,gps_1", "named twice"}});
}

}  // namespace
}  // namespace fuhyo::app
