// Whether a network is accepted, refused or not known yet; and gone on with.
#include "engines/learn/gate/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/learn/policy/layout.h"
#include "engines/learn/policy/shipping.h"
#include "engines/learn/policy/shogi_lessons.h"
#include "engines/mcts/engine/built_in.h"
#include "engines/nnue/net/untrained.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::learn {
namespace {

using testing::HasSubstr;

class Gate : public testing::Test {
 protected:
  // Two networks that are the same: the truth is 0 Elo.
  GateTerms terms() {
    terms_.candidate.file = folder_.write("new.nn.bin", nnue::untrained_network());
    terms_.champion.file = folder_.write("old.nn.bin", nnue::untrained_network());
    terms_.engine = FUHYO_NNUE;
    terms_.openings = folder_.write("openings.sfen", kOpenings);
    terms_.folder = folder_ / "gate";
    terms_.hash_mb = 1;
    terms_.test_nodes = 10;
    terms_.match_nodes = 20;
    terms_.test_games = 300;
    terms_.match_games = 4;
    terms_.say = [this](std::string_view line) { said_.emplace_back(line); };
    return terms_;
  }

  static constexpr const char* kOpenings =
      "7g7f 3c3d\n2g2f 8c8d\n2g2f 3c3d\n7g7f 8c8d\n5g5f 5c5d\n6g6f 3c3d\n1g1f 1c1d\n9g9f 9c9d\n";
  test::TemporaryFolder folder_;
  GateTerms terms_;
  std::vector<std::string> said_;
};

TEST_F(Gate, AcceptsWhatIsNearerToTheHigherNumberAndSaysByHowMuch) {
  GateTerms asked = terms();
  asked.test = {.elo0 = -200, .elo1 = 0, .alpha = 0.2, .beta = 0.2};
  const auto result = gate(asked, {});
  ASSERT_TRUE(result) << result.error();
  EXPECT_TRUE(result->complete);
  EXPECT_TRUE(result->accepted());
  EXPECT_GT(result->log_likelihood_ratio, asked.test.upper());
  EXPECT_LT(result->test_games, 300);
  EXPECT_EQ(result->match_games, 4);
  ASSERT_TRUE(result->match);
  EXPECT_THAT(said_, testing::Contains(testing::StartsWith("match: 4/4")));

  // All games are there already.
  said_.clear();
  const auto again = gate(asked, {});
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(again->test_games, result->test_games);
  EXPECT_EQ(again->log_likelihood_ratio, result->log_likelihood_ratio);
  EXPECT_EQ(again->match_games, 4);
}

TEST_F(Gate, RefusesWhatIsNearerToTheLowerNumber) {
  GateTerms asked = terms();
  asked.test = {.elo0 = 0, .elo1 = 200, .alpha = 0.2, .beta = 0.2};
  const auto result = gate(asked, {});
  ASSERT_TRUE(result) << result.error();
  EXPECT_TRUE(result->complete);
  EXPECT_EQ(result->verdict, match::Verdict::h0);
  EXPECT_FALSE(result->match);
  EXPECT_EQ(result->match_games, 0);
}

TEST_F(Gate, DoesNotAcceptWhatItDoesNotKnow) {
  GateTerms asked = terms();
  asked.test_games = 4;
  const auto result = gate(asked, {});
  ASSERT_TRUE(result) << result.error();
  EXPECT_TRUE(result->complete);
  EXPECT_EQ(result->verdict, match::Verdict::undecided);
  EXPECT_EQ(result->test_games, 4);
  EXPECT_FALSE(result->accepted());
}

TEST_F(Gate, StoppedItIsNotComplete) {
  std::stop_source stop;
  stop.request_stop();
  const auto result = gate(terms(), stop.get_token());
  ASSERT_TRUE(result) << result.error();
  EXPECT_FALSE(result->complete);
  EXPECT_FALSE(result->accepted());
}

// A policy network that knows something, against one by chance.
TEST_F(Gate, ComparesPolicyNetworksByPlayouts) {
  GateTerms asked = terms();
  asked.kind = GateKind::policy;
  asked.engine = FUHYO_MCTS;
  asked.candidate.file = folder_.write("new.nn", std::string(mcts::built_in_network().bytes()));
  nn::Shape shape = policy::default_shape();
  shape.channels = 16, shape.blocks = 1;
  const policy::Layout layout(shape);
  const nn::Model chance = policy::folded(layout, policy::first_weights(layout, 1), policy::first_statistics(layout));
  asked.champion.file = (folder_ / "old.nn").string();
  ASSERT_TRUE(policy::ship(chance, "", asked.champion.file));
  asked.test_nodes = 1;
  asked.test = {.elo0 = 0, .elo1 = 200, .alpha = 0.2, .beta = 0.2};
  asked.match_games = 0;
  const auto result = gate(asked, {});
  ASSERT_TRUE(result) << result.error();
  EXPECT_TRUE(result->accepted());
  std::swap(asked.candidate, asked.champion);
  asked.folder = folder_ / "turned";
  const auto turned = gate(asked, {});
  ASSERT_TRUE(turned) << turned.error();
  EXPECT_EQ(turned->verdict, match::Verdict::h0);
  // A network for the other engine is none.
  asked.candidate = terms().candidate;
  EXPECT_THAT(gate(asked, {}).error(), HasSubstr("new.nn.bin"));
}

TEST_F(Gate, SaysWhatIsWrong) {
  GateTerms asked = terms();
  asked.openings = (folder_ / "missing.sfen").string();
  EXPECT_THAT(gate(asked, {}).error(), HasSubstr("missing.sfen"));
  asked = terms();
  asked.engine = "/nowhere/engine";
  EXPECT_THAT(gate(asked, {}).error(), HasSubstr("/nowhere/engine"));
  asked = terms();
  asked.candidate.file = (folder_ / "missing.nn.bin").string();
  EXPECT_THAT(gate(asked, {}).error(), HasSubstr("missing.nn.bin"));
}

}  // namespace
}  // namespace fuhyo::learn
