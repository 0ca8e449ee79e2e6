// What is drawn from games, and in which order.
#include "engines/learn/train/sampler.h"

#include <set>
#include <span>

#include "games.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

using match::tune::Random;

std::vector<Sample> whole_pass(Sampler& sampler, std::uint64_t pass, std::uint64_t from = 0) {
  EXPECT_TRUE(sampler.begin(pass, from));
  std::string error;
  const std::vector<Sample> all = drain(sampler, &error);
  EXPECT_EQ(error, "");
  return all;
}

auto key_of(const Sample& sample) {
  return std::tuple(sample.pieces, sample.kings, sample.turn, sample.score, sample.result);
}
bool before(const Sample& a, const Sample& b) { return key_of(a) < key_of(b); }

TEST(Quiet, LeavesOutWhatASearchShouldSolve) {
  const auto quiet = [](const char* sfen, const char* move, std::optional<std::int16_t> score) {
    return is_quiet(position_of(sfen), {move_of(move), score}, 2'000);
  };
  const char* start = shogi::Position::kStartSfen.data();
  EXPECT_TRUE(quiet(start, "7g7f", 1'999));
  EXPECT_TRUE(quiet(start, "7g7f", -1'999));
  EXPECT_FALSE(quiet(start, "7g7f", 2'000));
  EXPECT_FALSE(quiet(start, "7g7f", -2'000));
  EXPECT_FALSE(quiet(start, "7g7f", std::nullopt));
  // A capture, and what captures nothing; a promotion and none; a drop; an evasion.
  const char* open = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1";
  EXPECT_FALSE(quiet(open, "8h2b", 0));
  EXPECT_TRUE(quiet(open, "8h6f", 0));
  EXPECT_FALSE(quiet("4k4/9/9/9/9/9/9/9/4K3R b - 1", "1i1a+", 0));
  EXPECT_TRUE(quiet("4k4/9/9/9/9/9/9/9/4K3R b - 1", "1i1e", 0));
  EXPECT_TRUE(quiet("4k4/9/9/9/9/9/9/9/4K3R b G 1", "G*5e", 0));
  EXPECT_FALSE(quiet("4k4/9/9/9/9/9/9/4r4/4K4 b - 1", "5i4i", 0));
}

TEST(Result, IsThatOfTheSide) {
  record::ScoredGame game;
  EXPECT_EQ(result_for(game, shogi::BLACK), 0);
  game.winner = record::Winner::white;
  EXPECT_EQ(result_for(game, shogi::BLACK), -1);
  EXPECT_EQ(result_for(game, shogi::WHITE), 1);
  game.winner = record::Winner::black;
  EXPECT_EQ(result_for(game, shogi::BLACK), 1);
}

TEST(DrawSamples, TakesAllOrEvenlySomeOfTheQuietPositions) {
  const record::ScoredGame game = test::play_game(3, 100);
  Random random(1, 1);
  const std::vector<Sample> all = draw_samples(game, 1'000, 2'000, random);
  std::size_t quiet = 0;
  shogi::Position position = game.start;
  for (const record::ScoredMove& move : game.moves) {
    if (is_quiet(position, move, 2'000)) {
      ASSERT_LT(quiet, all.size());
      EXPECT_EQ(all[quiet++], *sample_of(position, *move.score, result_for(game, position.side_to_move())));
    }
    position.do_move(move.move);
  }
  EXPECT_EQ(all.size(), quiet);
  ASSERT_GT(quiet, 30U);
  std::vector<int> times(quiet);
  constexpr int kDraws = 4'000, kMost = 8;
  for (int draw = 0; draw < kDraws; ++draw) {
    const std::vector<Sample> some = draw_samples(game, kMost, 2'000, random);
    ASSERT_EQ(some.size(), kMost);
    for (const Sample& one : some) ++times[static_cast<std::size_t>(std::ranges::find(all, one) - all.begin())];
  }
  const double mean = double{kDraws} * kMost / static_cast<double>(quiet);
  for (const int count : times) EXPECT_NEAR(count, mean, 6 * std::sqrt(mean));
}

TEST(Sampler, GivesEachPassTheSameNumberInAnOrderOfItsOwn) {
  Sampler sampler({test::set_of(test::play_games(1, 60))}, {.seed = 5, .held_back = 8, .pool = 100});
  const auto survey = must(sampler.survey(1'000'000, 1'000));
  EXPECT_EQ(survey.games, std::vector<std::uint64_t>{60});
  EXPECT_THAT(survey.held_back, AllOf(testing::Gt(1U), testing::Lt(20U)));
  EXPECT_LE(survey.positions.size(), survey.held_back);
  EXPECT_GT(survey.positions.size(), 0U);
  const auto first = whole_pass(sampler, 0), second = whole_pass(sampler, 1);
  EXPECT_EQ(first.size(), survey.samples);
  EXPECT_EQ(first.size(), second.size()) << "at most 16 of each game, whichever";
  EXPECT_NE(first, second);
  EXPECT_EQ(first, whole_pass(sampler, 0));
  // It is shuffled, as far as the pool reaches: neighbours are of different games.
  auto sorted = first;
  std::ranges::sort(sorted, before);
  EXPECT_NE(sorted, first);
  // No position of a held-back game is learnt from, whatever the pass.
  std::set<decltype(key_of(first[0]))> learnt;
  for (const auto* pass : {&first, &second}) {
    for (const Sample& sample : *pass) learnt.insert(key_of(sample));
  }
  std::size_t shared = 0;
  for (const Sample& sample : survey.validation) shared += learnt.contains(key_of(sample));
  EXPECT_LE(shared, survey.validation.size() / 10) << "the first positions of games by chance";
}

TEST(Sampler, GoesOnWithAnySample) {
  Sampler sampler({test::set_of(test::play_games(2, 40))}, {.seed = 5, .held_back = 0, .pool = 64});
  ASSERT_TRUE(sampler.survey(0, 0));
  const auto all = whole_pass(sampler, 3);
  for (const std::size_t from : {std::size_t{1}, std::size_t{63}, std::size_t{65}, all.size() - 1, all.size()}) {
    const auto rest = whole_pass(sampler, 3, from);
    EXPECT_TRUE(std::ranges::equal(rest, std::span(all).subspan(from))) << from;
  }
  EXPECT_EQ(error_of(sampler.begin(3, all.size() + 1)), "the games are fewer than they were");
}

TEST(Sampler, WeighsSetsAndMixesThem) {
  const auto many = test::play_games(3, 120), few = test::play_games(4, 30);
  Sampler whole({test::set_of(many), test::set_of(few)}, {.held_back = 0});
  Sampler weighed({test::set_of(many, 0.25), test::set_of(few)}, {.held_back = 0});
  Sampler half({test::set_of(many, 0.1), test::set_of(few, 0)}, {.held_back = 0});
  const auto all = whole.survey(0, 0)->samples, some = weighed.survey(0, 0)->samples,
             tenth = half.survey(0, 0)->samples;
  EXPECT_EQ(all, 150U * 16);
  EXPECT_EQ(some, 120U * 4 + 30U * 16);
  EXPECT_NEAR(static_cast<double>(tenth), 120 * 1.6, 30) << "one or two of a game";
  // With a small pool, games of both sets come all the time: in each quarter about a quarter of the smaller one's.
  std::set<decltype(key_of(Sample{}))> of_few;
  for (const record::ScoredGame& game : few) {
    Random random(1, 1);
    for (const Sample& sample : draw_samples(game, 1'000, 2'000, random)) of_few.insert(key_of(sample));
  }
  Sampler mixed({test::set_of(many), test::set_of(few)}, {.held_back = 0, .pool = 64});
  ASSERT_TRUE(mixed.survey(0, 0));
  const auto order = whole_pass(mixed, 0);
  for (std::size_t quarter = 0; quarter < 4; ++quarter) {
    std::size_t count = 0;
    for (std::size_t i = quarter * order.size() / 4; i < (quarter + 1) * order.size() / 4; ++i) {
      count += of_few.contains(key_of(order[i]));
    }
    EXPECT_NEAR(static_cast<double>(count), 120, 40);
  }
}

TEST(Sampler, HoldsGamesBackByWhatTheyAre) {
  std::size_t held = 0;
  const auto games = test::play_games(6, 2'000, 12);
  for (const record::ScoredGame& game : games) held += is_held_back(fingerprint(game), 8);
  EXPECT_NEAR(static_cast<double>(held), 250, 60);
  EXPECT_FALSE(is_held_back(fingerprint(games[0]), 0));
  record::ScoredGame copy = games[0];
  copy.moves[0].score = 5;
  copy.winner = record::Winner::white;
  EXPECT_EQ(fingerprint(copy), fingerprint(games[0])) << "the same moves, whatever was thought of them";
  copy.moves.pop_back();
  EXPECT_NE(fingerprint(copy), fingerprint(games[0]));
}

TEST(Sampler, PassesErrorsOn) {
  DataSet broken{.name = "broken", .open = []() -> std::expected<GameStream, std::string> {
                   return [n = 0]() mutable -> std::expected<std::optional<record::ScoredGame>, std::string> {
                     if (n++ == 3) return std::unexpected("games: damaged at offset 77");
                     return test::play_game(static_cast<std::uint64_t>(n));
                   };
                 }};
  Sampler sampler({broken}, {});
  EXPECT_EQ(error_of(sampler.survey(10, 10)), "games: damaged at offset 77");
  DataSet missing{.name = "missing", .open = []() -> std::expected<GameStream, std::string> {
                    return std::unexpected("games: cannot be opened");
                  }};
  Sampler none({missing}, {});
  EXPECT_EQ(none.survey(10, 10).error(), "games: cannot be opened");
}

}  // namespace
}  // namespace fuhyo::learn
