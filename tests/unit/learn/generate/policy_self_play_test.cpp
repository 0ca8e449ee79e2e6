// Self-play of policy networks: the same games whatever happens, what is recorded of them, and who resigns.
#include <numeric>
#include <ranges>

#include "engines/jobs/open.h"
#include "engines/learn/data/whole_file.h"
#include "engines/learn/generate/policy/coordinator.h"
#include "engines/learn/generate/policy/job.h"
#include "engines/learn/generate/policy/saved_games.h"
#include "engines/learn/generate/policy/self_play.h"
#include "engines/learn/generate/policy/worker.h"
#include "engines/learn/policy/shogi_sample_source.h"
#include "engines/record/training.h"
#include "tests/unit/learn/generate/piece_counter.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

using record::Hcpe3Game;

PolicyPlayOptions quick() {
  return {.full = 0.5,
          .playouts = 12,
          .fast_playouts = 4,
          .considered = 4,
          .most_at_start = 1,
          .mate_nodes = 300,
          .draw_at_ply = 60,
          .seed = 3};
}

const StartOptions kStarts{.first_ply = 2, .last_ply = 10, .random_moves = 2};

std::vector<PolicyGame> played(const PolicyPlayOptions& options, std::uint64_t first, std::size_t count,
                               const PolicyThreadOptions& thread_options = {.at_once = 8, .cache_bytes = 1 << 20}) {
  PolicySelfPlay play(std::make_unique<PieceCounter>(), options, thread_options);
  std::vector<PolicyGame> games(count);
  const auto done = play.play(first, games, Starts(kStarts), {});
  EXPECT_TRUE(done) << done.error();
  return games;
}

std::vector<Hcpe3Game> records(const std::vector<PolicyGame>& games) {
  const auto all = std::views::transform(games, &PolicyGame::record);
  return {all.begin(), all.end()};
}

class PolicySelfPlayTest : public FolderTest {
 protected:
  PolicyPlayOptions options_ = quick();
};

TEST_F(PolicySelfPlayTest, PlaysTheGamesOfItsNumbersWhoeverPlaysBeside) {
  for (const Roots roots : {Roots::gumbel, Roots::noise}) {
    options_ = quick();
    options_.roots = roots;
    const auto together = played(options_, 10, 9);
    EXPECT_EQ(encode_policy_chunk(played(options_, 10, 9)).value(), encode_policy_chunk(together).value());
    const auto some = played(options_, 14, 3, {.at_once = 2, .cache_bytes = 0});
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(some[i], together[4 + i]) << i;
    EXPECT_NE(together[0].record, together[1].record);
    options_.seed = 4;
    EXPECT_NE(played(options_, 14, 1)[0], together[4]);
  }
}

TEST_F(PolicySelfPlayTest, GoesOnInTheMiddleOfGames) {
  const auto whole = played(options_, 0, 6);
  std::vector<PolicyGame> games(6);
  int calls = 0;
  for (int looks = 5; !std::ranges::all_of(games, &PolicyGame::over); looks += 60) {
    ASSERT_LT(++calls, 200);
    std::stop_source stop;
    PolicyThreadOptions thread_options{.at_once = 4, .cache_bytes = 1 << 16};
    thread_options.between_batches = [&, left = looks]() mutable {
      if (--left <= 0) stop.request_stop();
    };
    PolicySelfPlay play(std::make_unique<PieceCounter>(), options_, thread_options);
    ASSERT_TRUE(play.play(0, games, Starts(kStarts), stop.get_token()));
    ASSERT_TRUE(save_games(folder_ / "kept", "job", 0, games));
    const auto kept = read_saved_games(folder_ / "kept", "job", 0, 6);
    ASSERT_TRUE(kept);
    EXPECT_EQ(*kept, games);
    games = *kept;
  }
  EXPECT_GT(calls, 2);
  EXPECT_EQ(games, whole);
}

