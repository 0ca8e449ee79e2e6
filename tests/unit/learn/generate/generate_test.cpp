// Self-play by processes over a queue: whole, in order, counted once, gone on with, and clear about what is wrong.
#include "engines/jobs/files/file_lock.h"
#include "engines/jobs/open.h"
#include "engines/learn/generate/chunk.h"
#include "engines/learn/generate/coordinator.h"
#include "engines/learn/generate/worker.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

SelfPlayJob job() {
  SelfPlayJob made;
  made.play = {.nodes = 30, .hash_mb = 1, .draw_at_ply = 40, .seed = 5};
  made.starts = {.first_ply = 4, .last_ply = 10, .random_moves = 2};
  return made;
}

Games games_of_the_job(std::uint64_t first, std::size_t count) {
  SelfPlay play = must(SelfPlay::make(job().play));
  Games games;
  for (std::size_t i = 0; i < count; ++i) games.push_back(must(play.play(first + i, Starts(job().starts))));
  return games;
}

Games games_of(const fs::path& file) {
  auto reader = must(GameReader::open(file));
  return drain(reader);
}

class Generate : public FolderTest {
 protected:
  GenerateOptions asked_{.job = job(),
                         .games = {.first = 10, .count = 7},
                         .per_chunk = 2,
                         .folder = folder_ / "run",
                         .processes = 2,
                         .worker = {FUHYO_LEARN, "play", "--until-eof", "--drain"}};
  auto queue() const { return must(jobs::open_queue((asked_.folder / "queue").string())); }

  std::vector<std::string> said_;
};

TEST_F(Generate, PlaysEveryGameOnceAndInOrder) {
  const auto generated = must(generate(asked_, {}));
  EXPECT_TRUE(generated.complete);
  EXPECT_EQ(generated.games, 7u);
  expect_same(games_of(generated.file), games_of_the_job(10, 7));
  std::uint64_t positions = 0;
  for (const auto& game : games_of(generated.file)) positions += game.moves.size();
  EXPECT_EQ(generated.positions, positions);
  EXPECT_FALSE(fs::exists(asked_.folder / "queue"));

  const auto before = fs::last_write_time(generated.file);
  const auto again = must(generate(asked_, {}));
  EXPECT_EQ(again.games, 7u);
  EXPECT_EQ(again.positions, positions);
  EXPECT_EQ(fs::last_write_time(generated.file), before);
}

TEST_F(Generate, GoesOnWithWhatWasPlayed) {
  asked_.processes = 0;
  const auto begun = must(generate(asked_, stopped()));
  EXPECT_FALSE(begun.complete);
  EXPECT_FALSE(fs::exists(begun.file));

  // Somebody else plays a part of it.
  const auto shared = queue();
  const std::string batch = shared->batches().value().front();
  const auto claim = shared->claim({.worker = "other", .kind = std::string(kSelfPlayKind), .batch = batch}).value();
  ASSERT_TRUE(claim);
  const auto range = parse_game_range(claim->chunk).value();
  const auto chunk = must(encode_chunk(games_of_the_job(range.first, range.count)));
  ASSERT_EQ(shared->finish(claim->lease, chunk).value(), jobs::Finish::counted);

  asked_.processes = 1;
  asked_.say = into(said_);
  const auto generated = must(generate(asked_, {}));
  EXPECT_TRUE(generated.complete);
  EXPECT_THAT(said_.front(), testing::StartsWith("2 of 7 games"));
  EXPECT_THAT(said_.back(), testing::StartsWith("7 of 7 games"));
  expect_same(games_of(generated.file), games_of_the_job(10, 7));
}

