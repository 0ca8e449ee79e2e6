// `fuhyo setup`: what it asks and takes, what it writes and says, and its QR code.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "server/app/config/config.h"
#include "server/app/setup/files.h"
#include "server/app/setup/own_addresses.h"
#include "server/app/setup/page.h"
#include "server/app/setup/qr.h"
#include "server/app/setup/questions.h"
#include "server/app/setup/report.h"
#include "server/app/tournament/event_file.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

struct SetupTest : testing::Test {
  std::expected<Answers, std::string> ask(const std::string& lines) {
    std::istringstream in(lines);
    std::ostringstream out;
    auto answers = ask_for_answers(asking, in, out);
    said = out.str();
    return answers;
  }
  // All answers are good, and there is one line too few or too many of none.
  Answers answers_of(const std::string& lines) { return test::value_of(ask(lines)); }
  std::size_t times_asked(std::string_view question) const {
    std::size_t count = 0;
    for (std::size_t at = said.find(question); at != said.npos; at = said.find(question, at + 1)) ++count;
    return count;
  }
  Answers given(std::map<std::string, std::string, std::less<>> answers) {
    asking.yes = true;
    asking.given = std::move(answers);
    return answers_of("");
  }
  SetupPlace place() const { return {folder.path(), 4081, 8081, "/opt/a b/fuhyo-nnue", "/opt/a b/fuhyo-mcts"}; }
  std::expected<void, std::string> write(const Answers& answers, Language language = Language::en) {
    return write_setup(folder.path(), setup_config(answers, place(), host.post, language),
                       setup_event(answers, language));
  }
  ServeConfig config() {
    return test::value_of(resolve_config({}, [](const char*) { return nullptr; }, folder / kSetupConfig)).config;
  }

  test::TemporaryFolder folder;
  Asking asking{.addresses = {"192.0.2.7", "127.0.0.1"}, .engines = true};
  std::string said;
  NewOperator host = make_operator("host", core::Role::host);
};

// ---- questions ----

TEST_F(SetupTest, EnterTakesTheDefaults) {
  const Answers answers = answers_of("\n\n\n\n\n\n");
  EXPECT_EQ(answers.game_name(), "evening-300-5F");
  EXPECT_FALSE(answers.accounts);
  EXPECT_THAT(answers.engine_levels, ElementsAre(8, 8));
  EXPECT_EQ(answers.address, "192.0.2.7");
  EXPECT_TRUE(answers.page);
  EXPECT_THAT(said, AllOf(HasSubstr("Name of the event [evening]: "), HasSubstr("  2  127.0.0.1\n")));
}

TEST_F(SetupTest, AnswersAreTakenInOrderWithoutTheBlanksAroundThem) {
  const Answers answers = answers_of("cup\r\n accounts \n600-30\n1,30,7\n2\noff\n");
  EXPECT_EQ(answers.game_name(), "cup-600-30");
  EXPECT_TRUE(answers.accounts);
  EXPECT_THAT(answers.engine_levels, ElementsAre(1, 30, 7));
  EXPECT_EQ(answers.address, "127.0.0.1");
  EXPECT_TRUE(answers.is_local());
  EXPECT_FALSE(answers.page);
}

TEST_F(SetupTest, AQuestionMarkExplainsAndAsksAgain) {
  answers_of("?\ncup\n\n\n\n\n\n");
  EXPECT_EQ(times_asked("Name of the event ["), 2U);
  EXPECT_THAT(said, HasSubstr("Games and records are named after it."));
  EXPECT_THAT(said, Not(HasSubstr("A name has")));
}

TEST_F(SetupTest, ABadAnswerIsToldAndAskedForAgain) {
  const Answers answers = answers_of(
      "my cup\ncup\neverybody\nanybody\n300\n300-5F\n0\n31\n8,,8\n1,2,3,4,5\nnone\n3\n0.0.0.0\n192.0.2\nb:1\n"
      "club.example\nyes\noff\n");
  EXPECT_EQ(answers.name, "cup");
  EXPECT_EQ(answers.clock, "300-5F");
  EXPECT_THAT(answers.engine_levels, SizeIs(0));
  EXPECT_EQ(answers.address, "club.example");
  EXPECT_EQ(times_asked("A name has letters"), 1U);
  EXPECT_EQ(times_asked("Answer anybody or accounts."), 1U);
  EXPECT_EQ(times_asked("A clock is written in seconds"), 1U);
  EXPECT_EQ(times_asked("Levels are numbers from 1 to 30"), 4U);
  EXPECT_EQ(times_asked("An address is a number of the list"), 4U);
  EXPECT_EQ(times_asked("Answer on or off."), 1U);
}

