#include "engines/record/diagnostic.h"

#include <gtest/gtest.h>

#include "engines/record/encoding.h"

namespace fuhyo::record {
namespace {

TEST(Diagnostic, NamesItsLine) {
  EXPECT_EQ(to_string(Diagnostic{12, "what"}), "line 12: what");
  EXPECT_EQ(to_string(Diagnostic{0, "what"}), "what");
}

TEST(Diagnostic, QuotesWholeCharactersUpToALimit) {
  EXPECT_EQ(in_quotes(""), "''");
  EXPECT_EQ(in_quotes(std::string(60, 'a')), "'" + std::string(60, 'a') + "'");
  EXPECT_EQ(in_quotes(std::string(61, 'a')), "'" + std::string(60, 'a') + "...'");
  std::string kanji = "a";
  for (int i = 0; i < 30; ++i) kanji += "歩";
  EXPECT_EQ(in_quotes(kanji), "'" + kanji.substr(0, 58) + "...'");
  EXPECT_TRUE(is_utf8(in_quotes(kanji)));
}

TEST(DecodeFile, TrustsWhatAFileSaysIfItCanBeTrue) {
  const std::string sjis = encode_from_utf8("将棋の棋譜", Encoding::shift_jis)->text;
  EXPECT_EQ(choose_encoding(sjis, {}), Encoding::shift_jis);
  EXPECT_EQ(choose_encoding(sjis, Encoding::utf8), Encoding::shift_jis);
  EXPECT_EQ(decode_file(sjis, Encoding::utf8)->text, "将棋の棋譜");
  EXPECT_EQ(decode_file("\xEF\xBB\xBFx")->text, "x");
  EXPECT_EQ(without_mark("x\xEF\xBB\xBF"), "x\xEF\xBB\xBF");
}

}  // namespace
}  // namespace fuhyo::record
