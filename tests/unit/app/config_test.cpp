// Configuration: who wins, and what is wrong where.
#include "server/app/config/config.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "server/app/config/flags.h"
#include "server/app/config/print.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

class ConfigTest : public testing::Test {
 protected:
  std::expected<Resolved, std::string> resolve() { return resolve_config(flags, variable, file); }
  std::vector<std::string> problems() { return check_config(flags, variable, file).problems; }
  ServeConfig config() { return test::value_of(resolve()).config; }
  std::string error() { return test::error_of(resolve()); }
  // What is said of KEY=VALUE alone.
  std::string refused(const std::string& flag) {
    const std::size_t at = flag.find('=');
    flags = {{flag.substr(0, at), {flag.substr(at + 1)}}};
    return error();
  }
  void write_file(const std::string& text) { file = folder.write("fuhyo.toml", text); }

  test::TemporaryFolder folder;
  Words flags;
  std::map<std::string, std::string> environment;
  const Variable variable = [this](const char* name) {
    const auto it = environment.find(name);
    return it == environment.end() ? nullptr : it->second.c_str();
  };
  std::filesystem::path file;
};

TEST_F(ConfigTest, EverySettingHasAGoodDefault) {
  const ServeConfig c = config();
  EXPECT_EQ(c.csa, std::vector<std::string>{"127.0.0.1:4081"});
  EXPECT_EQ(c.http, std::vector<std::string>{"127.0.0.1:8081"});
  EXPECT_EQ(c.max_moves, 256);
  EXPECT_EQ(c.least_time_per_move_s, 0);
  EXPECT_EQ(c.max_identifier, 32);
  EXPECT_EQ(c.builtin, "off");
  EXPECT_TRUE(c.exempt.empty());
  EXPECT_EQ(c.records_folder(), c.data / "records");
}

TEST_F(ConfigTest, FlagsWinOverTheEnvironmentThatOverTheFileThatOverTheDefault) {
  write_file("max-moves = 1\nevent = \"from-file\"\nleast-time-per-move = 5\n");
  environment = {{"FUHYO_MAX_MOVES", "2"}, {"FUHYO_EVENT", "from-env"}};
  flags = {{"max-moves", {"3"}}};
  const ServeConfig c = config();
  EXPECT_EQ(c.max_moves, 3);
  EXPECT_EQ(c.event, "from-env");
  EXPECT_EQ(c.least_time_per_move_s, 5);
}

TEST_F(ConfigTest, ListsComeFromEverywhere) {
  write_file("csa = [\"127.0.0.1:1\", \"[::1]:2\"]\nhttp = \"127.0.0.1:9\"\n");
  EXPECT_EQ(config().csa, (std::vector<std::string>{"127.0.0.1:1", "[::1]:2"}));
  EXPECT_EQ(config().http, std::vector<std::string>{"127.0.0.1:9"});
  environment = {{"FUHYO_CSA", "127.0.0.1:3,127.0.0.1:4"}};
  EXPECT_EQ(config().csa, (std::vector<std::string>{"127.0.0.1:3", "127.0.0.1:4"}));
  flags = {{"csa", {"0.0.0.0:5"}}, {"http", {"off"}}};
  EXPECT_EQ(config().csa, std::vector<std::string>{"0.0.0.0:5"});
  EXPECT_TRUE(config().http.empty());
}

TEST_F(ConfigTest, DoorsUnderTlsNeedACertificateAndItsKey) {
  EXPECT_FALSE(config().tls());
  flags = {{"csa-tls", {"127.0.0.1:4082", "[::1]:4082"}}};
  EXPECT_EQ(error(), "csa-tls: needs a certificate and its key: tls-cert is not set");
  flags = {{"https", {"127.0.0.1:8443"}}, {"tls-cert", {"cert.pem"}}};
  EXPECT_EQ(error(), "https: needs a certificate and its key: tls-key is not set");
  flags.emplace("tls-key", std::vector<std::string>{"key.pem"});
  EXPECT_TRUE(config().tls());
  EXPECT_EQ(config().https, std::vector<std::string>{"127.0.0.1:8443"});
  flags = {{"csa-tls", {"off"}}, {"https", {"off"}}};
  EXPECT_FALSE(config().tls());
}