TEST_F(SetupTest, NamesAndClocksAreThoseOfEvents) {
  for (const char* name : {"", "floodgate", "buoy_x", "例会", "a/b", "a\"b"}) {
    asking.given = {{"name", name}};
    EXPECT_THAT(test::error_of(ask("")), HasSubstr("--name: ")) << name;
  }
  EXPECT_EQ(given({{"name", std::string(32, 'n')}}).name.size(), 32U);
  asking.given = {{"name", std::string(33, 'n')}};
  EXPECT_THAT(test::error_of(ask("")), HasSubstr("--name: "));
  for (const char* clock : {"", "300", "0-0", "300-5G", "x-300-5F", "300 5"}) {
    asking.given = {{"clock", clock}};
    EXPECT_THAT(test::error_of(ask("")), HasSubstr("--clock: ")) << clock;
  }
}

TEST_F(SetupTest, WhatIsGivenIsNotAskedFor) {
  asking.given = {{"name", "cup"}, {"engines", "none"}, {"page", "on"}};
  EXPECT_EQ(answers_of("\n900-0\n\n").game_name(), "cup-900-0");
  EXPECT_EQ(times_asked("]: "), 3U);
  EXPECT_EQ(given({{"clock", "0-30"}}).game_name(), "evening-0-30");
  EXPECT_EQ(said, "");
}

TEST_F(SetupTest, WithoutMoreLinesThereAreNoAnswers) {
  for (const char* lines : {"", "cup\n", "\n\n\n\n\n", "my cup\n"}) {
    EXPECT_THAT(test::error_of(ask(lines)), HasSubstr("nothing is written")) << lines;
  }
}

TEST_F(SetupTest, EnginesThatAreNotThereAreNotAskedToPlay) {
  asking.engines = false;
  EXPECT_THAT(answers_of("\n\n\n8\n\n\n\n").engine_levels, SizeIs(0));
  EXPECT_THAT(said, HasSubstr("fuhyo-nnue is not beside this program"));
}

TEST_F(SetupTest, JapaneseIsAskedInJapanese) {
  asking.language = Language::ja;
  answers_of("?\nmy cup\n\n\n\n\n\n\n");
  EXPECT_THAT(said, AllOf(HasSubstr("大会の名前"), HasSubstr("持ち時間（秒） [300-5F]: "), Not(HasSubstr("Name"))));
}

TEST_F(SetupTest, LocalAddressesAndNamesAreKnown) {
  for (const char* local : {"127.0.0.1", "127.1.2.3", "localhost"}) EXPECT_TRUE(given({{"address", local}}).is_local());
  for (const char* other : {"192.0.2.7", "128.0.0.1", "club.example"}) {
    EXPECT_FALSE(given({{"address", other}}).is_local()) << other;
  }
  EXPECT_TRUE(given({{"address", "club.example"}}).has_a_name());
  EXPECT_FALSE(given({{"address", "192.0.2.7"}}).has_a_name());
}

TEST(OwnAddresses, EndWithThatOfTheMachineAlone) {
  const std::vector<std::string> addresses = own_addresses();
  ASSERT_FALSE(addresses.empty());
  EXPECT_EQ(addresses.back(), "127.0.0.1");
  EXPECT_EQ(std::ranges::count(addresses, "127.0.0.1"), 1);
}

// ---- files ----

TEST_F(SetupTest, TheConfigurationIsThatOfTheAnswers) {
  EXPECT_TRUE(write(given({{"name", "cup"}, {"engines", "8,12"}})).has_value());
  const ServeConfig c = config();
  EXPECT_EQ(c.data, folder / "data");
  EXPECT_THAT(c.csa, ElementsAre("0.0.0.0:4081"));
  EXPECT_THAT(c.http, ElementsAre("0.0.0.0:8081"));
  EXPECT_EQ(c.event, "cup");
  EXPECT_EQ(c.accounts, core::AccountPolicy::open);
  EXPECT_TRUE(c.csa_websocket);
  EXPECT_TRUE(c.reconnect_tokens);
  EXPECT_EQ(c.loss_grace_s, 60);
  EXPECT_EQ(c.engine_threads, 2);
  EXPECT_THAT(c.engines, ElementsAre("name=Kamome engine='/opt/a b/fuhyo-nnue' game=cup-300-5F turn=+ level=8",
                                     "name=Chidori engine='/opt/a b/fuhyo-mcts' game=cup-300-5F turn=+ level=12"));
  ASSERT_THAT(c.operators, SizeIs(1));
  EXPECT_EQ(c.operators[0].name, "host");
  EXPECT_EQ(c.operators[0].role, core::Role::host);
  EXPECT_TRUE(is_secret(c.operators[0], host.secret));
}

