// Another server as it is followed: conversations with one, and what the journal holds of its games afterwards.
#include "server/app/relay/follower.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>

#include "engines/record/csa_move.h"
#include "server/core/record_text.h"

namespace fuhyo::app {
namespace {

using core::CommentAdded, core::EndKind, core::GameEnded, core::GameOpened, core::GameRejected, core::GameStarted,
    core::MoveMade, core::Outcome;
using testing::ElementsAre, testing::Field, testing::HasSubstr, testing::IsEmpty, testing::SizeIs;

constexpr std::string_view kId = "ev+foo-300-10+alice+bob+20261121041507";
const std::string kHead = fmt::format(
    "V2\nN+alice\nN-bob\n'Max_Moves:256\n'Least_Time_Per_Move:0\n$EVENT:{}\n$START_TIME:2026/11/21 04:15:07\n"
    "{}'rating:alice+7e5a:bob+d416\n'black_rate:alice+7e5a:1500\n",
    kId, record::csa_board(shogi::Position()));

std::string asks_for(std::string_view id) { return fmt::format("%%MONITOR2ON {} comments", id); }

class FollowerTest : public testing::Test {
 protected:
  FollowerTest() { now.wall = {1'795'000'000 * core::kSecond}; }

  void take() {
    Follower::Effects effects = follower->take();
    sent.insert(sent.end(), effects.lines.begin(), effects.lines.end());
    notes.insert(notes.end(), effects.notes.begin(), effects.notes.end());
    if (effects.fault) fault = *effects.fault;
    for (core::Fact& fact : effects.facts) {
      const core::GameId game = core::game_of(fact);
      if (const auto* opened = std::get_if<GameOpened>(&fact)) {
        stories.emplace(game, core::GameStory{*opened});
      } else {
        stories.at(game).apply(fact);
      }
      facts.push_back(std::move(fact));
    }
  }
  void hear(std::string_view line) {
    follower->line(line, now);
    take();
  }
  // The next request, at its time.
  std::string next() {
    const std::int64_t wait_us = std::max<std::int64_t>(follower->due() - now.mono, 0);
    now.mono = now.mono + wait_us;
    now.wall.us += wait_us;
    sent.clear();
    follower->tick(now);
    take();
    return sent.empty() ? "" : sent.back();
  }
  void log_in() {
    follower->connected(now);
    take();
    hear("LOGIN:relay OK");
    hear("##[LOGIN] +OK x1");
  }
  void list(const std::vector<std::string>& games) {
    for (const std::string& id : games) hear("##[LIST] " + id);
    hear("##[LIST] +OK");
  }
  // Lines of the record of a game, in one answer.
  void record(std::string_view lines, std::string_view id = kId) {
    while (!lines.empty()) {
      const std::string_view line = lines.substr(0, lines.find('\n'));
      lines.remove_prefix(std::min(lines.size(), line.size() + 1));
      hear(fmt::format("##[MONITOR2][{}] {}", id, line));
    }
    hear(fmt::format("##[MONITOR2][{}] +OK", id));
  }
  // In the list, and its record asked for.
  void follow(std::string_view lines) {
    log_in();
    EXPECT_EQ(next(), "%%LIST");
    list({std::string(kId)});
    EXPECT_EQ(next(), asks_for(kId));
    record(lines);
  }
  const core::GameStory& story() const { return stories.begin()->second; }
  template <class F>
  std::vector<F> of_kind() const {
    std::vector<F> found;
    for (const core::Fact& fact : facts) {
      if (const auto* one = std::get_if<F>(&fact)) found.push_back(*one);
    }
    return found;
  }

  core::Now now;
  core::GameId last{41};
  Follower::Config config{.room = "there", .login = "relay", .password = csa::Secret("pw"), .zone = {}};
  std::optional<Follower> follower{std::in_place, config, last, std::vector<core::GameStory>()};
  std::vector<std::string> sent, notes;
  std::string fault;
  std::vector<core::Fact> facts;
  std::map<core::GameId, core::GameStory> stories;
};

TEST_F(FollowerTest, AsksOneThingAtATimeAndNotTooOften) {
  follower->connected(now);
  take();
  EXPECT_THAT(sent, ElementsAre("LOGIN relay pw x1"));
  hear("LOGIN:relay OK");
  const core::Instant begun = now.mono;
  EXPECT_EQ(next(), "%%LIST");
  EXPECT_EQ(now.mono, begun);
  now.mono = now.mono + 59 * core::kSecond;
  sent.clear();
  follower->tick(now);
  take();
  EXPECT_THAT(sent, IsEmpty()) << "the list has not come yet";
  list({});
  EXPECT_EQ(next(), "%%LIST");
  EXPECT_EQ(now.mono - begun, 59 * core::kSecond);
  list({});
  EXPECT_EQ(next(), "%%LIST");
  EXPECT_EQ(now.mono - begun, 61 * core::kSecond);
  EXPECT_THAT(facts, IsEmpty());
}

TEST_F(FollowerTest, AServerThatDoesNotAnswerOrRefusesIsLeft) {
  log_in();
  next();
  EXPECT_EQ(next(), "");
  EXPECT_EQ(now.mono.us, Follower::kAnswer_us);
  EXPECT_EQ(fault, "the server does not answer");
  follower->disconnected();
  EXPECT_EQ(follower->due(), core::Instant{INT64_MAX});
  follower->connected(now);
  hear("LOGIN:incorrect");
  EXPECT_THAT(fault, HasSubstr("refuses"));
  follower->disconnected();
  follower->connected(now);
  const core::Instant connected = now.mono;
  fault.clear();
  next();
  EXPECT_EQ(now.mono - connected, Follower::kAnswer_us);
  EXPECT_EQ(fault, "the server does not answer") << "not even to a login";
}

TEST_F(FollowerTest, FollowsAGameFromItsBeginToItsEnd) {
  follow(kHead);
  ASSERT_THAT(facts, SizeIs(1));
  const GameOpened& opened = std::get<GameOpened>(facts[0]);
  EXPECT_EQ(opened.game, core::GameId{42});
  EXPECT_EQ(opened.room, "there");
  EXPECT_EQ(opened.game_name, "foo-300-10");
  EXPECT_EQ(opened.black, (core::Seat{.name = "alice", .id = "alice+7e5a"}));
  EXPECT_EQ(opened.white.id, "bob+d416");
  EXPECT_EQ(opened.black_rate, 1500);
  EXPECT_EQ(opened.max_moves, 256);
  EXPECT_EQ(opened.time, (core::TimeRule{.total_s = 300, .byoyomi_s = 10}));
  EXPECT_EQ(core::record_head(opened), kHead) << "all of it is read";
  next();
  list({std::string(kId)});
  EXPECT_EQ(next(), "%%WHO") << "whether the players have agreed";
  hear("##[WHO] alice+7e5a x1 agree_waiting foo-300-10 +");
  EXPECT_THAT(of_kind<GameStarted>(), IsEmpty());
  hear("##[WHO] carol+1 x1 game foo-300-10 +");
  hear("##[WHO] bob+d416 CSA game foo-300-10 -");
  hear("##[WHO] alice+7e5a x1 game foo-300-10 +");
  hear("##[WHO] +OK");
  EXPECT_THAT(of_kind<GameStarted>(), SizeIs(1));
  record("+7776FU\nT12\n");
  record("-3334FU\nT0\n");
  record("%TORYO\n");
  const auto moves = of_kind<MoveMade>();
  ASSERT_THAT(moves, SizeIs(2));
  EXPECT_EQ(moves[0].remaining_s, 288);
  EXPECT_EQ(moves[1].ply, 2);
  ASSERT_TRUE(story().ended);
  EXPECT_THAT(core::record_text(story()),
              HasSubstr("+7776FU\nT12\n-3334FU\nT0\n%TORYO\n'P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n"));
  EXPECT_THAT(core::record_text(story()), HasSubstr("'summary:toryo:alice lose:bob win\n"));
  record("%TORYO\n");
  next();
  list({});
  EXPECT_THAT(of_kind<GameEnded>(), SizeIs(1)) << "it is over once";
  EXPECT_THAT(notes, IsEmpty());
}

// A Fuhyo tells comments as they come, those of the last move too.
TEST_F(FollowerTest, HearsTheLastMovesComment) {
  follow(kHead);
  record("+7776FU\nT1\n");
  record("'** 30\n");
  record("#MAX_MOVES\n");
  EXPECT_EQ(story().comments_on(1), "* 30");
  EXPECT_THAT(core::record_text(story()), HasSubstr("+7776FU\nT1\n'** 30\n"));
}

// As a shogi-server does where it would have to tell a comment that is not ASCII.
TEST_F(FollowerTest, LeavesAGameWhoseRecordEndsTheLine) {
  constexpr std::string_view kOther = "ev+foo-300-10+carol+dave+20261121041508";
  follow(kHead);
  record("+7776FU\nT1\n");
  const auto lose_the_line = [&] {
    follower->disconnected();
    log_in();
    EXPECT_EQ(next(), "%%LIST");
    list({std::string(kId), std::string(kOther)});
  };
  lose_the_line();
  EXPECT_EQ(next(), asks_for(kId));
  lose_the_line();
  EXPECT_THAT(notes, IsEmpty()) << "once may be chance";
  EXPECT_EQ(next(), asks_for(kOther)) << "before the one that may end the line";
  record(kHead, kOther);
  EXPECT_EQ(next(), asks_for(kId));
  lose_the_line();
  EXPECT_THAT(notes, ElementsAre(HasSubstr("the server closes the line in place of its record")));
  std::set<std::string> said;
  constexpr std::string_view kNext = "ev+foo-300-10+alice+erin+20261121041509";
  for (int i = 0; i < 4 * Follower::kAgain; ++i) {
    const std::string request = next();
    if (request == "%%LIST") list({std::string(kId), std::string(kOther), std::string(kNext)});
    if (request == "%%WHO") hear("##[WHO] +OK");
    if (request == asks_for(kOther)) record(kHead, kOther);
    if (request == asks_for(kNext)) {
      EXPECT_FALSE(said.contains(request)) << "what alice says is read once";
      record(kHead, kNext);
      record("+7776FU\nT1\n", kNext);
    }
    said.insert(request);
  }
  EXPECT_THAT(said, ElementsAre("%%LIST", asks_for(kNext), asks_for(kOther), "%%WHO"));
}

TEST_F(FollowerTest, JoinsAGameInItsMiddleWithWhatWasSaid) {
  follow(fmt::format("{}+7776FU\nT12\n'** 30 -3334FU\n-3334FU\nT8\n'Deferred +2726FU\n", kHead));
  EXPECT_EQ(story().opened.at.us, now.wall.us - 20 * core::kSecond);
  EXPECT_THAT(story().moves, ElementsAre("+7776FU,T12", "-3334FU,T8"));
  EXPECT_EQ(story().comments_on(1), "* 30 -3334FU");
  EXPECT_THAT(of_kind<GameStarted>(), SizeIs(1));
  EXPECT_EQ(of_kind<MoveMade>()[1].remaining_s, 292);
}

// A shogi-server tells watchers no comments of later moves: they stand in the record alone, with the move.
TEST_F(FollowerTest, ReadsARecordAgainForItsComments) {
  follow(kHead);
  EXPECT_EQ(next(), "%%LIST") << "no move has been made";
  list({std::string(kId)});
  EXPECT_EQ(next(), "%%WHO");
  hear("##[WHO] +OK");
  record("+7776FU\nT1\n");
  EXPECT_EQ(next(), asks_for(kId)) << "before the game can end";
  record(fmt::format("{}+7776FU\nT1\n'** 30\n", kHead));
  record(fmt::format("{}+7776FU\nT1\n'** 30\n'*why\n", kHead));
  EXPECT_EQ(story().comments_on(1), "* 30\nwhy") << "each once";
  EXPECT_THAT(of_kind<MoveMade>(), SizeIs(1));
  record("'* paused by host\n");
  EXPECT_EQ(story().comments_on(1), "* 30\nwhy\n paused by host") << "what the server says of the game comes at once";
  record("-3334FU\nT1\n");
  for (int i = 0; i < 2 * Follower::kAgain; ++i) {
    EXPECT_EQ(next(), "%%LIST") << "this server tells everything at once";
    list({std::string(kId)});
  }
}

TEST_F(FollowerTest, ALostLineLosesNoMove) {
  follow(kHead);
  record("+7776FU\nT1\n");
  hear(fmt::format("##[MONITOR2][{}] -3334FU", kId));  // and no more
  follower->disconnected();
  log_in();
  EXPECT_EQ(next(), "%%LIST");
  list({std::string(kId)});
  EXPECT_EQ(next(), asks_for(kId));
  record(fmt::format("{}+7776FU\nT1\n-3334FU\nT2\n+2726FU\nT3\n", kHead));
  EXPECT_THAT(story().moves, ElementsAre("+7776FU,T1", "-3334FU,T2", "+2726FU,T3"));
  EXPECT_THAT(of_kind<GameOpened>(), SizeIs(1));
  EXPECT_THAT(of_kind<MoveMade>(), SizeIs(3));
}

TEST_F(FollowerTest, AGameThatIsNowhereAnyMoreIsOverWithoutAResult) {
  follow(kHead);
  record("+7776FU\nT1\n");
  EXPECT_EQ(next(), asks_for(kId));
  record(kHead + "+7776FU\nT1\n");
  EXPECT_EQ(next(), "%%LIST");
  list({});
  EXPECT_EQ(next(), fmt::format("%%SHOW {}", kId));
  hear("##[SHOW] BEGIN Game_Summary");
  hear("##[SHOW] +OK");
  EXPECT_THAT(of_kind<GameEnded>(), IsEmpty()) << "its watchers are to hear more";
  record("-3334FU\nT1\n");
  EXPECT_EQ(next(), asks_for(kId));
  EXPECT_EQ(next(), "%%LIST");
  list({});
  EXPECT_EQ(next(), fmt::format("%%SHOW {}", kId));
  hear("##[SHOW] +OK");
  const auto ended = of_kind<GameEnded>();
  ASSERT_THAT(ended, SizeIs(1));
  EXPECT_EQ(ended[0].kind, EndKind::chudan);
  EXPECT_EQ(ended[0].outcome, Outcome::none);
  EXPECT_EQ(ended[0].plies, 2);
}

// Games that are shown late for long keep neither each other nor the records waiting.
TEST_F(FollowerTest, AsksAfterEachGameThatIsNoLongerListed) {
  const std::vector<std::string> ids = {"a", "b", "c"};
  log_in();
  next();
  list(ids);
  for (const std::string& id : ids) {
    EXPECT_EQ(next(), asks_for(id));
    record(kHead + "+7776FU\nT1\n", id);
  }
  std::map<std::string, int> said;
  for (int i = 0; i < 32; ++i) {
    const std::string request = next();
    ++said[request];
    if (request == "%%LIST") list({fmt::format("new{}", i)});
    if (request.starts_with("%%SHOW")) hear("##[SHOW] To_Move:+");
    if (request.starts_with("%%SHOW")) hear("##[SHOW] +OK");
  }
  EXPECT_THAT(of_kind<GameEnded>(), IsEmpty());
  for (const std::string& id : ids) EXPECT_GE(said["%%SHOW " + id], 2) << id;
  EXPECT_EQ(said[asks_for("new0")], 1);
}

TEST_F(FollowerTest, AGameThatNeverBeganIsRejected) {
  follow(kHead);
  next();
  list({});
  next();
  hear("##[SHOW] +OK");
  EXPECT_THAT(of_kind<GameRejected>(), SizeIs(1));
}

TEST_F(FollowerTest, GoesOnAfterARestartOfItsOwn) {
  follow(kHead);
  record("+7776FU\nT1\n'** 30\n");
  follower.emplace(config, last, std::vector{story()});
  facts.clear();
  log_in();
  next();
  list({std::string(kId)});
  next();
  record(fmt::format("{}+7776FU\nT1\n'** 30\n-3334FU\nT2\n", kHead));
  record("#TIME_UP\n");
  EXPECT_THAT(of_kind<GameOpened>(), IsEmpty());
  EXPECT_THAT(of_kind<CommentAdded>(), IsEmpty());
  EXPECT_THAT(of_kind<MoveMade>(), ElementsAre(Field(&MoveMade::ply, 2)));
  EXPECT_THAT(of_kind<GameEnded>(), ElementsAre(Field(&GameEnded::outcome, Outcome::white_wins)));
}

TEST_F(FollowerTest, WhatCannotBeThisGameIsNotTaken) {
  follow(kHead);
  record("+7776FU\nT1\n");
  record(fmt::format("{}+2726FU\nT1\n-3334FU\nT1\n", kHead));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("move 1 was +7776FU,T1, and is told as +2726FU,T1 now")));
  record("-3334FU\nT1\n");
  EXPECT_THAT(story().moves, ElementsAre("+7776FU,T1"));
}

TEST_F(FollowerTest, AnIllegalMoveAndABrokenRecordAreNoted) {
  follow(fmt::format("{}+7775FU\nT1\n", kHead));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("move 1: ")));
  EXPECT_THAT(story().moves, IsEmpty());
  next();
  list({"a+b-1-1+c+d+1"});
  next();
  record("V2\nN+c\nN-d\n", "a+b-1-1+c+d+1");
  EXPECT_THAT(notes, SizeIs(2));
  EXPECT_THAT(of_kind<GameOpened>(), SizeIs(1));
}

