// Batches and results as text, and what is none.
#include "engines/jobs/files/batch_file.h"

#include <gtest/gtest.h>

namespace fuhyo::test {
namespace {

using jobs::parse_batch;
using jobs::parse_result;
using jobs::ResultFile;

jobs::Batch sample() {
  return {.name = "",
          .kind = "match",
          .payload = std::string("a\0\n", 3),
          .chunks = {"", "chunk 1\n", "\xff"},
          .attempts = 7};
}

TEST(BatchFile, ComesBackAsItWas) { EXPECT_EQ(parse_batch(jobs::batch_text(sample())), sample()); }

TEST(BatchFile, EveryCutIsNoticed) {
  const std::string text = jobs::batch_text(sample());
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(parse_batch(text.substr(0, size))) << size;
  }
  EXPECT_EQ(parse_batch(text + "x").error(), "has no end after its last chunk");
  EXPECT_EQ(parse_batch("fuhyo jobs 1\nkind a\nattempts 0\n").error(), "has no attempts");
  EXPECT_EQ(parse_batch("fuhyo jobs 1\nkind a\nattempts 1\njob 99999999999999999\n").error(), "has no job");
  EXPECT_EQ(parse_batch("fuhyo jobs 1\nkind a\nattempts 1\njob 0\n\nchunks 0\n").error(), "has no chunks");
}

TEST(ResultFile, ComesBackAsItWasOrNotAtAll) {
  const ResultFile result{.worker = "w", .fence = 3, .bytes = std::string("\0a\n", 3)};
  const std::string text = jobs::result_text("w", 3, result.bytes);
  EXPECT_EQ(parse_result(text), result);
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_EQ(parse_result(text.substr(0, size)), std::nullopt);
  EXPECT_EQ(parse_result(text + "\n"), std::nullopt);
  EXPECT_EQ(parse_result("fuhyo result 1 w -3 0\n\n"), std::nullopt);
}

TEST(Names, AreLettersThatAFileMayHave) {
  EXPECT_TRUE(jobs::is_name("host-1.example+3_x"));
  for (const char* text : {"", ".x", "a/b", "a b", "\xe3\x81\x82"}) EXPECT_FALSE(jobs::is_name(text)) << text;
  EXPECT_EQ(jobs::as_name("host/1 \xff"), "host-1--");
  EXPECT_EQ(jobs::as_name(".x"), "-x");
  EXPECT_EQ(jobs::as_name(""), "-");
  EXPECT_EQ(jobs::as_name(std::string(300, 'x')).size(), jobs::kMaxName);
}

}  // namespace
}  // namespace fuhyo::test