TEST_F(SetupTest, NothingIsOpenedThatNobodyAskedFor) {
  EXPECT_TRUE(write(given({{"address", "127.0.0.1"}, {"players", "accounts"}, {"engines", "none"}, {"page", "off"}}))
                  .has_value());
  const ServeConfig c = config();
  EXPECT_THAT(c.csa, ElementsAre("127.0.0.1:4081"));
  EXPECT_THAT(c.http, SizeIs(0));
  EXPECT_FALSE(c.csa_websocket);
  EXPECT_EQ(c.accounts, core::AccountPolicy::closed);
  EXPECT_THAT(c.engines, SizeIs(0));
}

TEST_F(SetupTest, BrowsersMayAskForTheMachineByItsName) {
  EXPECT_TRUE(write(given({{"address", "club.example"}})).has_value());
  EXPECT_THAT(config().web_hosts, ElementsAre("club.example"));
}

TEST_F(SetupTest, TheTournamentIsThatOfTheAnswers) {
  for (const Language language : {Language::en, Language::ja}) {
    EXPECT_TRUE(write(given({{"name", "cup"}, {"clock", "600-30"}}), language).has_value());
    const auto event = test::value_of(read_event_file(folder / kSetupEvent));
    EXPECT_EQ(event.name, "cup");
    EXPECT_EQ(event.entry.most, 8U);
    EXPECT_TRUE(event.entry.open);
    ASSERT_THAT(event.stages, SizeIs(1));
    const core::tournament::DivisionSettings& settings = event.stages[0].divisions[0].settings;
    EXPECT_EQ(settings.format, core::tournament::Format::round_robin);
    EXPECT_EQ(settings.time[0].total_s, 600);
    EXPECT_EQ(settings.time[0].byoyomi_s, 30);
    EXPECT_EQ(settings.timetable.gap_s, 30);
    std::filesystem::remove(folder / kSetupEvent);
    std::filesystem::remove(folder / kSetupConfig);
  }
}