TEST_F(FollowerTest, TakesABuoysMovesAsMadeBefore) {
  follow(fmt::format("{}'buoy game starting with 2 moves\n+7776FU\nT3\n-3334FU\nT1\n+2726FU\nT5\n", kHead));
  EXPECT_THAT(story().opened.preset_moves, ElementsAre("+7776FU,T3", "-3334FU,T1"));
  ASSERT_THAT(of_kind<MoveMade>(), SizeIs(1));
  EXPECT_EQ(of_kind<MoveMade>()[0].ply, 3);
  EXPECT_EQ(of_kind<MoveMade>()[0].remaining_s, 295) << "the clocks begin with the first own move";
}

struct End {
  const char* told;
  EndKind kind;
  Outcome outcome;
};
class EndOfAGame : public FollowerTest, public testing::WithParamInterface<End> {};

TEST_P(EndOfAGame, IsJudgedByItsLine) {
  follow(fmt::format("{}+7776FU\nT1\n", kHead));
  if (std::string_view(GetParam().told).starts_with("%KACHI")) record("%KACHI\nT7\n");
  EXPECT_FALSE(story().ended);
  record(GetParam().told);
  ASSERT_TRUE(story().ended);
  EXPECT_EQ(story().ended->kind, GetParam().kind);
  EXPECT_EQ(story().ended->outcome, GetParam().outcome);
  EXPECT_EQ(story().ended->spent_s, GetParam().kind == EndKind::illegal_kachi ? 7 : 0);
}

