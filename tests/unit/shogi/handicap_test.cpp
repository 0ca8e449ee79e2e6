#include "engines/shogi/handicap.h"

#include <gtest/gtest.h>

#include "tests/unit/shogi/boards.h"

namespace fuhyo::shogi {
namespace {

TEST(Handicap, BlackLacksThePiecesAndMovesFirst) {
  constexpr std::pair<const char*, const char*> kRanks[] = {// Black's two last ones
                                                            {"hclance_x-1-0", "1B5R1/1NSGKGSNL"},
                                                            {"hcbishop_x-1-0", "7R1/LNSGKGSNL"},
                                                            {"hcrook_x-1-0", "1B7/LNSGKGSNL"},
                                                            {"hcrooklance_x-1-0", "1B7/1NSGKGSNL"},
                                                            {"hc2p_x-1-0", "9/LNSGKGSNL"},
                                                            {"hc4p_x-1-0", "9/1NSGKGSN1"},
                                                            {"hc6p_x-1-0", "9/2SGKGS2"},
                                                            {"hc8p_x-1-0", "9/3GKG3"},
                                                            {"hc10p_x-1-0", "9/4K4"}};
  for (const auto& [name, ranks] : kRanks) {
    const auto handicap = handicap_of(name);
    ASSERT_TRUE(handicap.has_value()) << name;
    EXPECT_EQ(at(handicap->sfen).sfen(), "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/" + std::string(ranks) + " b - 1");
  }
}

TEST(Handicap, IsAPrefixOfTheNameWithItsUnderscore) {
  EXPECT_TRUE(handicap_of("hc2p_").has_value());
  for (const char* none : {"hc2p-1500-0", "xhc2p_x-1500-0", "HC2P_x", "", "floodgate-300-10F"})
    EXPECT_FALSE(handicap_of(none).has_value()) << none;
}

}  // namespace
}  // namespace fuhyo::shogi
