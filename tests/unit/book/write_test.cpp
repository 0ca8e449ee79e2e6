// Books that are written: byte for byte as those that tests make by other means, which files_test.cpp reads.
#include "engines/book/write.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "engines/book/open.h"
#include "engines/shogi/usi_move.h"
#include "tests/support/book_files.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::book {
namespace {

using ::testing::HasSubstr;

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
