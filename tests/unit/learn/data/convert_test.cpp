// Training data between formats: what is kept, what is counted as lost, and what is refused.
#include <map>

#include "engines/learn/data/format.h"
#include "engines/learn/data/sink.h"
#include "engines/learn/data/source.h"
#include "engines/learn/data/summary.h"
#include "engines/record/training.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

using record::ScoredGame;
using Lost = std::map<std::string, std::uint64_t>;

class Conversion : public FolderTest {
 protected:
  fs::path at(const std::string& name) const { return folder_ / name; }

  void write(const std::string& name, DataFormat format, const Games& games) {
    losses_ = {};
    const auto sink = must(open_sink(at(name), format, "by a test", losses_));
    for (const ScoredGame& game : games) must(sink->append(game));
    must(sink->finish());
  }
  Games read(const std::string& name, DataFormat format) {
    losses_ = {};
    const auto source = open_source(at(name), format, losses_);
    error_ = error_of(source);
    return source ? drain(**source, &error_) : Games();
  }

  ConversionLosses losses_;
  std::string error_;
};

// Games as every format can hold them: all moves searched, from a start that can be packed and has the first number.
Games plain_games() {
  Games games;
  for (ScoredGame game : test::random_games(80, 11)) {
    if (!record::hcpe3(game) || game.moves.empty()) continue;
    if (game.start.ply() != (game.start.side_to_move() == shogi::BLACK ? 0 : 1)) continue;
    for (record::ScoredMove& each : game.moves) each.score = each.score.value_or(5);
    game.end = record::ScoredEnd::unknown;
    games.push_back(std::move(game));
  }
  return games;
}

TEST_F(Conversion, WhatEveryFormatHoldsComesBack) {
  const Games games = plain_games();
  ASSERT_GT(games.size(), 10U);
  for (const DataFormat format : {DataFormat::games, DataFormat::psv, DataFormat::hcpe, DataFormat::hcpe3}) {
    const std::string name = fmt::format("a.{}", to_string(format));
    write(name, format, games);
    EXPECT_TRUE(losses_.none()) << name;
    expect_same(read(name, format), games);
    EXPECT_EQ(error_, "");
    EXPECT_TRUE(losses_.none()) << name;
    EXPECT_EQ(format_of(at(name)), format);
    EXPECT_FALSE(fs::exists(at(name + ".part")));
  }
}

// From each format to our own and back: byte by byte, whatever games there were.
TEST_F(Conversion, OurOwnFormatLosesNothingOfOthers) {
  const Games games = test::random_games(80, 12);
  for (const DataFormat format : {DataFormat::psv, DataFormat::hcpe, DataFormat::hcpe3}) {
    const std::string name = fmt::format("a.{}", to_string(format)), again = "again." + name;
    write(name, format, games);
    const Games back = read(name, format);
    EXPECT_TRUE(losses_.none()) << name;
    write("b.games", DataFormat::games, back);
    write(again, format, read("b.games", DataFormat::games));
    EXPECT_GT(fs::file_size(at(name)), 10'000U);
    EXPECT_EQ(folder_.read(name), folder_.read(again)) << name;
  }
}

TEST_F(Conversion, WhatIsLostIsCounted) {
  using record::ScoredEnd;
  const shogi::Position late = *shogi::Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b R 41");
  const Games games = {
      {.start = {}, .moves = {{move_of("7g7f"), {}}, {move_of("3c3d"), 1}}, .end = ScoredEnd::no_move},
      {.start = late, .moves = {{move_of("R*5e"), 1}}, .end = ScoredEnd::repetition},
      {.start = *shogi::Position::from_sfen(test::kStarts[7]), .moves = {{move_of("G*1b"), 1}}},
      {.start = {}, .moves = {}},
  };
  Lost lost = {{"moves that were not searched", 1},
               {"ends of games", 2},
               {"positions that the format cannot hold", 1},
               {"games without moves", 1}};
  write("a.psv", DataFormat::psv, games);
  EXPECT_EQ(losses_.counts(), lost);
  EXPECT_EQ(fs::file_size(at("a.psv")), 2 * record::PackedSfenValue::kSize);
  lost["move numbers of starts"] = 1;
  write("a.hcpe", DataFormat::hcpe, games);
  EXPECT_EQ(losses_.counts(), lost);
  lost = {{"games that the format cannot hold", 1}, {"ends of games", 1}, {"move numbers of starts", 1}};
  write("a.hcpe3", DataFormat::hcpe3, games);
  EXPECT_EQ(losses_.counts(), lost);
  write("a.games", DataFormat::games, games);
  EXPECT_TRUE(losses_.none());
  expect_same(read("a.games", DataFormat::games), games);
}

TEST_F(Conversion, WhatScoredGamesDoNotHoldIsCounted) {
  record::Hcpe3Game game{.start = *record::pack_hcp({}),
                         .moves = {{.move = move_of("7g7f"), .score = 1, .candidates = {{move_of("7g7f"), 2}}},
                                   {.move = move_of("3c3d"), .score = 1, .candidates = {{move_of("8c8d"), 1}}},
                                   {.move = move_of("2g2f"), .score = 1}},
                         .flags = record::Hcpe3Game::kRepetition | record::Hcpe3Game::kMoveLimit,
                         .opponent = 1};
  record::Bytes bytes;
  ASSERT_TRUE(append_hcpe3(bytes, game));
  folder_.write("a.hcpe3", {bytes.begin(), bytes.end()});
  EXPECT_EQ(read("a.hcpe3", DataFormat::hcpe3).size(), 1U);
  EXPECT_EQ(losses_.counts(), (Lost{{"candidates and visits, of moves", 2},
                                    {"ends of games, but one of several", 1},
                                    {"who played against whom, of games", 1},
                                    {"that there were no candidates, of moves with a score", 1}}));
  record::PackedSfenValue value = *record::packed_sfen_value({{}, move_of("7g7f"), 1, {}});
  value.padding = 1;
  value.game_ply = 0;
  const auto raw = to_bytes(value);
  folder_.write("a.psv", {raw.begin(), raw.end()});
  EXPECT_EQ(read("a.psv", DataFormat::psv).size(), 1U);
  EXPECT_EQ(losses_.counts().size(), 2U);
}

// A position that does not follow, by its move, its number or its result, begins a game.
TEST_F(Conversion, PositionsAreJoinedIntoGames) {
  const auto value = [](std::string_view sfen, std::string_view move, record::Winner winner) {
    return record::ScoredPosition{*shogi::Position::from_sfen(sfen), move_of(move), 1, winner};
  };
  constexpr auto kBlack = record::Winner::black;
  const std::string_view after = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
  const std::string_view numbered = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 4";
  const std::pair<record::ScoredPosition, std::size_t> kSecond[] = {
      {value(after, "3c3d", kBlack), 1},
      {value(after, "3c3d", record::Winner::white), 2},
      {value(numbered, "3c3d", kBlack), 2},
      {value(shogi::Position::kStartSfen, "7g7f", kBlack), 2},
  };
  for (const auto& [second, games] : kSecond) {
    std::string bytes;
    for (const auto& each : {value(shogi::Position::kStartSfen, "7g7f", kBlack), second}) {
      const auto raw = to_bytes(*record::packed_sfen_value(each));
      bytes.append(raw.begin(), raw.end());
    }
    folder_.write("a.psv", bytes);
    EXPECT_EQ(read("a.psv", DataFormat::psv).size(), games);
    EXPECT_EQ(error_, "");
  }
}

TEST_F(Conversion, BadFilesAreRefusedWithTheirPlace) {
  const Games games = plain_games();
  const std::pair<DataFormat, std::string> kCut[] = {{DataFormat::psv, "ends within a position"},
                                                     {DataFormat::hcpe, "ends within a position"},
                                                     {DataFormat::hcpe3, "ends within a game"}};
  for (const auto& [format, error] : kCut) {
    write("a", format, games);
    const auto size = fs::file_size(at("a"));
    for (const std::uint64_t cut : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{30}}) {
      fs::resize_file(at("a"), size - cut);
      EXPECT_GE(read("a", format).size() + 1, games.size());
      EXPECT_THAT(error_, HasSubstr(error)) << to_string(format) << ' ' << cut;
    }
    folder_.write("a", flipped(folder_.read("a"), 0, 2));  // a king elsewhere
    EXPECT_TRUE(read("a", format).empty());
    EXPECT_THAT(error_, HasSubstr("a: offset 0: "));
    EXPECT_THAT((read("none", format), error_), HasSubstr("none: there is no such file"));
    EXPECT_THAT((read(".", format), error_), HasSubstr("is a folder"));
    folder_.write("empty", "");
    EXPECT_THAT((read("empty", format), error_), HasSubstr("empty: is empty"));
  }
}

