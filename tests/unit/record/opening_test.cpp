#include "engines/record/opening.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "engines/record/kif_setup.h"
#include "engines/record/usi_line.h"

namespace fuhyo::record {
namespace {

std::string_view named(std::string_view moves) {
  const auto file = read_usi("startpos moves " + std::string(moves));
  EXPECT_TRUE(file) << to_string(file.error());
  if (!file) return "?";
  const auto illegal = first_illegal(file->game);
  EXPECT_TRUE(illegal && !*illegal) << moves << ": move " << (*illegal)->ply;
  const std::string_view name = opening_name(file->game);
  EXPECT_TRUE(name.empty() || std::ranges::find(kOpeningNames, name) != kOpeningNames.end()) << name;
  return name;
}

TEST(Opening, KnowsTheNames) {
  constexpr std::pair<std::string_view, std::string_view> kOpenings[] = {
      {"7g7f 3c3d 2g2f 4c4d 2f2e 2b3c 4i5h 8b4b", "shikenbisha"},
      {"7g7f 8c8d 6g6f 3c3d 2h6h", "shikenbisha"},
      {"7g7f 8c8d 7f7e 8d8e 2h7h", "sankenbisha"},
      {"2g2f 3c3d 7g7f 3d3e 4i5h 8b3b", "sankenbisha"},
      {"5g5f 8c8d 2h5h", "nakabisha"},
      {"7g7f 3c3d 2g2f 5c5d 2f2e 8b5b", "nakabisha"},
      {"7g7f 3c3d 2g2f 4c4d 2f2e 2b3c 4i5h 8b2b", "mukaibisha"},
      {"7g7f 3c3d 6g6f 8c8d 2h6h 7a6b 6h7h", "sankenbisha"},  // where it settles, not where it passes
      {"7g7f 3c3d 6g6f 3d3e 2h6h 8b3b", "aifuribisha"},
      {"7g7f 8c8d 2g2f 4a3b 6i7h 8d8e 8h7g 3c3d 7i8h 2b7g+ 8h7g", "kakugawari"},
      {"7g7f 3c3d 2g2f 2b8h+ 7i8h 8b4b", "kakugawarifuribisha"},
      {"7g7f 3c3d 8h2b+ 3a2b B*4e", "sujichigaikaku"},
      {"7g7f 3c3d 2g2f 2b8h+ 7i8h B*6e", "sujichigaikaku"},
      {"5g5f 3c3d 7g7f 2b8h+ 7i8h 8c8d 2h5h", "nakabisha"},
      {"7g7f 3c3d 8h2b+ 8c8d 2g2f 3a2b", ""},  // not taken back at once
      {"7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d", "yokofudori"},
      {"2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2h", "aigakari"},
      {"7g7f 8c8d 7i6h 3c3d 6g6f 7a6b 5g5f 5c5d 3i4h 3a4b 4i5h 6a5b 6i7h 4a3b 6h7g", "yagura"},
      {"7g7f 8c8d 6g6f 3c3d 7i6h 7a6b 6h6g 5c5d 6i7h", "gangi"},
      {"7g7f 3c3d 2g2f 4c4d 3i4h 3a4b 5g5f 4b4c 4h5g 4a3b", "gangi"},  // White's
      {"7g7f", ""},
      {"2g2f 8c8d 2f2e 8d8e 6i7h 4a3b", ""},                           // no pawn exchanged yet
      {"7g7f 8c8d 2h3h", ""},                                          // the third file is no swing
      {"2g2f 1c1d 2f2e 1d1e 2e2d 2c2d 2h2d P*2c 2d2h 9c9d 2h6h", ""},  // a rook that has been forward swings no more
  };
  for (const auto& [moves, name] : kOpenings) EXPECT_EQ(named(moves), name) << moves;
}

TEST(Opening, HasNoNameWithoutMovesOrWithAHandicap) {
  EXPECT_EQ(opening_name(Game{}), "");
  Game handicap = read_usi("startpos moves 5g5f 8c8d 2h5h")->game;
  EXPECT_EQ(opening_name(handicap), "nakabisha");
  handicap.start = handicap_by_name("香落ち")->setup;
  EXPECT_EQ(opening_name(handicap), "");
}

// A rook that swings after the fortieth ply is no opening any more.
TEST(Opening, LooksAtFortyPlies) {
  std::string moves = "9g9f 9c9d";
  for (int i = 0; i < 9; ++i) moves += " 4i4h 6a6b 4h4i 6b6a";
  EXPECT_EQ(named(moves + " 5g5f 1c1d 2h5h"), "");  // the forty-first
  EXPECT_EQ(named(moves + " 2h5h"), "nakabisha");   // the thirty-ninth
}

}  // namespace
}  // namespace fuhyo::record
