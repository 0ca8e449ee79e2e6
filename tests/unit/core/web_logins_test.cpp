// Logins on the web: operators of the configuration, accounts and names that nobody has on one way, and who waits for
// whom while many ask. The names of the tests are rows of the reliability page.
#include <array>
#include <functional>
#include <map>

#include "tests/support/accounts.h"
#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

using core::Role;

constexpr std::int64_t kHash_ms = 120;  // of half a core
constexpr std::string_view kPassword = "twelve silver pawns";

// hana and aki are operators of the configuration; ref has an account with a password of his own, mio with the one that
// the server made, and pon with none.
core::Rules web_rules() {
  core::Rules rules = account_rules();
  rules.operators = {{"hana", Role::host}, {"aki", Role::admin}};
  rules.operator_secret = [](std::string_view name, std::string_view secret) {
    return secret == fmt::format("secret of {}", name);
  };
  rules.admin_address = [](std::string_view address) { return address.starts_with("203.0.113."); };
  return rules;
}

struct WebLogins : ServerTest {
  WebLogins() { begin(); }

  void begin() {
    server = VirtualServer(web_rules());
    asked_ms.clear();
    answers.clear();
    took_ms.clear();
    begun = hashed = taken = 0;
    for (const auto* command : {"account-add ref host", "account-add pon", "account-add mio"}) server.admin(command);
    server.deliver(core::PasswordChosen{.name = "ref", .hash = fmt::format("$argon2id$of {}", kPassword)});
    mio = issued(server.admin("password mio"));
  }
  // The number of the question, by which its answer is known.
  std::uint64_t ask(const std::string& name, std::string_view password, const std::string& address) {
    asked_ms.push_back(server.now_ms());
    server.deliver(core::WebLogin{
        .token = asked_ms.size(), .name = name, .password = csa::Secret(password), .code = {}, .address = address});
    return asked_ms.size();
  }
  // Time goes by, and the hasher does its work.
  void run(std::int64_t ms) {
    for (const std::int64_t end = server.now_ms() + ms; server.now_ms() < end; server.advance(10)) {
      take_answers();
      const auto& checks = server.password_checks();
      ASSERT_LE(checks.size(), hashed + 1) << "one after the other";
      if (begun < checks.size()) {
        begun = checks.size();
        begun_ms = server.now_ms();
      } else if (hashed < begun && server.now_ms() - begun_ms >= kHash_ms) {
        const core::CheckPassword check = checks[hashed++];
        const bool right = check.hash == fmt::format("$argon2id$of {}", check.secret.reveal());
        server.deliver(core::PasswordChecked{.token = check.token, .right = right});
      }
    }
    take_answers();
  }
  void take_answers() {
    for (; taken < server.web_answers().size(); ++taken) {
      const core::WebLoginAnswer& answer = server.web_answers()[taken];
      EXPECT_TRUE(answers.emplace(answer.token, answer).second) << "one answer each";
      took_ms[answer.token] = server.now_ms() - asked_ms.at(answer.token - 1);
    }
  }
  core::WebLoginAnswer answer_to(const std::string& name, std::string_view password, const std::string& address) {
    const std::uint64_t token = ask(name, password, address);
    run(2000);
    return answers[token];
  }
  void flood(int guesses, const auto& address_of, const std::string& name = "ref") {
    for (int i = 0; i < guesses; ++i) ask(name, "wrong", address_of(i));
  }
  static std::string network(int i) { return fmt::format("10.{}.{}.1", i / 256, i % 256); }

  std::string mio;
  std::vector<std::int64_t> asked_ms;
  std::map<std::uint64_t, core::WebLoginAnswer> answers;
  std::map<std::uint64_t, std::int64_t> took_ms;
  std::size_t begun = 0, hashed = 0, taken = 0;
  std::int64_t begun_ms = 0;
};

const std::array<std::string, 8> kNames = {"hana", "aki", "ref", "mio", "pon", "nobody", "HANA", "REF"};

// ---- operators of the configuration ----

TEST_F(WebLogins, W6_AnOperatorIsHostAtMost) {
  for (const auto* name : {"hana", "aki"}) {
    const auto in = answer_to(name, fmt::format("secret of {}", name), "192.0.2.1");
    EXPECT_TRUE(in.ok);
    EXPECT_EQ(in.name, name);
    EXPECT_EQ(in.role, Role::host);
  }
  EXPECT_THAT(server.notes(), Contains("aki logged in on the web from 192.0.2.1"));
  EXPECT_TRUE(server.password_checks().empty()) << "whoever shows a secret of the server's making waits for nobody";
}

TEST_F(WebLogins, W11_AnOperatorIsGuessedAtNoOftenerThanAnybody) {
  for (const std::string& name : kNames) {
    begin();
    for (int i = 0; i < 6; ++i) {
      const auto wrong = answer_to(name, "wrong", fmt::format("192.0.2.{}", i));
      EXPECT_FALSE(wrong.ok);
      EXPECT_EQ(wrong.wait_s, 0) << name << ": the sixth came when the wait of the fifth was over";
    }
    const auto hasty = answer_to(name, "secret of " + name, "192.0.2.7");
    EXPECT_FALSE(hasty.ok) << name;
    EXPECT_EQ(hasty.wait_s, 1) << name;
    flood(4, [](int) { return "198.51.100.1"; }, name);
    run(1000);
    EXPECT_EQ(answer_to("somebody", "wrong", "198.51.100.1").wait_s, 5) << name << ": its address is shut out";
    EXPECT_EQ(answer_to("somebody", "wrong", "198.51.100.2").wait_s, 0) << name;
  }
}

