// Texts of events that come by commands: explained or refused, and written whole, never over what has begun; and files
// of events as the server reads them.
#include "server/app/tournament/event_text.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "server/app/tournament/event_file.h"
#include "server/core/tournaments/running_event.h"
#include "tests/support/expected.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kCup = R"(name = "cup"\ntitle-ja = "杯"\nformat = "round-robin"\ntime = "300-10F"\n)";

// ... and as it lies in its file.
constexpr std::string_view kCupFile =
    "name = \"cup\"\ntitle-ja = \"杯\"\nformat = \"round-robin\"\ntime = \"300-10F\"\n";

std::string with(std::string_view before, std::string_view text) { return std::string(before) + std::string(text); }

TEST(EventText, IsExplainedInEitherLanguage) {
  const auto english = check_event_text(kCup);
  EXPECT_TRUE(english.ok) << english.text;
  EXPECT_THAT(english.text, HasSubstr("cup"));
  EXPECT_THAT(english.rows, Contains(ElementsAre(HasSubstr("round robin"))));
  const auto japanese = check_event_text(with("ja ", kCup));
  EXPECT_THAT(japanese.rows, Contains(ElementsAre(HasSubstr("総当たり"))));
}

TEST(EventText, AllMistakesAreToldWithTheirLines) {
  const auto wrong = check_event_text(R"(name = "cup"\nrouns = 3\n\nformat = "swis"\ntime = "300-10F")");
  EXPECT_FALSE(wrong.ok);
  EXPECT_THAT(wrong.text, AllOf(HasSubstr("line 2: "), HasSubstr("rouns"), HasSubstr("line 4: "), HasSubstr("swis")));
  EXPECT_THAT(check_event_text(R"(name = )").text, HasSubstr("line 1"));
  EXPECT_FALSE(check_event_text("").ok);
  EXPECT_FALSE(check_event_text("ja").ok);
  EXPECT_THAT(check_event_text(R"(name = "\q")").text, HasSubstr("backslash"));
  std::string many;
  for (int i = 0; i < 15; ++i) many += "x" + std::to_string(i) + R"( = 1\n)";
  EXPECT_THAT(check_event_text(many).text, HasSubstr("more)"));
}

TEST(EventText, WhatThisServerWouldNotAnnounceIsWrong) {
  EXPECT_TRUE(check_event_text(with(kCup, R"(declaration = "24"\n)")).ok);
  EXPECT_THAT(check_event_text(R"(name = "floodgate"\ntime = "300-10F"\nformat = "round-robin")").text,
              HasSubstr("something else"));
}

TEST(EventText, TimesThatArePastAreNamed) {
  for (const auto& [language, said] :
       {std::pair{"", "10:00 (UTC+00:00), which is past."}, {"ja ", "（過去の時刻）。"}}) {
    const auto told = check_event_text(language + with(R"(starts = ["2020-01-01 10:00", "9999-01-01 10:00"]\n)", kCup));
    EXPECT_THAT(told.rows, Contains(ElementsAre(HasSubstr(said)))) << language;
    EXPECT_THAT(told.rows, Contains(ElementsAre(AllOf(HasSubstr("9999"), Not(HasSubstr(said)))))) << language;
  }
}

TEST(EventText, OpenEntriesAreReckonedWithAsManyAsMayCome) {
  const std::string open = with(kCup, R"([entry]\nopen = true\nmax = 12\n[[entrant]]\nname = "ann"\n)");
  EXPECT_THAT(check_event_text(open).rows, Contains(ElementsAre(HasSubstr("Players assumed: 12."))));
}

// Clocks go from 02:00 to 03:00, and a round that was to start between them starts an hour later.
TEST(EventText, AnHourThatClocksSkipIsToldAsItWillBe) {
  const core::TimeZone zone{.spans = {{.since_s = 0, .offset_s = 3600}, {.since_s = 1806195600, .offset_s = 7200}}};
  const std::string timed = with(kCup, R"(starts = ["2027-03-28 02:30", "2027-03-28 04:30"]\n)");
  const auto told = check_event_text(timed, zone);
  EXPECT_THAT(told.rows, Contains(ElementsAre(HasSubstr("Round 1 starts at 2027-03-28 03:30 (UTC+02:00)"))));
  EXPECT_THAT(told.rows, Contains(ElementsAre(HasSubstr("Round 2 starts at 2027-03-28 04:30 (UTC+02:00)"))));
  EXPECT_THAT(check_event_text(timed).rows, Contains(ElementsAre(HasSubstr("2027-03-28 02:30 (UTC+00:00)"))))
      << "UTC skips none";
}

