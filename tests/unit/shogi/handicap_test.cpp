#include "engines/shogi/handicap.h"

#include <gtest/gtest.h>

#include "tests/unit/shogi/boards.h"

namespace fuhyo::shogi {
namespace {

struct Facts {
  const char* name;
  std::vector<std::pair<int, int>> missing;  // squares, as file and rank
};

TEST(Handicap, BlackLacksThePiecesAndMovesFirst) {
  const Facts facts[] = {
      {"hclance_x-1-0", {{9, 9}}},
      {"hcbishop_x-1-0", {{8, 8}}},
      {"hcrook_x-1-0", {{2, 8}}},
      {"hcrooklance_x-1-0", {{2, 8}, {9, 9}}},
      {"hc2p_x-1-0", {{2, 8}, {8, 8}}},
      {"hc4p_x-1-0", {{2, 8}, {8, 8}, {1, 9}, {9, 9}}},
      {"hc6p_x-1-0", {{2, 8}, {8, 8}, {1, 9}, {9, 9}, {2, 9}, {8, 9}}},
      {"hc8p_x-1-0", {{2, 8}, {8, 8}, {1, 9}, {9, 9}, {2, 9}, {8, 9}, {3, 9}, {7, 9}}},
      {"hc10p_x-1-0", {{2, 8}, {8, 8}, {1, 9}, {9, 9}, {2, 9}, {8, 9}, {3, 9}, {7, 9}, {4, 9}, {6, 9}}},
  };
  for (const Facts& f : facts) {
    const auto handicap = handicap_of(f.name);
    ASSERT_TRUE(handicap.has_value()) << f.name;
    const Position position = at(handicap->sfen), full;
    EXPECT_EQ(position.side_to_move(), BLACK);
    for (int s = 0; s < SQUARE_NB; ++s) {
      const auto square = static_cast<Square>(s);
      const bool missing = std::ranges::count(f.missing, std::pair(file_of(square), rank_of(square))) > 0;
      EXPECT_EQ(position.piece_on(square), missing ? NO_PIECE : full.piece_on(square)) << f.name << ' ' << s;
    }
  }
}

TEST(Handicap, IsAPrefixOfTheNameWithItsUnderscore) {
  EXPECT_TRUE(handicap_of("hc2p_").has_value());
  EXPECT_FALSE(handicap_of("hc2p-1500-0").has_value());
  EXPECT_FALSE(handicap_of("xhc2p_x-1500-0").has_value());
  EXPECT_FALSE(handicap_of("HC2P_x").has_value());
  EXPECT_FALSE(handicap_of("").has_value());
  EXPECT_FALSE(handicap_of("floodgate-300-10F").has_value());
}

}  // namespace
}  // namespace fuhyo::shogi
