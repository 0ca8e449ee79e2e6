// `fuhyo admin` and %%ADMIN against the real server.
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>

#include "tests/support/shell_test.h"
#include "tests/support/tcp_client.h"
#include "tests/system/serve/running_server.h"

namespace fuhyo::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Said {
  std::string text;  // both outputs
  int code = 0;
};

class AdminSystem : public ShellTest {
 protected:
  Said admin(const std::string& words) {
    const int code = shell(FUHYO_PROGRAM " admin --data data " + words);
    return {said_, code};
  }
  // Makes an operator in the configuration file; his secret.
  std::string add_operator(const std::string& name, const std::string& role) {
    const Said said = admin("operator add " + name + " --role " + role + " --config " + config());
    EXPECT_EQ(said.code, 0) << said.text;
    const std::string head = "shown this once: ";
    const std::size_t at = said.text.find(head) + head.size();
    return said.text.substr(at, said.text.find('\n', at) - at);
  }
  std::string config() const { return folder_.file("fuhyo.toml"); }
  static std::string told(TcpClient& client, const std::string& command) {
    client.send("%%ADMIN " + command + "\n");
    std::string all;
    for (;;) {
      const auto line = client.line();
      if (!line) return all + "[EOF]";
      all += *line + "\n";
      if (line->starts_with("##[ADMIN] +OK") || line->starts_with("##[ADMIN] ERROR") || line->starts_with("##[ERROR]"))
        return all;
    }
  }
  static void log_in(TcpClient& client, const std::string& name, const std::string& secret) {
    client.send("LOGIN " + name + " " + secret + " x1\n");
    EXPECT_THAT(client.until("##[LOGIN] +OK x1\n"), HasSubstr("OK"));
  }
};

