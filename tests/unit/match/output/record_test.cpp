// Games of a match as CSA records, word for word, and the end of every kind.
#include "engines/match/output/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/record/csa_reader.h"
#include "engines/record/csa_writer.h"
#include "tests/unit/match/output/sample_game.h"

namespace fuhyo::match {
namespace {

using record::CsaVersion;
using testing::HasSubstr;

std::string csa(const PlayedGame& game, CsaVersion version) {
  return record::write_csa(to_record(game, version), version);
}

TEST(MatchRecord, SaysWhatWasPlayedAndThought) {
  const std::string text = csa(sample_game(), CsaVersion::v3_0);
  EXPECT_THAT(text, testing::StartsWith("'CSA encoding=UTF-8\nV3.0\nN+new\nN-old\n$EVENT:game 1\n"
                                        "$START_TIME:2026/11/22 08:00:00\n$END_TIME:2026/11/22 08:01:01\n"
                                        "$TIME+:2+0+0.1\n$OPENING:Yokofu\n"
                                        "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n"));
  EXPECT_THAT(text, testing::EndsWith("\n+\n'opening 4; Black time=2000,inc=100; White nodes=5000\n"
                                      "+7776FU\n-3334FU\n'end of the opening\n"
                                      "+8822UM\nT1.512\n'** 120 -3122GI +2726FU\n"
                                      "-3122GI\nT0\n'** -30 +2726FU\n"
                                      "+0055KA\nT0\n'** 100000\n"
                                      "-8384FU\nT2\n'** 100000\n"
                                      "%TORYO\n'result black_wins resignation\n"));
}

TEST(MatchRecord, IsReadBackAsItWas) {
  for (const CsaVersion version : {CsaVersion::v2_2, CsaVersion::v3_0}) {
    const auto file = record::read_csa(csa(sample_game(), version));
    ASSERT_TRUE(file) << to_string(file.error());
    EXPECT_TRUE(file->games[0].warnings.empty());
    EXPECT_EQ(file->games[0].version, version);
    EXPECT_EQ(file->games[0].game.plies(), 6);
    EXPECT_EQ(file->games[0].game.comments, to_record(sample_game(), version).comments);
  }
}

TEST(MatchRecord, BeginsWhereTheGameBegan) {
  PlayedGame game = sample_game();
  game.start = *usi::parse_position("sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
  game.moves.clear();
  const std::string text = csa(game, CsaVersion::v2_2);
  EXPECT_THAT(text, HasSubstr("\n-\n'opening 4;"));
  EXPECT_THAT(text, testing::Not(HasSubstr("end of the opening")));
}

struct EndCase {
  Ending ending;
  GameResult result;
  std::string v2, v3;
};

// After the six plies of the sample Black is to move.
TEST(MatchRecord, EndsInTheWordOfItsEnding) {
  const EndCase cases[] = {
      {Ending::mate, GameResult::white_wins, "TSUMI", "TSUMI"},
      {Ending::resignation, GameResult::white_wins, "TORYO", "TORYO"},
      {Ending::declaration, GameResult::black_wins, "KACHI", "KACHI"},
      {Ending::declaration, GameResult::draw, "JISHOGI", "JISHOGI"},
      {Ending::repetition, GameResult::draw, "SENNICHITE", "SENNICHITE"},
      {Ending::perpetual_check, GameResult::black_wins, "-ILLEGAL_ACTION", "-ILLEGAL_ACTION"},
      {Ending::perpetual_check, GameResult::white_wins, "+ILLEGAL_ACTION", "+ILLEGAL_ACTION"},
      {Ending::move_limit, GameResult::draw, "HIKIWAKE", "MAX_MOVES"},
      {Ending::adjudicated_draw, GameResult::draw, "HIKIWAKE", "HIKIWAKE"},
      {Ending::adjudicated_win, GameResult::white_wins, "TORYO", "TORYO"},
      {Ending::adjudicated_win, GameResult::black_wins, "-ILLEGAL_ACTION", "-ILLEGAL_ACTION"},
      {Ending::illegal_move, GameResult::white_wins, "+ILLEGAL_ACTION", "+ILLEGAL_ACTION"},
      {Ending::false_declaration, GameResult::white_wins, "+ILLEGAL_ACTION", "+ILLEGAL_ACTION"},
      {Ending::time_up, GameResult::white_wins, "TIME_UP", "TIME_UP"},
      {Ending::hung, GameResult::white_wins, "+ILLEGAL_ACTION", "+ILLEGAL_ACTION"},
      {Ending::crashed, GameResult::black_wins, "-ILLEGAL_ACTION", "-ILLEGAL_ACTION"},
      {Ending::crashed, GameResult::draw, "CHUDAN", "CHUDAN"},
  };
  for (const EndCase& each : cases) {
    PlayedGame game = sample_game();
    game.ending = each.ending;
    game.result = each.result;
    game.detail = "why\nnot";
    const std::string last = std::string(to_string(each.ending)) + ": why not\n";
    EXPECT_THAT(csa(game, CsaVersion::v2_2), HasSubstr("\n%" + each.v2 + "\n'result "));
    EXPECT_THAT(csa(game, CsaVersion::v3_0), HasSubstr("\n%" + each.v3 + "\n'result "));
    EXPECT_THAT(csa(game, CsaVersion::v2_2), testing::EndsWith(last));
  }
}

TEST(MatchRecord, WritesTimesInUtc) {
  EXPECT_EQ(utc_text(0), "1970/01/01 00:00:00");
  EXPECT_EQ(utc_text(1'709'251'199'999), "2024/02/29 23:59:59");
  EXPECT_EQ(utc_text(-1), "1969/12/31 23:59:59");
}

}  // namespace
}  // namespace fuhyo::match