TEST_F(ConfigTest, FloodgateGroupsAreGameNamesOfFloodgate) {
  flags = {{"floodgate-games", {"floodgate-300-10F", "floodgate-900-0,floodgate-3600-0"}}};
  EXPECT_THAT(config().floodgate_games, ElementsAre("floodgate-300-10F", "floodgate-900-0", "floodgate-3600-0"));
  flags = {{"floodgate-games", {"", "floodgate-900-0"}}};
  EXPECT_THAT(config().floodgate_games, ElementsAre("floodgate-900-0"));
  for (const std::string bad :
       {"floodgate", "floodgate-0-0x", "club-300-10F", "floodgate-300-10F-B", "../floodgate-1-1"}) {
    flags = {{"floodgate-games", {bad, "floodgate-900-0"}}};
    EXPECT_THAT(error(), HasSubstr("'" + bad + "' is no floodgate game"));
  }
  flags = {{"floodgate-games", {"floodgate-900-0", "floodgate-900-0"}}};
  EXPECT_THAT(error(), HasSubstr("named twice"));
}

TEST_F(ConfigTest, AnUnknownKeyIsNamedWithItsLine) {
  write_file("event = \"x\"\n\nmax_moves = 3\n");
  EXPECT_EQ(error(), file.string() + ":3: max_moves: there is no such setting; did you mean max-moves?");
  write_file("colour = 3\n");
  EXPECT_EQ(error(), file.string() + ":1: colour: there is no such setting");
}

TEST_F(ConfigTest, AllThatIsWrongIsSaidAtOnceFromTheTopOfTheFile) {
  write_file("trip = \"sha1\"\nmax-moves = \"3\"\nevnet = \"x\"\nevent = \"a b\"\nbuiltin = \"demo\"\n");
  flags = {{"journal-days", {"-1"}}};
  environment = {{"FUHYO_ROLE", "king"}};
  const std::string at = file.string() + ":";
  EXPECT_THAT(problems(),
              ElementsAre("FUHYO_ROLE: 'king' is none of: game, web, standby",
                          "--journal-days: '-1' is no number from 0 to 3650",
                          at + "1: trip: 'sha1' is none of: keyed, md5", at + "2: max-moves: takes a whole number",
                          at + "3: evnet: there is no such setting; did you mean event?",
                          HasSubstr(at + "4: event: 'a b' is no event name")));
  flags.clear();
  environment.clear();
  write_file("max-moves = 3\n[[operator]]\nname = \"a\"\n[[worker]]\nname = \"w\"\n");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr(":2: operator: the role"), HasSubstr(":4: worker: secret_hash of w")));
}

TEST(Suggestions, VariablesThatNobodyReadsAreSeenWhenTheyLookLikeASetting) {
  EXPECT_THAT(
      mistaken_variables({"FUHYO_MAX_MOVE", "FUHYO_MAX_MOVES", "FUHYO_CONFIG", "FUHYO_QUEUE_OF_MATCHES", "HOME"}),
      ElementsAre("FUHYO_MAX_MOVE: no setting is called so; did you mean FUHYO_MAX_MOVES?"));
}

// ---- the example ----

// With every setting in force.
std::string uncommented(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool setting = line.size() > 1 && line[0] == '#' && line[1] != ' ';
    out += (setting ? line.substr(1) : line) + "\n";
  }
  return out;
}

TEST_F(ConfigTest, TheExampleChangesNothingUntilAHashIsTakenAway) {
  write_file(example_config());
  ASSERT_TRUE(resolve());
  for (const auto& [key, said] : resolve()->said) EXPECT_EQ(said.origin, "default") << key;
  write_file(uncommented(example_config()));
  EXPECT_EQ(problems(), std::vector<std::string>{});
  for (const auto& [key, said] : resolve()->said) EXPECT_THAT(said.origin, HasSubstr("fuhyo.toml:")) << key;
}

TEST_F(ConfigTest, TheExampleExplainsEverySettingAsItsHelpDoes) {
  std::string text = example_config();
  for (std::size_t at = 0; (at = text.find("\n# ", at)) != std::string::npos;) text.replace(at, 3, " ");  // unwrapped
  for (const Setting& setting : settings()) {
    EXPECT_THAT(text, HasSubstr(std::string(setting.help) + " ")) << setting.key;
    EXPECT_THAT(text, HasSubstr("--" + std::string(setting.key) + "\n#" + std::string(setting.key) + " = "));
    EXPECT_FALSE(setting.section.empty()) << setting.key;
  }
}

TEST_F(ConfigTest, TheExampleThatIsInstalledIsTheProgramsOwn) {
  std::stringstream installed;
  installed << std::ifstream(FUHYO_SOURCE_DIR "/docker/fuhyo.toml").rdbuf();
  EXPECT_EQ(installed.str(), example_config()) << "build/bin/fuhyo config example > docker/fuhyo.toml";
}

