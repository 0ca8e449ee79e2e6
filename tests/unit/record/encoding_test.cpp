// Bytes of files as text, and how their defects are told.
#include "engines/record/encoding.h"

#include <gtest/gtest.h>

#include "engines/record/csa_reader.h"
#include "engines/record/diagnostic.h"

namespace fuhyo::record {
namespace {

constexpr std::string_view kText = "中原 誠名人、矢倉。ﾔｸﾞﾗ かな";

std::string encoded(std::string_view utf8, Encoding to) {
  const auto result = encode_from_utf8(utf8, to);
  EXPECT_TRUE(result) << result.error();
  EXPECT_EQ(result->bad, 0U);
  return result->text;
}

TEST(Encoding, DetectsAndConvertsEachBack) {
  for (const auto& [encoding, name, one] :
       {std::tuple{Encoding::utf8, "utf-8", "中"}, std::tuple{Encoding::shift_jis, "SHIFT_JIS", "\x92\x86"},
        std::tuple{Encoding::euc_jp, "EUC-JP", "\xC3\xE6"}}) {
    EXPECT_EQ(encoding_by_name(name), encoding);
    EXPECT_EQ(encoded("中", encoding), one);
    const std::string bytes = encoded(kText, encoding);
    EXPECT_EQ(detect_encoding(bytes), encoding) << name;
    const auto back = decode_to_utf8(bytes, encoding);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->text, kText);
    EXPECT_EQ(back->bad, 0U);
  }
  EXPECT_EQ(encoding_by_name("latin1"), std::nullopt);
}

TEST(Encoding, DetectsShortJapaneseNames) {
  for (const std::string_view name :
       {"将棋", "先手", "後手", "羽生善治", "詰将棋", "反則勝ち", "入玉宣言", "▲７六歩"}) {
    for (const Encoding encoding : {Encoding::utf8, Encoding::shift_jis, Encoding::euc_jp}) {
      EXPECT_EQ(detect_encoding(encoded(name, encoding)), encoding) << name << ' ' << to_string(encoding);
    }
  }
}

TEST(Encoding, AsciiIsUtf8) {
  EXPECT_TRUE(is_ascii("+7776FU\nT12\n"));
  EXPECT_FALSE(is_ascii("+7776FU\nT12\n\x80"));
  EXPECT_FALSE(is_ascii("\xE3+7776FU\nT12\n"));
  EXPECT_TRUE(is_ascii(""));
  EXPECT_EQ(detect_encoding("+7776FU"), Encoding::utf8);
}

TEST(Encoding, BadBytesAreReplacedAndCounted) {
  const auto decoded = decode_to_utf8(
      "a\xFF\x92\x86"
      "b\x92",
      Encoding::shift_jis);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->text, "a\uFFFD中b\uFFFD");
  EXPECT_EQ(decoded->bad, 2U);
  const auto encoded = encode_from_utf8("a🐸b", Encoding::euc_jp);
  ASSERT_TRUE(encoded);
  EXPECT_EQ(encoded->text, "a?b");
  EXPECT_EQ(encoded->bad, 1U);
  EXPECT_EQ(encode_from_utf8("a♥b😀♥あ", Encoding::shift_jis).value().bad, 3U);
  EXPECT_EQ(missing_from(Encoding::shift_jis, "a♥b😀♥あ"), "♥😀");
  EXPECT_EQ(missing_from(Encoding::utf8, "a♥"), "");
  const auto broken = read_csa("N+\xE5\xB0\x86\xFF\nPI\n+\n");
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->games[0].game.black, "将\uFFFD");
  EXPECT_EQ(broken->games[0].warnings.size(), 1U);
}

TEST(Encoding, LongTextCrossesTheBuffer) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "将";
  const auto back = decode_to_utf8(encoded(text, Encoding::shift_jis), Encoding::shift_jis);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->text, text);
}

TEST(Encoding, WhatATerminalObeysIsTakenOut) {
  EXPECT_EQ(without_controls(std::string_view("a\x1b[2J\x07\x7f\r\0b", 10)), "a [2J    b");
  EXPECT_EQ(without_controls("\xc2\x9b"
                             "31m\xc2\x80\xc2\x9f."),
            " 31m  .")
      << "C1";
  for (const std::string_view fine : {"a\tb\n", "先手の勝ち。", "\xc2\xa0\xc3\x9b", "\xc2"}) {
    EXPECT_EQ(without_controls(fine), fine);
  }
}

TEST(CsaReaderEncoding, ADeclarationCountsIfItCanBeTrue) {
  const std::string body = "N+将\nPI\n+\n";
  const auto truthful = read_csa(encoded("'CSA encoding=SHIFT_JIS\nV3.0\n" + body, Encoding::shift_jis));
  ASSERT_TRUE(truthful);
  EXPECT_EQ(truthful->encoding, Encoding::shift_jis);
  EXPECT_EQ(truthful->games[0].game.black, "将");
  EXPECT_TRUE(truthful->games[0].game.comments.empty()) << "the declaration is no comment of the game";
  const auto lying = read_csa(encoded("'CSA encoding=UTF-8\nV3.0\n" + body, Encoding::euc_jp));
  ASSERT_TRUE(lying);
  EXPECT_EQ(lying->encoding, Encoding::euc_jp);
  EXPECT_EQ(lying->games[0].game.black, "将");
  EXPECT_TRUE(lying->games[0].warnings.empty());
}

TEST(Encoding, MakesAPlainFileOfUtf16AndOfCarriageReturns) {
  using namespace std::string_literals;
  EXPECT_EQ(plain_file("\xFF\xFE\x42\x30\x3D\xD8\x00\xDEx\0\xE9\0"s), "あ😀xé");
  EXPECT_EQ(plain_file("\xFE\xFF\x30\x42\xD8\x3D\xDE\x00\0x"s), "あ😀x");
  EXPECT_EQ(plain_file("\xFF\xFE\x3D\xD8x\0!"s), "\xEF\xBF\xBDx");  // half a pair, half a unit
  EXPECT_EQ(plain_file("\xFF\xFE\r\0"s), "\n");
  EXPECT_EQ(plain_file("a\rb\r"), "a\nb\n");
  EXPECT_EQ(plain_file("a\r\nb"), std::nullopt);
  EXPECT_EQ(plain_file("a"), std::nullopt);
  EXPECT_EQ(plain_file(""), std::nullopt);
}

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
