// The grammar of client lines: every line is exactly one command, and prefix matching is shogi-server's.
#include "server/csa/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fuhyo::csa {
namespace {

using namespace std::string_view_literals;
using testing::FieldsAre;

template <class T>
T expect_is(std::string_view line) {
  const Command command = parse(line);
  EXPECT_TRUE(std::holds_alternative<T>(command)) << line;
  return std::holds_alternative<T>(command) ? std::get<T>(command) : T{};
}

TEST(ParseLogin, TakesThreeWordsOrX1) {
  const auto csa = parse_login("LOGIN alice foo-300-10,trip", 32);
  ASSERT_TRUE(csa);
  EXPECT_EQ(csa->name, "alice");
  EXPECT_EQ(csa->password.reveal(), "foo-300-10,trip");
  EXPECT_FALSE(csa->x1);
  const auto x1 = parse_login("LOGIN \t e@f.g-h_1   pw x1", 32);
  ASSERT_TRUE(x1);
  EXPECT_EQ(x1->name, "e@f.g-h_1");
  EXPECT_TRUE(x1->x1);
}

TEST(ParseLogin, RefusesAndHintsFromFourWordsOn) {
  for (const std::string_view line :
       {"", "HELLO", "LOGIN", "LOGIN x", "login a b", "LOGIN bad$name pw", "LOGINa b c"}) {
    const auto login = parse_login(line, 32);
    ASSERT_FALSE(login) << line;
    EXPECT_FALSE(login.error().hint) << line;
  }
  for (const std::string_view line : {"LOGIN a b c", "LOGIN a b c d", "LOGIN bad$name pw x1", "LOGIN a b X1"}) {
    const auto login = parse_login(line, 32);
    ASSERT_FALSE(login) << line;
    EXPECT_TRUE(login.error().hint) << line;
  }
}

TEST(ParseLogin, N9_KnowsWhatIsNoCsaAtAll) {
  for (const std::string_view line : {"GET / HTTP/1.1"sv, "PRI * HTTP/2.0"sv, "\x16\x03\x01\x02"sv, "SSH-2.0-x"sv,
                                      "\x03\0\0\x13"sv, "LOGIN a b\0"sv}) {
    EXPECT_TRUE(is_other_protocol(line)) << line;
  }
  for (const std::string_view line : {""sv, "LOGIN a b"sv, "LOGIN a SSH-2.0"sv, "LOGIN a HTTP/1.1x"sv, "hello"sv,
                                      "/x.y"sv, " HTTP/"sv, "\xff\xfb\x1fLOGIN a b"sv}) {
    EXPECT_FALSE(is_other_protocol(line)) << line;
  }
}

TEST(ParseLogin, B2_BoundsTheName) {
  EXPECT_TRUE(parse_login("LOGIN " + std::string(32, 'n') + " pw", 32));
  EXPECT_FALSE(parse_login("LOGIN " + std::string(33, 'n') + " pw", 32));
  EXPECT_FALSE(is_identifier("", 32));
  EXPECT_FALSE(is_identifier("n\xc3\xa9", 32));
}

TEST(Parse, BlankLines) {
  expect_is<KeepAlive>("");
  expect_is<Blank>(" ");
  expect_is<Blank>(" \t  ");
}

TEST(Parse, MoveLinesKeepTheFirstCommentField) {
  EXPECT_EQ(expect_is<MoveLine>("+7776FU").move, "+7776FU");
  const char* floodgate = "-3334FU,'* 30 +2726FU -8384FU";
  EXPECT_THAT(expect_is<MoveLine>(floodgate), FieldsAre("-3334FU", "* 30 +2726FU -8384FU", floodgate));
  EXPECT_EQ(expect_is<MoveLine>("-8384FU,'free text, with a comma").comment, "free text");
  EXPECT_EQ(expect_is<MoveLine>("+7776FU,no apostrophe").comment, "");
  EXPECT_EQ(expect_is<MoveLine>("+7776FU 'x").move, "+7776FU 'x");
  EXPECT_EQ(expect_is<MoveLine>("+x").move, "+x");
}

TEST(Parse, SpecialMoves) {
  EXPECT_EQ(expect_is<Special>("%TORYO").line, "%TORYO");
  EXPECT_EQ(expect_is<Special>("%TORYO,abc").line, "%TORYO,abc");
  expect_is<Unknown>("%");
  expect_is<Unknown>("+");
  expect_is<Unknown>("+%");
}

TEST(Parse, PrefixesOfStateCommands) {
  EXPECT_EQ(expect_is<Agree>("AGREE").game_id, "");
  EXPECT_EQ(expect_is<Agree>("AGREE ev+g-1-1+a+b+2026").game_id, "ev+g-1-1+a+b+2026");
  EXPECT_EQ(expect_is<Agree>("AGREEfoo").game_id, "");
  EXPECT_EQ(expect_is<Reject>("REJECT id ").game_id, "id");
  expect_is<Logout>("LOGOUTx");
  expect_is<Challenge>("CHALLENGE");
  expect_is<Who>("%%WHOever");
  expect_is<List>("%%LIST");
  expect_is<Help>("%%HELP");
  expect_is<Version>("%%VERSION");
}

TEST(Parse, Games) {
  EXPECT_THAT(expect_is<Game>("%%GAME  foo-300-10 + "), FieldsAre("foo-300-10", Turn::black, false));
  EXPECT_THAT(expect_is<Game>("%%CHALLENGE foo-300-10 *"), FieldsAre("foo-300-10", Turn::any, true));
  expect_is<StopWaiting>("%%GAME");
  expect_is<StopWaiting>("%%GAME  ");
  EXPECT_EQ(expect_is<TurnMissing>("%%GAME foo-300-10").line, "%%GAME foo-300-10");
  expect_is<TurnMissing>("%%GAME foo-300-10 x");
  expect_is<TurnMissing>("%%GAME foo-300-10 + more");
  expect_is<TurnMissing>("%%CHALLENGE foo-300-10");
  expect_is<Unknown>("%%CHALLENGE");
  expect_is<Unknown>("%%GAMEfoo-300-10 +");
}

TEST(Parse, Buoys) {
  for (const std::string name : {"buoy_x-1500-0", "buoy_x-600-10F"}) {
    EXPECT_THAT(expect_is<SetBuoy>("%%SETBUOY " + name + " +7776FU"), FieldsAre(name, "+7776FU", 1));
    EXPECT_THAT(expect_is<SetBuoy>("%%SETBUOY " + name + " +7776FU 3"), FieldsAre(name, "+7776FU", 3));
    EXPECT_EQ(expect_is<DeleteBuoy>("%%DELETEBUOY " + name).name, name);
    EXPECT_EQ(expect_is<GetBuoyCount>("%%GETBUOYCOUNT " + name).name, name);
    EXPECT_THAT(expect_is<Fork>("%%FORK ev+x-600-10F+p1+p2+20130223185013 " + name + " 7"),
                FieldsAre("ev+x-600-10F+p1+p2+20130223185013", name, 7));
  }
  EXPECT_EQ(expect_is<Fork>("%%FORK ev+x-60-0+p1+p2+20130223185013").name, "");
  EXPECT_FALSE(expect_is<Fork>("%%FORK ev+x-60-0+p1+p2+20130223185013 buoy_x-60-0").ply);
  for (const char* line : {"%%SETBUOY", "%%SETBUOY buoy_x-60-0", "%%DELETEBUOY", "%%GETBUOYCOUNT", "%%FORK"}) {
    EXPECT_EQ(expect_is<Unknown>(line).shown, line);
  }
}

// The number of a position's move is not a count.
TEST(Parse, BuoysOfAnyPosition) {
  const std::string board = "8k/9/9/9/9/9/9/9/K8 w Gg";
  for (const std::string front : {"", "sfen ", "position sfen "}) {
    for (const auto& [back, count] : {std::pair<std::string, int>{"", 1},
                                      {" 57", 1},
                                      {" 57 3", 3},
                                      {" 57 G*5e", 1},
                                      {" 57 moves G*5e 3", 3},
                                      {" G*5e 4", 4}}) {
      const std::string line = "%%SETBUOYSFEN buoy_x-60-0 " + front + board + back;
      const SetBuoySfen buoy = expect_is<SetBuoySfen>(line);
      EXPECT_EQ(buoy.count, count) << line;
      EXPECT_TRUE(buoy.position.starts_with(front + board)) << buoy.position;
    }
  }
  for (const char* front : {"startpos", "position startpos"}) {
    const std::string line = "%%SETBUOYSFEN buoy_x-60-0 " + std::string(front);
    EXPECT_EQ(expect_is<SetBuoySfen>(line).count, 1) << line;
    EXPECT_EQ(expect_is<SetBuoySfen>(line + " 2").count, 2) << line;
    EXPECT_EQ(expect_is<SetBuoySfen>(line + " moves 7g7f 2").count, 2) << line;
  }
}

TEST(Parse, Rooms) {
  using Verb = RoomCommand::Verb;
  EXPECT_EQ(expect_is<RoomCommand>("%%ROOM LIST").verb, Verb::list);
  EXPECT_EQ(expect_is<RoomCommand>("%%ROOM  LEAVE now").verb, Verb::leave);
  EXPECT_EQ(expect_is<RoomCommand>("%%ROOM JOIN club").name, "club");
  EXPECT_EQ(expect_is<RoomCommand>("%%ROOM SHOW club").verb, Verb::show);
  EXPECT_THAT(expect_is<RoomCommand>("%%ROOM NEW  club  games=club-*  title-en=\"The  club\" "),
              FieldsAre(Verb::make, "club", "games=club-*  title-en=\"The  club\""));
  EXPECT_EQ(expect_is<RoomCommand>("%%ROOM CLOSE club it is late").rest, "it is late");
  for (const char* line : {"%%ROOM", "%%ROOM list", "%%ROOM JOIN", "%%ROOM JOIN ", "%%ROOMS LIST", "%%ROOM SETTLE x"}) {
    expect_is<Unknown>(line);
  }
}

TEST(Parse, Watching) {
  EXPECT_THAT(expect_is<Monitor>("%%MONITORON id"), FieldsAre("id", false, true, false));
  EXPECT_THAT(expect_is<Monitor>("%%MONITOROFF id"), FieldsAre("id", false, false, false));
  EXPECT_THAT(expect_is<Monitor>("%%MONITOR2ON id"), FieldsAre("id", true, true, false));
  EXPECT_THAT(expect_is<Monitor>("%%MONITOR2ON id comments"), FieldsAre("id", true, true, true));
  EXPECT_THAT(expect_is<Monitor>("%%MONITOR2OFF id"), FieldsAre("id", true, false, false));
  EXPECT_EQ(expect_is<Show>("%%SHOW id").game_id, "id");
  EXPECT_EQ(expect_is<Chat>("%%CHAT a  b").text, "a  b");
  expect_is<Rating>("%%RATING");
}

TEST(Parse, B9_UnknownLinesNeverRepeatAPassword) {
  for (const char* line : {"LOGIN again secretpw x1", "LOGIN again secretpw", "login again secretpw",
                           "LOGin  again\tsecretpw", "LOGINagain secretpw"}) {
    EXPECT_EQ(expect_is<Unknown>(line).shown, "LOGIN again...") << line;
  }
  EXPECT_EQ(expect_is<Unknown>("LOGIN a@b.c-d secretpw").shown, "LOGIN a@b.c-d...");
  EXPECT_EQ(expect_is<Unknown>("again: LOGIN again secretpw").shown, "again: LOGIN again...");
  EXPECT_EQ(expect_is<Unknown>("LOGIN again").shown, "LOGIN again");
  EXPECT_EQ(expect_is<Unknown>("foo bar").shown, "foo bar");
  expect_is<Ignored>("%%%FOO");
  EXPECT_EQ(expect_is<Unknown>("%%%%FOO").shown, "%%%%FOO");
  expect_is<Unknown>("%%%");
}

}  // namespace
}  // namespace fuhyo::csa
