// Whether a network is accepted, refused or not known yet; and gone on with.
#include "engines/learn/gate/gate.h"

#include "engines/learn/policy/layout.h"
#include "engines/learn/policy/shogi_network.h"
#include "engines/learn/policy/shogi_sample_source.h"
#include "engines/mcts/engine/built_in.h"
#include "engines/nnue/net/untrained.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

class Gate : public FolderTest {
 protected:
  // Two networks that are the same: the truth is 0 Elo.
  Gate() {
    asked_.candidate.file = folder_.write("new.nn.bin", nnue::untrained_network());
    asked_.champion.file = folder_.write("old.nn.bin", nnue::untrained_network());
    asked_.engine = FUHYO_NNUE;
    asked_.openings = folder_.write("openings.sfen", kOpenings);
    asked_.folder = folder_ / "gate";
    asked_.hash_mb = 1;
    asked_.test_nodes = 10;
    asked_.match_nodes = 20;
    asked_.test_games = 300;
    asked_.match_games = 4;
    asked_.say = into(said_);
  }

  static constexpr const char* kOpenings =
      "7g7f 3c3d\n2g2f 8c8d\n2g2f 3c3d\n7g7f 8c8d\n5g5f 5c5d\n6g6f 3c3d\n1g1f 1c1d\n9g9f 9c9d\n";
  GateOptions asked_;
  std::vector<std::string> said_;
};

TEST_F(Gate, AcceptsWhatIsNearerToTheHigherNumberAndSaysByHowMuch) {
  asked_.test = {.elo0 = -200, .elo1 = 0, .alpha = 0.2, .beta = 0.2};
  const auto result = must(gate(asked_, {}));
  EXPECT_TRUE(result.complete);
  EXPECT_TRUE(result.accepted());
  EXPECT_GT(result.log_likelihood_ratio, asked_.test.upper());
  EXPECT_LT(result.test_games, 300);
  EXPECT_EQ(result.match_games, 4);
  ASSERT_TRUE(result.match);
  EXPECT_THAT(said_, testing::Contains(testing::StartsWith("match: 4/4")));

  // All games are there already.
  said_.clear();
  const auto again = must(gate(asked_, {}));
  EXPECT_EQ(again.test_games, result.test_games);
  EXPECT_EQ(again.log_likelihood_ratio, result.log_likelihood_ratio);
  EXPECT_EQ(again.match_games, 4);
}

TEST_F(Gate, RefusesWhatIsNearerToTheLowerNumber) {
  asked_.test = {.elo0 = 0, .elo1 = 200, .alpha = 0.2, .beta = 0.2};
  const auto result = must(gate(asked_, {}));
  EXPECT_TRUE(result.complete);
  EXPECT_FALSE(result.match);
  EXPECT_EQ(result.verdict, match::Verdict::h0);
  EXPECT_EQ(result.match_games, 0);
}

TEST_F(Gate, DoesNotAcceptWhatItDoesNotKnow) {
  asked_.test_games = 4;
  const auto result = must(gate(asked_, {}));
  EXPECT_TRUE(result.complete);
  EXPECT_FALSE(result.accepted());
  EXPECT_EQ(result.verdict, match::Verdict::undecided);
  EXPECT_EQ(result.test_games, 4);
}

// Networks of a file that is overwritten meanwhile would play each other.
TEST_F(Gate, PlaysTheNetworksThatItBeganWith) {
  asked_.test_games = 4;
  const std::string before = folder_.read("old.nn.bin");
  ASSERT_TRUE(gate(asked_, {}));
  EXPECT_EQ(test::read_file(asked_.folder / "candidate.bin"), folder_.read("new.nn.bin"));
  EXPECT_EQ(test::read_file(asked_.folder / "champion.bin"), before);
  std::string other = before;
  other.back() ^= 1;
  folder_.write("old.nn.bin", other);
  EXPECT_THAT(error_of(gate(asked_, {})),
              testing::AllOf(HasSubstr("champion.bin: the games of this folder are not of"), HasSubstr("old.nn.bin")));
  EXPECT_EQ(test::read_file(asked_.folder / "champion.bin"), before);
  folder_.write("old.nn.bin", before);
  folder_.write("new.nn.bin.ini", "FV_SCALE=16\n");
  EXPECT_THAT(error_of(gate(asked_, {})), HasSubstr("candidate.bin.ini: the games"));
  fs::remove(folder_ / "new.nn.bin.ini");
  EXPECT_TRUE(gate(asked_, {}));
}

TEST_F(Gate, StoppedItIsNotComplete) {
  const auto result = must(gate(asked_, stopped()));
  EXPECT_FALSE(result.complete);
  EXPECT_FALSE(result.accepted());
}

// A policy network that knows something, against one by chance.
TEST_F(Gate, ComparesPolicyNetworksByPlayouts) {
  asked_.kind = GateKind::policy;
  asked_.engine = FUHYO_MCTS;
  asked_.candidate.file = folder_.write("new.nn", std::string(mcts::built_in_network().bytes()));
  nn::Shape shape = policy::default_shape();
  shape.channels = 16, shape.blocks = 1;
  const policy::Layout layout(shape);
  const nn::Model chance = policy::folded(layout, policy::first_weights(layout, 1), policy::first_statistics(layout));
  asked_.champion.file = (folder_ / "old.nn").string();
  ASSERT_TRUE(policy::save_shogi_network(chance, "", asked_.champion.file));
  asked_.test_nodes = 1;
  asked_.test = {.elo0 = 0, .elo1 = 200, .alpha = 0.2, .beta = 0.2};
  asked_.match_games = 0;
  const auto result = must(gate(asked_, {}));
  EXPECT_TRUE(result.accepted());
  std::swap(asked_.candidate, asked_.champion);
  asked_.folder = folder_ / "turned";
  const auto turned = must(gate(asked_, {}));
  EXPECT_EQ(turned.verdict, match::Verdict::h0);
  // A network for the other engine is none.
  asked_.candidate.file = folder_ / "new.nn.bin";
  EXPECT_THAT(gate(asked_, {}).error(), HasSubstr("new.nn.bin"));
}

TEST_F(Gate, SaysWhatIsWrong) {
  const auto error = [&](const auto& change) {
    GateOptions options = asked_;
    change(options);
    return error_of(gate(options, {}));
  };
  const std::string missing = folder_.file("missing.nn");
  EXPECT_THAT(error([&](GateOptions& options) { options.openings = missing; }), HasSubstr("missing.nn"));
  EXPECT_THAT(error([&](GateOptions& options) { options.engine = "/nowhere/engine"; }), HasSubstr("/nowhere/engine"));
  EXPECT_THAT(error([&](GateOptions& options) { options.candidate.file = missing; }), HasSubstr("missing.nn"));
}

}  // namespace
}  // namespace fuhyo::learn
