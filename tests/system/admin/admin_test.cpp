// `fuhyo admin` and %%ADMIN against the real server.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <vector>

#include "tests/support/tcp_client.h"
#include "tests/support/temporary_folder.h"
#include "tests/system/serve/running_server.h"

namespace fuhyo::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Said {
  std::string text;  // both outputs
  int code = 0;
};

class AdminSystem : public testing::Test {
 protected:
  Said admin(const std::string& words) const {
    const std::string command =
        std::string(FUHYO_PROGRAM) + " admin --data " + (folder / "data").string() + " " + words + " 2>&1";
    FILE* pipe = ::popen(command.c_str(), "r");
    Said said;
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
      said.text.append(buffer.data(), n);
    }
    const int status = ::pclose(pipe);
    said.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return said;
  }
  // Makes an operator in the configuration file; his secret.
  std::string add_operator(const std::string& name, const std::string& role) const {
    const Said said = admin("operator add " + name + " --role " + role + " --config " + config().string());
    EXPECT_EQ(said.code, 0) << said.text;
    const std::string head = "shown this once: ";
    const std::size_t at = said.text.find(head) + head.size();
    return said.text.substr(at, said.text.find('\n', at) - at);
  }
  std::filesystem::path config() const { return folder / "fuhyo.toml"; }
  std::vector<std::string> with_config() const { return {"--config", config().string()}; }
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

  TemporaryFolder folder;
};

TEST_F(AdminSystem, TheShellOfTheMachineByTheSocket) {
  EXPECT_EQ(admin("games").code, 69) << "there is no server";
  RunningServer server(folder.path());
  const std::string socket = (folder / "data" / "admin.sock").string();
  struct stat status{};
  ASSERT_EQ(::stat(socket.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);

  TcpClient black(server.csa()), white(server.csa());
  black.send("LOGIN alice cup-3000-10-B,a\n");
  white.send("LOGIN bob cup-3000-10-W,b\n");
  black.until("END Game_Summary\n");
  white.until("END Game_Summary\n");
  black.send("AGREE\n");
  white.send("AGREE\n");
  black.until("START:");
  black.line();
  white.until("START:");
  white.line();
  EXPECT_THAT(admin("sessions").text, HasSubstr("alice"));
  const Said games = admin("games --json");
  EXPECT_THAT(games.text, StartsWith(R"({"ok":true,"text":"1 game","columns":["game","state")"));
  EXPECT_THAT(games.text, HasSubstr(R"(["1","running","main","alice","bob","0")"));
  EXPECT_EQ(admin("pause 1 power cut").text, "game 1 is paused\n");
  black.send("+7776FU\n");  // held: CSA-mode clients are told nothing
  EXPECT_THAT(admin("games").text, HasSubstr("paused"));
  EXPECT_EQ(admin("resume 1").text, "game 1 goes on\n");
  EXPECT_THAT(white.line().value_or(""), StartsWith("+7776FU,T"));
  EXPECT_EQ(admin("adjudicate 1 draw").code, 1) << "no reason";
  EXPECT_EQ(admin("adjudicate 1 draw both agreed").code, 0);
  EXPECT_THAT(black.until("#DRAW\n"), HasSubstr("#SENNICHITE\n#DRAW\n"));
  EXPECT_THAT(admin("results 'cup-*'").text, HasSubstr("alice"));
  EXPECT_THAT(admin("results 'cup-*'").text, HasSubstr("0-0=1"));
  EXPECT_THAT(admin("results other").text, HasSubstr("0 games"));
  std::string record;
  eventually([&] {  // written behind
    record = admin("export 1").text;
    return record.contains("$END_TIME");
  });
  EXPECT_THAT(record, HasSubstr("'* paused by "));
  EXPECT_THAT(record, HasSubstr("'* adjudicated: both agreed\n%HIKIWAKE\n"));
  EXPECT_THAT(record, HasSubstr("'summary:adjudicated:alice draw:bob draw"));
  const std::string audit = admin("audit").text;
  EXPECT_THAT(audit, HasSubstr("pause 1 power cut"));
  EXPECT_THAT(audit, HasSubstr("adjudicate 1 draw both agreed"));
  EXPECT_THAT(audit, HasSubstr("3 acts"));
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
  const Said unknown = admin("operator add aki --rol admin");
  EXPECT_EQ(unknown.code, 64);
  EXPECT_THAT(unknown.text, HasSubstr("there is no option --rol; a word that begins so stands behind --"));
  EXPECT_THAT(admin("operator add aki --role=admin").text, HasSubstr("role = \"admin\""));
  EXPECT_THAT(admin("operator add -- --help").text, HasSubstr("secret of --help"));
  EXPECT_THAT(admin("kick bob '--> he left'").text, HasSubstr("no server runs")) << "a reason is no option";
}

TEST_F(AdminSystem, OperatorsOnTheCsaPort) {
  const std::string secret = add_operator("aki", "admin");
  EXPECT_EQ(secret.size(), 32u);
  const std::string host_secret = add_operator("hana", "host");
  EXPECT_THAT(read_file(config()), Not(HasSubstr(secret)));
  RunningServer server(folder.path(), with_config());
  TcpClient thief(server.csa());
  thief.send("LOGIN aki guess x1\n");
  EXPECT_EQ(thief.line(), "LOGIN:incorrect");
  TcpClient aki(server.csa()), hana(server.csa()), player(server.csa());
  log_in(aki, "aki", secret);
  log_in(hana, "hana", host_secret);
  log_in(player, "carol", "pw");
  EXPECT_EQ(told(player, "games"), "##[ERROR] unknown command: %%ADMIN games\n");
  EXPECT_THAT(told(aki, "HELP"), HasSubstr("##[ADMIN] kick NAME [WHY]"));
  EXPECT_THAT(told(aki, "help ja pause"), HasSubstr("対局を中断する"));
  EXPECT_THAT(told(hana, "reload"), HasSubstr("ERROR reload is for the role admin"));
  EXPECT_THAT(told(hana, "forbid mallory"), HasSubstr("+OK"));
  EXPECT_THAT(told(aki, "audit"), HasSubstr("forbid mallory"));
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
  const auto data = folder / "data";
  std::filesystem::create_directories(data / "rooms");
  std::ofstream(data / "floodgate-300-10F.conf") << "every 30 min\n";
  RunningServer server(folder.path(), {"--floodgate-games", "floodgate-300-10F"});
  EXPECT_EQ(admin("reload").code, 0);
  std::ofstream(data / "floodgate-300-10F.conf") << "every 10 min\nSon 13:00\n";
  std::ofstream(data / "rooms" / "club.toml") << "games = \"club-*\"\ntime = \"never\"\n";
  const Said said = admin("reload");
  EXPECT_EQ(said.code, 1) << said.text;
  EXPECT_THAT(said.text, HasSubstr("floodgate-300-10F.conf:2: left out: 'Son' is no day"));
  EXPECT_THAT(said.text, HasSubstr("club.toml:2: time: 'never' is no time"));
  EXPECT_EQ(admin("reload").text, said.text) << "as long as they are";
}

TEST_F(AdminSystem, AnEngineThatIsNotThereIsNotSeated) {
  RunningServer server(folder.path());
  const Said said = admin("seat name=Gps engine=/no/such/gpsusi");
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.text, HasSubstr("Gps is not seated: /no/such/gpsusi is no program"));
  EXPECT_THAT(admin("engines").text, Not(HasSubstr("Gps")));
}