// ---- what an answer tells of a name ----

TEST_F(WebLogins, W11_EveryNameIsRefusedAfterTheSameTime) {
  for (const std::string& name : kNames) {
    const std::size_t before = server.password_checks().size();
    const std::uint64_t token = ask(name, "wrong", "192.0.2.1");
    run(990);
    EXPECT_FALSE(answers.contains(token)) << name;
    run(10);
    EXPECT_EQ(took_ms[token], 1000) << name;
    EXPECT_EQ(answers[token].name, "") << name;
    EXPECT_EQ(server.password_checks().size(), before + 1) << name << ": as much work as for any other";
    run(600'000);
  }
}

// The same names in the opposite order of arrival: who waits for whom is a matter of the network, not of the name.
TEST_F(WebLogins, W11_NamesThatThereAreAndOthersAreRefusedAlikeUnderLoad) {
  std::vector<std::vector<std::int64_t>> took;
  for (std::size_t first = 0; first < kNames.size(); ++first) {
    const std::size_t since = asked_ms.size();
    flood(20, network, "somebody");
    for (std::size_t i = 0; i < kNames.size(); ++i) ask(kNames[(first + i) % kNames.size()], "wrong", "192.0.2.1");
    flood(20, [](int i) { return network(100 + i); }, "somebody");
    run(20'000);
    took.emplace_back();
    for (std::uint64_t token = since + 1; token <= asked_ms.size(); ++token) took.back().push_back(took_ms.at(token));
    EXPECT_EQ(took.back(), took.front()) << kNames[first] << " asked first";
    run(4'000'000);
  }
  EXPECT_GT(took.front().at(20), 1000) << "there was a load";
}

// ---- who waits for whom ----

TEST_F(WebLogins, W11_TheOwnerWaitsForNoGuessesOfOthers) {
  const std::vector<std::function<std::string(int)>> floods = {
      network, [](int) { return "192.0.2.1"; }, [](int i) { return fmt::format("192.0.2.{}", i); },
      [](int i) { return fmt::format("2001:db8:1:{:x}::1", i); }};
  for (const auto& address_of : floods) {
    begin();
    flood(60, address_of);
    run(500);
    const std::uint64_t owner = ask("ref", kPassword, "198.51.100.1");
    run(1000);
    EXPECT_TRUE(answers[owner].ok) << address_of(0);
    EXPECT_LE(took_ms[owner], 1000) << address_of(0);
  }
}

TEST_F(WebLogins, W11_AFloodWithoutEndKeepsNobodyOut) {
  std::uint64_t owner = 0;
  for (int i = 0; i < 300; ++i) {
    flood(1, [&](int) { return network(i % 100); }, fmt::format("name{}", i));
    if (i == 200) owner = ask("ref", kPassword, "198.51.100.1");
    run(10);
  }
  EXPECT_TRUE(answers[owner].ok);
  EXPECT_LE(took_ms[owner], 1000);
}

TEST_F(WebLogins, W11_ManyGuessesAtOnceAreNoMoreThanOneAfterTheOther) {
  flood(60, [](int i) { return fmt::format("192.0.2.{}", i); });
  run(3000);
  EXPECT_EQ(server.password_checks().size(), 5u) << "of a network, at one name";
  const auto seen = std::ranges::count_if(answers, [](const auto& each) { return each.second.wait_s == 0; });
  EXPECT_EQ(seen, 5);
  for (int i = 0; i < 60; ++i) ask(fmt::format("name{}", i), "wrong", "198.51.100.1");
  run(3000);
  EXPECT_EQ(server.password_checks().size(), 5u + 4u) << "of an address";
  EXPECT_EQ(answers.size(), 120u);
}

TEST_F(WebLogins, W11_NetworksOfOperatorsHaveAReserve) {
  flood(100, network, "hana");
  const std::uint64_t owner = ask("ref", kPassword, "203.0.113.1");
  flood(100, [](int i) { return network(100 + i); }, "hana");
  run(2 * kHash_ms + 20);
  EXPECT_TRUE(answers[owner].ok) << "behind the one alone that was under way";
}

TEST_F(WebLogins, I2_WhoFindsNoPlaceIsToldToWaitWhateverTheName) {
  core::Limits limits;
  const int places = static_cast<int>(limits.password_checks) + 1;  // one is under way
  flood(places, network);
  EXPECT_TRUE(server.web_answers().empty());
  for (const std::string& name : kNames) {
    const std::size_t before = server.web_answers().size();
    const std::uint64_t last = ask(name, "wrong", network(0));
    ASSERT_EQ(server.web_answers().size(), before + 1) << name;
    EXPECT_EQ(server.web_answers().back().token, last) << name << ": it asks again, and others wait";
    EXPECT_EQ(server.web_answers().back().wait_s, 1) << name;
  }
  run(20'000);
  EXPECT_EQ(answers.size(), static_cast<std::size_t>(places) + kNames.size());
}

TEST_F(WebLogins, WhoWasRightAShortWhileAgoDoesNotWait) {
  EXPECT_TRUE(answer_to("ref", kPassword, "192.0.2.1").ok);
  EXPECT_EQ(server.password_checks().size(), 1u);
  flood(60, network);
  const std::uint64_t again = ask("ref", kPassword, "192.0.2.1");
  run(10);
  EXPECT_TRUE(answers[again].ok);
}

}  // namespace
}  // namespace fuhyo::test
