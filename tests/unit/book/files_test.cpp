// Books of every format, read and written, in memory and on disk.
#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "engines/book/binary_books.h"
#include "engines/book/db_line.h"
#include "engines/book/open.h"
#include "engines/book/text_book.h"
#include "engines/book/write.h"
#include "engines/shogi/usi_move.h"
#include "tests/support/book_files.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::book {
namespace {

using shogi::Position;
using test::apery_file;
using test::AperyRecord;
using test::Positions;
using test::random_positions;
using test::text_file;
using test::ybb_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kStart = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

shogi::Move move_of(std::string_view text) { return *shogi::parse_usi_move(text); }
Position at(std::string_view sfen) { return *Position::from_sfen(sfen); }
std::unique_ptr<MemoryBytes> memory(std::string bytes) { return std::make_unique<MemoryBytes>(std::move(bytes)); }

std::vector<std::string> moves(const Entry& entry) {
  std::vector<std::string> result;
  for (const BookMove& move : entry) result.push_back(shogi::to_usi(move.move));
  return result;
}

class BookFiles : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    const auto path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  // Opens it both ways; both must give the same.
  std::vector<std::unique_ptr<Book>> both(const std::string& name, std::string_view bytes) const {
    const auto path = write(name, bytes);
    std::vector<std::unique_ptr<Book>> books;
    for (const bool on_the_fly : {false, true}) {
      auto opened = open_book(path, on_the_fly);
      EXPECT_TRUE(opened) << opened.error();
      EXPECT_THAT(opened->notes, IsEmpty());
      books.push_back(std::move(opened->book));
    }
    return books;
  }

  test::TemporaryFolder folder_;
};

void expect_all(Book& book, const Positions& positions, bool with_counts) {
  for (const auto& [sfen, entry] : positions) {
    const Position position = at(sfen);
    Entry expected = entry;
    if (!with_counts) {
      for (BookMove& move : expected) move.count = 0;
    }
    ASSERT_EQ(book.find({.position = position, .ply = position.ply() + 1}), expected) << sfen;
    ASSERT_THAT(book.find({.position = position, .ply = position.ply() + 2}), IsEmpty()) << sfen;
    ASSERT_THAT(book.find({.position = position, .ply = {}}), ::testing::Not(IsEmpty())) << sfen;
  }
  EXPECT_THAT(book.find({.position = at("4k4/9/9/9/9/9/9/9/4K4 b G 1"), .ply = {}}), IsEmpty());
}

