// Workers in the configuration and on the command line: who they are, and whom they believe.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/app/config/config.h"
#include "server/app/config/operators.h"
#include "server/app/join/options.h"
#include "server/app/join/worker_session.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::expected<Resolved, std::string> resolve_file(const std::filesystem::path& file) {
  return resolve_config({}, [](const char*) -> const char* { return nullptr; }, file);
}

TEST(WorkerConfig, ATableIsReadBackAsItWasWritten) {
  const test::TemporaryFolder folder;
  const auto lab = parse_worker("name=lab secret_hash=" + hash_secret("t1"));
  const auto club = parse_worker("name=club players=Oni*,Gps secret_hash=" + hash_secret("t2"));
  ASSERT_TRUE(lab && club);
  std::ofstream(folder.path() / "f.toml") << worker_toml(*lab) << "\n" << worker_toml(*club);
  const auto read = resolve_file(folder.path() / "f.toml");
  ASSERT_TRUE(read) << read.error();
  const std::vector<WorkerPost>& workers = read->config.workers;
  ASSERT_EQ(workers.size(), 2u);
  EXPECT_THAT(workers[0].players, ElementsAre("lab", "lab-*"));
  EXPECT_THAT(workers[1].players, ElementsAre("Oni*", "Gps"));
  EXPECT_TRUE(is_worker_token(workers, "lab", "t1"));
  EXPECT_FALSE(is_worker_token(workers, "lab", "t2"));
  EXPECT_FALSE(is_worker_token(workers, "nobody", "t1"));
  EXPECT_FALSE(is_worker_token(workers, "lab", ""));
  std::ofstream(folder.path() / "f.toml", std::ios::app) << "\n" << worker_toml(*lab);
  EXPECT_THAT(resolve_file(folder.path() / "f.toml").error(), HasSubstr("there are two workers lab"));
}

TEST(WorkerConfig, SaysWhatIsWrong) {
  const std::string hash = " secret_hash=" + hash_secret("x");
  EXPECT_THAT(parse_worker("name=a/b" + hash).error(), HasSubstr("'a/b' is no name"));
  EXPECT_THAT(parse_worker(hash).error(), HasSubstr("'' is no name"));
  EXPECT_THAT(parse_worker("name=" + std::string(33, 'x') + hash).error(), HasSubstr("is no name"));
  EXPECT_THAT(parse_worker("name=a").error(), HasSubstr("secret_hash of a"));
  EXPECT_THAT(parse_worker("name=a token=x").error(), HasSubstr("not 'token'"));
  EXPECT_THAT(parse_worker("name=a players=a/*" + hash).error(), HasSubstr("players of a"));
  EXPECT_THAT(parse_worker("name=a players=*a*" + hash).error(), HasSubstr("players of a"));
}

TEST(WorkerConfig, TheDoorNeedsACertificate) {
  const auto resolved =
      resolve_config({{"worker-door", {"127.0.0.1:0"}}}, [](const char*) -> const char* { return nullptr; }, {});
  ASSERT_FALSE(resolved);
  EXPECT_THAT(resolved.error(), HasSubstr("worker-door: needs a certificate"));
}

TEST(WorkerConfig, ATokenIsTheFirstLineOfAFile) {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "token").string();
  EXPECT_THAT(read_worker_token(file).error(), HasSubstr("cannot be read"));
  for (const char* wrong : {"", "lab", "lab token more", "\nlab token"}) {
    std::ofstream(file) << wrong << "\n";
    EXPECT_THAT(read_worker_token(file).error(), HasSubstr("NAME TOKEN")) << wrong;
  }
  std::ofstream(file) << "lab token\r\nmore\n";
  const auto token = read_worker_token(file);
  ASSERT_TRUE(token) << token.error();
  EXPECT_EQ(*token, std::pair(std::string("lab"), std::string("token")));
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
    EXPECT_THAT(parse_fingerprint(wrong).error(), HasSubstr("--fingerprint")) << wrong;
  }
}

}  // namespace
}  // namespace fuhyo::app