TEST_F(ConfigTest, TheManualNamesEverySettingAndNoOther) {
  std::ifstream page(FUHYO_SOURCE_DIR "/docs/operations/settings.md");
  std::set<std::string> written, known;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `")) continue;
    std::istringstream cell(line.substr(0, line.find(" | ", 2)));
    for (std::string text, name; std::getline(cell, text, '`') && std::getline(cell, name, '`');) written.insert(name);
  }
  for (const Setting& setting : settings()) known.emplace(setting.key);
  EXPECT_EQ(written, known);
}

TEST_F(ConfigTest, AWrongTypeIsNamedWithItsLine) {
  write_file("\nevent = 3\n");
  EXPECT_EQ(error(), file.string() + ":2: event: takes a string in quotes");
  write_file("csa = [1]\n");
  EXPECT_EQ(error(), file.string() + ":1: csa: takes a string or an array of strings");
  write_file("[csa]\nx = 1\n");
  EXPECT_EQ(error(), file.string() + ":1: csa: takes a string or an array of strings");
}

TEST_F(ConfigTest, AWrongValueIsNamedWithWhereItStands) {
  write_file("max-moves = -1\n");
  EXPECT_EQ(error(), file.string() + ":1: max-moves: '-1' is no number from 0 to 4096");
  environment = {{"FUHYO_MAX_MOVES", "4097"}};
  EXPECT_EQ(error(), "FUHYO_MAX_MOVES: '4097' is no number from 0 to 4096");
  EXPECT_EQ(refused("max-moves=12x"), "--max-moves: '12x' is no number from 0 to 4096");
  environment = {};
  write_file("");
  EXPECT_EQ(refused("clock=300"), "--clock: '300' is no clock, such as 300-5F or 600-30");
}

TEST_F(ConfigTest, LimitsAreInclusive) {
  flags = {{"max-moves", {"4096"}}, {"least-time-per-move", {"3600"}}};
  EXPECT_EQ(config().max_moves, 4096);
  EXPECT_THAT(refused("least-time-per-move=3601"), HasSubstr("--least-time-per-move"));
  flags = {{"max-identifier", {"48"}}};
  EXPECT_EQ(config().max_identifier, 48);
  EXPECT_THAT(refused("max-identifier=0"), HasSubstr("no number from 1 to 48"));
  EXPECT_THAT(refused("max-identifier=49"), HasSubstr("no number from 1 to 48"));
}

TEST_F(ConfigTest, SyntaxErrorsAndMissingFilesAreNamed) {
  write_file("event = \"x\"\nmax-moves = = 3\n");
  EXPECT_THAT(error(), HasSubstr("fuhyo.toml:2: "));
  file = folder.path() / "none.toml";
  EXPECT_THAT(error(), HasSubstr("cannot read " + file.string()));
  file = folder.path();
  EXPECT_THAT(error(), HasSubstr("cannot read " + file.string() + ": it is a folder"));
}

TEST_F(ConfigTest, NonsenseIsRefused) {
  for (const std::string flag :
       {"csa=4081", "csa=off", "http=x", "data=", "event=my event", "event=", "event=a+b", "csa-tls=4082",
        "engine-sandbox=maybe", "engine-threads=-1", "engine=name=a engine=b level=99", "builtin=all", "exempt=10.0.0",
        "exempt=::1/129", "exempt=x", "log-level=all", "log-format=pretty"}) {
    EXPECT_THAT(refused(flag), HasSubstr("--" + flag.substr(0, flag.find('=')) + ": ")) << flag;
  }
}

TEST_F(ConfigTest, WhatIsPrintedCanBeReadBack) {
  flags = {{"event", {"cup-2026"}}, {"exempt", {"10.0.0.0/8", "::1"}}, {"records", {"/tmp/a \"b\""}}};
  const std::string printed = print_config(*resolve(), Printed::effective);
  EXPECT_THAT(printed, HasSubstr("event = \"cup-2026\"  # --event\n"));
  EXPECT_THAT(printed, HasSubstr("max-moves = 256  # default\n"));
  flags.clear();
  write_file(printed);
  EXPECT_EQ(config().event, "cup-2026");
  EXPECT_EQ(config().exempt, NetworkList::parse({"10.0.0.0/8", "::1"}));
  EXPECT_EQ(config().records, "/tmp/a \"b\"");
}

TEST_F(ConfigTest, WhatWasSaidIsPrintedWithItsOriginAndWithoutTheDefaults) {
  write_file("trip = \"md5\"\n");
  flags = {{"event", {"cup"}}, {"data", {"/tmp/a\nb"}}, {"unsafe", {"1"}}};
  environment = {{"FUHYO_MAX_MOVES", "3"}};
  EXPECT_EQ(print_config(*resolve(), Printed::said),
            "event = \"cup\"  # --event\nmax-moves = 3  # FUHYO_MAX_MOVES\ntrip = \"md5\"  # " + file.string() +
                ":1: trip\ndata = \"/tmp/a\\u000Ab\"  # --data\nunsafe = true  # --unsafe\n");
}

TEST_F(ConfigTest, TheStoreIsAFileOrADatabase) {
  flags = {{"data", {"/srv/fuhyo"}}};
  EXPECT_EQ(config().store_address(), "sqlite:/srv/fuhyo/fuhyo.db");
  EXPECT_FALSE(config().unsafe);
  EXPECT_THAT(print_config(*resolve(), Printed::effective),
              AllOf(HasSubstr("store = \"sqlite:/srv/fuhyo/fuhyo.db\"  # default\n"),
                    HasSubstr("records = \"/srv/fuhyo/records\"  # default\n")));
  environment = {{"FUHYO_STORE", "postgresql://fuhyo@db/fuhyo"}, {"FUHYO_UNSAFE", "1"}};
  EXPECT_EQ(config().store_address(), "postgresql://fuhyo@db/fuhyo");
  EXPECT_TRUE(config().unsafe);
  environment.clear();
  write_file("store = \"sqlite:/srv/other.db\"\nunsafe = true\n");
  EXPECT_EQ(config().store_address(), "sqlite:/srv/other.db");
  EXPECT_TRUE(config().unsafe);
  write_file("unsafe = \"true\"\n");
  EXPECT_THAT(error(), HasSubstr("fuhyo.toml:1: unsafe: takes true or false"));
  write_file("");
  environment = {{"FUHYO_UNSAFE", "perhaps"}};
  EXPECT_THAT(error(), HasSubstr("FUHYO_UNSAFE: 'perhaps' is neither true nor false"));
  environment = {{"FUHYO_STORE", "mysql://db/fuhyo"}};
  EXPECT_THAT(error(), HasSubstr("FUHYO_STORE: is no store: sqlite:FILE, or postgres://USER@HOST/DATABASE"));
}

TEST_F(ConfigTest, APasswordIsNeverShown) {
  flags = {{"store", {"postgres://fuhyo:s3cret@db:5433/games?password=s3cret&sslmode=require"}}};
  const std::string printed = print_config(*resolve(), Printed::effective);
  EXPECT_THAT(printed, HasSubstr("store = \"postgres://fuhyo:***@db:5433/games?password=***&sslmode=require\""));
  EXPECT_THAT(printed, Not(HasSubstr("s3cret")));
  const std::string hash = std::string(32, 'a') + ":" + std::string(64, 'b');
  flags = {{"operator", {"name=aki secret_hash=" + hash + " role=host"}}, {"worker", {"name=lab secret_hash=" + hash}}};
  const std::string hashes = print_config(*resolve(), Printed::effective);
  EXPECT_THAT(hashes, HasSubstr("operator = [\"name=aki secret_hash=*** role=host\"]"));
  EXPECT_THAT(hashes, HasSubstr("worker = [\"name=lab secret_hash=***\"]"));
  EXPECT_THAT(hashes, Not(HasSubstr("bbbb")));
  EXPECT_THAT(refused("store=postgres://fuhyo:s3cret@db:port/games?no=such"),
              AllOf(HasSubstr("is no address of PostgreSQL"), Not(HasSubstr("s3cret"))));
}

TEST_F(ConfigTest, AnEngineThatMayBeAskedAboutFinishedGames) {
  EXPECT_TRUE(config().analysis_engine.empty());
  EXPECT_EQ(config().analysis_nodes, 400'000);
  EXPECT_EQ(config().analysis_game_nodes, 5'000);
  write_file("analysis-engine = \"'/opt/my engines/usi' --quiet\"\nanalysis-options = [\"USI_Hash=128\", \"A=b c\"]\n");
  EXPECT_THAT(config().analysis_engine, ElementsAre("/opt/my engines/usi", "--quiet"));
  EXPECT_THAT(config().analysis_options, ElementsAre(Pair("USI_Hash", "128"), Pair("A", "b c")));
  EXPECT_THAT(refused("analysis-engine='usi"), HasSubstr("--analysis-engine: "));
  EXPECT_EQ(refused("analysis-options=MultiPV=3"), "--analysis-options: MultiPV is set by the server");
  EXPECT_EQ(refused("analysis-nodes=0"), "--analysis-nodes: '0' is no number from 1 to 1000000000");
  EXPECT_EQ(refused("analysis-game-nodes=10000001"),
            "--analysis-game-nodes: '10000001' is no number from 1 to 10000000");
}

}  // namespace
}  // namespace fuhyo::app
