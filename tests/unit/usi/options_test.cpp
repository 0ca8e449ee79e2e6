#include "engines/usi/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "engines/usi/common_options.h"
#include "engines/usi/help.h"
#include "engines/usi/option_file.h"
#include "engines/usi/time_manager.h"

namespace fuhyo::usi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr Help kHelp{"what it does", "説明"};

OptionTable sample() {
  OptionTable table;
  table.add_spin("USI_Hash", 64, 1, 1024, kHelp);
  table.add_check("USI_Ponder", false, kHelp);
  table.add_combo("Rule", "A", {"A", "Bee"}, kHelp);
  table.add_string("Note", "", kHelp);
  table.add_spin("Constant", 7, 0, 9, kTuningOption);
  return table;
}

TEST(OptionTable, DeclaresSetsAndRefuses) {
  OptionTable table = sample();
  EXPECT_THAT(table.declarations(), ElementsAre("option name USI_Hash type spin default 64 min 1 max 1024",
                                                "option name USI_Ponder type check default false",
                                                "option name Rule type combo default A var A var Bee",
                                                "option name Note type string default <empty>",
                                                "option name Constant type spin default 7 min 0 max 9"));
  EXPECT_TRUE(table.set("usi_hash", "1024"));
  EXPECT_EQ(table.spin("USI_Hash"), 1024);
  for (const char* value : {"1025", "0", "x", "", "1e3"}) EXPECT_FALSE(table.set("USI_Hash", value)) << value;
  EXPECT_EQ(table.spin("USI_Hash"), 1024);
  EXPECT_THAT(table.set("USI_Ponder", "yes").error(), HasSubstr("true or false expected, not 'yes'"));
  EXPECT_TRUE(table.set("USI_Ponder", "True"));
  EXPECT_TRUE(table.check("USI_Ponder"));
  EXPECT_THAT(table.set("Rule", "C").error(), HasSubstr("one of A, Bee expected, not 'C'"));
  EXPECT_TRUE(table.set("Rule", "bee"));
  EXPECT_EQ(table.text("Rule"), "Bee");
  EXPECT_THAT(table.set("Nothing", "1").error(), HasSubstr("no option named 'Nothing'"));
  for (const auto& [text, kept] : {std::pair{"a b", "a b"}, {"<empty>", ""}}) {
    EXPECT_TRUE(table.set("Note", text));
    EXPECT_EQ(table.text("Note"), kept);
  }
}

OptionTable declared(const std::vector<std::string>& lines) {
  OptionTable table;
  for (const std::string& line : lines) table.declare(line);
  return table;
}

TEST(DeclaredOptions, AreReadAsTheyAreWritten) {
  OptionTable table;
  for (const std::string& line : sample().declarations()) table.declare(line.substr(std::string("option ").size()));
  EXPECT_EQ(table.declarations(), sample().declarations());
}

TEST(DeclaredOptions, MayHaveBlanksInNamesAndChoices) {
  const OptionTable table = declared({"name Own Book type combo default no book var no book var Standard",
                                      "name Strength type spin max 9 min -1 default 5",
                                      "name Path type string default a b", "name Stop type button"});
  EXPECT_THAT(table.declarations(),
              ElementsAre("option name Own Book type combo default no book var no book var Standard",
                          "option name Strength type spin default 5 min -1 max 9",
                          "option name Path type string default a b", "option name Stop type string default <empty>"));
}

TEST(DeclaredOptions, TellWhatIsRefused) {
  const OptionTable table = declared({"name Level type spin default 5 min -1 max 30",
                                      "name Book type combo default no book var no book var Standard",
                                      "name Path type filename default <empty>", "name Fast type check default true"});
  for (const auto& [name, value] : {std::pair{"level", "-1"},
                                    {"Level", "30"},
                                    {"Book", "standard"},
                                    {"Path", "a var b"},
                                    {"Fast", "false"},
                                    {"USI_Hash", "16"}}) {
    EXPECT_THAT(table.refusals({{name, value}}), IsEmpty()) << name << '=' << value;
  }
  EXPECT_THAT(table.refusals({{"Level", "31"}, {"Levle", "3"}, {"Book", "no"}, {"Fast", "1"}}),
              ElementsAre("option Level: a number from -1 to 30 expected, not '31'", "no option named 'Levle'",
                          "option Book: one of no book, Standard expected, not 'no'",
                          "option Fast: true or false expected, not '1'"));
}

