#include "engines/learn/policy/sample.h"

#include <map>
#include <numeric>

#include "engines/learn/data/whole_file.h"
#include "engines/learn/policy/from_games.h"
#include "engines/learn/policy/from_lines.h"
#include "engines/learn/policy/mirror.h"
#include "engines/learn/policy/sample_file.h"
#include "engines/learn/policy/shogi_sample_source.h"
#include "engines/mcts/shogi/labels.h"
#include "engines/mcts/shogi/planes.h"
#include "engines/record/hcp.h"
#include "engines/shogi/movegen.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn::policy {
namespace {

// The same position with left and right exchanged: files of a board go backwards.
std::string mirrored_sfen(const std::string& sfen) {
  const std::size_t end = sfen.find(' ');
  std::string out, rank, piece;
  for (const char c : sfen.substr(0, end)) {
    if (c == '/') out += std::exchange(rank, "") + '/';
    if (c != '/') piece += c;
    if (c != '/' && c != '+') rank = std::exchange(piece, "") + rank;
  }
  return out + rank + sfen.substr(end);
}

shogi::Move mirrored_move(shogi::Move move) {
  const auto turned = [](shogi::Square s) { return shogi::make_square(10 - shogi::file_of(s), shogi::rank_of(s)); };
  if (move.is_drop()) return shogi::Move::drop(move.dropped(), turned(move.to()));
  return shogi::Move::board(turned(move.from()), turned(move.to()), move.is_promotion());
}

const std::vector<std::string> kPositions = {
    std::string(shogi::Position::kStartSfen), "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L b Sbgn3p 124"};

TEST(PolicyMirror, IsThatOfTheBoard) {
  for (const std::string& sfen : kPositions) {
    const shogi::Position position = position_of(sfen), other = position_of(mirrored_sfen(sfen));
    std::vector<nn::Plane> planes(mcts::kPlanes), expected(mcts::kPlanes);
    std::vector<float> scalars(mcts::kScalars), same(mcts::kScalars);
    mcts::write_inputs(position, planes, scalars);
    mcts::write_inputs(other, expected, same);
    for (nn::Plane& plane : planes) plane = mirrored(plane);
    EXPECT_EQ(planes, expected) << sfen;
    EXPECT_EQ(scalars, same);
    for (const shogi::Move move : shogi::legal_moves(position)) {
      EXPECT_EQ(mirrored_label(mcts::label_of(move, position.side_to_move())),
                mcts::label_of(mirrored_move(move), position.side_to_move()))
          << sfen << " " << shogi::to_usi(move);
    }
    EXPECT_EQ(input_key(position), input_key(other));
  }
  EXPECT_NE(input_key(position_of(kPositions[0])), input_key(position_of(kPositions[1])));
}

TEST(PolicySamples, BecomeExamples) {
  for (const bool mirror : {false, true}) {
    const shogi::Position position = position_of(kPositions[1]);
    for (const shogi::Move move : shogi::legal_moves(position)) {
      Example example;
      ASSERT_TRUE(fill_example(*sample_of(position, move), mirror, 0.7, example));
      const shogi::Move shown = mirror ? mirrored_move(move) : move;
      EXPECT_EQ(example.labels[example.played], mcts::label_of(shown, position.side_to_move()));
      EXPECT_EQ(example.labels.size(), shogi::legal_moves(position).size());
      EXPECT_FALSE(example.value);
    }
  }
  Example example;
  EXPECT_EQ(error_of(fill_example(*sample_of(shogi::Position(), move_of("7g7e")), false, 0.7, example)),
            "no legal move 7g7e in " + std::string(shogi::Position::kStartSfen));
}

TEST(PolicySamples, AreLearntInProportionToVisits) {
  const shogi::Position position;
  const shogi::Move most = move_of("7g7f"), other = move_of("2g2f");
  const std::vector<Visits> visits = {{.move = record::apery_bits(other), .count = 1},
                                      {.move = record::apery_bits(most), .count = 3}};
  for (const bool mirror : {false, true}) {
    Example example;
    ASSERT_TRUE(fill_example(*sample_of(position, most), mirror, 0.7, example, visits));
    ASSERT_EQ(example.shares.size(), example.labels.size());
    EXPECT_EQ(example.shares[example.played], 0.75F);
    const auto label = mcts::label_of(mirror ? mirrored_move(other) : other, shogi::BLACK);
    const auto at = std::ranges::find(example.labels, label);
    ASSERT_NE(at, example.labels.end());
    EXPECT_EQ(example.shares[static_cast<std::size_t>(at - example.labels.begin())], 0.25F);
    EXPECT_EQ(std::accumulate(example.shares.begin(), example.shares.end(), 0.F), 1.F);
    ASSERT_TRUE(fill_example(*sample_of(position, most), mirror, 0.7, example));
    EXPECT_TRUE(example.shares.empty()) << "those of the sample before";
  }
}

using ShogiSampleSourceTest = FolderTest;

TEST_F(ShogiSampleSourceTest, MixATeachersSamplesIn) {
  const auto file = [&](const std::string& name, std::initializer_list<const char*> moves) {
    std::vector<Sample> samples;
    for (const char* move : moves) samples.push_back(*sample_of(shogi::Position(), move_of(move)));
    EXPECT_TRUE(write_samples(folder_ / name, "a test", samples));
    return folder_.file(name);
  };
  const std::string own = file("own", {"7g7f", "2g2f", "5g5f", "1g1f"}), teacher = file("teacher", {"9g9f", "3g3f"});
  const auto moves = [&](const MixOptions& mix, std::uint64_t seed) {
    ShogiSampleSource source({own}, {}, 0.7, seed, mix);
    EXPECT_TRUE(source.read([](const std::string&) {}));
    std::map<std::size_t, int> count;
    Example example;
    for (std::size_t i = 0; i < source.size(); ++i) {
      EXPECT_TRUE(source.fill(i, 0, example));
      ++count[example.labels[example.played]];
    }
    return std::pair(count, source.fingerprint());
  };
  const auto label = [](const char* move) { return mcts::label_of(move_of(move), shogi::BLACK); };
  EXPECT_EQ(moves({}, 1).first.size(), 4U);
  const auto [half, seen] = moves({.files = {teacher}, .part = 0.5}, 1);
  EXPECT_EQ(half.at(label("9g9f")), 2) << "each as often as the other";
  EXPECT_EQ(half.at(label("3g3f")), 2);
  EXPECT_EQ(half.at(label("7g7f")), 1);
  const auto fifth = moves({.files = {teacher}, .part = 0.2}, 1).first;
  EXPECT_EQ(fifth.size(), 5U) << "one of the two";
  EXPECT_NE(seen, moves({}, 1).second);
  EXPECT_NE(seen, moves({.files = {teacher}, .part = 0.4}, 1).second);
  ShogiSampleSource missing({own}, {}, 0.7, 1, {.files = {folder_.file("none")}});
  EXPECT_FALSE(missing.read([](const std::string&) {}));
}

TEST(PolicySamples, AreWorthWhatScoreAndResultSay) {
  Sample sample = *sample_of(shogi::Position(), move_of("7g7f"));
  EXPECT_FALSE(value_target(sample, 0.7));
  sample.score = 600;
  EXPECT_NEAR(*value_target(sample, 0.7), 0.731059, 1e-6);
  sample.result = 0;
  EXPECT_NEAR(*value_target(sample, 0.7), 0.7 * 0.731059, 1e-6);
  sample.score.reset();
  sample.result = 1;
  EXPECT_EQ(*value_target(sample, 0.7), 0.5F);
}

class SampleFiles : public FolderTest {
 protected:
  SampleFiles() {
    Sample full = *sample_of(position_of(kPositions[2]), move_of("7b7a"));
    full.ply = 300;
    full.score = -32767;
    full.result = 2;
    samples_ = {*sample_of(shogi::Position(), move_of("7g7f")), full, full};
    samples_[2].score.reset();
    must(write_samples(file_, "by a test", samples_));
    whole_ = must(read_file(file_));
  }
  std::string refusal(const std::string& bytes) {
    const std::string name = folder_.write("some.samples", bytes).string(), error = error_of(read_samples(file_));
    if (error.empty()) return "";
    EXPECT_TRUE(error.starts_with(name + ": ")) << error;
    return error.substr(name.size() + 2);
  }