TEST_F(PolicySelfPlayTest, KeptGamesOfAnotherJobOrDamagedOnesAreNone) {
  const auto games = played(quick(), 0, 2);
  ASSERT_TRUE(save_games(folder_ / "kept", "job", 7, games));
  EXPECT_TRUE(read_saved_games(folder_ / "kept", "job", 7, 2));
  EXPECT_FALSE(read_saved_games(folder_ / "kept", "other", 7, 2));
  EXPECT_FALSE(read_saved_games(folder_ / "kept", "job", 8, 2));
  EXPECT_FALSE(read_saved_games(folder_ / "kept", "job", 7, 3));
  EXPECT_FALSE(read_saved_games(folder_ / "missing", "job", 7, 2));
  const std::string bytes = read_file(folder_ / "kept").value();
  for (const std::size_t at : {std::size_t{3}, bytes.size() / 2, bytes.size() - 1}) {
    EXPECT_FALSE(read_saved_games(folder_.write("damaged", flipped(bytes, at)), "job", 7, 2)) << at;
    EXPECT_FALSE(read_saved_games(folder_.write("cut", bytes.substr(0, at)), "job", 7, 2)) << at;
  }
}

TEST_F(PolicySelfPlayTest, RecordsItsShareOfFullSearches) {
  for (const Roots roots : {Roots::gumbel, Roots::noise}) {
    options_.roots = roots;
    options_.full = 0.3;
    options_.mate_nodes = 0;
    const auto games = played(options_, 0, 24);
    const PolicyChunkSize size = measure_policy_games(records(games), options_, 0);
    EXPECT_EQ(size.games, 24U);
    EXPECT_GT(size.positions, 400U);
    EXPECT_NEAR(static_cast<double>(size.recorded) / static_cast<double>(size.positions), 0.3, 0.07);
    std::size_t short_of = 0;  // the outcome was known before
    for (const PolicyGame& game : games) {
      auto position = record::unnumbered_position(game.record.start).value();
      for (const auto& each : game.record.moves) {
        std::uint32_t sum = 0;
        for (const auto& candidate : each.candidates) {
          EXPECT_TRUE(position.is_legal(candidate.move));
          EXPECT_GT(candidate.visits, 0);
          sum += candidate.visits;
        }
        position.do_move(each.move);
        if (each.candidates.empty()) continue;
        if (roots == Roots::gumbel) EXPECT_EQ(sum, kPolicyShares);
        if (roots == Roots::noise && sum != 12) ++short_of;
      }
    }
    EXPECT_LT(short_of, size.recorded / 4);
  }
}

TEST_F(PolicySelfPlayTest, WhoMovesLastWinsWhatIsWon) {
  options_.to_the_end = 1;
  options_.draw_at_ply = 200;
  std::size_t won = 0, drawn = 0;
  for (const PolicyGame& game : played(options_, 0, 24)) {
    ASSERT_TRUE(game.over);
    const auto start = record::unnumbered_position(game.record.start).value();
    const bool black_moves_last = (start.side_to_move() == shogi::BLACK) == (game.record.moves.size() % 2 == 1);
    (game.record.flags != 0 ? drawn : won) += 1;
    if (game.record.flags != 0) continue;
    EXPECT_EQ(game.record.winner, black_moves_last ? record::Winner::black : record::Winner::white);
  }
  EXPECT_GT(won, 5U) << drawn;
}

TEST_F(PolicySelfPlayTest, ResignsAndChecksWhatThatCosts) {
  options_.draw_at_ply = 120;
  options_.resign = 0.3;
  options_.to_the_end = 0;
  const auto resigning = played(options_, 0, 16);
  const PolicyChunkSize resigned = measure_policy_games(records(resigning), options_, 0);
  EXPECT_GT(resigned.resigned, 8U);
  EXPECT_EQ(resigned.checked, 0U);
  options_.to_the_end = 1;
  const auto to_the_end = played(options_, 0, 16);
  const PolicyChunkSize checked = measure_policy_games(records(to_the_end), options_, 0);
  EXPECT_EQ(checked.resigned, 0U);
  EXPECT_GE(checked.checked, resigned.resigned);
  EXPECT_GT(checked.wrong, 0U);  // pieces in hand are not everything
  EXPECT_LE(checked.wrong, checked.checked);
  EXPECT_GT(checked.positions, resigned.positions);
  // Until then they are the same games.
  for (std::size_t i = 0; i < resigning.size(); ++i) {
    const auto &shorter = resigning[i].record.moves, &longer = to_the_end[i].record.moves;
    EXPECT_TRUE(std::ranges::mismatch(shorter, longer).in1 == shorter.end()) << i;
  }
  // A wrong one, by hand.
  std::vector<Hcpe3Game> one{to_the_end[0].record};
  const auto loser = gives_up(options_, one[0]);
  if (loser) {
    one[0].winner = *loser == shogi::BLACK ? record::Winner::black : record::Winner::white;
    EXPECT_EQ(measure_policy_games(one, options_, 0).wrong, 1U);
    one[0].winner = *loser == shogi::BLACK ? record::Winner::white : record::Winner::black;
    EXPECT_EQ(measure_policy_games(one, options_, 0).wrong, 0U);
  }
}