TEST_F(Conversion, WhatIsNotFinishedIsNotThere) {
  const Games games = plain_games();
  folder_.write("a.psv", "as before");
  {
    auto sink = open_sink(at("a.psv"), DataFormat::psv, "", losses_);
    ASSERT_TRUE((*sink)->append(games[0]));
    EXPECT_TRUE(fs::exists(at("a.psv.part")));
  }
  EXPECT_EQ(folder_.read("a.psv"), "as before");
  EXPECT_FALSE(fs::exists(at("a.psv.part")));
  write("a.psv", DataFormat::psv, games);
  EXPECT_NE(folder_.read("a.psv"), "as before");
  for (const DataFormat format : {DataFormat::games, DataFormat::psv}) {
    EXPECT_THAT(open_sink(at("no") / "a", format, "", losses_).error(), HasSubstr("No such file or directory"));
  }
}

TEST(DataFormats, Names) {
  EXPECT_EQ(format_of("x/a.bin"), DataFormat::psv);
  EXPECT_EQ(format_of("a.hcpe3"), DataFormat::hcpe3);
  EXPECT_FALSE(format_of("games"));
  EXPECT_FALSE(format_by_name("bin"));
  EXPECT_EQ(format_by_name("hcpe"), DataFormat::hcpe);
}

TEST(Summaries, SayWhatIsThere) {
  Summary summary;
  EXPECT_THAT(summary.text(22), HasSubstr("games     0\n"));
  const ScoredGame game{.start = {},
                        .moves = {{move_of("7g7f"), {}}, {move_of("3c3d"), -100}, {move_of("2g2f"), 31'000}},
                        .winner = record::Winner::white,
                        .end = record::ScoredEnd::adjudicated};
  summary.add(game);
  summary.add({.start = *shogi::Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b R 1"), .moves = {{move_of("R*5e"), 50}}});
  const std::string text = summary.text(40);
  for (const char* part : {"games     2, 1 of them not from the standard position", "moves     4, 2.0 a game (1 to 3)",
                           "searched  3 (75.0%), mean distance of the score from 0: 75, mates 1 (33.3%)",
                           "winners   nobody 1 (50.0%), White 1 (50.0%)", "ends      unknown 1 (50.0%), adjudicated 1",
                           "bytes     40, 10.00 a move"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_EQ(position_line(game), "startpos moves 7g7f 3c3d 2g2f");
  EXPECT_EQ(position_line({.start = *shogi::Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 w r 8"), .moves = {}}),
            "sfen 4k4/9/9/9/9/9/9/9/4K4 w r 8");
}

}  // namespace
}  // namespace fuhyo::learn