INSTANTIATE_TEST_SUITE_P(Told, EndOfAGame,
                         testing::Values(End{"%TORYO", EndKind::toryo, Outcome::black_wins},
                                         End{"#TIME_UP", EndKind::time_up, Outcome::black_wins},
                                         End{"#ILLEGAL_MOVE", EndKind::illegal_move, Outcome::black_wins},
                                         End{"%KACHI", EndKind::illegal_kachi, Outcome::black_wins},
                                         End{"#SENNICHITE", EndKind::sennichite, Outcome::draw},
                                         End{"#OUTE_SENNICHITE", EndKind::oute_sennichite, Outcome::none},
                                         End{"#MAX_MOVES", EndKind::max_moves, Outcome::draw},
                                         End{"#JISHOGI", EndKind::kachi, Outcome::draw},
                                         End{"#CHUDAN", EndKind::chudan, Outcome::none},
                                         End{"#SOMETHING", EndKind::chudan, Outcome::none}),
                         [](const auto& end) {
                           std::string name(end.param.told + 1);
                           std::erase(name, '_');
                           return name;
                         });

// The last move is taken back on the final board, as its server does.
TEST_F(FollowerTest, KnowsTheRepetitionThatEndedAGame) {
  std::string moves;
  constexpr const char* kRound[] = {"+2838HI", "-8272HI", "+3828HI", "-7282HI"};
  for (int ply = 0; ply < 13; ++ply) moves += fmt::format("{}\nT0\n", kRound[ply % 4]);
  follow(kHead + moves);
  record("#SENNICHITE\n");
  ASSERT_TRUE(story().ended);
  EXPECT_EQ(story().ended->plies, 12);
  EXPECT_EQ(story().ended->reason, "fourfold repetition");
}

