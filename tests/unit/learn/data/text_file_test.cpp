// Text files, plain and compressed.
#include "engines/learn/data/text_file.h"

#include <span>

#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

using TextFile = FolderTest;

// "startpos moves 7g7f\n" as xz and gzip write it.
constexpr unsigned char kXz[] = {
    0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04, 0xe6, 0xd6, 0xb4, 0x46, 0x02, 0x00, 0x21, 0x01, 0x16, 0x00, 0x00,
    0x00, 0x74, 0x2f, 0xe5, 0xa3, 0x01, 0x00, 0x13, 0x73, 0x74, 0x61, 0x72, 0x74, 0x70, 0x6f, 0x73, 0x20, 0x6d, 0x6f,
    0x76, 0x65, 0x73, 0x20, 0x37, 0x67, 0x37, 0x66, 0x0a, 0x00, 0x22, 0x24, 0x4f, 0x02, 0xf1, 0x62, 0x7c, 0x57, 0x00,
    0x01, 0x2c, 0x14, 0xf8, 0x0a, 0x6d, 0x03, 0x1f, 0xb6, 0xf3, 0x7d, 0x01, 0x00, 0x00, 0x00, 0x00, 0x04, 0x59, 0x5a};
constexpr unsigned char kGzip[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x2b, 0x2e, 0x49, 0x2c,
                                   0x2a, 0x29, 0xc8, 0x2f, 0x56, 0xc8, 0xcd, 0x2f, 0x4b, 0x2d, 0x56, 0x30, 0x4f, 0x37,
                                   0x4f, 0xe3, 0x02, 0x00, 0x35, 0xf6, 0xd0, 0xb3, 0x14, 0x00, 0x00, 0x00};

std::string bytes(std::span<const unsigned char> raw) { return {raw.begin(), raw.end()}; }

TEST_F(TextFile, IsReadPlainAndCompressed) {
  EXPECT_EQ(read_text_file(folder_.write("plain", "startpos moves 7g7f\n")).value(), "startpos moves 7g7f\n");
  EXPECT_EQ(read_text_file(folder_.write("a.xz", bytes(kXz))).value(), "startpos moves 7g7f\n");
  EXPECT_EQ(read_text_file(folder_.write("named_otherwise", bytes(kGzip))).value(), "startpos moves 7g7f\n");
  EXPECT_EQ(read_text_file(folder_.write("empty", "")).value(), "");
}

TEST_F(TextFile, DamageIsAnErrorThatNamesTheFile) {
  const std::string whole = bytes(kXz);
  EXPECT_THAT(read_text_file(folder_.write("short.xz", whole.substr(0, whole.size() - 20))).error(),
              HasSubstr("short.xz"));
  EXPECT_THAT(read_text_file(folder_.write("damaged.xz", flipped(whole, 40, 0x55))).error(), HasSubstr("damaged.xz"));
  EXPECT_THAT(read_text_file(folder_ / "missing").error(), HasSubstr("missing"));
  EXPECT_THAT(read_text_file(folder_.path()).error(), HasSubstr(folder_.path().string()));
}

TEST_F(TextFile, IsNotUnpackedWithoutEnd) {
  const std::string text(100'000, 'x');
  EXPECT_TRUE(read_text_file(folder_.write("x", text), 100'000));
  EXPECT_FALSE(read_text_file(folder_.write("x", text), 50'000));
}

}  // namespace
}  // namespace fuhyo::learn
