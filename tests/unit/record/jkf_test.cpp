// JKF, read and written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/record/jkf_reader.h"
#include "engines/record/jkf_writer.h"
#include "engines/record/kif_setup.h"
#include "engines/shogi/usi_move.h"
#include "tests/support/expected.h"
#include "tests/unit/record/random_game.h"

namespace fuhyo::record {
namespace {

using namespace shogi;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

GameFile read(std::string_view text) { return fuhyo::test::value_of(read_jkf(text)); }
std::string refusal(std::string_view text) { return fuhyo::test::refusal_of(read_jkf(text)); }
std::string moves_of(const Game& game) {
  std::string out;
  for (const RecordedMove& m : game.moves) out += (out.empty() ? "" : " ") + to_usi(m.move);
  return out;
}
// A game of these entries.
std::string with(std::string_view entries) { return R"({"header":{},"moves":[{},)" + std::string(entries) + "]}"; }

constexpr std::string_view kFirst = R"({"move":{"color":0,"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}})";

TEST(JkfReader, ReadsEverything) {
  const Game game =
      read(R"({"header":{"先手":"A","後手":"B","棋戦":"E","持ち時間":"各10分","手合割":"平手","図":"投了"},
    "initial":{"preset":"HIRATE"},"moves":[{"comments":["start","two"]},
    {"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"color":0,"piece":"FU"},
     "time":{"now":{"m":1,"s":2},"total":{"h":0,"m":1,"s":2}}},
    {"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"color":1,"piece":"FU"},"comments":["c"],
     "forks":[[{"special":"CHUDAN"}],[]]},
    {"move":{"from":{"x":8,"y":8},"to":{"x":2,"y":2},"color":0,"piece":"KA","promote":true,"capture":"KA"}},
    {"move":{"from":{"x":3,"y":1},"to":{"x":2,"y":2},"color":1,"piece":"GI","same":true,"capture":"UM"},
     "time":{"now":{"h":1,"m":0,"s":0.5},"total":{"h":1,"m":0,"s":0}}},
    {"move":{"from":null,"to":{"x":5,"y":5},"color":0,"piece":"KA"}},
    {"special":"TORYO","time":{"now":{"m":0,"s":3},"total":{"h":0,"m":0,"s":3}},"comments":["end"]}]})")
          .game;
  EXPECT_EQ(game.black, "A");
  EXPECT_EQ(game.white, "B");
  EXPECT_EQ(game.event, "E");
  EXPECT_EQ(game.black_time, (TimeControl{.total_ms = 600'000}));
  EXPECT_THAT(game.headers, ElementsAre(Header{"図", "投了"}));
  EXPECT_EQ(moves_of(game), "7g7f 3c3d 8h2b+ 3a2b B*5e");
  EXPECT_EQ(game.moves[0].spent_ms, 62'000);
  EXPECT_EQ(game.moves[2].spent_ms, std::nullopt);
  EXPECT_EQ(game.moves[3].spent_ms, 3'600'500);
  EXPECT_EQ(game.end, (End{EndKind::toryo, 3'000, ""}));
  using Kind = Comment::Kind;
  EXPECT_THAT(game.comments,
              ElementsAre(Comment{0, Kind::program, false, "start"}, Comment{0, Kind::program, false, "two"},
                          Comment{2, Kind::program, false, "c"}, Comment{5, Kind::program, true, "end"}));
}

TEST(JkfReader, SaysWhatItDoesNotUnderstand) {
  const auto file = read(R"({"header":{"a":1},"moves":[{},{"special":"TORYO","forks":[[],[]]}]})");
  EXPECT_THAT(file.warnings, ElementsAre(Diagnostic{0, "header 'a' is no text"}));
  EXPECT_TRUE(file.game.branches.empty());
  EXPECT_THAT(read(with(R"({"special":"NANI"})")).warnings, ElementsAre(Diagnostic{0, "unknown end 'NANI'"}));
}

// "2g2f", as an entry with what else it holds.
std::string entry(std::string_view usi, std::string_view more = "") {
  std::string out = R"({"move":{"from":{"x":_,"y":_},"to":{"x":_,"y":_},"piece":"FU"})";
  const std::string digits = {usi[0], static_cast<char>(usi[1] - 'a' + '1'), usi[2],
                              static_cast<char>(usi[3] - 'a' + '1')};
  for (const char digit : digits) out[out.find('_')] = digit;
  return out + std::string(more) + "}";
}
std::string forks(std::string_view lines) { return R"(,"forks":[)" + std::string(lines) + "]"; }

TEST(JkfReader, ReadsForks) {
  const std::string text = with(entry("7g7f") + "," +
                                entry("3c3d", forks("[" + entry("8c8d", R"(,"comments":["c"])") + "," +
                                                    entry("2g2f", forks("[" + entry("6g6f") + "]")) +
                                                    R"(,{"special":"CHUDAN"}],[)" + entry("4c4d") + "]")) +
                                "," + entry("6g6f", forks("[" + entry("2g2f") + "]")) + R"(,{"special":"TORYO",)" +
                                forks("[" + entry("8c8d") + "]").substr(1) + "}");
  const GameFile file = read(text);
  EXPECT_TRUE(file.warnings.empty());
  const Game& game = file.game;
  EXPECT_EQ(moves_of(game), "7g7f 3c3d 6g6f");
  ASSERT_EQ(game.branches.size(), 5U);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < game.branches.size(); ++i) lines.push_back(moves_of(line_of(game, i)));
  EXPECT_THAT(lines,
              ElementsAre("7g7f 3c3d 6g6f 8c8d", "7g7f 3c3d 2g2f", "7g7f 8c8d 2g2f", "7g7f 8c8d 6g6f", "7g7f 4c4d"));
  EXPECT_EQ(game.branches[2].end.kind, EndKind::chudan);
  EXPECT_THAT(game.branches[2].comments, ElementsAre(Comment{2, Comment::Kind::program, false, "c"}));
  EXPECT_EQ(read(write_jkf(game)).game, game);
}

// A fork that hangs on nothing goes on behind the end of its line; deep ones are not followed for ever.
TEST(JkfReader, ReadsForksOfAnyKind) {
  const Game game = read(with(entry("7g7f") + R"(,{"forks":[[)" + entry("3c3d") + "]]}")).game;
  ASSERT_EQ(game.branches.size(), 1U);
  EXPECT_EQ(moves_of(line_of(game, 0)), "7g7f 3c3d");
  EXPECT_EQ(read(write_jkf(game)).game, game);

  const GameFile broken = read(with(entry("7g7f", forks("[" + entry("2g2f") + "," + entry("2g2f") + "],[0]"))));
  ASSERT_EQ(broken.game.branches.size(), 1U);
  EXPECT_EQ(moves_of(line_of(broken.game, 0)), "2g2f");
  EXPECT_THAT(broken.warnings, testing::SizeIs(2));
  EXPECT_THAT(broken.warnings[0].text, HasSubstr("the variation at move 1, "));

  Game deep;
  for (int ply = 0; ply < 70; ++ply) {  // a knight's rook to and fro
    const Square from[] = {make_square(2, 8), make_square(8, 2), make_square(3, 8), make_square(7, 2)};
    const RecordedMove move{Move::board(from[ply % 4], from[(ply + 2) % 4], false), {}};
    if (ply == 0) deep.moves = {move};
    if (ply > 0) deep.branches.push_back({.ply = ply - 1, .moves = {deep.branches.empty() ? deep.moves[0] : move}});
  }
  EXPECT_TRUE(read_jkf(write_jkf(deep)));
}

TEST(JkfReader, ReadsWhatOthersLeaveOut) {
  EXPECT_EQ(moves_of(read(with(R"({"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6}}})")).game), "7g7f");
  EXPECT_EQ(moves_of(read(R"({"initial":null,"moves":[{},)" + std::string(kFirst) + "]}").game), "7g7f");
  // Without an origin, "relative" tells the piece.
  EXPECT_EQ(moves_of(read(with(R"({"move":{"color":0,"to":{"x":5,"y":8},"piece":"KI","relative":"R"}})")).game),
            "4i5h");
  EXPECT_EQ(read(with(std::string(kFirst) + R"(,{"special":"ILLEGAL_ACTION"})")).game.end.kind, EndKind::black_illegal);
  EXPECT_EQ(read("\xEF\xBB\xBF" + with(kFirst)).game.plies(), 1);
}

TEST(JkfReader, KeepsAMoveThatEndedTheGameAlthoughItIsNone) {
  constexpr std::string_view kTried = R"({"move":{"color":0,"from":{"x":5,"y":5},"to":{"x":5,"y":4},"piece":"KI"}})";
  const Game game = read(with(std::string(kTried) + R"(,{"special":"ILLEGAL_MOVE"})")).game;
  ASSERT_TRUE(game.impossible);
  EXPECT_EQ(to_csa(game.impossible->move), "+5554KI");
  EXPECT_EQ(game.end.kind, EndKind::illegal_move);
  EXPECT_EQ(read(write_jkf(game)).game, game);
  EXPECT_EQ(refusal(with(kTried)), "move 1, '+5554KI', is impossible: no own piece on 5e");
}

TEST(JkfReader, RefusesBadInput) {
  EXPECT_THAT(refusal(""), StartsWith("line 1: not JSON: "));
  EXPECT_THAT(refusal("{\n\"moves\":\n x}"), StartsWith("line 3: not JSON: "));
  EXPECT_THAT(refusal("{\"moves\":[]}\n\nx"), StartsWith("line 3: not JSON: "));
  EXPECT_THAT(refusal(std::string(1000, '[')), StartsWith("line 1: not JSON: "));
  EXPECT_EQ(refusal("[]"), "no game in it: it is no JSON object");
  EXPECT_EQ(refusal("{}"), "no game in it: \"moves\" is missing");
  EXPECT_EQ(refusal(R"({"moves":[1]})"), "entry 0: is no object");
  EXPECT_EQ(refusal(with(R"({"move":1})")), "entry 1: \"move\" is no object");
  EXPECT_EQ(refusal(with(R"({"move":{"to":{"x":0,"y":6},"piece":"FU"}})")), "entry 1: \"to\" is no square");
  EXPECT_EQ(refusal(with(R"({"move":{"from":{"x":7},"to":{"x":7,"y":6},"piece":"FU"}})")),
            "entry 1: \"from\" is no square");
  EXPECT_EQ(refusal(with(R"({"move":{"to":{"x":7,"y":6}}})")), "entry 1: \"piece\" is missing or none");
  EXPECT_EQ(refusal(with(R"({"move":{"to":{"x":7,"y":6},"piece":"FU","relative":"Z"}})")),
            "entry 1: \"relative\" is none");
  EXPECT_EQ(refusal(with(R"({"move":{"from":{"x":4,"y":9},"to":{"x":5,"y":8},"piece":"KI","promote":true}})")),
            "entry 1: '５八金' cannot promote");
  EXPECT_EQ(refusal(with(R"({"special":1})")), "entry 1: \"special\" is no text");
  EXPECT_EQ(refusal(with(R"({"special":"TORYO"},)" + std::string(kFirst))),
            "entry 2: move 1 comes after the end of the game");
  EXPECT_EQ(refusal(R"({"initial":{},"moves":[]})"), "start position: \"preset\" is missing");
  EXPECT_EQ(refusal(R"({"initial":{"preset":"99"},"moves":[]})"), "start position: unknown preset '99'");
  EXPECT_EQ(refusal(R"({"initial":{"preset":"OTHER"},"moves":[]})"), "start position: \"data\" is missing");
  EXPECT_EQ(refusal(R"({"initial":{"preset":"OTHER","data":{"board":[]}},"moves":[]})"),
            "start position: the board has not nine files");
  EXPECT_EQ(refusal(R"({"initial":{"preset":"OTHER","data":{"board":{},"hands":[{"FU":19}]}},"moves":[]})"),
            "start position: no count of 'FU'");
  EXPECT_EQ(refusal(R"({"initial":{"preset":"OTHER","data":{"board":{},"hands":[{"FU":18},{"FU":1}]}},"moves":[]})"),
            "start position: more FU than a set has");
  EXPECT_EQ(refusal(R"({"initial":{"preset":"OTHER","data":{"board":{},"hands":[{"TO":1}]}},"moves":[]})"),
            "start position: a hand cannot hold 'TO'");
}

TEST(JkfWriter, WritesWhatTheSchemaAsksFor) {
  Game game;
  game.black = "A";
  game.moves = {{Move::board(make_square(7, 7), make_square(7, 6), false), 62'900},
                {Move::board(make_square(3, 3), make_square(3, 4), false), {}},
                {Move::board(make_square(8, 8), make_square(2, 2), true), 3'600'000},
                {Move::board(make_square(3, 1), make_square(2, 2), false), {}},
                {Move::board(make_square(4, 9), make_square(5, 8), false), {}}};
  game.end = {EndKind::toryo, {}, ""};
  game.comments = {{5, Comment::Kind::note, true, "end"}};
  EXPECT_EQ(write_jkf(game),
            R"({"header":{"先手":"A","後手":""},"initial":{"preset":"HIRATE"},"moves":[{},)"
            R"({"move":{"color":0,"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"},)"
            R"("time":{"now":{"m":1,"s":2},"total":{"h":0,"m":1,"s":2}}},)"
            R"({"move":{"color":1,"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"}},)"
            R"({"move":{"color":0,"from":{"x":8,"y":8},"to":{"x":2,"y":2},"piece":"KA","promote":true,"capture":"KA"},)"
            R"("time":{"now":{"h":1,"m":0,"s":0},"total":{"h":1,"m":1,"s":2}}},)"
            R"({"move":{"color":1,"from":{"x":3,"y":1},"to":{"x":2,"y":2},"piece":"GI","same":true,"capture":"UM"}},)"
            R"({"move":{"color":0,"from":{"x":4,"y":9},"to":{"x":5,"y":8},"piece":"KI","relative":"R"}},)"
            R"({"special":"TORYO","comments":["end"]}]})");
}

TEST(JkfWriter, RandomGamesComeBack) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const record::Setup start =
        seed % 2 == 0 ? handicap_by_name("六枚落ち")->setup : final_setup(test::random_game(seed, 50));
    const Game game = test::random_game(seed, 100, start);
    ASSERT_EQ(read(write_jkf(game)).game, game) << seed << '\n' << write_jkf(game);
  }
}

TEST(JkfWriter, EveryEndComesBackAsItself) {
  for (int kind = 0; kind <= static_cast<int>(EndKind::other); ++kind) {
    Game game;
    game.end = {.kind = static_cast<EndKind>(kind), .spent_ms = {}, .text = kind == 16 ? "封じ手" : ""};
    EXPECT_EQ(read(write_jkf(game)).game, game) << kind;
  }
}

TEST(JkfWriter, LeavesOutWhatTheFormatCannotSay) {
  Game game;
  game.headers = {{"a", "1"}, {"a", "2"}};
  game.comments = {{0, Comment::Kind::note, false, "x\ny"}, {0, Comment::Kind::unparsed, false, "z"}};
  const Game back = read(write_jkf(game)).game;
  EXPECT_THAT(back.headers, ElementsAre(Header{"a", "1"}));
  EXPECT_THAT(back.comments, ElementsAre(Comment{0, Comment::Kind::program, false, "x\ny"},
                                         Comment{0, Comment::Kind::program, false, "z"}));
}

}  // namespace
}  // namespace fuhyo::record