TEST_F(PolicySelfPlayTest, TheCacheSavesEvaluations) {
  PolicySelfPlay with(std::make_unique<PieceCounter>(), quick(), {.at_once = 4, .cache_bytes = 8 << 20});
  PolicySelfPlay without(std::make_unique<PieceCounter>(), quick(), {.at_once = 4, .cache_bytes = 0});
  std::vector<PolicyGame> one(6), other(6);
  must(with.play(0, one, Starts(kStarts), {}));
  must(without.play(0, other, Starts(kStarts), {}));
  EXPECT_EQ(one, other);
  EXPECT_EQ(without.counts().hits, 0U);
  EXPECT_GT(with.counts().hits, 0U);
  EXPECT_EQ(with.counts().hits + with.counts().evaluated, without.counts().evaluated);
  EXPECT_EQ(with.counts().playouts, without.counts().playouts);
}

TEST_F(PolicySelfPlayTest, SaysWhatIsWrong) {
  options_.network = "/nowhere/policy.nn";
  EXPECT_THAT(PolicySelfPlay::make(options_, {}).error(), HasSubstr("/nowhere/policy.nn"));
  options_ = quick();
  options_.most_at_start = 0.5;
  options_.playouts = options_.fast_playouts = 1;
  PolicySelfPlay play(std::make_unique<PieceCounter>(0.3F), options_, {.at_once = 2});
  std::vector<PolicyGame> games(1);
  EXPECT_THAT(error_of(play.play(5, games, Starts({.first_ply = 60, .last_ply = 61, .random_moves = 0}), {})),
              HasSubstr("game 5"));
}

