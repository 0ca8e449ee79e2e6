// Strangers' bytes in logs, times, passwords, log lines.
#include "server/app/text.h"

#include <gtest/gtest.h>

#include "server/app/serve/log.h"

namespace fuhyo::app {
namespace {

std::string every_byte() {
  std::string bytes;
  for (int c = 0; c < 256; ++c) bytes += static_cast<char>(c);
  return bytes;
}

bool is_one_printable_line(const std::string& text) {
  return text.find_first_not_of(
             " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~") ==
         std::string::npos;
}

TEST(Escape, B9_EveryByteBecomesPrintableAndStaysDistinct) {
  EXPECT_TRUE(is_one_printable_line(escape(every_byte())));
  EXPECT_EQ(escape("a\n\x1b[2J\\x"), "a\\x0a\\x1b[2J\\x5cx");
  EXPECT_NE(escape("\\x0a"), escape("\n"));
}

TEST(Escape, B9_OfTextForPeopleControlsAlone) {
  EXPECT_EQ(escape_controls("第1回 a\\b\x7f\x1b[2J\n"), "第1回 a\\b\\x7f\\x1b[2J\\x0a");
}

TEST(Log, B9_ALineIsOneLineWhateverItHolds) {
  const std::string text = Log::as_text("T", Log::Level::warning, "bad " + every_byte(), {{"peer", "a\nb"}});
  EXPECT_TRUE(is_one_printable_line(text)) << text;
  EXPECT_TRUE(text.starts_with("T warning bad ")) << text;
  EXPECT_TRUE(text.ends_with(" peer=a\\x0ab")) << text;
  const std::string json = Log::as_json("T", Log::Level::info, "say \"hi\"\\" + every_byte(), {{"peer", "\""}});
  EXPECT_TRUE(is_one_printable_line(json)) << json;
  EXPECT_TRUE(json.starts_with(R"({"time":"T","level":"info","text":"say \"hi\"\\\u0000\u0001)")) << json;
  EXPECT_TRUE(json.ends_with(R"(,"peer":"\""})")) << json;
}

TEST(Log, B9_TheJournalHasALevelAndNoTime) {
  EXPECT_EQ(Log::as_journal(Log::Level::info, "it listens", {}), "<6>it listens");
  EXPECT_EQ(Log::as_journal(Log::Level::warning, "a\n<3>b", {{"peer", "x\ny"}}), "<4>a\\x0a<3>b peer=x\\x0ay");
  EXPECT_EQ(Log::as_journal(Log::Level::error, "the disk is full", {}), "<3>the disk is full");
}

TEST(Log, JsonHasTextInUtf8AsItIs) {
  const std::string json =
      Log::as_json("T", Log::Level::info, "set-room hall title-ja=例会", {{"by", "a\xc2\x9b 2J\n"}});
  EXPECT_EQ(json, R"({"time":"T","level":"info","text":"set-room hall title-ja=例会","by":"a\u009b 2J\u000a"})");
  EXPECT_EQ(escape_json("\xc0\xfd\xb4\xfd"), "\\u00c0\\u00fd\\u00b4\\u00fd") << "EUC-JP";
}

TEST(Utc, IsIsoWithMicroseconds) {
  EXPECT_EQ(utc(core::Wall{0}), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(utc(core::Wall{1795234480LL * 1'000'000 + 42}), "2026-11-21T04:14:40.000042Z");
  EXPECT_EQ(utc(core::Wall{-1}), "1969-12-31T23:59:59.999999Z");
}

TEST(MaskPassword, HidesThePasswordOfEveryLogin) {
  EXPECT_EQ(mask_password("LOGIN alice secret"), "LOGIN alice ***");
  EXPECT_EQ(mask_password("LOGIN alice secret x1"), "LOGIN alice *** x1");
  EXPECT_EQ(mask_password("  login  alice\tse cret"), "LOGIN alice ***");
  EXPECT_EQ(mask_password("LOGIN alice floodgate-300-10F,secret x2"), "LOGIN alice ***");
}

TEST(MaskPassword, LeavesEverythingElse) {
  for (const char* line : {"", "+7776FU,'* 30", "LOGIN alice", "%%GAME x-300-0 *", "AGREE LOGIN a b"}) {
    EXPECT_EQ(mask_password(line), line);
  }
}

}  // namespace
}  // namespace fuhyo::app