TEST_F(Generate, WhatAKilledRunHadBegunIsTakenUpAtOnce) {
  asked_.processes = 0;
  ASSERT_TRUE(generate(asked_, stopped()));
  const std::string batch = queue()->batches().value().front();
  const auto claim = [&](const std::string& worker) {  // of a fresh queue, which remembers no chunk as free
    return queue()->claim({.worker = worker, .kind = std::string(kSelfPlayKind), .batch = batch}).value().value();
  };
  const jobs::Claim dead = claim(own_worker(3)), living = claim("elsewhere-7");

  asked_.say = into(said_);
  ASSERT_TRUE(generate(asked_, stopped()));
  EXPECT_THAT(said_, testing::Contains(HasSubstr("a former run had begun, and begin anew: 1")));
  EXPECT_THAT(said_, testing::Contains(HasSubstr("1, by elsewhere-7; of who is dead they come back after 60 s")));
  EXPECT_EQ(queue()->held(batch).value(), std::vector{living.lease});
  EXPECT_EQ(claim("somebody").lease.chunk, dead.lease.chunk);
}

TEST_F(Generate, AnotherJobInTheSameFolderIsAnotherBatch) {
  asked_.processes = 0;
  ASSERT_TRUE(generate(asked_, stopped()));
  asked_.job.play.nodes = 31;
  ASSERT_TRUE(generate(asked_, stopped()));
  EXPECT_EQ(queue()->batches()->size(), 2u);
}

TEST_F(Generate, AFolderIsWorkedInOnceAtATime) {
  fs::create_directories(asked_.folder);
  const auto other = jobs::FileLock::take(asked_.folder / "self-play.lock");
  ASSERT_TRUE(other);
  EXPECT_THAT(generate(asked_, {}).error(), AllOf(HasSubstr("self-play.lock"), HasSubstr("another process")));
}

TEST_F(Generate, SaysThatItsProcessesDoNotRun) {
  asked_.worker = {"/nowhere/program"};
  EXPECT_THAT(generate(asked_, {}).error(), HasSubstr("/nowhere/program"));
  asked_.worker = {"/bin/false"};
  EXPECT_THAT(generate(asked_, {}).error(), HasSubstr("exit status 1"));
}

TEST_F(Generate, SaysThatTheNetworkIsAnotherOne) {
  asked_.job.play.network = folder_.write("nn.bin", "no network").string();
  ASSERT_TRUE(take_fingerprints(asked_.job));
  EXPECT_THAT(generate(asked_, {}).error(), AllOf(HasSubstr("chunks failed too often"), HasSubstr("nn.bin")));
  asked_.folder = folder_ / "other";
  asked_.job.network_print = "0123456789abcdef";
  EXPECT_THAT(generate(asked_, {}).error(), HasSubstr("another network has this name"));
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

// The name of a batch is a digest of these bytes: with others, a generation that was begun would begin anew.
TEST(SelfPlayJob, HasTheSameBytesAsEver) {
  EXPECT_EQ(to_text(SelfPlayJob{}),
            R"({"fuhyoSelfPlay":1,"network":"","networkPrint":"","fvScale":16,"nodes":1000,"hashMb":16,)"
            R"("mostAtStart":600,"adjudicatedAt":3000,"adjudicatedAfter":4,"toTheEnd":2E-1,"drawAtPly":320,)"
            R"("seed":"1","openings":"","openingsPrint":"","firstPly":8,"lastPly":40,"randomMoves":4})");
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

TEST_F(Generate, FingerprintsAreOfWhatFilesHold) {
  SelfPlayJob one = job(), other = job();
  one.openings = folder_.write("a", "startpos moves 7g7f\n").string();
  other.openings = folder_.write("b", "startpos moves 2g2f\n").string();
  ASSERT_TRUE(take_fingerprints(one));
  ASSERT_TRUE(take_fingerprints(other));
  EXPECT_NE(one.openings_print, other.openings_print);
  EXPECT_TRUE(one.network_print.empty());
  one.openings = folder_ / "missing";
  EXPECT_THAT(take_fingerprints(one).error(), HasSubstr("missing"));
}

}  // namespace
}  // namespace fuhyo::learn