TEST(EventText, ABackslashInTheTextIsOne) { EXPECT_TRUE(check_event_text(with(R"(title = "a\\u0041"\n)", kCup)).ok); }

class EventFiles : public testing::Test {
 protected:
  core::AdminResult write(std::string_view rest) { return write_event_text(data.path(), with(begun + " ", rest)); }
  std::string read(const std::string& file) { return data.read("tournaments/" + file); }
  std::vector<std::string> files() {
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(data / "tournaments", none)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
  // How the server takes a file of this text.
  auto taken(const std::string& file, std::string_view text) {
    std::filesystem::create_directory(data / "tournaments");
    data.write("tournaments/" + file, std::string(text));
    return read_event_settings(data.path(), file);
  }

  test::TemporaryFolder data;
  std::string begun = "-";
};

TEST_F(EventFiles, AreMadeWithTheirFolder) {
  const auto done = write(with("cup.toml ", kCup));
  EXPECT_TRUE(done.ok) << done.text;
  EXPECT_THAT(done.text, HasSubstr("is written"));
  EXPECT_EQ(read("cup.toml"), kCupFile);
  EXPECT_THAT(files(), ElementsAre("cup.toml")) << "nothing lies beside it";
}

TEST_F(EventFiles, AreReplacedUntilTheirEventHasBegun) {
  ASSERT_TRUE(write(with("cup.toml ", kCup)).ok);
  EXPECT_THAT(write(with(R"(cup.toml title = "The Cup"\n)", kCup)).text, HasSubstr("is replaced"));
  const std::string before = read("cup.toml");
  begun = "old,cup";
  EXPECT_THAT(write(with("cup.toml ", kCup)).text, HasSubstr("cup has begun"));
  EXPECT_THAT(write(with("other.toml ", kCup)).text, HasSubstr("cup has begun")) << "whatever the file is called";
  const std::string other = R"(cup.toml name = "club"\nformat = "round-robin"\ntime = "300-10F"\n)";
  EXPECT_THAT(write(other).text, HasSubstr("is the file of cup"));
  EXPECT_EQ(read("cup.toml"), before);
  begun = "club";
  EXPECT_TRUE(write(with("cup.toml ", kCup)).ok);
}

TEST_F(EventFiles, OfWrongTextsOrNamesThereIsNone) {
  for (const char* name : {"", "../cup.toml", "a/b.toml", ".toml", ".x.toml", "cup", "cup.txt", "cup.toml.tmp"}) {
    EXPECT_FALSE(write(with(with(name, " "), kCup)).ok) << name;
  }
  EXPECT_FALSE(write(with(std::string(60, 'a') + ".toml ", kCup)).ok);
  EXPECT_THAT(write("cup.toml").text, HasSubstr("no text"));
  EXPECT_THAT(write(R"(cup.toml name = "cup"\nrouns = 1)").text, HasSubstr("line 2"));
  EXPECT_TRUE(files().empty());
}

TEST_F(EventFiles, AFaultOfTheDiskIsTold) {
  data.write("tournaments", "a file");
  const auto refused = write(with("cup.toml ", kCup));
  EXPECT_FALSE(refused.ok);
  EXPECT_THAT(refused.text, HasSubstr("tournaments"));
}

TEST_F(EventFiles, WhatIsReadIsWhatTheCoreReadsAgain) {
  const auto text = taken("cup.toml", kCupFile);
  ASSERT_TRUE(text) << text.error();
  const auto event = core::read_stored_event(*text, 32);
  ASSERT_TRUE(event) << event.error();
  EXPECT_EQ(event->title.ja, "杯");
}

TEST_F(EventFiles, FaultsAreToldWithTheirLines) {
  const auto wrong = taken("bad.toml", with(kCupFile, "rouns = 3\n"));
  EXPECT_THAT(test::error_of(wrong), AllOf(HasSubstr("bad.toml:5"), HasSubstr("rouns")));
  EXPECT_THAT(test::error_of(taken("broken.toml", "name = \n")), HasSubstr("broken.toml:1"));
}

TEST_F(EventFiles, OnlyThoseOfTheFolderAreRead) {
  std::filesystem::create_directory(data / "tournaments");
  data.write("secret", "name = \"cup\"\n");
  for (const char* name : {"", "../secret", "..", "/etc/passwd", ".hidden"}) {
    EXPECT_THAT(test::error_of(read_event_settings(data.path(), name)), HasSubstr("no file name")) << name;
  }
  EXPECT_THAT(test::error_of(read_event_settings(data.path(), "missing.toml")), HasSubstr("cannot read"));
}

}  // namespace
}  // namespace fuhyo::app