TEST(GameRandom, PartsAreWhole) {
  const std::vector<double> shares{0.333333, 0.333333, 0.333334, 0};
  EXPECT_EQ(apportion(shares, 10), (std::vector<std::uint16_t>{3, 3, 4, 0}));
  EXPECT_EQ(apportion(std::vector<double>{1}, 7), (std::vector<std::uint16_t>{7}));
  PolicyPlayOptions options;
  EXPECT_DOUBLE_EQ(options.temperature_at(0), 1);
  EXPECT_DOUBLE_EQ(options.temperature_at(20), 0.625);
  EXPECT_NEAR(options.temperature_at(1'000), 0.25, 1e-9);
  EXPECT_EQ(PolicyPlayOptions::score_of(0.5), 0);
  EXPECT_EQ(PolicyPlayOptions::score_of(1), 30'000);
  EXPECT_EQ(PolicyPlayOptions::score_of(0), -30'000);
}

PolicyPlayJob small_job() {
  PolicyPlayJob job{.play = quick(), .starts = kStarts, .openings = {}, .network_print = {}, .openings_print = {}};
  job.play.draw_at_ply = 16;
  job.play.playouts = 6;
  return job;
}

TEST(PolicyPlayJob, IsTheSameAsTextAndBack) {
  PolicyPlayJob job = small_job();
  job.play.roots = Roots::noise;
  job.play.seed = UINT64_MAX;
  job.openings = "lines \"x\".sfen";
  EXPECT_EQ(parse_policy_play_job(to_text(job)).value(), job);
  std::string text = to_text(job);
  text.replace(text.find("\"noise\",\"full\""), 7, "\"nose\"");
  EXPECT_THAT(parse_policy_play_job(text).error(), HasSubstr("'roots'"));
  EXPECT_FALSE(parse_policy_play_job("{\"fuhyoSelfPlay\":1}"));
}

// The name of a batch is a digest of these bytes: with others, a generation that was begun would begin anew.
TEST(PolicyPlayJob, HasTheSameBytesAsEver) {
  EXPECT_EQ(to_text(PolicyPlayJob{}),
            R"({"fuhyoSelfPlayPolicy":1,"network":"","networkPrint":"","roots":"gumbel","full":2.5E-1,)"
            R"("playouts":128,"fastPlayouts":24,"considered":16,"noise":2.5E-1,"alpha":1.5E-1,"softmax":1E0,)"
            R"("temperature":1E0,"temperatureLate":2.5E-1,"temperaturePlies":20,"mostAtStart":8.5E-1,)"
            R"("resign":4E-2,"resignAfter":4,"toTheEnd":1E-1,"mateNodes":1000,"drawAtPly":320,"seed":"1",)"
            R"("openings":"","openingsPrint":"","firstPly":8,"lastPly":40,"randomMoves":4})");
}

using PolicyWorkers = FolderTest;

// With the network that is built in, over a queue of files: a worker stops in the middle of a chunk, another one dies
// with one, and the third plays everything.
TEST_F(PolicyWorkers, PlayEveryGameOnceWhoeverDies) {
  const PolicyPlayJob job = small_job();
  PolicySelfPlay alone = PolicySelfPlay::make(job.play, {.at_once = 5}).value();
  std::vector<PolicyGame> expected(5);
  ASSERT_TRUE(alone.play(20, expected, Starts(job.starts), {}));

  PolicyGenerateOptions asked{
      .job = job, .games = {.first = 20, .count = 5}, .per_chunk = 3, .folder = folder_ / "run"};
  asked.processes = 0;
  ASSERT_TRUE(generate(asked, stopped()));
  {
    const std::string place = (asked.folder / "queue").string();
    auto queue = jobs::open_queue(place, {}).value();
    ASSERT_TRUE(jobs::open_queue(place, {.lease_ms = 1})
                    .value()
                    ->claim({.worker = "dead",
                             .kind = std::string(kPolicyPlayKind),
                             .batch = to_batch(job, asked.games, asked.per_chunk).name})
                    .value());
    std::stop_source stop;
    PolicyWorkerOptions options{.keep = asked.folder / "unfinished"};
    options.worker.wanted.worker = "stopped";
    options.worker.drain = true;
    options.thread_options = {.at_once = 2, .cache_bytes = 1 << 20};
    options.keep_s = options.every_s = 0;
    int lines = 0;
    options.worker.say = [&](std::string_view line) {
      if (line.find("of the chunk") != std::string_view::npos && ++lines == 30) stop.request_stop();
    };
    EXPECT_EQ(play_policy_for_queue(*queue, options, stop.get_token()).given_back, 1);
    EXPECT_FALSE(fs::is_empty(asked.folder / "unfinished"));
  }
  asked.processes = 1;
  const std::string keep = (asked.folder / "unfinished").string();
  asked.worker = {FUHYO_LEARN, "play", "--until-eof", "--drain", "--policy", "--at-once", "3", "--keep", keep};
  std::vector<std::string> said;
  asked.say = into(said);
  const auto generated = must(generate(asked, {}));
  EXPECT_TRUE(generated.complete);
  EXPECT_EQ(generated.games, 5U);
  EXPECT_THAT(said.back(), AllOf(testing::StartsWith("5 of 5 games"), HasSubstr("to learn")));
  EXPECT_EQ(read_file(generated.file).value(), encode_policy_chunk(expected).value());
  EXPECT_FALSE(fs::exists(asked.folder / "unfinished"));
  EXPECT_EQ(generate(asked, {})->positions, generated.positions);

  // The trainer reads it.
  policy::ShogiSampleSource source({generated.file.string()}, {}, 0.7, 1);
  ASSERT_TRUE(source.read([](const std::string&) {}));
  const PolicyChunkSize size = measure_policy_games(records(expected), job.play, 20);
  ASSERT_EQ(source.size(), size.recorded);
  for (std::size_t i = 0; i < source.size(); ++i) {
    for (const std::size_t symmetry : {0U, 1U}) {
      policy::Example example;
      ASSERT_TRUE(source.fill(i, symmetry, example));
      ASSERT_EQ(example.shares.size(), example.labels.size());
      EXPECT_NEAR(std::accumulate(example.shares.begin(), example.shares.end(), 0.0), 1, 1e-5);
      EXPECT_EQ(*std::ranges::max_element(example.shares), example.shares[example.played]);
      EXPECT_TRUE(example.value);
    }
  }
}

}  // namespace
}  // namespace fuhyo::learn