TEST_F(BookFiles, EveryPositionIsFound) {
  for (const std::size_t count : {1U, 2U, 3U, 100U, 3'000U}) {
    const Positions positions = random_positions(count, static_cast<unsigned>(count));
    for (const auto& book : both("a.db", text_file(positions))) expect_all(*book, positions, true);
    for (const auto& book : both("a.ybb", ybb_file(positions))) expect_all(*book, positions, false);
  }
}

TEST_F(BookFiles, YbbWithoutDepths) {
  Positions positions = random_positions(20, 4);
  for (auto& [sfen, entry] : positions) {
    for (BookMove& move : entry) move.depth = 0;
  }
  for (const auto& book : both("a.ybb", ybb_file(positions, false))) expect_all(*book, positions, false);
}

TEST_F(BookFiles, OneWithoutAnyPositionIsRefused) {
  const std::pair<std::string, std::string> kFiles[] = {{"empty.db", ""},
                                                        {"head.db", "#YANEURAOU-DB2016 1.00\n"},
                                                        {"remarks.db", "# a\n\n// b\r\n"},
                                                        {"empty.bin", ""},
                                                        {"empty.ybb", ybb_file({})}};
  for (const auto& [name, bytes] : kFiles) {
    for (const bool on_the_fly : {false, true}) {
      const auto opened = open_book(write(name, bytes), on_the_fly);
      ASSERT_FALSE(opened) << name;
      EXPECT_EQ(opened.error(), (folder_.path() / name).string() + ": it has no position");
    }
  }
}

// ---- text ----

TEST_F(BookFiles, LineEndsMarksAndWhatIsLeftOut) {
  const std::string key(kStart);
  for (const std::string& text : {
           "#YANEURAOU-DB2016 1.00\nsfen " + key + " 1\n7g7f 3c3d 0 32 2\n2g2f 8c8d 0 32 1\n",
           "#YANEURAOU-DB2016 1.00\r\nsfen " + key + " 1\r\n7g7f 3c3d 0 32 2\r\n2g2f 8c8d 0 32 1\r\n",
           "\xef\xbb\xbf#YANEURAOU-DB2016 1.00\nsfen " + key + " 1\n7g7f 3c3d 0 32 2\n2g2f 8c8d 0 32 1",
           "\xef\xbb\xbfsfen " + key + " 1\n7g7f 3c3d 0 32 2\n2g2f 8c8d 0 32 1",
           "sfen " + key + "\n# why\n7g7f 3c3d 0 32 2 # best\n\n// or\n2g2f 8c8d 0 32\n",
           "\n\nsfen " + key + " 1  \n7g7f 3c3d 0 32 2\nnone none 0 0 0\n2g2f 8c8d 0 32 1\n7g7f 8c8d 9 9 9\n",
       }) {
    for (const auto& book : both("a.db", text)) {
      const Entry expected = {{.move = move_of("7g7f"), .reply = move_of("3c3d"), .depth = 32, .count = 2},
                              {.move = move_of("2g2f"), .reply = move_of("8c8d"), .depth = 32, .count = 1}};
      EXPECT_EQ(book->find({.position = Position(), .ply = 1}), expected) << text;
    }
  }
}

TEST_F(BookFiles, MoveNumbers) {
  const std::string text = "sfen " + std::string(kStart) + " 1\n7g7f\nsfen " + std::string(kStart) +
                           " 13\n2g2f none 1 2 3\n7g7f none 1 2 3\nsfen " + std::string(kStart) + " 5\n1g1f\n";
  for (const auto& book : both("a.db", text)) {
    EXPECT_THAT(moves(book->find({.position = Position(), .ply = 1})), ElementsAre("7g7f"));
    EXPECT_THAT(moves(book->find({.position = Position(), .ply = 13})), ElementsAre("2g2f", "7g7f"));
    EXPECT_THAT(moves(book->find({.position = Position(), .ply = 2})), IsEmpty());
    // All together, and the first word about a move counts.
    const Entry all = book->find({.position = Position(), .ply = {}});
    EXPECT_THAT(moves(all), ElementsAre("7g7f", "2g2f", "1g1f"));
    EXPECT_EQ(all[0].count, 1U);
  }
}

std::vector<std::string> parts_of(const Positions& positions) {
  std::vector<std::string> parts;
  for (const auto& each : positions) parts.push_back(text_file({each}));  // each with a first line, which is a comment
  return parts;
}

TEST_F(BookFiles, InMemoryAnyOrderWillDo) {
  const Positions positions = random_positions(200, 9);
  std::vector<std::string> parts = parts_of(positions);
  std::ranges::shuffle(parts, std::mt19937(2));
  std::string text;
  for (const std::string& part : parts) text += part;
  const auto book = open_book(write("a.db", text), false);
  ASSERT_TRUE(book);
  expect_all(*book->book, positions, true);
}

// However little is out of order, and wherever it is: every position is found, and a note says that the file was read.
TEST_F(BookFiles, OnDiskNoPositionIsLostWithoutAWord) {
  const Positions positions = random_positions(400, 5);
  const std::vector<std::string> parts = parts_of(positions);
  for (const std::size_t moved : {0U, 1U, 200U, 398U}) {
    std::string text = "#YANEURAOU-DB2016 1.00\n";
    for (std::size_t i = 0; i < parts.size(); ++i) text += parts[i == moved ? i + 1 : i == moved + 1 ? moved : i];
    const auto opened = open_book(write("a.db", text), true);
    ASSERT_TRUE(opened);
    EXPECT_THAT(opened->notes, ElementsAre(HasSubstr("not sorted"))) << moved;
    expect_all(*opened->book, positions, true);
  }
  const std::string two = "sfen " + std::string(kStart) + " 1\n7g7f\nsfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\n5i5h\n";
  const auto small = open_book(write("two.db", two), true);
  ASSERT_TRUE(small);
  EXPECT_THAT(small->notes, ElementsAre(HasSubstr("it is read into memory")));
  EXPECT_EQ(small->book->find({.position = at("4k4/9/9/9/9/9/9/9/4K4 b - 1"), .ply = 1}).size(), 1U);
  // In order, but a search would pass them by: hands in another order, and a line that has no place in any order.
  for (const std::string_view odd : {"sfen 4k4/9/9/9/9/9/9/9/4K4 b 2PG 1\n5i5h\n", "sfen 4k4 b 1\n5i5h\n"}) {
    const auto read = open_book(write("odd.db", std::string(odd) + "sfen " + std::string(kStart) + " 1\n7g7f\n"), true);
    ASSERT_TRUE(read);
    EXPECT_THAT(read->notes, ::testing::Contains(HasSubstr("it is read into memory"))) << odd;
    EXPECT_THAT(moves(read->book->find({.position = Position(), .ply = 1})), ElementsAre("7g7f"));
  }
  const auto hands = TextBook::make(memory("sfen 4k4/9/9/9/9/9/9/9/4K4 b 2p3PGR 1\nR*5e\n"));
  ASSERT_TRUE(hands);
  EXPECT_EQ((*hands)->find({.position = at("4k4/9/9/9/9/9/9/9/4K4 b RG3P2p 1"), .ply = 1}).size(), 1U);
  EXPECT_EQ((*hands)->find({.position = at("4k4/9/9/9/9/9/9/9/4K4 b RG3P3p 1"), .ply = 1}).size(), 0U);
}

TEST(DbLine, AKeyIsUsualIfItIsWrittenAsOurSfen) {
  for (const std::string_view usual : {"4k4/9/9/9/9/9/9/9/4K4 b -", "4k4/9/9/9/9/9/9/9/4K4 w RBGSN10Prb2p",
                                       "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"}) {
    EXPECT_TRUE(is_usual_key(usual)) << usual;
    EXPECT_EQ(at(std::string(usual) + " 1").sfen(), std::string(usual) + " 1");
  }
  for (const std::string_view odd :
       {"4k4/9/9/9/9/9/9/9/4K4 b PR", "4k4/9/9/9/9/9/9/9/4K4 b rR", "4k4/9/9/9/9/9/9/9/4K4 b 1P",
        "4k4/9/9/9/9/9/9/9/4K4 b 02P", "4k4/9/9/9/9/9/9/9/4K4 b PP", "4k4/45/9/9/9/9/9/9/4K4 b -",
        "4k4/9/9/9/9/9/9/9/4K4 b P2"}) {
    EXPECT_FALSE(is_usual_key(odd)) << odd;
  }
}

TEST_F(BookFiles, DamagedLinesAreNamedAndTheRestIsUsed) {
  const std::string text = "#YANEURAOU-DB2016 1.00\nsfen " + std::string(kStart) +
                           " 1\n7g7f 3c3d 0 32 2\n7g?? 3c3d\x07 0 32 2\n2g2f 8c8d zero 32 1\n1g1f\n";
  const auto opened = open_book(write("odd.db", text), false);
  ASSERT_TRUE(opened);
  ASSERT_EQ(opened->notes.size(), 1U);
  EXPECT_THAT(opened->notes[0], HasSubstr("odd.db:4: "));
  EXPECT_THAT(opened->notes[0], HasSubstr("7g?? 3c3d? 0 32 2"));
  EXPECT_THAT(opened->notes[0], HasSubstr("2 such lines"));
  EXPECT_THAT(moves(opened->book->find({.position = Position(), .ply = 1})), ElementsAre("7g7f", "1g1f"));
}

TEST_F(BookFiles, WhatIsNoBook) {
  const auto error = [&](const std::string& name, std::string_view bytes, bool on_the_fly = false) {
    const auto opened = open_book(write(name, bytes), on_the_fly);
    EXPECT_FALSE(opened) << name;
    return opened ? "" : opened.error();
  };
  EXPECT_THAT(error("a.db", "7g7f 3c3d 0 32 2\n"), HasSubstr("a.db: it has no position; line 1"));
  EXPECT_THAT(error("a.db", std::string(5'000, '\xff')), HasSubstr("no position"));
  EXPECT_THAT(error("a.db", "a letter\n", true), HasSubstr("no position"));
  EXPECT_THAT(error("a.ybb", "#YANEURAOU-DB2016 1.00\n"), HasSubstr("a.ybb: it does not begin"));
  EXPECT_THAT(open_book(folder_.path() / "none.db", false).error(), HasSubstr("no such file"));
  EXPECT_THAT(open_book(folder_.path(), true).error(), HasSubstr("not a file"));
}

// Entries of any length, and lines that lie across the blocks that are read.
TEST_F(BookFiles, LongEntriesOnDisk) {
  Positions positions = random_positions(300, 17);
  std::size_t length = 0;
  std::string text = "#YANEURAOU-DB2016 1.00\n";
  for (const auto& [sfen, entry] : positions) {
    text += text_file({{sfen, entry}}).substr(text.find('\n') + 1);
    for (std::size_t i = 0; i < length % 700; ++i) text += "# a remark of some length, so that blocks are passed\n";
    length += 97;
  }
  for (const auto& book : both("a.db", text)) expect_all(*book, positions, true);
}

// ---- .ybb ----

TEST_F(BookFiles, YbbThatIsCutOrOutOfOrder) {
  const std::string whole = ybb_file(random_positions(50, 3));
  const auto make = [](std::string bytes) { return YbbBook::make(memory(std::move(bytes))); };
  ASSERT_TRUE(make(whole));
  EXPECT_FALSE(make(whole.substr(0, 31)));
  EXPECT_THAT(make(whole.substr(0, 32 + 50 * 44 - 1)).error(), HasSubstr("cut"));
  std::string flags = whole;
  flags[24] = 2;
  EXPECT_THAT(make(flags).error(), HasSubstr("flags"));
  std::string huge = whole;
  huge[23] = '\x7f';
  EXPECT_THAT(make(huge).error(), HasSubstr("cut"));
  std::string order = whole;
  std::swap_ranges(order.begin() + 32, order.begin() + 64, order.begin() + 32 + 44 * 20);
  EXPECT_THAT(make(order).error(), HasSubstr("not sorted (near position"));
  std::string last = whole;
  std::swap_ranges(last.begin() + 32 + 44 * 48, last.begin() + 32 + 44 * 49, last.begin() + 32 + 44 * 49);
  EXPECT_THAT(make(last).error(), HasSubstr("not sorted (near position 49)"));
  // Moves that are not all there: those that are.
  const auto book = make(whole.substr(0, 32 + 50 * 44 + 7));
  ASSERT_TRUE(book);
  std::string far = whole;
  for (std::size_t i = 0; i < 50; ++i) far.replace(32 + i * 44 + 32, 8, std::string(8, '\xff'));
  for (const auto& [sfen, entry] : random_positions(50, 3)) {
    EXPECT_THAT((*make(far))->find({.position = at(sfen), .ply = {}}), IsEmpty());
  }
}

TEST_F(BookFiles, YbbByteByByte) {
  // The start, one move: 2g2f (from 15 to 14), value -2, depth 300. ShogiHome packs the position so.
  const std::string packed =
      "\x58\xa4\x51\x22\x0c\xeb\x67\x22\x7e\x96\x53\x22\x1c\xaf\x44\x78\x24\xc2\x2b\x11\x9e\x53\x22\x1c\xeb\x6f\x22"
      "\x3e\x96\x51\x22\x0c";
  const std::string bytes = std::string("YANE-BINBOOK-V1\0", 16) + std::string("\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", 16) +
                            packed + std::string("\0\0\0\0\0\0\0\0\1\0\1\0", 12) +
                            std::string("\x8e\x07\xfe\xff\x2c\x01", 6);
  const auto book = YbbBook::make(memory(bytes));
  ASSERT_TRUE(book) << book.error();
  EXPECT_EQ((*book)->find({.position = Position(), .ply = 1}),
            (Entry{{.move = move_of("2g2f"), .value = -2, .depth = 300}}));
}

// ---- Apery ----

// Keys by ShogiHome (https://github.com/sunfish-shogi/shogihome), which reads and writes Apery's books.
TEST(AperyKeys, AreAperys) {
  const AperyKeys keys;
  const std::pair<std::string_view, std::uint64_t> kKnown[] = {
      {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 0xeebe8ee7e1ad7e15},
      {"lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2", 0x3e7b1f82567220d5},
      {"lnsgk1snl/1r4g2/pppppp1pp/6p2/7P1/2P6/PP1PPPP1P/1+b5R1/LNSGKGSNL b b 7", 0x9a08ce5069bebcda},
      {"lnsgk1snl/1r4g2/p1pppp1pp/6p2/1p5P1/2P6/PPSPPPP1P/7R1/LN1GKGSNL w Bb 12", 0xe783dab6ffe859ac},
      {"ln1gk1snl/6gb1/2sppppp1/p7p/2R6/Pr4P2/2PPPPN1P/1BGK2S2/LNS2G2L w 3Pp 26", 0x7020a21ad03aa7ff},
      {"ln1gk1snl/1r4gb1/2sppppp1/p7p/2R6/P5P2/2PPPPN1P/1BGK2S2/LNS2G2L b 3Pp 27", 0x9897824933c4fab7},
  };
  for (const auto& [sfen, key] : kKnown) EXPECT_EQ(keys.key(at(sfen)), key) << sfen;
}

TEST(AperyMoves, Bits) {
  const auto from_to = [](int from, int to, bool promotion) {
    return static_cast<std::uint16_t>(to | from << 7 | (promotion ? 1 << 14 : 0));
  };
  EXPECT_EQ(apery_move(from_to(60, 59, false)), move_of("7g7f"));
  EXPECT_EQ(apery_move(from_to(70, 10, true)), move_of("8h2b+"));
  EXPECT_EQ(apery_move(from_to(81, 40, false)), move_of("P*5e"));
  EXPECT_EQ(apery_move(from_to(85, 40, false)), move_of("B*5e"));
  EXPECT_EQ(apery_move(from_to(87, 40, false)), move_of("G*5e"));
  EXPECT_FALSE(apery_move(from_to(88, 40, false)));
  EXPECT_FALSE(apery_move(from_to(60, 81, false)));
}

TEST_F(BookFiles, AperyInAnyOrder) {
  const std::uint64_t start = AperyKeys().key(Position());
  const auto from_to = [](int from, int to) { return static_cast<std::uint16_t>(to | from << 7); };
  const std::vector<AperyRecord> records = {
      {1, from_to(0, 1), 5, 0},         {start, from_to(60, 59), 30, -7}, {start, from_to(15, 14), 20, 12},
      {start, from_to(60, 59), 1, 100}, {~std::uint64_t{0}, 0, 0, 0},
  };
  const Entry expected = {{.move = move_of("7g7f"), .value = -7, .depth = 256, .count = 30},
                          {.move = move_of("2g2f"), .value = 12, .depth = 256, .count = 20}};
  for (const auto& book : both("book.bin", apery_file(records))) {
    EXPECT_EQ(book->find({.position = Position(), .ply = 77}), expected);
    EXPECT_THAT(book->find({.position = at("4k4/9/9/9/9/9/9/9/4K4 b G 1"), .ply = {}}), IsEmpty());
  }
  std::vector<AperyRecord> backwards(records.rbegin(), records.rend());
  const auto path = write("b.bin", apery_file(backwards));
  for (const bool on_the_fly : {false, true}) {
    const auto opened = open_book(path, on_the_fly);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->notes.size(), on_the_fly ? 1U : 0U);
    EXPECT_EQ(opened->book->find({.position = Position(), .ply = {}}).size(), 2U);
  }
  // One record of thousands.
  std::vector<AperyRecord> many;
  for (std::uint64_t key = 0; key < 5'000; ++key) many.push_back({key * 7, 0, 0, 0});
  EXPECT_TRUE(AperyBook::make(memory(apery_file(many))));
  std::swap(many[4'998], many[4'999]);
  EXPECT_FALSE(AperyBook::make(memory(apery_file(many))));
  EXPECT_THAT(open_book(write("c.bin", "123"), false).error(), HasSubstr("records of 16"));
}

std::vector<BookPosition> shuffled(const test::Positions& positions, unsigned seed) {
  std::vector<BookPosition> out;
  for (const auto& [sfen, moves] : positions) out.push_back({*shogi::Position::from_sfen(sfen), moves});
  std::ranges::shuffle(out, std::mt19937(seed));
  return out;
}

TEST(WriteBook, IsWhatYaneuraOuWrites) {
  for (const std::size_t count : {0U, 1U, 2U, 500U}) {
    const test::Positions positions = test::random_positions(count, static_cast<unsigned>(count));
    EXPECT_EQ(db_text(shuffled(positions, 3)), test::text_file(positions));
    EXPECT_EQ(ybb_bytes(shuffled(positions, 4)).value(), test::ybb_file(positions));
  }
}

TEST(WriteBook, BinaryNumbersAreCutAndWhatDoesNotFitIsRefused) {
  const shogi::Move move = *shogi::parse_usi_move("7g7f");
  const test::TemporaryFolder folder;
  for (const auto& [value, depth, kept, kept_depth] :
       {std::tuple{99'999, 70'000, 32'767, 65'535}, {-99'999, -1, -32'768, 0}, {-32'768, 65'535, -32'768, 65'535}}) {
    const std::vector<BookPosition> one = {{shogi::Position(), {{.move = move, .value = value, .depth = depth}}}};
    const auto book = open_book(folder.write("a.ybb", ybb_bytes(one).value()), false);
    const Entry expected = {{.move = move, .value = kept, .depth = kept_depth}};
    EXPECT_EQ(book->book->find({.position = shogi::Position(), .ply = 1}), expected);
  }
  const std::string start = std::string(shogi::Position::kStartSfen);
  const auto at = [&](const std::string& number) {
    return std::vector<BookPosition>{
        {*shogi::Position::from_sfen(start.substr(0, start.rfind(' ') + 1) + number), {{.move = move}}}};
  };
  EXPECT_TRUE(ybb_bytes(at("65535")));
  EXPECT_THAT(ybb_bytes(at("65536")).error(), HasSubstr("cannot hold"));
}

}  // namespace
}  // namespace fuhyo::book