TEST_F(AdminSystem, AnEngineThatNeverGetsReadyIsInNoLobby) {
  RunningServer server(folder.path(), {"--engine", "name=Lost engine=/no/such/engine", "--engine",
                                       "name=Mute engine='/bin/sleep 1000'", "--engine-sandbox", "off"});
  ASSERT_TRUE(eventually([&] { return admin("engines").text.contains("no engine: "); }));
  const std::string engines = admin("engines").text;
  EXPECT_THAT(engines, HasSubstr("its engine gets ready"));
  EXPECT_THAT(engines, Not(HasSubstr("in the lobby")));
}

TEST_F(AdminSystem, TheFileStopAndPlayerLogs) {
  const auto data = folder / "data";
  std::filesystem::create_directories(data);
  std::ofstream(data / "STOP") << "";
  RunningServer server(folder.path(), {"--player-log-dir", (folder / "players").string()});
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
  const std::string log = read_file(folder / "players" / "dora.log");
  EXPECT_THAT(log, HasSubstr("] IN: LOGIN dora *** x1\n"));
  EXPECT_THAT(log, HasSubstr("] OUT: LOGIN:dora OK\n"));
  EXPECT_THAT(log, Not(HasSubstr("hidden")));
}

TEST_F(AdminSystem, CompletionComesFromTheSameTable) {
  EXPECT_THAT(admin("complete").text, HasSubstr("adjudicate\n"));
  EXPECT_EQ(admin("complete adjudicate 1").text, "black\nwhite\ndraw\nvoid\n");
  RunningServer server(folder.path());
  TcpClient client(server.csa());
  log_in(client, "erin", "pw");
  EXPECT_EQ(admin("complete kick").text, "erin\n");
}

}  // namespace
}  // namespace fuhyo::test
