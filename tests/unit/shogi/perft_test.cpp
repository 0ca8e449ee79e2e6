#include "engines/shogi/perft.h"

#include <gtest/gtest.h>

#include "tests/support/case_names.h"
#include "tests/support/sanitized.h"
#include "tests/unit/shogi/boards.h"

namespace fuhyo::shogi {
namespace {

// Nodes that a test may count: a second or so, in this build.
constexpr std::uint64_t kNodes = test::kSanitized ? 6'000'000 : 60'000'000;

struct Facts {
  const char* name;
  const char* sfen;
  std::vector<std::uint64_t> nodes;  // by depth, from 1
};

const Facts kFacts[] = {
    {"startpos",
     "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
     {30, 900, 25'470, 719'731, 19'861'490}},
    {"matsuri", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1", {207, 28'684, 4'809'015}},
    {"max-moves", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", {593, 105'677, 53'393'368}},
    {"all-drops", "9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1", {524, 248'257}},
    {"pos1-evade",
     "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
     {178, 18'041, 2'552'846}},
    {"matsuri-king",
     "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R2g2K2/LN4b1L w RGsn5p 3",
     {160, 20'791, 2'685'299}},
    {"pawns-in-hand", "lnsgkgsnl/1r5b1/9/9/9/9/9/1B5R1/LNSGKGSNL b 9P9p 1", {119, 13'311, 1'473'109}},
    // It has five lances.
    {"corner-drops", "kl7/1p7/9/9/9/9/9/7P1/7LK b RB2G2S2N2L8Prb2g2s2nl8p 1", {492, 229'547}},
    {"walled", "ppplkl1pp/b2p1p3/9/9/9/B8/9/5P1P1/PPPP1LKLP b R2G2S2N2Pr2g2s2n2p 1", {260, 62'558, 14'650'255}},
    {"mid-91", "l7l/3s5/prnp2kp1/2p1Gppnp/1P7/PnPP1P3/3BP2PP/1S1G5/LN1K1G1+rL b SBG3ps 91", {180, 15'217, 2'067'680}},
};

void PrintTo(const Facts& facts, std::ostream* out) { *out << facts.name; }

class Perft : public testing::TestWithParam<Facts> {};

TEST_P(Perft, CountsTheKnownNumbers) {
  auto position = Position::from_sfen(GetParam().sfen, Pieces::ANY_NUMBER);
  ASSERT_TRUE(position.has_value()) << position.error().message;
  const std::string before = position->sfen();
  EXPECT_EQ(perft(*position, 0), 1U);
  int depth = 0;
  for (const std::uint64_t nodes : GetParam().nodes) {
    ++depth;
    if (nodes <= kNodes) EXPECT_EQ(perft(*position, depth), nodes) << "depth " << depth;
  }
  EXPECT_EQ(position->sfen(), before);
}

INSTANTIATE_TEST_SUITE_P(Positions, Perft, testing::ValuesIn(kFacts), test::NameOfCase());

TEST(PerftDivide, AddsUpToTheWhole) {
  Position position;
  std::uint64_t sum = 0;
  const auto counts = perft_divide(position, 3);
  for (const auto& [move, nodes] : counts) sum += nodes;
  EXPECT_EQ(counts.size(), 30U);
  EXPECT_EQ(sum, 25'470U);
  EXPECT_TRUE(perft_divide(position, 0).empty());
  EXPECT_EQ(perft_divide(position, 1).front().second, 1U);
}

}  // namespace
}  // namespace fuhyo::shogi
