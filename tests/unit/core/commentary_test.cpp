// What the commentator that is built in says of games: facts of each move, what spectators may not know, bounds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "engines/record/opening.h"
#include "server/core/commentary/words.h"

namespace fuhyo::core {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Spoken {
  std::string csa, comment = {};
  std::int32_t spent_s = 1;
};

GameStory played(const std::vector<Spoken>& moves, const TimeRule& time = {.total_s = 300, .byoyomi_s = 10},
                 std::string_view sfen = shogi::Position::kStartSfen) {
  GameStory game{GameOpened{.game = GameId{7},
                            .black = {.name = "alice"},
                            .white = {.name = "bob"},
                            .time = time,
                            .start_sfen = std::string(sfen)}};
  for (const Spoken& move : moves) {
    game.add({.game = GameId{7}, .csa = move.csa, .spent_s = move.spent_s, .comment = move.comment});
  }
  return game;
}

Words last_of(const GameStory& game, bool comments = true) {
  const auto told = commentary_of(game, comments, game.moves.size());
  return told.size() == 1 ? told[0].words : Words{};
}

TEST(Commentary, SpeaksOfEveryMoveInBothLanguages) {
  const auto told = commentary_of(played({{"+7776FU"}, {"-3334FU"}, {"+8822UM"}, {"-3122GI"}}), true);
  ASSERT_EQ(told.size(), 5u);
  EXPECT_EQ(told[0], (Told{0, {"☗alice 対 ☖bob の対局です。", "☗alice plays ☖bob."}}));
  EXPECT_EQ(told[1], (Told{1, {"1手目、☗７六歩。", "Move 1, ☗P-76."}}));
  EXPECT_EQ(told[3].words, (Words{"3手目、☗２二角成。角を取りました。", "Move 3, ☗Bx22+. It takes a bishop."}));
  EXPECT_EQ(told[4].words, (Words{"4手目、☖同　銀。馬を取り返しました。", "Move 4, ☖Sx22. It takes back, a horse."}));
}

TEST(Commentary, TellsLikePiecesApartAndSeesDrops) {
  EXPECT_EQ(last_of(played({{"+4958KI"}})).en, "Move 1, ☗G49-58.");
  const auto game = played({{"+0055GI"}}, {}, "4k4/9/9/9/9/9/9/9/4K4 b S 1");
  EXPECT_EQ(last_of(game), (Words{"1手目、☗５五銀。", "Move 1, ☗S*55."}));
}

TEST(Commentary, SaysWhatAPieceRisks) {
  EXPECT_EQ(last_of(played({{"+0055GI"}}, {}, "4k4/9/4r4/9/9/9/9/9/4K4 b S 1")).ja,
            "1手目、☗５五銀。この銀はただで取れます。");
  EXPECT_EQ(last_of(played({{"+0055GI"}}, {}, "4k4/9/4r4/9/9/9/9/4R4/3K5 b S 1")).ja, "1手目、☗５五銀。") << "defended";
  EXPECT_EQ(last_of(played({{"+0055GI"}}, {}, "4R4/9/4r4/9/9/9/9/9/k7K b S 1")).ja, "1手目、☗５五銀。")
      << "behind the taker";
  EXPECT_EQ(last_of(played({{"+0055GI"}}, {}, "9/9/k3r3R/9/9/9/9/9/8K b S 1")).ja, "1手目、☗５五銀。") << "pinned";
  EXPECT_EQ(last_of(played({{"+5655FU"}}, {}, "4k4/9/4r4/9/9/4P4/9/9/4K4 b - 1")).ja, "1手目、☗５五歩。") << "a pawn";
  EXPECT_EQ(last_of(played({{"+0052KI"}}, {}, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1")).en, "Move 1, ☗G*52. Check.");
}

TEST(Commentary, TellsValuesOnlyToWhomTheyMayBeKnown) {
  const auto game = played({{"+7776FU", "* 30 -3334FU"},
                            {"-3334FU", "* -500"},
                            {"+2726FU", "thinking\n* 300 -8384FU +2625FU"},
                            {"-8384FU", "* -30000 2f2e"}});
  const auto told = commentary_of(game, true);
  EXPECT_EQ(told[1].words.ja, "1手目、☗７六歩。☗aliceの評価は☗+30です。次は☖３四歩を予想しています。");
  EXPECT_EQ(told[2].words.en, "Move 2, ☖P-34. ☖bob sees ☖+500. ☗alice saw ☗+30.");
  EXPECT_EQ(
      told[3].words.ja,
      "3手目、☗２六歩。☗aliceの評価は☗+300です。前の手では☗+30でした。☖bobの評価は☖+500です。次は☖８四歩を予想していま"
      "す。");
  EXPECT_EQ(told[4].words.en,
            "Move 4, ☖P-84. ☖bob sees a win of ☖. It was ☖+500 a move ago. ☗alice saw ☗+300. It expects ☗P-25.");
  for (const Told& each : commentary_of(game, false)) {
    EXPECT_THAT(each.words.ja, Not(HasSubstr("評価")));
    EXPECT_THAT(each.words.en, Not(HasSubstr("00")));
  }
  const auto turns = turns_of(game, true, 3);
  ASSERT_EQ(turns.size(), 2u);
  EXPECT_EQ(turns[0].line, (std::vector<Words>{{"☖８四歩", "☖P-84"}, {"☗２五歩", "☗P-25"}}));
}

TEST(Commentary, ReadsValuesAsProgramsWriteThem) {
  EXPECT_EQ(evaluation_of("* -12 +7776FU")->cp, -12);
  EXPECT_EQ(evaluation_of("** +5")->cp, 5);
  EXPECT_EQ(evaluation_of("book\n* 7")->cp, 7);
  for (const char* none : {"", "*", "12", "* x", "* 12a", "* 1000000", "* 99999999999", "hello * 3"}) {
    EXPECT_FALSE(evaluation_of(none)) << none;
  }
  EXPECT_EQ(evaluation_of("* 1 a b c d e f g h")->moves.size(), Turn::kLongestLine);
}

TEST(Commentary, SaysWhenTimeRunsShort) {
  const auto after = [](std::int32_t spent_s, const TimeRule& time) {
    return last_of(played({{.csa = "+7776FU", .spent_s = spent_s}}, time)).en;
  };
  EXPECT_THAT(after(240, {.total_s = 300, .byoyomi_s = 10}), Not(HasSubstr("left")));
  EXPECT_THAT(after(241, {.total_s = 300, .byoyomi_s = 10}), HasSubstr("☗alice has 59 s left."));
  EXPECT_THAT(after(305, {.total_s = 300, .byoyomi_s = 10}), HasSubstr("☗alice is in byoyomi."));
  EXPECT_THAT(after(305, {}), Not(HasSubstr("byoyomi"))) << "without a limit";
}

TEST(Commentary, EndsWithTheResult) {
  GameStory game = played({{"+7776FU"}, {"-3334FU"}, {"+2726FU"}, {"-2288UM"}, {"+7988GI"}});
  EXPECT_THAT(last_of(game).ja, Not(HasSubstr("戦型")));
  game.ended = GameEnded{.kind = EndKind::toryo, .outcome = Outcome::black_wins, .plies = 5, .line = "%TORYO"};
  EXPECT_THAT(last_of(game).ja, HasSubstr("戦型は角換わりです。まで5手で☗aliceの勝ちです（投了）。"));
  EXPECT_THAT(last_of(game).en, HasSubstr("The opening: Bishop exchange. ☗alice wins after 5 moves (resignation)."));
  game.ended->line = "%TSUMI";
  EXPECT_THAT(last_of(game).en, HasSubstr("(mate)."));
  game.ended = GameEnded{.kind = EndKind::adjudicated, .outcome = Outcome::none};
  EXPECT_THAT(last_of(game).ja, HasSubstr("まで5手で勝敗なしです（裁定）。"));
  game.ended->outcome = Outcome::draw;
  EXPECT_THAT(commentary_of(game, true).front().words.ja, Not(HasSubstr("裁定"))) << "at the last move alone";
  EXPECT_THAT(last_of(game).en, HasSubstr("A draw after 5 moves (adjudication)."));
}

TEST(Commentary, YieldsToWhatHasBeenSaid) {
  std::vector<Told> told{{0, {"a", "b"}}, {1, {"c", "d"}}};
  say_instead(told, {{1, {"x", ""}}, {7, {"y", "y"}}, {1, {"z", ""}}});
  EXPECT_EQ(told, (std::vector<Told>{{0, {"a", "b"}}, {1, {"z", "d"}}}));
}

TEST(Commentary, NamesAllOpenings) {
  for (const std::string_view name : record::kOpeningNames) {
    EXPECT_THAT(words_of(Turn{.move = {"☗７六歩", "☗P-76"}, .opening = name}).ja, HasSubstr("戦型は")) << name;
  }
}

TEST(Commentary, IsBoundedAndStopsWhereMovesAreUnknown) {
  GameStory game = played({{"+7776FU", "* 30000"}, {"-3334FU", "* -30000"}, {"+8822UM", "* -30000 -3122GI"}});
  game.opened.black.name = game.opened.white.name = std::string(1'000, 'x') + "将棋";
  game.ended = GameEnded{.kind = EndKind::oute_sennichite, .outcome = Outcome::black_wins};
  for (const Told& told : commentary_of(game, true)) {
    EXPECT_LE(told.words.ja.size(), kLongestWords);
    EXPECT_LE(told.words.en.size(), kLongestWords);
  }
  game.opened.black.name = std::string(Turn::kLongestName - 1, 'x') + "将";
  EXPECT_EQ(turns_of(game, true)[0].names[0], std::string(Turn::kLongestName - 1, 'x'));
  game.moves.emplace_back("+9999OU,T1");
  EXPECT_EQ(turns_of(game, true).size(), 4u);
  game.opened.start_sfen = "?";
  EXPECT_THAT(turns_of(game, true), IsEmpty());
}

// Moves that stood before the game are the position that it begins with.
TEST(Commentary, BeginsBehindPresetMoves) {
  GameStory game = played({});
  game.opened.preset_moves = {"+7776FU,T1", "-3334FU,T1"};
  game.moves = game.opened.preset_moves;
  game.add({.game = GameId{7}, .csa = "+2726FU", .spent_s = 1});
  const auto told = commentary_of(game, true);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0].ply, 2);
  EXPECT_THAT(told[0].words.ja, HasSubstr("の対局です"));
  EXPECT_EQ(told[1].words.ja, "3手目、☗２六歩。");
}

}  // namespace
}  // namespace fuhyo::core
