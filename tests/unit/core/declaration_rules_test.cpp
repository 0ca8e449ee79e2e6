// Declarations of entering kings by the rule of a room or an event: what %KACHI does, what players are told before the
// game and at its end, what stands in the record, and that a crash changes nothing about it.
#include <optional>
#include <set>

#include "server/core/games/finished_game.h"
#include "server/core/record_text.h"
#include "server/core/tournament/explain.h"
#include "tests/unit/core/event_test.h"

namespace fuhyo::test {
namespace {

using core::EndKind;
using core::Outcome;

// The king in its zone with ten pieces and so many points.
constexpr std::string_view kBlack22 = "RRB1K4/PPPPPPP2/9/9/9/9/9/9/8k b", kWhite26 = "K8/9/9/9/9/9/9/pppppp3/rrbbk4 w";
constexpr std::string_view kBlack26 = "RRBBK4/PPPPPP3/9/9/9/9/9/9/8k b";

class Declarations : public RoomGame {
 protected:
  // By `sfen`, "board turn hand".
  Lines begin(std::string_view rule, std::string_view sfen) {
    return RoomGame::begin(fmt::format("declaration={}", rule), fmt::format("{} 1", sfen));
  }
};

struct RuledEnd {
  std::string_view rule, sfen, line;
  std::optional<EndKind> kind;
  Outcome outcome = Outcome::none;
};

TEST_F(Declarations, AreJudgedByTheRuleOfTheGame) {
  using enum EndKind;
  using enum Outcome;
  const auto with = [](std::string_view position, std::string_view hand) {
    return fmt::format("{} {}", position, hand);
  };
  const std::string b28 = with(kBlack26, "2P"), b31 = with(kBlack26, "5P"), b30 = with(kBlack26, "4P");
  const std::string b24 = with(kBlack22, "2P"), b23 = with(kBlack22, "P"), w26 = with(kWhite26, "-");
  constexpr std::string_view kNear = "9/4K4/9/9/9/9/9/9/8k b -", kFar = "RRBB3K1/PPPPPP3/9/9/9/9/9/9/8k b 2P";
  constexpr std::string_view kGuarded = "3r5/4K4/9/9/9/9/9/9/8k b -", kWhite = "K8/9/9/9/9/9/9/4k4/9 w -";
  const RuledEnd cases[] = {{"27", b28, "%KACHI", kachi, black_wins},
                            {"27", w26, "%KACHI", illegal_kachi, black_wins},
                            {"27-handicap", w26, "%KACHI", kachi, white_wins},
                            {"24", b31, "%KACHI", kachi, black_wins},
                            {"24", b30, "%KACHI", kachi, draw},
                            {"24", b24, "%KACHI", kachi, draw},
                            {"24", b23, "%KACHI", illegal_kachi, white_wins},
                            {"24-handicap", w26, "%KACHI", kachi, white_wins},
                            {"none", b31, "%KACHI", illegal_kachi, white_wins},
                            {"try", kNear, "%KACHI", kachi, black_wins},
                            {"try", kFar, "%KACHI", illegal_kachi, white_wins},
                            {"try", kGuarded, "%KACHI", illegal_kachi, white_wins},
                            {"try", kNear, "+5251OU", kachi, black_wins},
                            {"try", kNear, "+5241OU", {}},
                            {"try", kGuarded, "+5251OU", oute_kaihimore, white_wins},
                            {"try", kWhite, "-5859OU", kachi, white_wins},
                            {"27", kNear, "+5251OU", {}}};
  for (const RuledEnd& c : cases) {
    SCOPED_TRACE(fmt::format("{}: {} in {}", c.rule, c.line, c.sfen));
    host = EventHost();
    begin(c.rule, c.sfen);
    server().say(c.sfen.contains(" b ") ? "A" : "B", c.line);
    const auto ends = host.facts<core::GameEnded>();
    ASSERT_THAT(ends, SizeIs(c.kind ? 1 : 0)) << (ends.empty() ? "" : ends[0].reason);
    if (!c.kind) continue;
    EXPECT_EQ(core::summary_type(ends[0].kind), core::summary_type(*c.kind)) << ends[0].reason;
    EXPECT_EQ(ends[0].outcome, c.outcome) << ends[0].reason;
  }
}

TEST_F(Declarations, TheSummarySaysTheRule) {
  for (const auto& [rule, line] :
       {std::pair{"27", "Declaration:Jishogi 1.1"}, std::pair{"27-handicap", "Entering_King_Rule:CSARule27H"},
        std::pair{"24", "Entering_King_Rule:CSARule24"}, std::pair{"24-handicap", "Entering_King_Rule:CSARule24H"},
        std::pair{"try", "Entering_King_Rule:TryRule"}, std::pair{"none", "Entering_King_Rule:NoEnteringKing"}}) {
    host = EventHost();
    const Lines summary = begin(rule, fmt::format("{} -", kBlack26));
    ASSERT_GT(summary.size(), 6U);
    EXPECT_EQ(summary[5], line) << "behind Format:Shogi 1.0";
    const auto is_said = [](const std::string& other) {
      return other.starts_with("Declaration:") || other.starts_with("Entering_King_Rule:");
    };
    EXPECT_EQ(std::ranges::count_if(summary, is_said), 1) << rule;
  }
}

TEST_F(Declarations, ADrawIsToldAndWritten) {
  begin("24", fmt::format("{} 2P", kBlack26));
  server().login_x1("watcher");
  server().say("watcher", "%%MONITORON " + opened().csa_id);
  server().heard("watcher");
  server().advance(3'000);
  server().say("A", "%KACHI");
  for (const char* name : {"A", "B"}) {
    EXPECT_THAT(server().heard(name), ElementsAre("%KACHI,T3", "%KACHI", "#JISHOGI", "#DRAW", "[EOF]")) << name;
  }
  EXPECT_THAT(server().heard("watcher"), Contains(HasSubstr("] %KACHI")));
  ASSERT_TRUE(end());
  EXPECT_THAT(end()->reason, HasSubstr("28 points, 31 needed; a draw from 24"));
  EXPECT_THAT(core::record_end(opened(), *end()), StartsWith("%JISHOGI\nT3\n'P1"));
  EXPECT_THAT(core::record_end(opened(), *end()), HasSubstr("'summary:kachi:A draw:B draw\n"));
  EXPECT_THAT(core::record_head(opened()), HasSubstr("'Declaration:24\n$EVENT"));
}

TEST_F(Declarations, ATryIsAMoveThatWins) {
  begin("try", "9/4K4/9/9/9/9/9/9/8k b -");
  EXPECT_THAT(server().reply("A", "+5251OU"), ElementsAre("+5251OU,T0", "#JISHOGI", "#WIN", "[EOF]"));
  EXPECT_THAT(server().heard("B"), ElementsAre("+5251OU,T0", "#JISHOGI", "#LOSE", "[EOF]"));
  ASSERT_TRUE(end());
  EXPECT_EQ(end()->plies, 1);
  EXPECT_THAT(core::record_end(opened(), *end()), StartsWith("'* the king has reached its goal\n%TORYO\n"));
}

TEST_F(Declarations, TheRecordOfTheUsualRuleIsAsEver) {
  begin("27", fmt::format("{} 2P", kBlack26));
  server().say("A", "%KACHI");
  EXPECT_THAT(core::record_head(opened()), Not(HasSubstr("Declaration")));
  EXPECT_THAT(core::record_end(opened(), *end()), StartsWith("%KACHI\nT0\n%KACHI\n"));
}

TEST_F(Declarations, TheRuleOutlivesACrashAndAChangeOfTheRoom) {
  begin("24", fmt::format("{} 2P", kBlack26));
  set_room("declaration=");
  host.kill();
  both_come();
  EXPECT_THAT(server().heard("A"), Contains("Entering_King_Rule:CSARule24"));
  both_agree();
  server().say("A", "%KACHI");
  ASSERT_TRUE(end());
  EXPECT_EQ(end()->outcome, Outcome::draw) << "28 points would win by the usual rule";
}

TEST_F(Declarations, AnEventHasItsRule) {
  hold({"ann", "bob"}, "declaration\tnone\n");
  EXPECT_EQ(only_game().declaration, shogi::DeclarationRule::NONE);
}

TEST(DeclarationRules, EachIsSaidInWordsOfItsOwn) {
  using core::tournament::Language;
  using enum shogi::DeclarationRule;
  std::set<std::string_view> words;
  for (const auto rule : {POINTS_27, POINTS_27_H, POINTS_24, POINTS_24_H, TRY, NONE}) {
    for (const Language language : {Language::en, Language::ja}) {
      words.insert(core::tournament::declaration_text(rule, language));
    }
  }
  EXPECT_THAT(words, SizeIs(12));
}

TEST(DeclarationRules, AreKeptByTheArchive) {
  core::GameOpened opened;
  opened.declaration = shogi::DeclarationRule::POINTS_24_H;
  EXPECT_EQ(core::special_terms(opened), "declaration=24-handicap");
  opened.white_time = core::TimeRule{.total_s = 60};
  core::GameOpened back;
  core::take_special_terms(back, core::special_terms(opened));
  EXPECT_EQ(back, opened);
  core::take_special_terms(back, "declaration=newer");
  EXPECT_EQ(back, opened);
}

}  // namespace
}  // namespace fuhyo::test
