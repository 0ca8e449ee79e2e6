// `fuhyo serve` as a whole: two players over TCP, the record, the event stream, signals, bad starts.
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/tcp_client.h"
#include "tests/support/temporary_folder.h"
#include "tests/system/serve/running_server.h"

namespace fuhyo::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ServeTest : public testing::Test {
 protected:
  // The one record that there is.
  std::string record() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "data" / "records")) {
      if (entry.path().extension() == ".csa") found.push_back(read_file(entry.path()));
    }
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? "" : found[0];
  }
  TemporaryFolder folder;
};

void both_hear(TcpClient& one, TcpClient& other, const std::string& move) {
  EXPECT_THAT(one.line().value_or("nothing"), StartsWith(move + ",T"));
  EXPECT_THAT(other.line().value_or("nothing"), StartsWith(move + ",T"));
}

void play(TcpClient& mover, TcpClient& other, const std::string& move) {
  mover.send(move + "\n");
  both_hear(mover, other, move);
}

TEST_F(ServeTest, AGameFromLoginToRecord) {
  RunningServer server(folder.path(), {"--event", "test", "--wire-log", (folder / "wire").string()});
  EXPECT_THAT(server.out(), HasSubstr("LOGIN <name> test-900-5F,<password>"));
  TcpClient spectator(server.http());
  spectator.send("GET /api/v1/events HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(spectator.until("\n\n"), HasSubstr("event: snapshot"));
  TcpClient black(server.csa()), white(server.csa());
  start_game(black, white);
  for (const char c : std::string("+7776FU\n")) black.send(std::string(1, c));  // a line in pieces
  both_hear(black, white, "+7776FU");
  play(white, black, "-3334FU");
  black.send("+8822UM,'* 120 -3122GI\r\n");
  both_hear(black, white, "+8822UM");
  white.send("%TORYO\n");
  EXPECT_THAT(black.rest().value_or("still open"), HasSubstr("#RESIGN\n#WIN\n"));
  EXPECT_THAT(white.rest().value_or("still open"), HasSubstr("#RESIGN\n#LOSE\n"));
  const std::string events = spectator.until("event: ended\n");
  EXPECT_THAT(events, HasSubstr("\"move\":\"+8822UM,T"));
  EXPECT_EQ(events.find("3122GI"), std::string::npos) << "a comment of a player was shown";
  EXPECT_EQ(server.stop(), 0) << server.log();
  EXPECT_THAT(record(), AllOf(HasSubstr("N+alice\nN-bob\n"), HasSubstr("+7776FU\nT"), HasSubstr("* 120 -3122GI"),
                              HasSubstr("%TORYO")));
  const std::string wire = read_file(folder / "wire" / "alice.log");
  EXPECT_THAT(wire, HasSubstr("> LOGIN alice ***"));
  EXPECT_THAT(wire, HasSubstr("< #WIN"));
  EXPECT_EQ((wire + server.log()).find("secret"), std::string::npos);
}

TEST_F(ServeTest, SighupReadsTheConfigurationAgainAndDisconnectsNobody) {
  const auto config = folder / "fuhyo.toml";
  std::ofstream(config) << "max-moves = 100\n";
  RunningServer server(folder.path(), {"--config", config.string()});
  TcpClient black(server.csa()), white(server.csa());
  start_game(black, white);
  std::ofstream(config) << "max-moves = 120\n";
  server.signal(SIGHUP);
  EXPECT_TRUE(server.logs("reload: changed: max-moves"));
  play(black, white, "+7776FU");
  std::ofstream(config) << "max-moves = \"many\"\n";
  server.signal(SIGHUP);
  EXPECT_TRUE(server.logs("max-moves: takes a whole number"));
  play(white, black, "-3334FU");
  black.send("%TORYO\n");
  EXPECT_EQ(server.stop(), 0);
}

TEST_F(ServeTest, WithTheRuleToAbortASecondSignalMakesTheGameVoid) {
  RunningServer server(folder.path(), {"--resume", "abort"});
  TcpClient black(server.csa()), white(server.csa());
  start_game(black, white);
  play(black, white, "+7776FU");
  server.signal(SIGINT);
  EXPECT_TRUE(server.logs("shutting down"));
  EXPECT_EQ(server.stop(SIGINT), 0);
  EXPECT_EQ(black.rest(), "#CHUDAN\n");
  EXPECT_THAT(record(), HasSubstr("%CHUDAN"));
}

TEST_F(ServeTest, TheDrainTimeoutEndsWhatDoesNotEnd) {
  RunningServer server(folder.path(), {"--drain-timeout", "1"});
  TcpClient black(server.csa()), white(server.csa());
  start_game(black, white);
  EXPECT_EQ(server.stop(SIGINT), 0);
}

TEST_F(ServeTest, IdlePlayersDoNotHoldItUp) {
  RunningServer server(folder.path());
  TcpClient client(server.csa());
  client.send("LOGIN alice pw x1\n");
  EXPECT_EQ(client.line(), "LOGIN:alice OK");
  EXPECT_EQ(server.stop(), 0);
  EXPECT_THAT(client.rest().value_or("still open"), HasSubstr("+OK x1"));
}

TEST_F(ServeTest, BadStartsSayWhyAndHaveTheirExitCodes) {
  RunningServer server(folder.path());
  TemporaryFolder other;
  const struct {
    const char* what;
    std::vector<std::string> flags;
    int exit_code;
    std::string says;
  } cases[] = {
      {"an address in use", {"--csa", server.csa()}, 69, "cannot listen on " + server.csa()},
      {"no number", {"--max-moves", "many"}, 64, "--max-moves: 'many'"},
      {"an unknown flag", {"--nonsense"}, 64, ""},
      {"two data folders", {"--data", other.file("second")}, 64, ""},
      {"no configuration", {"--config", other.file("none.toml")}, 66, ""},
      {"no folder of records", {"--records", "/dev/null/records"}, 73, ""},
  };
  for (const auto& one : cases) {
    RunningServer refused(other.path(), one.flags);
    EXPECT_EQ(refused.wait(), one.exit_code) << one.what;
    EXPECT_THAT(refused.log(), HasSubstr(one.says)) << one.what;
  }
  RunningServer no_store(other.path(),
                         {"--store", "postgresql://127.0.0.1:1/none", "--wire-log", (other / "wire" / "log").string()});
  EXPECT_NE(no_store.wait(), 0);
  for (const char* left : {"data", "wire"}) EXPECT_FALSE(std::filesystem::exists(other / left)) << left;
}

std::set<std::string> tree(const std::filesystem::path& folder) {
  std::set<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (const std::string path = entry.path().lexically_relative(folder).string(); path != "out" && path != "err") {
      paths.insert(path);
    }
  }
  return paths;
}