TEST_F(AdminSystem, TheShellOfTheMachineByTheSocket) {
  EXPECT_EQ(admin("games").code, 69) << "there is no server";
  RunningServer server(folder_.path());
  const std::string socket = (folder_ / "data" / "admin.sock").string();
  struct stat status{};
  ASSERT_EQ(::stat(socket.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);

  TcpClient black(server.csa()), white(server.csa());
  start_game(black, white);
  EXPECT_THAT(admin("sessions").text, HasSubstr("alice"));
  EXPECT_THAT(admin("games --json").text, AllOf(StartsWith(R"({"ok":true,"text":"1 game","columns":["game","state")"),
                                                HasSubstr(R"(["1","running","main","alice","bob","0")")));
  EXPECT_EQ(admin("pause 1 power cut").text, "game 1 is paused\n");
  black.send("+7776FU\n");  // held: CSA-mode clients are told nothing
  EXPECT_THAT(admin("games").text, HasSubstr("paused"));
  EXPECT_EQ(admin("resume 1").text, "game 1 goes on\n");
  EXPECT_THAT(white.line().value_or(""), StartsWith("+7776FU,T"));
  EXPECT_EQ(admin("adjudicate 1 draw").code, 1) << "no reason";
  EXPECT_EQ(admin("adjudicate 1 draw both agreed").code, 0);
  EXPECT_THAT(black.until("#DRAW\n"), HasSubstr("#SENNICHITE\n#DRAW\n"));
  EXPECT_THAT(admin("results 'cup-*'").text, AllOf(HasSubstr("alice"), HasSubstr("0-0=1")));
  EXPECT_THAT(admin("results other").text, HasSubstr("0 games"));
  std::string record;
  eventually([&] {  // written behind
    record = admin("export 1").text;
    return record.contains("$END_TIME");
  });
  EXPECT_THAT(record, AllOf(HasSubstr("'* paused by "), HasSubstr("'* adjudicated: both agreed\n%HIKIWAKE\n"),
                            HasSubstr("'summary:adjudicated:alice draw:bob draw")));
  EXPECT_THAT(admin("audit").text,
              AllOf(HasSubstr("pause 1 power cut"), HasSubstr("adjudicate 1 draw both agreed"), HasSubstr("3 acts")));
  EXPECT_THAT(admin("store --json").text, testing::ContainsRegex(R"re(\["commits","[1-9][0-9]*"\],\["rows","[1-9])re"));
  EXPECT_EQ(admin("drain maintenance").code, 0);
  EXPECT_EQ(server.wait(), 0);
  EXPECT_FALSE(std::filesystem::exists(socket));
}

TEST_F(AdminSystem, OptionsAreNoNames) {
  for (const char* words : {"operator add --help", "worker add -h", "kick --help"}) {
    const Said said = admin(words);
    EXPECT_EQ(said.code, 0) << words;
    EXPECT_THAT(said.text, StartsWith("fuhyo admin [--data DIR")) << words;
  }
  EXPECT_EQ(admin("operator add aki --rol admin").code, 64);
  EXPECT_THAT(said_, HasSubstr("there is no option --rol; a word that begins so stands behind --"));
  EXPECT_THAT(admin("operator add aki --role=admin").text, HasSubstr("role = \"admin\""));
  EXPECT_THAT(admin("operator add -- --help").text, HasSubstr("secret of --help"));
  EXPECT_THAT(admin("kick bob '--> he left'").text, HasSubstr("no server runs")) << "a reason is no option";
}

TEST_F(AdminSystem, OperatorsOnTheCsaPort) {
  const std::string secret = add_operator("aki", "admin");
  EXPECT_EQ(secret.size(), 32u);
  EXPECT_THAT(folder_.read("fuhyo.toml"), Not(HasSubstr(secret)));
  RunningServer server(folder_.path(), {"--config", config()});
  TcpClient thief(server.csa());
  thief.send("LOGIN aki guess x1\n");
  EXPECT_EQ(thief.line(), "LOGIN:incorrect");
  TcpClient aki(server.csa()), player(server.csa());
  log_in(aki, "aki", secret);
  log_in(player, "carol", "pw");
  EXPECT_EQ(told(player, "games"), "##[ERROR] unknown command: %%ADMIN games\n");
  // The configuration changes under the running server.
  std::ofstream(config(), std::ios::trunc) << "max-moves = 100\nhttp = \"off\"\n";
  EXPECT_THAT(told(aki, "reload"), HasSubstr("changed: max-moves, operator"));
  EXPECT_EQ(told(aki, "games"), "##[ERROR] unknown command: %%ADMIN games\n") << "no operator any more";
  EXPECT_THAT(admin("limits").text, HasSubstr("max_moves"));
  std::ofstream(config(), std::ios::trunc) << "max-moves = \"many\"\n";
  EXPECT_EQ(admin("reload").code, 1);
}

// What is good of the files is taken, and what is not is named.
TEST_F(AdminSystem, AReloadFailsWhereAFileIsBad) {
  const auto data = folder_ / "data";
  std::filesystem::create_directories(data / "rooms");
  std::ofstream(data / "floodgate-300-10F.conf") << "every 30 min\n";
  RunningServer server(folder_.path(), {"--floodgate-games", "floodgate-300-10F"});
  EXPECT_EQ(admin("reload").code, 0);
  std::ofstream(data / "floodgate-300-10F.conf") << "every 10 min\nSon 13:00\n";
  std::ofstream(data / "rooms" / "club.toml") << "games = \"club-*\"\ntime = \"never\"\n";
  const Said said = admin("reload");
  EXPECT_EQ(said.code, 1) << said.text;
  EXPECT_THAT(said.text, AllOf(HasSubstr("floodgate-300-10F.conf:2: left out: 'Son' is no day"),
                               HasSubstr("club.toml:2: time: 'never' is no time")));
  EXPECT_EQ(admin("reload").text, said.text) << "as long as they are";
}

TEST_F(AdminSystem, AnEngineThatIsNotThereIsNotSeated) {
  RunningServer server(folder_.path());
  EXPECT_EQ(admin("seat name=Gps engine=/no/such/gpsusi").code, 1);
  EXPECT_THAT(said_, HasSubstr("Gps is not seated: /no/such/gpsusi is no program"));
  EXPECT_THAT(admin("engines").text, Not(HasSubstr("Gps")));
}

TEST_F(AdminSystem, AnEngineThatNeverGetsReadyIsInNoLobby) {
  RunningServer server(folder_.path(), {"--engine", "name=Lost engine=/no/such/engine", "--engine",
                                        "name=Mute engine='/bin/sleep 1000'", "--engine-sandbox", "off"});
  ASSERT_TRUE(eventually([&] { return admin("engines").text.contains("no engine: "); }));
  EXPECT_THAT(admin("engines").text, AllOf(HasSubstr("its engine gets ready"), Not(HasSubstr("in the lobby"))));
}

TEST_F(AdminSystem, TheFileStopAndPlayerLogs) {
  const auto data = folder_ / "data";
  std::filesystem::create_directories(data);
  std::ofstream(data / "STOP") << "";
  RunningServer server(folder_.path(), {"--player-log-dir", (folder_ / "players").string()});
  EXPECT_FALSE(std::filesystem::exists(data / "STOP")) << "of a former run";
  TcpClient client(server.csa());
  log_in(client, "dora", "hidden");
  std::ofstream(data / "STOP") << "";
  std::string answer;
  eventually([&] {
    client.send("%%GAME x-1-1 +\n%%GAME\n\n");
    answer = client.line().value_or("[EOF]");
    return !answer.empty();
  });
  EXPECT_THAT(answer, HasSubstr("As the service is going to shutdown shortly"));
  server.stop();
  EXPECT_THAT(folder_.read("players/dora.log"), AllOf(HasSubstr("] IN: LOGIN dora *** x1\n"),
                                                      HasSubstr("] OUT: LOGIN:dora OK\n"), Not(HasSubstr("hidden"))));
}

TEST_F(AdminSystem, CompletionComesFromTheSameTable) {
  EXPECT_THAT(admin("complete").text, HasSubstr("adjudicate\n"));
  RunningServer server(folder_.path());
  TcpClient client(server.csa());
  log_in(client, "erin", "pw");
  EXPECT_EQ(admin("complete kick").text, "erin\n");
}

}  // namespace
}  // namespace fuhyo::test
