#include "engines/usi/table_lines.h"

#include <gtest/gtest.h>

#include "engines/shogi/usi_move.h"

namespace fuhyo::usi {
namespace {

constexpr std::string_view kEntry = "0123456789abcdef,7g7f,12,e,-35,40";

shogi::Move table_move(std::string_view text) { return *shogi::parse_usi_move(text); }

std::string batch_text(std::string_view entry, std::size_t count) {
  std::string text = " 7";
  for (std::size_t i = 0; i < count; ++i) text.append(" ").append(entry);
  return text;
}

// What is read of a batch, which must be one.
TableBatch batch_of(std::string_view text) {
  const auto line = parse_table_line(text);
  EXPECT_TRUE(line && std::holds_alternative<TableBatch>(*line)) << text;
  return line && std::holds_alternative<TableBatch>(*line) ? std::get<TableBatch>(*line) : TableBatch{};
}

TEST(TableLines, ReadsWhatIsSaid) {
  EXPECT_EQ(parse_table_line(" search 9223372036854775807"), TableLine(TableSearch{INT64_MAX}));
  EXPECT_EQ(parse_table_line(" search 3 500"), TableLine(TableSearch{.number = 3, .slice = 500}));
  EXPECT_EQ(parse_table_line(" waits 3"), TableLine(TableWaits{3}));
  EXPECT_EQ(parse_table_line(" next 3"), TableLine(TableNext{3}));
  EXPECT_EQ(parse_table_line(" keys 00000000000000ff"), TableLine(TableKeys{255}));
  const TableBatch batch = batch_of(" 7 0123456789abcdef,7g7f,12,e,-35,40 ffffffffffffffff,-,-2,u,31999,-");
  EXPECT_EQ(batch.search, 7);
  EXPECT_EQ(batch.malformed, 0U);
  const std::vector<TableEntry> expected = {
      {.key = 0x0123456789abcdef, .move = table_move("7g7f"), .depth = 12, .value = -35, .evaluation = 40},
      {.key = ~shogi::Key{0}, .depth = -2, .bound = Score::Bound::upper, .value = 31'999}};
  EXPECT_EQ(batch.entries, expected);
}

TEST(TableLines, SurviveBeingSaid) {
  for (const std::string_view text : {"tt search 1", "tt search 1 256", "tt waits 1", "tt next 1",
                                      "tt keys 0123456789abcdef", "tt 3 0123456789abcdef,P*5e,0,l,0,-",
                                      "tt 4 0000000000000000,8h2b+,127,u,-32000,-32000 " /* and a second one: */
                                      "ffffffffffffffff,-,-128,e,32000,32000"}) {
    const auto line = parse_table_line(text.substr(2));
    ASSERT_TRUE(line) << text;
    if (const auto* batch = std::get_if<TableBatch>(&*line)) {
      EXPECT_EQ(to_text(batch->search, batch->entries), text);
      continue;
    }
    std::visit(
        [&](const auto& said) {
          if constexpr (!std::is_same_v<decltype(said), const TableBatch&>) EXPECT_EQ(to_text(said), text);
        },
        *line);
  }
}

TEST(TableLines, RefuseALineThatIsNone) {
  for (const char* text : {"",
                           " ",
                           " search",
                           " search 0",
                           " search -1",
                           " search 9223372036854775808",
                           " search 1 0",
                           " search 1 2 3",
                           " search 1 x",
                           " waits",
                           " waits 0",
                           " next 1 2",
                           " next x",
                           " search x",
                           " keys",
                           " keys 0123456789ABCDEF",
                           " keys 123",
                           " keys 0123456789abcdef 1",
                           " 7",
                           " 0 0123456789abcdef,7g7f,12,e,-35,40",
                           " -1 0123456789abcdef,7g7f,12,e,-35,40",
                           " 0123456789abcdef,7g7f,12,e,-35,40",
                           " hello"}) {
    EXPECT_FALSE(parse_table_line(text)) << text;
  }
}

TEST(TableLines, LeaveOutAnEntryThatIsMalformed) {
  for (const char* entry : {"x",
                            ",,,,,",
                            "123456789abcdef,7g7f,12,e,-35,40",
                            "00123456789abcdef,7g7f,12,e,-35,40",
                            "0123456789ABCDEF,7g7f,12,e,-35,40",
                            "0123456789abcdeg,7g7f,12,e,-35,40",
                            "0123456789abcdef,7g7g,12,e,-35,40",
                            "0123456789abcdef,,12,e,-35,40",
                            "0123456789abcdef,resign,12,e,-35,40",
                            "0123456789abcdef,7g7f,128,e,-35,40",
                            "0123456789abcdef,7g7f,-129,e,-35,40",
                            "0123456789abcdef,7g7f,+1,e,-35,40",
                            "0123456789abcdef,7g7f,12,x,-35,40",
                            "0123456789abcdef,7g7f,12,el,-35,40",
                            "0123456789abcdef,7g7f,12,,-35,40",
                            "0123456789abcdef,7g7f,12,e,32001,40",
                            "0123456789abcdef,7g7f,12,e,-32001,40",
                            "0123456789abcdef,7g7f,12,e,-,40",
                            "0123456789abcdef,7g7f,12,e,-35,32001",
                            "0123456789abcdef,7g7f,12,e,-35,",
                            "0123456789abcdef,7g7f,12,e,-35",
                            "0123456789abcdef,7g7f,12,e,-35,40,",
                            "0123456789abcdef,7g7f,12,e,-35,40,1",
                            "0123456789abcdef,7g7f,12,e,99999999999999999999,40"}) {
    const TableBatch batch = batch_of(" 7 " + std::string(entry) + " " + std::string(kEntry));
    EXPECT_EQ(batch.malformed, 1U) << entry;
    EXPECT_EQ(batch.entries.size(), 1U) << entry;
  }
}

TEST(TableLines, HaveTheirMostEntries) {
  EXPECT_EQ(batch_of(batch_text(kEntry, kMostTableEntries)).entries.size(), kMostTableEntries);
  EXPECT_FALSE(parse_table_line(batch_text(kEntry, kMostTableEntries + 1)));
  EXPECT_FALSE(parse_table_line(batch_text("x", kMostTableEntries + 1)));
}

TEST(TableLines, HaveTheirLength) {
  std::string text = batch_text(kEntry, 1);
  text.resize(kLongestTableLine - 2, ' ');
  EXPECT_EQ(batch_of(text).entries.size(), 1U);
  EXPECT_FALSE(parse_table_line(text + ' '));
}

// The longest of all batches: no field can be longer.
TEST(TableLines, HoldTheLongestBatch) {
  const TableEntry longest{.key = ~shogi::Key{0},
                           .move = table_move("8h2b+"),
                           .depth = -128,
                           .bound = Score::Bound::lower,
                           .value = -32'000,
                           .evaluation = -32'000};
  const std::vector<TableEntry> entries(kMostTableEntries, longest);
  const std::string line = to_text(INT64_MAX, entries);
  EXPECT_LE(line.size(), kLongestTableLine);
  EXPECT_EQ(batch_of(std::string_view(line).substr(2)).entries, entries);
}

TEST(TableLines, TellANumberWithoutTheEntries) {
  EXPECT_EQ(batch_number(" 12 nonsense"), 12);
  EXPECT_EQ(batch_number(" search 12"), std::nullopt);
  EXPECT_EQ(batch_number(" 0 x"), std::nullopt);
  EXPECT_EQ(batch_number(""), std::nullopt);
}

}  // namespace
}  // namespace fuhyo::usi