TEST_F(FollowerTest, FollowsFiftyGamesWholeAndOnlyReads) {
  std::vector<std::string> ids;
  for (int i = 0; i < 50; ++i) ids.push_back(fmt::format("ev+foo-300-10+a{0}+b{0}+20261121041507", i));
  const auto record_of = [](int i) {
    std::string head = kHead;
    head.replace(head.find("N+alice"), 7, fmt::format("N+a{}", i));
    head.replace(head.find("N-bob"), 5, fmt::format("N-b{}", i));
    return head + "+7776FU\nT1\n";
  };
  log_in();
  std::map<std::string, int> said;
  int requests = 0;
  while (stories.size() < ids.size() || said["%%LIST"] < 20) {
    const std::string request = next();
    const std::string word = request.substr(0, request.find(' '));
    ++said[word];
    ASSERT_LT(++requests, 100);
    if (word == "%%LIST") list(ids);
    if (word != "%%MONITOR2ON") continue;
    const auto at = std::ranges::find(ids, request, asks_for) - ids.begin();
    ASSERT_LT(at, std::ssize(ids));
    record(record_of(static_cast<int>(at)), ids[static_cast<std::size_t>(at)]);
  }
  EXPECT_THAT(of_kind<GameOpened>(), SizeIs(50));
  for (int ply = 2; ply < 12; ++ply) {
    for (const std::string& id : ids) {
      constexpr const char* kMoves[] = {"+2838HI", "-8272HI", "+3828HI", "-7282HI"};
      const std::string move = ply == 2 ? "-3334FU" : kMoves[(ply + 1) % 4];
      hear(fmt::format("##[MONITOR2][{}] {}", id, move));
      hear(fmt::format("##[MONITOR2][{}] T1", id));
      hear(fmt::format("##[MONITOR2][{}] +OK", id));
    }
  }
  for (const std::string& id : ids) record("%TORYO\n", id);
  EXPECT_THAT(notes, IsEmpty());
  for (const auto& [id, story] : stories) {
    EXPECT_THAT(story.moves, SizeIs(11));
    EXPECT_TRUE(story.ended);
  }
  for (const auto& [word, count] : said) EXPECT_TRUE(word == "%%LIST" || word == "%%MONITOR2ON") << word;
}

TEST_F(FollowerTest, WhatAServerCanMakeItKeepIsBounded) {
  log_in();
  next();
  for (std::size_t i = 0; i <= Follower::kMostGames; ++i) hear(fmt::format("##[LIST] {:05}", i));
  hear("##[LIST] +OK");
  next();
  const std::string first = "00000";
  for (std::size_t i = 0; i < Follower::kMostLines; ++i) hear(fmt::format("##[MONITOR2][{}] T1", first));
  EXPECT_EQ(fault, "");
  hear(fmt::format("##[MONITOR2][{}] T1", first));
  EXPECT_EQ(fault, "00000: a record that does not end");
  fault.clear();
  for (std::size_t i = 0; i <= Follower::kMostLines; ++i) {
    hear(fmt::format("##[MONITOR2][{:05}] T1", Follower::kMostGames));
  }
  EXPECT_EQ(fault, "") << "the last one of the list is not among those that are followed";
}

}  // namespace
}  // namespace fuhyo::app