TEST_F(SetupTest, WhatHasAHashOfASecretIsItsOwnersAlone) {
  EXPECT_TRUE(write(given({})).has_value());
  EXPECT_EQ(std::filesystem::status(folder / kSetupConfig).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(folder.read(kSetupConfig).find(host.secret), std::string::npos);
}

TEST_F(SetupTest, BothFilesAreWrittenOrNone) {
  const std::string config = setup_config(given({}), place(), host.post, Language::en);
  EXPECT_THAT(test::error_of(write_setup(folder.path(), config, "name = \"cup\"\nrouns = 3\n")), HasSubstr("rouns"));
  EXPECT_THAT(test::error_of(write_setup(folder.path(), "max_moves = 3\n", setup_event(given({}), Language::en))),
              HasSubstr("max-moves"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  folder.write(kSetupConfig, "mine");
  EXPECT_THAT(test::error_of(write(given({}))), HasSubstr("File exists"));
  EXPECT_EQ(folder.read(kSetupConfig), "mine");
  std::filesystem::remove(folder / kSetupConfig);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

// ---- what comes next ----

TEST_F(SetupTest, TheReportHasWhatToTypeAndWhatToGiveAway) {
  const std::string report =
      setup_report(given({{"name", "cup"}}), {"my evening", 4081, 8081, "", ""}, host, Language::en);
  EXPECT_THAT(report,
              AllOf(HasSubstr(host.secret), HasSubstr("fuhyo serve --config 'my evening/fuhyo.toml' "),
                    HasSubstr("fuhyo tournament new 'my evening/tournament.toml' --config 'my evening/fuhyo.toml' "),
                    HasSubstr("fuhyo tournament start cup "), HasSubstr("192.0.2.7:4081   cup-300-5F,WORD "),
                    HasSubstr("http://192.0.2.7:8081/play?game=cup-300-5F "), Not(HasSubstr("account-add"))));
}

TEST_F(SetupTest, TheReportHasNoPageWhereThereIsNone) {
  const std::string report = setup_report(given({{"page", "off"}, {"players", "accounts"}, {"address", "localhost"}}),
                                          place(), host, Language::ja);
  EXPECT_THAT(report, AllOf(Not(HasSubstr("http://")), HasSubstr("account-add NAME"), HasSubstr("運営者 host"),
                            HasSubstr("localhost にはこのマシンからしか接続できません。")));
}

TEST_F(SetupTest, TheEndIsThatOfTheFiles) {
  const SetupEnd end = set_up(given({{"name", "cup"}}), place(), Language::en);
  EXPECT_EQ(end.code, 0);
  EXPECT_EQ(end.page, "http://192.0.2.7:8081");
  EXPECT_EQ(config().event, "cup");
  const SetupEnd again = set_up(given({}), place(), Language::en);
  EXPECT_EQ(again.code, 73);
  EXPECT_THAT(again.said, HasSubstr("File exists"));
  EXPECT_EQ(again.page, "");
}

// ---- the form ----

TEST_F(SetupTest, TheFormAsksAllThatTheTerminalAsks) {
  for (const Language language : {Language::en, Language::ja}) {
    asking.language = language;
    asking.given = {{"name", "a\"b"}, {"players", "accounts"}};
    const std::string form = setup_form(asking, "/assets/docs-1.css", false);
    const std::vector<Question> questions = questions_of(asking);
    EXPECT_THAT(questions, SizeIs(6));
    for (const Question& each : questions) {
      const std::string flag(each.flag);
      EXPECT_THAT(form, AllOf(HasSubstr(flag + "\">" + std::string(each.asked.in(language)) + "</label>"),
                              HasSubstr("<small>" + std::string(each.help.in(language)) + "</small>"),
                              HasSubstr("name=\"" + flag + "\"")));
    }
    EXPECT_THAT(form, AllOf(HasSubstr("value=\"a&quot;b\""), HasSubstr("<option selected>accounts</option>"),
                            HasSubstr("<li>127.0.0.1</li>"), HasSubstr("href=\"/assets/docs-1.css\""),
                            HasSubstr(language == Language::ja ? "<html lang=\"ja\">" : "<html lang=\"en\">"),
                            Not(HasSubstr("class=\"wrong\""))));
  }
}

TEST_F(SetupTest, TheFormSaysWhatIsWrongWithAnAnswer) {
  asking.given = {{"name", "cup"}, {"clock", "5"}};
  const std::string form = setup_form(asking, "", true);
  EXPECT_EQ(form.find("class=\"wrong\""), form.rfind("class=\"wrong\""));
  EXPECT_THAT(form, AllOf(HasSubstr("class=\"wrong\">A clock is written in seconds, as 300-5F or 600-30."),
                          Not(HasSubstr("stylesheet"))));
}

TEST_F(SetupTest, TheEndOfTheFormIsThatOfTheTerminal) {
  const SetupEnd end{.code = 0, .said = "a < b\nc", .page = "http://192.0.2.7:8081"};
  EXPECT_THAT(setup_form_end(end, "", Language::ja),
              AllOf(HasSubstr("<pre>a &lt; b\nc</pre>"), HasSubstr("viewBox=\"0 0 33 33\"")));
  EXPECT_THAT(setup_form_end({.code = 73, .said = "no", .page = ""}, "", Language::en),
              AllOf(HasSubstr("<pre class=\"wrong\">no</pre>"), Not(HasSubstr("<svg"))));
}

// ---- the QR code ----

// The modules of printed lines, true where dark, without the margin.
class Symbol {
 public:
  explicit Symbol(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      std::vector<bool> upper, lower;
      for (std::size_t at = 0; at < line.size(); at += line[at] == ' ' ? 1 : 3) {
        const std::string_view half = std::string_view(line).substr(at, line[at] == ' ' ? 1 : 3);
        upper.push_back(half != "▀" && half != "█");
        lower.push_back(half != "▄" && half != "█");
      }
      rows_.push_back(std::move(upper));
      rows_.push_back(std::move(lower));
    }
  }
  int side() const { return static_cast<int>(rows_.front().size()) - 2 * kMargin; }
  bool dark(int row, int column) const {
    return rows_.at(static_cast<std::size_t>(row + kMargin)).at(static_cast<std::size_t>(column + kMargin));
  }
  bool margin_is_light() const {
    for (int i = -kMargin; i < side() + kMargin; ++i) {
      for (int depth = 1; depth <= kMargin; ++depth) {
        const int far = side() + depth - 1;
        if (dark(-depth, i) || dark(far, i) || dark(i, -depth) || dark(i, far)) return false;
      }
    }
    return true;
  }
  bool has_finder(int top, int left) const {
    for (int row = 0; row < 7; ++row) {
      for (int column = 0; column < 7; ++column) {
        const int ring = std::max(std::abs(row - 3), std::abs(column - 3));
        if (dark(top + row, left + column) != (ring != 2)) return false;
      }
    }
    return true;
  }

 private:
  static constexpr int kMargin = 4;
  std::vector<std::vector<bool>> rows_;
};

// Of version 2: what is no data. Finders with formats, timing, the alignment pattern.
bool is_pattern(int row, int column) {
  return (row < 9 && column < 9) || (row < 9 && column > 16) || (row > 16 && column < 9) || row == 6 || column == 6 ||
         (row > 15 && row < 21 && column > 15 && column < 21);
}

// ISO/IEC 18004, 7.8.2.
bool is_masked(int mask, int row, int column) {
  switch (mask) {
    case 0:
      return (row + column) % 2 == 0;
    case 1:
      return row % 2 == 0;
    case 2:
      return column % 3 == 0;
    case 3:
      return (row + column) % 3 == 0;
    case 4:
      return (row / 2 + column / 3) % 2 == 0;
    case 5:
      return row * column % 2 + row * column % 3 == 0;
    case 6:
      return (row * column % 2 + row * column % 3) % 2 == 0;
    default:
      return ((row + column) % 2 + row * column % 3) % 2 == 0;
  }
}

// The bits of a symbol of version 2, in pairs of columns from the right, up and down by turns.
std::vector<bool> bits_of(const Symbol& symbol) {
  int mask = 0;
  for (int column = 2; column <= 4; ++column) mask = mask * 2 + (symbol.dark(8, column) ? 1 : 0);
  mask ^= 0b101;  // formats are masked, too
  std::vector<bool> bits;
  bool up = true;
  for (int right = symbol.side() - 1; right > 0; right -= right == 8 ? 3 : 2, up = !up) {
    for (int i = 0; i < symbol.side(); ++i) {
      const int row = up ? symbol.side() - 1 - i : i;
      for (const int column : {right, right - 1}) {
        if (!is_pattern(row, column)) bits.push_back(symbol.dark(row, column) != is_masked(mask, row, column));
      }
    }
  }
  return bits;
}

TEST(QrLines, AreReadBackAsTheText) {
  const std::string text = "http://192.168.50.1:8081";
  const Symbol symbol(qr_lines(text));
  ASSERT_EQ(symbol.side(), 25);
  EXPECT_TRUE(symbol.margin_is_light());
  EXPECT_TRUE(symbol.has_finder(0, 0) && symbol.has_finder(0, 18) && symbol.has_finder(18, 0));
  const std::vector<bool> bits = bits_of(symbol);
  std::size_t at = 0;
  const auto number = [&](int width) {
    int value = 0;
    for (int i = 0; i < width; ++i) value = value * 2 + (bits.at(at++) ? 1 : 0);
    return value;
  };
  EXPECT_EQ(number(4), 0b0100);  // bytes
  EXPECT_EQ(number(8), static_cast<int>(text.size()));
  std::string read;
  for (std::size_t i = 0; i < text.size(); ++i) read += static_cast<char>(number(8));
  EXPECT_EQ(read, text);
  const std::string drawn = qr_svg(text);
  for (int row = 0; row < symbol.side(); ++row) {
    for (int column = 0; column < symbol.side(); ++column) {
      const std::string module = "M" + std::to_string(column + 4) + " " + std::to_string(row + 4) + "h1v1h-1z";
      EXPECT_EQ(drawn.contains(module), symbol.dark(row, column)) << module;
    }
  }
}

TEST(QrLines, GrowWithTheTextUpToTheLargestSymbol) {
  constexpr std::size_t kMostBytes = 2331;  // of version 40, level M
  EXPECT_EQ(Symbol(qr_lines(std::string(kMostBytes, 'x'))).side(), 177);
  EXPECT_THAT(qr_lines(std::string(kMostBytes + 1, 'x')), SizeIs(0));
  EXPECT_THAT(qr_lines(std::string_view("a\0b", 3)), SizeIs(0));
  EXPECT_EQ(qr_svg(""), "");
}

}  // namespace
}  // namespace fuhyo::app