  fs::path file_ = folder_ / "some.samples";
  std::vector<Sample> samples_;
  std::string whole_;
};

TEST_F(SampleFiles, GiveBackWhatWasWritten) {
  EXPECT_EQ(whole_.size(), 8U + 4 + 4 + 9 + 8 + 3 * 40 + 4);
  const auto found = must(read_samples(file_));
  EXPECT_EQ(found.samples, samples_);
  EXPECT_EQ(found.made_by, "by a test");
}

TEST_F(SampleFiles, AreRefusedWhereverTheyAreCutOrDamaged) {
  for (std::size_t i = 0; i < whole_.size(); ++i) {
    ASSERT_NE(refusal(whole_.substr(0, i)), "") << i;
    ASSERT_NE(refusal(flipped(whole_, i)), "") << i;
  }
  EXPECT_EQ(refusal("PK and more"), "no file of samples");
  EXPECT_EQ(refusal(whole_ + "x"), "it says that it has 3 samples of 40 bytes, and has 121 bytes for them");
  EXPECT_EQ(refusal(whole_.substr(0, whole_.size() - 40)),
            "it says that it has 3 samples of 40 bytes, and has 80 bytes for them");
  EXPECT_EQ(refusal(flipped(whole_, 8, 3)), "its version is 2, 1 is read");
}

// ---- lines ----------------------------------------------------------------------------------------------------------

std::vector<std::string> shown(const std::vector<Sample>& samples) {
  std::vector<std::string> out;
  for (const Sample& sample : samples) {
    out.push_back(std::to_string(sample.ply) + " " + shogi::to_usi(*record::move_of_apery_bits(sample.move)));
  }
  std::ranges::sort(out);
  return out;
}

auto from_lines(const std::string& lines, double held_out = 0) {
  return must(samples_of_lines(lines, "lines", {.held_out = held_out, .prefix_plies = 30}));
}

TEST(PolicyLines, GiveEachPositionAndMoveOnce) {
  // The third line comes to the position of the first one in another order, and goes on as it does.
  const auto found = from_lines(
      "startpos moves 7g7f 3c3d 2g2f\n"
      "startpos moves 7g7f 3c3d 6g6f\n"
      "startpos moves 7g7f 3c3d 2g2f\n");
  EXPECT_THAT(shown(found.train), ElementsAre("0 7g7f", "1 3c3d", "2 2g2f", "2 6g6f"));
  EXPECT_EQ(found.edges, 4U);
  const auto crossing = from_lines(
      "startpos moves 7g7f 3c3d 2g2f 8c8d 6g6f\n"
      "startpos moves 2g2f 3c3d 7g7f 8c8d 6g6f\n");
  EXPECT_EQ(crossing.edges, 10U);
  EXPECT_THAT(shown(crossing.train),
              ElementsAre("0 2g2f", "0 7g7f", "1 3c3d", "1 3c3d", "2 2g2f", "2 7g7f", "3 8c8d", "4 6g6f"));
}

TEST(PolicyLines, OfTestsAreTheSameWhateverElseThereIs) {
  std::string test, training;  // some line of each; which is which only their moves tell
  for (const shogi::Move move : shogi::legal_moves(shogi::Position())) {
    const std::string line = "startpos moves " + shogi::to_usi(move) + " 8c8d\n";
    (samples_of_lines(line, "line", {.held_out = 0.5, .prefix_plies = 30}) ? training : test) = line;
  }
  ASSERT_FALSE(test.empty() || training.empty());
  const auto found = from_lines(training + test, 0.5);
  EXPECT_EQ(found.train.size(), 2U);
  EXPECT_EQ(found.test_lines, 1U);
  // The start position is learnt, so only what follows is a test.
  EXPECT_EQ(found.test.size(), 1U);
  EXPECT_EQ(found.dropped, 1U);
}

TEST(PolicyLines, DropWhatTrainingShowsMirrored) {
  // Two kings and a pawn: mirrored lines of each other, one of which is held out.
  const std::string left = "sfen 4k4/9/9/9/9/9/P8/9/4K4 b - 1 moves ",
                    right = "sfen 4k4/9/9/9/9/9/8P/9/4K4 b - 1 moves ";
  bool seen = false;
  for (const char* king : {"5i4h", "5i5h", "5i6h", "5i4i", "5i6i"}) {
    const std::string test = left + "9g9f 5a5b " + king + "\n";
    const std::string training = right + "1g1f 5a5b " + shogi::to_usi(mirrored_move(move_of(king))) + "\n";
    const LineOptions options{.held_out = 0.5, .prefix_plies = 30};
    if (samples_of_lines(test, "test", options) || !samples_of_lines(training, "training", options)) continue;
    seen = true;
    const auto found = from_lines(training + test, 0.5);
    EXPECT_EQ(found.train.size(), 3U);
    EXPECT_EQ(found.test.size(), 0U);
    EXPECT_EQ(found.dropped, 3U);
  }
  EXPECT_TRUE(seen) << "no line of these is held out while its mirror image is not";
}

TEST(PolicyLines, WithFaultsAreLeftOutAndToldIfTheyAreFew) {
  std::string text;
  for (int i = 0; i < 150; ++i) text += "startpos moves 7g7f 3c3d\n";
  const auto found = from_lines(text + "startpos moves 7g7e\n");
  ASSERT_EQ(found.faults.size(), 1U);
  EXPECT_TRUE(found.faults[0].starts_with("lines:151: ")) << found.faults[0];
  EXPECT_FALSE(samples_of_lines("startpos moves 7g7e\nstartpos moves 7g7f\n", "lines", {}));
  EXPECT_FALSE(samples_of_lines("", "lines", {}));
}

// ---- games ----------------------------------------------------------------------------------------------------------

record::ScoredGame game_of(const std::vector<std::string>& moves, record::Winner winner) {
  record::ScoredGame game{.start = {}, .moves = {}, .winner = winner};
  std::int16_t score = 100;
  for (const std::string& move : moves) game.moves.push_back({move_of(move), score++});
  return game;
}

TEST(PolicyGames, GiveScoresAndResultsOfTheSideToMove) {
  record::ScoredGame game = game_of({"7g7f", "3c3d", "2g2f"}, record::Winner::white);
  game.moves[0].score.reset();
  GameSamples samples({.held_back = 0}, {});
  samples.add(game);
  samples.add(game);
  const auto train = samples.train();
  ASSERT_EQ(train.size(), 2U);
  EXPECT_EQ(train[0].score, 101);
  EXPECT_EQ(train[0].result, 2);
  EXPECT_EQ(train[0].ply, 1);
  EXPECT_EQ(train[1].result, 0);
  EXPECT_EQ(samples.games(), 2U);
}

TEST(PolicyGames, KeepApartWhatTestsShow) {
  shogi::Position after;
  after.do_move(move_of("7g7f"));
  GameSamples samples({.held_back = 0}, {input_key(position_of(mirrored_sfen(after.sfen())))});
  samples.add(game_of({"7g7f", "3c3d", "2g2f"}, record::Winner::nobody));
  EXPECT_THAT(shown(samples.train()), ElementsAre("0 7g7f", "2 2g2f"));
  EXPECT_EQ(samples.left_out(), 1U);
}

TEST(PolicyGames, AreDrawnInTheProportionThatIsAskedFor) {
  GameSamples samples({.most = 8, .late = 0.75, .late_ply = 4, .held_back = 0}, {});
  const std::vector<std::string> moves = {"7g7f", "3c3d", "2g2f", "4c4d", "2f2e",
                                          "2b3c", "3i4h", "8b4b", "5i6h", "5a6b"};
  samples.add(game_of(moves, record::Winner::nobody));
  const auto train = samples.train();
  EXPECT_EQ(train.size(), 8U);
  EXPECT_EQ(std::ranges::count_if(train, [](const Sample& sample) { return sample.ply >= 4; }), 6);
  EXPECT_TRUE(std::ranges::is_sorted(train, {}, &Sample::ply));
  EXPECT_EQ(samples.train(), train);
}

}  // namespace
}  // namespace fuhyo::learn::policy