TEST(DeclaredOptions, WithoutLimitsTakeAnyText) {
  const OptionTable table = declared({"name A type spin default 5", "name B type combo default x", "name C"});
  EXPECT_THAT(table.refusals({{"A", "x"}, {"B", "y"}, {"C", "z"}}), IsEmpty());
}

TEST(DeclaredOptions, AreReadFromDeclarationsOnly) {
  EXPECT_THAT(declared({"", "nam A type check default true"}).all(), IsEmpty());
  OptionTable table;
  for (int i = 0; i < 2'001; ++i) table.declare("name N" + std::to_string(i) + " type check default true");
  EXPECT_EQ(table.all().size(), 2'000U);
  OptionTable large;
  for (int i = 0; i < 20; ++i)
    large.declare("name N" + std::to_string(i) + " type string default " + std::string(16'000, 'x'));
  EXPECT_EQ(large.all().size(), 8U) << "128 KiB of them";
  EXPECT_EQ(declared({"name A type check default true", "name A type check default false"}).all().size(), 1U);
}

// ---- engine_options.txt ----

TEST(OptionFile, FixesWhatItNames) {
  OptionTable table = sample();
  std::istringstream in(
      "# a remark\n\n// another\noption name USI_Hash type spin default 128 min 1 max 9999\n"
      "Rule = Bee\r\nNote hello to all\nUSI_Ponder=true\noption name Note type string default two words\n");
  EXPECT_THAT(read_option_file(table, in), ElementsAre("engine_options.txt: 5 options are fixed"));
  EXPECT_EQ(table.spin("USI_Hash"), 128);
  EXPECT_EQ(table.text("Rule"), "Bee");
  EXPECT_EQ(table.text("Note"), "two words");
  EXPECT_TRUE(table.check("USI_Ponder"));
  EXPECT_EQ(table.declarations()[0], "option name USI_Hash type spin default 128 min 1 max 1024")
      << "is the default now";
  // A GUI that repeats the value is right, one that wants another is told.
  EXPECT_TRUE(table.set("USI_Hash", "128"));
  EXPECT_THAT(table.set("USI_Hash", "256").error(), HasSubstr("stays at 128"));
  EXPECT_EQ(table.spin("USI_Hash"), 128);
}

TEST(OptionFile, SaysWhatIsWrongAndGoesOn) {
  OptionTable table = sample();
  std::istringstream in(
      "Nonsense 1\nUSI_Hash 0\noption type spin default 3\noption name Rule kind combo\nUSI_Hash\nRule Bee");
  EXPECT_THAT(read_option_file(table, in),
              ElementsAre("engine_options.txt line 1: no option named 'Nonsense'",
                          "engine_options.txt line 2: option USI_Hash: a number from 1 to 1024 expected, not '0'",
                          "engine_options.txt line 3: an option without a name",
                          "engine_options.txt line 4: 'kind' has no meaning here",
                          "engine_options.txt line 5: option USI_Hash: a number from 1 to 1024 expected, not ''",
                          "engine_options.txt: 1 options are fixed"));
  EXPECT_EQ(table.spin("USI_Hash"), 64);
  EXPECT_EQ(table.text("Rule"), "Bee");
}

// ---- help ----

TEST(Help, ListsAllButConstants) {
  const auto lines = help_lines(sample(), "", Language::english);
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0], "USI_Hash = 64: what it does");
  EXPECT_THAT(lines[4], HasSubstr("setoption"));
  EXPECT_EQ(help_lines(sample(), "ja", Language::english)[0], "USI_Hash = 64: 説明");
  EXPECT_EQ(help_lines(sample(), " en ", Language::japanese)[3], "Note = <empty>: what it does");
  EXPECT_THAT(help_lines(sample(), "rule ja", Language::english),
              ElementsAre("option name Rule type combo default A var A var Bee", "Rule = A: 説明"));
  EXPECT_THAT(help_lines(sample(), "Roule", Language::english), ElementsAre(HasSubstr("no option named 'Roule'")));
  EXPECT_EQ(language_of("ja_JP.UTF-8"), Language::japanese);
  for (const char* other : {"C", static_cast<const char*>(nullptr)}) EXPECT_EQ(language_of(other), Language::english);
}

TEST(Help, MakesThePage) {
  const std::string page = options_page(sample());
  EXPECT_THAT(page, HasSubstr("| `USI_Hash` | `64` | 1 ... 1024 | what it does | 説明 |\n"));
  EXPECT_THAT(page, HasSubstr("| `Rule` | `A` | A, Bee |"));
  EXPECT_THAT(page, HasSubstr("| `Note` |  |  |"));
  EXPECT_THAT(page, Not(HasSubstr("Constant")));

  OptionTable several;
  for (const auto& [name, value] : {std::pair{"Cup1", "a"}, {"Cup2", ""}}) several.add_string(name, value, kHelp);
  for (const char* name : {"Ball1", "Ball2"}) several.add_spin(name, 3, 0, 9, kHelp);
  EXPECT_THAT(options_page(several), HasSubstr("| `Cup1`, `Cup2` | `a`, none |  | what it does | 説明 |\n"
                                               "| `Ball1`, `Ball2` | `3` | 0 ... 9 | what it does | 説明 |\n"));
}

// ---- what all engines have ----

TEST(CommonOptions, GoThroughTheOptionTable) {
  OptionTable table;
  add_common_options(table);
  EXPECT_EQ(common_options(table), CommonOptions{});
  for (const auto& [name, rule] : {std::pair{"NoEnteringKing", shogi::DeclarationRule::NONE},
                                   std::pair{"CSARule24", shogi::DeclarationRule::POINTS_24},
                                   std::pair{"CSARule24H", shogi::DeclarationRule::POINTS_24_H},
                                   std::pair{"CSARule27", shogi::DeclarationRule::POINTS_27},
                                   std::pair{"CSARule27H", shogi::DeclarationRule::POINTS_27_H},
                                   std::pair{"TryRule", shogi::DeclarationRule::TRY}}) {
    ASSERT_TRUE(table.set("EnteringKingRule", name));
    EXPECT_EQ(common_options(table).declaration, rule);
  }
}

// Option names and defaults of the field (YaneuraOu 9.70); GUIs and scripts rely on them.
TEST(CommonOptions, HaveTheDefaultsThatUsersKnow) {
  OptionTable table;
  add_common_options(table);
  add_time_options(table);
  const std::vector<std::pair<std::string, std::string>> known = {
      {"Threads", "4"},           {"USI_Hash", "1024"},           {"USI_Ponder", "false"},
      {"MultiPV", "1"},           {"Stochastic_Ponder", "false"}, {"NetworkDelay", "120"},
      {"SlowMover", "100"},       {"NetworkDelay2", "1120"},      {"MinimumThinkingTime", "2000"},
      {"DepthLimit", "0"},        {"MaxMovesToDraw", "0"},        {"RoundUpToFullSecond", "true"},
      {"NodesLimit", "0"},        {"DrawValueBlack", "-2"},       {"DrawValueWhite", "-2"},
      {"ResignValue", "99999"},   {"PvInterval", "300"},          {"EnteringKingRule", "CSARule27"},
      {"OutputFailLHPV", "true"}, {"ConsiderationMode", "false"}, {"GenerateAllLegalMoves", "false"},
      {"DebugLogFile", ""}};
  for (const auto& [name, value] : known) {
    const auto* option = table.find(name);
    ASSERT_NE(option, nullptr) << name;
    EXPECT_EQ(option->initial, value) << name;
  }
}

TEST(CommonOptions, LimitEverySearchThatDoesNotSayMore) {
  const CommonOptions options{.depth_limit = 7, .nodes_limit = 1'000};
  EXPECT_EQ(with_limits({}, options).depth, 7);
  EXPECT_EQ(with_limits({}, options).nodes, 1'000);
  EXPECT_EQ(with_limits({.depth = 20}, options).depth, 20);
  EXPECT_EQ(with_limits({.nodes = 5}, options).nodes, 5);
  EXPECT_FALSE(with_limits({}, CommonOptions{}).depth);
}

TEST(CommonOptions, ResignAtTheValueAndBelow) {
  const CommonOptions options{.resign_value = 2'000};
  EXPECT_FALSE(resigns({.value = -1'999}, options));
  EXPECT_TRUE(resigns({.value = -2'000}, options));
  EXPECT_TRUE(resigns({.kind = Score::Kind::lose, .value = 3}, options));
  EXPECT_FALSE(resigns({.kind = Score::Kind::win, .value = 3}, options));
  EXPECT_FALSE(resigns({.value = -3'000, .bound = Score::Bound::lower}, options)) << "it is at least that";
  EXPECT_FALSE(resigns({.kind = Score::Kind::lose, .value = 3}, CommonOptions{})) << "never, by default";
}

}  // namespace
}  // namespace fuhyo::usi