// Refused for what is looked at when the store is open already.
TEST_F(ServeTest, ALateRefusalLeavesNothingBehindThatWasNotThere) {
  const auto write = [&](const char* name, std::string_view text) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  };
  const std::string other = (folder / "other.db").string();
  const struct {
    const char* what;
    std::function<void()> prepare;
    std::vector<std::string> flags;
    int exit_code;
  } cases[] = {
      {"no pages", [] {}, {"--web-root", "/nowhere"}, 64},
      {"no key", [&] { write("data/secret.key", "short"); }, {}, 73},
      {"no key of tokens", [&] { write("data/reconnect.key", "short"); }, {"--reconnect-tokens", "on"}, 73},
      {"no cursor", [&] { std::filesystem::create_directories(folder / "data/records/.fuhyo-cursor"); }, {}, 73},
      {"no store", [&] { write("other.db", std::string(4096, 'x')); }, {"--store", "sqlite:" + other}, 74},
      {"an empty file", [&] { write("data/fuhyo.db", ""); }, {"--web-root", "/nowhere"}, 64},
  };
  for (const auto& one : cases) {
    std::filesystem::remove_all(folder / "data");
    one.prepare();
    const std::set<std::string> before = tree(folder.path());
    RunningServer server(folder.path(), one.flags);
    EXPECT_EQ(server.wait(), one.exit_code) << one.what << ": " << server.log();
    EXPECT_THAT(server.log(), Not(HasSubstr("record files"))) << one.what;
    EXPECT_EQ(tree(folder.path()), before) << one.what;
  }
}

}  // namespace
}  // namespace fuhyo::test
