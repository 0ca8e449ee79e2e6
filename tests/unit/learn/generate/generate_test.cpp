// Self-play by processes over a queue: whole, in order, counted once, gone on with, and clear about what is wrong.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/jobs/files/file_lock.h"
#include "engines/jobs/open.h"
#include "engines/learn/data/game_file.h"
#include "engines/learn/generate/chunk.h"
#include "engines/learn/generate/coordinator.h"
#include "engines/learn/generate/worker.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::learn {
namespace {

using testing::HasSubstr;

SelfPlayJob job() {
  SelfPlayJob made;
  made.play = {.nodes = 30, .hash_mb = 1, .draw_at_ply = 40, .seed = 5};
  made.starts = {.first_ply = 4, .last_ply = 10, .random_moves = 2};
  return made;
}

GenerateTerms terms(const test::TemporaryFolder& folder) {
  return {.job = job(),
          .games = {.first = 10, .count = 7},
          .per_chunk = 2,
          .folder = folder / "run",
          .processes = 2,
          .worker = {FUHYO_LEARN, "play", "--until-eof", "--drain"}};
}

std::vector<record::ScoredGame> games_of(const std::filesystem::path& file) {
  auto reader = GameReader::open(file);
  EXPECT_TRUE(reader) << reader.error();
  std::vector<record::ScoredGame> games;
  while (auto game = reader->next().value()) games.push_back(std::move(*game));
  return games;
}

void expect_the_games_of_the_job(const std::filesystem::path& file) {
  const auto games = games_of(file);
  SelfPlay play = SelfPlay::make(job().play).value();
  const Starts starts(job().starts);
  ASSERT_EQ(games.size(), 7u);
  for (std::size_t i = 0; i < games.size(); ++i) {
    const auto expected = play.play(10 + i, starts).value();
    EXPECT_EQ(games[i].moves, expected.moves) << i;
    EXPECT_TRUE(games[i].start.same_as(expected.start)) << i;
    EXPECT_EQ(games[i].winner, expected.winner) << i;
    EXPECT_EQ(games[i].end, expected.end) << i;
  }
}

TEST(Generate, PlaysEveryGameOnceAndInOrder) {
  const test::TemporaryFolder folder;
  const GenerateTerms asked = terms(folder);
  const auto generated = generate(asked, {});
  ASSERT_TRUE(generated) << generated.error();
  EXPECT_TRUE(generated->complete);
  EXPECT_EQ(generated->games, 7u);
  expect_the_games_of_the_job(generated->file);
  std::uint64_t positions = 0;
  for (const auto& game : games_of(generated->file)) positions += game.moves.size();
  EXPECT_EQ(generated->positions, positions);
  EXPECT_FALSE(std::filesystem::exists(asked.folder / "queue"));

  const auto before = std::filesystem::last_write_time(generated->file);
  const auto again = generate(asked, {});
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(again->games, 7u);
  EXPECT_EQ(again->positions, positions);
  EXPECT_EQ(std::filesystem::last_write_time(generated->file), before);
}

TEST(Generate, GoesOnWithWhatWasPlayed) {
  const test::TemporaryFolder folder;
  GenerateTerms asked = terms(folder);
  asked.processes = 0;
  std::stop_source stopped;
  stopped.request_stop();
  const auto begun = generate(asked, stopped.get_token());
  ASSERT_TRUE(begun) << begun.error();
  EXPECT_FALSE(begun->complete);
  EXPECT_FALSE(std::filesystem::exists(begun->file));

  // Somebody else plays a part of it.
  auto queue = jobs::open_queue((asked.folder / "queue").string()).value();
  const std::string batch = queue->batches().value().front();
  const auto claim = queue->claim({.worker = "other", .kind = std::string(kSelfPlayKind), .batch = batch}).value();
  ASSERT_TRUE(claim);
  SelfPlay play = SelfPlay::make(job().play).value();
  const auto range = parse_game_range(claim->chunk).value();
  std::vector<record::ScoredGame> games;
  for (std::uint64_t i = 0; i < range.count; ++i) {
    games.push_back(play.play(range.first + i, Starts(job().starts)).value());
  }
  ASSERT_EQ(queue->finish(claim->lease, encode_chunk(games).value()).value(), jobs::Finish::counted);

  std::vector<std::string> said;
  asked.processes = 1;
  asked.say = [&](std::string_view line) { said.emplace_back(line); };
  const auto generated = generate(asked, {});
  ASSERT_TRUE(generated) << generated.error();
  EXPECT_TRUE(generated->complete);
  EXPECT_THAT(said.front(), testing::StartsWith("2 of 7 games"));
  EXPECT_THAT(said.back(), testing::StartsWith("7 of 7 games"));
  expect_the_games_of_the_job(generated->file);
}

TEST(Generate, WhatAKilledRunHadBegunIsTakenUpAtOnce) {
  const test::TemporaryFolder folder;
  GenerateTerms asked = terms(folder);
  asked.processes = 0;
  std::stop_source stopped;
  stopped.request_stop();
  ASSERT_TRUE(generate(asked, stopped.get_token()));
  auto queue = jobs::open_queue((asked.folder / "queue").string()).value();
  const std::string batch = queue->batches().value().front();
  const auto claim = [&](const std::string& worker) {
    const auto fresh = jobs::open_queue((asked.folder / "queue").string()).value();  // remembers no chunk as free
    return fresh->claim({.worker = worker, .kind = std::string(kSelfPlayKind), .batch = batch}).value().value();
  };
  const jobs::Claim dead = claim(own_worker(3)), living = claim("elsewhere-7");

  std::vector<std::string> said;
  asked.say = [&](std::string_view line) { said.emplace_back(line); };
  ASSERT_TRUE(generate(asked, stopped.get_token()));
  EXPECT_THAT(said, testing::Contains(HasSubstr("a former run had begun, and begin anew: 1")));
  EXPECT_THAT(said, testing::Contains(HasSubstr("1, by elsewhere-7; of who is dead they come back after 60 s")));
  EXPECT_EQ(queue->held(batch).value(), std::vector{living.lease});
  EXPECT_EQ(claim("somebody").lease.chunk, dead.lease.chunk);
}

TEST(Generate, AnotherJobInTheSameFolderIsAnotherBatch) {
  const test::TemporaryFolder folder;
  GenerateTerms asked = terms(folder);
  asked.processes = 0;
  std::stop_source stopped;
  stopped.request_stop();
  ASSERT_TRUE(generate(asked, stopped.get_token()));
  asked.job.play.nodes = 31;
  ASSERT_TRUE(generate(asked, stopped.get_token()));
  EXPECT_EQ(jobs::open_queue((asked.folder / "queue").string()).value()->batches()->size(), 2u);
}

TEST(Generate, AFolderIsWorkedInOnceAtATime) {
  const test::TemporaryFolder folder;
  const GenerateTerms asked = terms(folder);
  std::filesystem::create_directories(asked.folder);
  const auto other = jobs::FileLock::take(asked.folder / "self-play.lock");
  ASSERT_TRUE(other);
  EXPECT_THAT(generate(asked, {}).error(), testing::AllOf(HasSubstr("self-play.lock"), HasSubstr("another process")));
}

TEST(Generate, SaysThatItsProcessesDoNotRun) {
  const test::TemporaryFolder folder;
  GenerateTerms asked = terms(folder);
  asked.worker = {"/nowhere/program"};
  EXPECT_THAT(generate(asked, {}).error(), HasSubstr("/nowhere/program"));
  asked.worker = {"/bin/false"};
  EXPECT_THAT(generate(asked, {}).error(), HasSubstr("exit status 1"));
}

TEST(Generate, SaysThatTheNetworkIsAnotherOne) {
  const test::TemporaryFolder folder;
  GenerateTerms asked = terms(folder);
  asked.job.play.network = folder.write("nn.bin", "no network").string();
  ASSERT_TRUE(take_fingerprints(asked.job));
  EXPECT_THAT(generate(asked, {}).error(), testing::AllOf(HasSubstr("chunks failed too often"), HasSubstr("nn.bin")));
  asked.folder = folder / "other";
  asked.job.network_print = "0123456789abcdef";
  EXPECT_THAT(generate(asked, {}).error(), HasSubstr("another network has this name"));
}

TEST(SelfPlayJob, IsTheSameAsTextAndBack) {
  SelfPlayJob made = job();
  made.play.to_the_end = 0.25;
  made.play.seed = UINT64_MAX;
  made.openings = "lines \"x\".sfen";
  made.openings_print = "0123";
  EXPECT_EQ(parse_self_play_job(to_text(made)).value(), made);
  EXPECT_EQ(parse_game_range(to_text(GameRange{3, 200})).value(), (GameRange{3, 200}));
}

TEST(SelfPlayJob, RefusesWhatItCannotRead) {
  for (const std::string_view text : {"", "[]", "{}", "{\"fuhyoSelfPlay\":2}"}) {
    EXPECT_FALSE(parse_self_play_job(text)) << text;
  }
  std::string text = to_text(job());
  text.replace(text.find("\"nodes\":30"), 10, "\"nodes\":0");
  EXPECT_THAT(parse_self_play_job(text).error(), HasSubstr("'nodes'"));
  for (const std::string_view range : {"", "3", "3 ", "3 x", "-1 2", "1 2 3"}) {
    EXPECT_FALSE(parse_game_range(range)) << range;
  }
}

TEST(SelfPlayJob, FingerprintsAreOfWhatFilesHold) {
  const test::TemporaryFolder folder;
  SelfPlayJob one = job(), other = job();
  one.openings = folder.write("a", "startpos moves 7g7f\n").string();
  other.openings = folder.write("b", "startpos moves 2g2f\n").string();
  ASSERT_TRUE(take_fingerprints(one));
  ASSERT_TRUE(take_fingerprints(other));
  EXPECT_NE(one.openings_print, other.openings_print);
  EXPECT_TRUE(one.network_print.empty());
  one.openings = folder / "missing";
  EXPECT_THAT(take_fingerprints(one).error(), HasSubstr("missing"));
}

}  // namespace
}  // namespace fuhyo::learn
