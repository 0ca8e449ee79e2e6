#include "engines/shogi/declaration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/shogi/boards.h"

namespace fuhyo::shogi {
namespace {

using ::testing::HasSubstr;
using enum DeclarationRule;

// As a search asks, it comes to the same.
DeclarationVerdict judge(std::string_view sfen, DeclarationRule rule = POINTS_27) {
  const Position position = at(sfen);
  const DeclarationVerdict verdict = judge_declaration(position, rule);
  if (rule == POINTS_27) EXPECT_EQ(verdict.valid, can_declare(position)) << sfen;
  EXPECT_EQ(verdict.valid, can_declare(position, DeclarationRequirement::of(rule, position))) << sfen;
  return verdict;
}

struct Judged27 {
  std::string_view sfen;
  int points, pieces;       // as they are counted; -1: whatever
  std::string_view reason;  // "": valid
};

// Ten pieces with the king in the zone: rook and nine small ones make 14 points; two bishops in hand 24, then pawns.
// White needs a point less.
TEST(Declaration, By27PointsNeedsPointsTenPiecesAndTheKingInTheZoneOutOfCheck) {
  constexpr Judged27 kCases[] = {
      {"K+RGGGG3/SSSS5/N8/9/9/9/9/9/8k b 2B4P 1", 28, 10, ""},
      {"K+RGGGG3/SSSS5/N8/9/9/9/9/9/8k b 2B3P 1", 27, 10, "27 points, 28 needed"},
      {"8K/9/9/9/9/9/n8/ssss5/k+rgggg3 w 2b3p 1", 27, 10, ""},
      {"8K/9/9/9/9/9/n8/ssss5/k+rgggg3 w 2b2p 1", 26, 10, "26 points, 27 needed"},
      {"K+RGGGG3/SSSS5/9/N8/9/9/9/9/8k b 2BR9P 1", -1, 9, "9 pieces in the last three ranks, 10 needed"},
      {"K+RGGGG3/SSSS5/N8/+R1P6/9/9/9/9/8k b 2B4P 1", 28, -1, ""},  // what is neither there nor in hand
      {"K+RGGGG3/SSSS5/N7r/9/9/9/9/9/8k b 2B4P 1", 28, -1, ""},     // the opponent's
      {"+RGGGG4/SSSS5/N+P7/K8/9/9/9/9/8k b 2B9P 1", -1, -1, "king is not in the last three ranks"},
      {"K+RGGGG3/1SSSS4/1N7/9/9/9/9/r8/8k b 2B4P 1", -1, -1, "in check"},
      {"1+RGGGG3/SSSS5/N8/9/9/9/9/9/8k b 2B4P 1", -1, -1, "no king"},
  };
  for (const Judged27& each : kCases) {
    SCOPED_TRACE(each.sfen);
    const auto verdict = judge(each.sfen);
    EXPECT_EQ(verdict.valid, each.reason.empty());
    if (each.points >= 0) EXPECT_EQ(verdict.points, each.points);
    if (each.pieces >= 0) EXPECT_EQ(verdict.pieces_in_zone, each.pieces);
    EXPECT_THAT(verdict.reason, HasSubstr(std::string(each.reason)));
  }
  EXPECT_FALSE(judge(Position::kStartSfen).valid);
  const auto without_rule = judge("K+RGGGG3/SSSS5/N8/9/9/9/9/9/8k b 2B9P 1", NONE);
  EXPECT_FALSE(without_rule.valid || without_rule.draw);
  EXPECT_THAT(without_rule.reason, HasSubstr("nothing can be declared"));
}

TEST(Declaration, By24PointsDrawsFrom24AndWinsFrom31) {
  const auto judge24 = [](int pawns) {
    const std::string hand = "2B" + (pawns > 0 ? std::to_string(pawns) + "P" : "");
    return judge("K+RGGGG3/SSSS5/N8/9/9/9/9/9/8k b " + hand + " 1", POINTS_24);
  };
  const auto judge_white = [](int pawns) {
    return judge("8K/9/9/9/9/9/n8/ssss5/k+rgggg3 w 2b" + std::to_string(pawns) + "p 1", POINTS_24);
  };
  EXPECT_FALSE(judge_white(6).valid);
  EXPECT_TRUE(judge_white(7).valid);
  EXPECT_EQ(judge24(0).points, 24);
  EXPECT_TRUE(judge24(0).draw);
  EXPECT_TRUE(judge24(6).draw);
  EXPECT_FALSE(judge24(6).valid);
  EXPECT_TRUE(judge24(7).valid);
  EXPECT_FALSE(judge24(7).draw);
  const auto short_of_one = judge("K+RGGGG3/SSSS5/P8/9/9/9/9/9/8k b B4P 1", POINTS_24);
  EXPECT_EQ(short_of_one.points, 23);
  EXPECT_FALSE(short_of_one.valid || short_of_one.draw);
}

TEST(Declaration, ATryIsALegalMoveToTheMiddleOfTheLastRank) {
  EXPECT_EQ(to_usi(judge("9/3K5/9/9/9/9/9/9/k8 b - 1", TRY).winning_move), "6b5a");
  EXPECT_EQ(to_usi(judge("K8/9/9/9/9/9/9/4k4/9 w - 1", TRY).winning_move), "5h5i");
  EXPECT_TRUE(judge("9/3K5/9/9/9/9/9/9/k8 b - 1", TRY).valid);
  EXPECT_TRUE(judge("4r4/3K5/9/9/9/9/9/9/k8 b - 1", TRY).valid) << "what stands there is taken";
  // The goal is guarded, from afar, too far, or taken by an own piece.
  for (const std::string_view none : {"3g5/3K5/9/9/9/9/9/9/k8 b - 1", "8r/3K5/9/9/9/9/9/9/k8 b - 1",
                                      "9/9/3K5/9/9/9/9/9/k8 b - 1", "4G4/3K5/9/9/9/9/9/9/k8 b - 1"})
    EXPECT_FALSE(judge(none, TRY).valid) << none;
  EXPECT_FALSE(try_move(at("9/9/9/9/9/9/9/9/k8 b - 1"))) << "no king";
}

// ---- the same as requirement, for a search ----

TEST(DeclarationRequirement, CreditWhatAHandicapLeftOutToWhite) {
  const auto needed = [](std::string_view sfen, DeclarationRule rule) {
    return DeclarationRequirement::of(rule, at(sfen)).to_win;
  };
  constexpr std::string_view kNoRookNoBishop = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
  constexpr std::string_view kFourPieces = "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
  EXPECT_EQ(needed(Position::kStartSfen, POINTS_27_H), (std::array{28, 27}));
  EXPECT_EQ(needed(kNoRookNoBishop, POINTS_27_H), (std::array{28, 17}));
  EXPECT_EQ(needed(kFourPieces, POINTS_27_H), (std::array{28, 15}));
  EXPECT_EQ(needed(kNoRookNoBishop, POINTS_24_H), (std::array{31, 21}));
  EXPECT_EQ(needed(kFourPieces, POINTS_27), (std::array{28, 27})) << "not by the plain rule";
  // Pieces in hand are not missing, and promoted ones count like others.
  EXPECT_EQ(needed("lnsgkgsnl/9/ppppppppp/9/9/9/1+B7/PPPPPPPPP/LNSGKGSNL b 2rb 1", POINTS_27_H), (std::array{28, 27}));
  const auto draws = DeclarationRequirement::of(POINTS_24_H, at(kNoRookNoBishop)).to_draw;
  EXPECT_EQ(draws, (std::array{24, 14}));
}

}  // namespace
}  // namespace fuhyo::shogi
