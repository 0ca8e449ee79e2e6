// The feed of spectators: format, resuming, bounds, strangers' text; and of games that are shown late: what it says
// when, its own ids, beginning anew.
#include "server/net/feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "server/net/feed_json.h"
#include "tests/unit/net/json_parts.h"
#include "tests/unit/net/some_facts.h"

namespace fuhyo::net {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::uint64_t> seqs(const std::vector<FeedEvent>& events) {
  std::vector<std::uint64_t> result;
  for (const FeedEvent& event : events) result.push_back(core::value(event.seq));
  return result;
}

class FeedTest : public testing::Test {
 protected:
  std::vector<FeedEvent> add(core::Fact fact) { return feed.apply(next(std::move(fact)), kNow, false); }
  void play_two_moves(std::uint64_t id) {
    add(opened(id));
    add(core::GameStarted{core::GameId{id}, core::Wall{1'500'000}});
    add(moved(id, 1, "+7776FU"));
    add(moved(id, 2, "-3334FU"));
  }

  Numbering next;
  Feed feed{Feed::Options{}, core::Recovery{}, kNow};
};

TEST_F(FeedTest, AMoveIsOneEventWithItsPlaceInTheJournal) {
  add(opened(7));
  const auto events = add(moved(7, 1, "+7776FU"));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(events[0].text->plain().starts_with("id: 2\nevent: moved\ndata: {\"v\":1,")) << events[0].text->plain();
  EXPECT_TRUE(events[0].text->plain().ends_with("}\n\n"));
  const json::value data = data_of(events[0].text);
  EXPECT_TRUE(holds(data, R"({"id": 7, "ply": 1, "move": "+7776FU,T2", "remaining_s": 298,
      "sfen": "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"})"));
}

// What a player says of his own moves: shown at once, after the game, or never.
TEST_F(FeedTest, CommentsAreShownWhenTheyMayBe) {
  for (const core::Comments comments : {core::Comments::never, core::Comments::after, core::Comments::live}) {
    Numbering number;
    Feed shown{{.comments = comments}, core::Recovery{}, kNow};
    const auto put = [&](core::Fact fact) { return shown.apply(number(std::move(fact)), kNow, false); };
    const auto known = [&] {
      return json::parse(game_json(*shown.find(core::GameId{7}), core::Wall{}, comments, false)).at("game");
    };
    put(opened(7));
    put(moved(7, 1, "+7776FU"));
    put(moved(7, 2, "-3334FU", "* -40 +2726FU\x01\xff"));
    const json::value data = data_of(put(moved(7, 3, "+2726FU", "* 55 -8384FU")).front().text);
    const bool live = comments == core::Comments::live, after = comments != core::Comments::never;
    const json::value last = json::array{"* 55 -8384FU", "* -40 +2726FU \ufffd"}, none = json::array{nullptr, nullptr};
    EXPECT_EQ(data.as_object().contains("comment"), live);
    const auto in_snapshot = [&] {
      return data_of(shown.snapshot({}, core::Wall{})).at("games").at(0).at("last_comments");
    };
    EXPECT_EQ(known().at("last_comments"), live ? last : none);
    EXPECT_EQ(in_snapshot(), live ? last : none);
    EXPECT_EQ(known().at("comments").as_array().size(), live ? 2u : 0u);
    put(ended(7));
    EXPECT_EQ(known().at("last_comments"), after ? last : none);
    EXPECT_EQ(known().at("comments"),
              after ? (json::array{json::array{2, last.at(1)}, json::array{3, last.at(0)}}) : json::array{});
    EXPECT_EQ(in_snapshot(), after ? last : none);
    EXPECT_EQ(shown.find(core::GameId{8}), nullptr);
  }
}

// Of what was played, once nothing more is.
TEST_F(FeedTest, AFinishedGameHasTheNameOfItsOpening) {
  const auto opening = [&] {
    return json::parse(game_json(*feed.find(core::GameId{7}), core::Wall{}, core::Comments::live, false)).at("opening");
  };
  add(opened(7));
  int ply = 0;
  for (const char* move : {"+7776FU", "-3334FU", "+2726FU", "-2288UM", "+7988GI"}) add(moved(7, ++ply, move));
  EXPECT_TRUE(opening().is_null());
  add(ended(7));
  EXPECT_EQ(opening(), "kakugawari");
}

TEST_F(FeedTest, ACommentThatComesLateIsAnEventOfItsOwn) {
  play_two_moves(7);
  core::GameOpened shown = opened(8);
  shown.comments = core::Comments::live;
  add(shown);
  add(moved(8, 1, "+7776FU"));
  const core::CommentAdded said{.game = core::GameId{8}, .ply = 1, .comment = "* 30"};
  const auto told = add(said);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_THAT(told[0].text->plain(), HasSubstr("event: commented\n"));
  EXPECT_TRUE(holds(data_of(told[0].text), R"({"v": 1, "id": 8, "ply": 1, "comment": "* 30"})"));
  core::CommentAdded hidden = said;
  hidden.game = core::GameId{7};
  const auto untold = add(hidden);
  ASSERT_EQ(untold.size(), 1u);
  EXPECT_THAT(untold[0].text->plain(), Not(HasSubstr("comment\":"))) << "not before the game is over";
}

class Parrot final : public core::Commentator {
 public:
  bool finds_words() const override { return true; }
  void hear(const core::Turn& turn, bool watched) override {
    heard.push_back(turn.move.en + (watched ? "!" : ""));
    standing = turn.standing;
  }
  void ask(core::Question, Answer) override {}
  std::vector<core::Told> said(core::GameId) override { return told; }
  void tell(Listener) override {}

  std::vector<std::string> heard;
  std::vector<core::Told> told;
  std::optional<core::EventStanding> standing;
};

// Behind what it speaks of, with what spectators may know by then.
TEST_F(FeedTest, ACommentatorSpeaksWhereTheHostAndTheRoomAllowIt) {
  Numbering number;
  Feed spoken{{.commentator = std::make_shared<Parrot>()}, core::Recovery{}, kNow};
  const auto put = [&](core::Fact fact) { return spoken.apply(number(std::move(fact)), kNow, false); };
  put(core::RoomSet{.name = "quiet", .settings = {"games=quiet-*", "commentator=no"}});
  core::GameOpened quiet = opened(8);
  quiet.room = "quiet";
  for (const core::GameOpened& game : {opened(7), quiet}) EXPECT_EQ(put(game).size(), 1u);
  EXPECT_EQ(put(core::GameStarted{core::GameId{7}, core::Wall{1'500'000}}).size(), 2u);
  const auto told = put(moved(7, 1, "+7776FU", "* 30"));
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[1].seq, told[0].seq);
  EXPECT_THAT(told[1].text->plain(), HasSubstr("event: commentary\n"));
  EXPECT_EQ(data_of(told[1].text),
            json::parse(R"({"v": 1, "id": 7, "ply": 1, "ja": "1手目、☗７六歩。", "en": "Move 1, ☗P-76."})"));
  const auto resumed = spoken.since(told[0].seq).value();  // it may have the move and not the words
  ASSERT_EQ(resumed.size(), 1u);
  EXPECT_EQ(resumed[0].text, told[1].text);
  EXPECT_EQ(put(moved(8, 1, "+7776FU")).size(), 1u);
  EXPECT_EQ(put(core::CommentAdded{.game = core::GameId{7}, .ply = 1, .comment = "* 50"}).size(), 2u);
  const auto at_end = put(ended(7));
  ASSERT_EQ(at_end.size(), 2u);
  EXPECT_THAT(std::string(data_of(at_end[1].text).at("en").as_string()), HasSubstr("☗alice sees ☗+30."));
  EXPECT_EQ(spoken.commentary(*spoken.find(core::GameId{7}))->size(), 2u);
  EXPECT_FALSE(spoken.commentary(*spoken.find(core::GameId{8})));
  EXPECT_EQ(spoken.quiet_rooms(), std::set<std::string>{"quiet"});
  add(opened(7));
  EXPECT_EQ(add(moved(7, 1, "+7776FU")).size(), 1u) << "nobody speaks";
  EXPECT_FALSE(feed.quiet_rooms());
}

// It hears what readers have just been told, and its words take the place of those that are built in.
TEST_F(FeedTest, ACommentatorHearsAndIsHeard) {
  Numbering number;
  const auto parrot = std::make_shared<Parrot>();
  Feed spoken{{.commentator = parrot}, core::Recovery{}, kNow};
  const auto put = [&](core::Fact fact, bool silent = false) {
    return spoken.apply(number(std::move(fact)), kNow, silent);
  };
  put(opened(7));
  put(core::GameStarted{core::GameId{7}, core::Wall{1'500'000}}, true);
  EXPECT_THAT(parrot->heard, ElementsAre("")) << "nobody watches";
  const auto told = put(moved(7, 1, "+7776FU"));
  EXPECT_THAT(parrot->heard, ElementsAre("", "☗P-76!"));
  EXPECT_EQ(data_of(told[1].text).at("en"), "Move 1, ☗P-76.");
  parrot->told = {{1, {"", "Polly."}}};
  const auto again = spoken.say(core::GameId{7}, 1);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->seq, told[0].seq);
  EXPECT_EQ(data_of(again->text),
            json::parse(R"({"v": 1, "id": 7, "ply": 1, "ja": "1手目、☗７六歩。", "en": "Polly."})"));
  EXPECT_EQ(spoken.commentary(*spoken.find(core::GameId{7}))->at(1).words.en, "Polly.");
  EXPECT_FALSE(spoken.say(core::GameId{8}, 1));
}

// The second round of three players: bob has won the first one, alice had no opponent in it.
TEST_F(FeedTest, ACommentatorHearsHowTheEventStands) {
  namespace event = core::tournament;
  Numbering number;
  const auto parrot = std::make_shared<Parrot>();
  Feed spoken{{.commentator = parrot}, core::Recovery{}, kNow};
  const auto put = [&](core::Fact fact) { spoken.apply(number(std::move(fact)), kNow, false); };
  const auto decide = [&](event::Decision decision) {
    put(core::TournamentDecided{.event = "cup", .decision = std::move(decision)});
  };
  put(core::TournamentSet{.name = "cup", .text = "name\tcup\nformat\tswiss\nrounds\t2\nbye\t0.5\ntime\t300-10F\n"});
  for (const char* name : {"bob", "cat", "alice"}) decide(event::Entered{.entrant = {.player = name}});
  decide(event::DivisionFormed{.division = {}, .members = {{"bob", 1}, {"cat", 2}, {"alice", 3}}});
  decide(event::RoundPaired{.round = 1, .pairings = {{.black = "bob", .white = "cat"}}, .byes = {{.player = "alice"}}});
  decide(event::GameResult{
      .game = {}, .black = "bob", .white = "cat", .outcome = core::Outcome::black_wins, .end = core::EndKind::toryo});
  decide(event::RoundPaired{.round = 2, .pairings = {{.black = "alice", .white = "bob"}}});
  put(opened(7));
  put(core::TournamentGame{.game = core::GameId{7}, .event = "cup", .key = {.round = 2}});
  put(core::GameStarted{core::GameId{7}, core::Wall{1'500'000}});
  ASSERT_TRUE(parrot->standing);
  EXPECT_EQ(parrot->standing->event, "cup");
  EXPECT_EQ(parrot->standing->round, 2);
  EXPECT_EQ(parrot->standing->players[0].rank, 2);
  EXPECT_EQ(parrot->standing->players[0].points, "0.5");
  EXPECT_EQ(parrot->standing->players[1].rank, 1);
  EXPECT_EQ(parrot->standing->players[1].points, "1");
  put(opened(8));
  put(core::GameStarted{core::GameId{8}, core::Wall{1'500'000}});
  EXPECT_FALSE(parrot->standing) << "a game of no event";
}

TEST_F(FeedTest, PausesAreEventsAndStandInTheSnapshot) {
  play_two_moves(7);
  const auto paused = add(core::GamePaused{
      .game = core::GameId{7}, .used_us = 2'500'000, .by = "host", .why = "power cut", .at = core::Wall{9'000'000}});
  ASSERT_EQ(paused.size(), 1u);
  EXPECT_THAT(paused[0].text->plain(), HasSubstr("event: paused\n"));
  EXPECT_EQ(data_of(paused[0].text).at("paused_ms"), 2500);
  EXPECT_EQ(data_of(paused[0].text).at("why"), "power cut");
  const auto resumed = add(core::GameResumed{.game = core::GameId{7}, .by = "host", .at = core::Wall{60'000'000}});
  ASSERT_EQ(resumed.size(), 1u);
  EXPECT_THAT(resumed[0].text->plain(), HasSubstr("event: resumed\n"));
  EXPECT_EQ(data_of(resumed[0].text).at("turn_since_ms"), 57'500);
  EXPECT_TRUE(add(core::AdminActed{.who = "host"}).empty()) << "nobody's business";
  EXPECT_TRUE(add(core::RecordNote{core::GameId{7}, "Deferred %TORYO"}).empty());
}

TEST_F(FeedTest, ASnapshotHoldsTheWholeGame) {
  play_two_moves(7);
  add(ended(7));
  const Text text = feed.snapshot({}, core::Wall{9'000'000});
  EXPECT_TRUE(text->plain().starts_with("id: 5\nevent: snapshot\n")) << text->plain();
  EXPECT_TRUE(holds(data_of(text), R"({"v": 1, "now_ms": 9000, "games": [{
      "black": {"name": "alice", "id": "alice+1"}, "white": {"id": null, "builtin": true}, "state": "ended",
      "moves": ["+7776FU,T2", "-3334FU,T2"], "remaining_s": [298, 298],
      "end": {"outcome": "white", "reason": "resigned"}}]})"));
}

TEST_F(FeedTest, AReaderResumesRightAfterWhatItHasSeen) {
  play_two_moves(7);
  EXPECT_EQ(seqs(feed.since(core::Seq{2}).value()), (std::vector<std::uint64_t>{3, 4}));
  EXPECT_TRUE(feed.since(core::Seq{4})->empty());
  EXPECT_EQ(seqs(feed.since(core::Seq{0}).value()).size(), 4u);
  EXPECT_FALSE(feed.since(core::Seq{5}));  // from another journal
}

TEST_F(FeedTest, BeyondTheRingThereIsNoResuming) {
  Feed small{Feed::Options{.ring_events = 2}, core::Recovery{}, kNow};
  small.apply(next(opened(1)), kNow, false);
  small.apply(next(moved(1, 1, "+7776FU")), kNow, false);
  EXPECT_TRUE(small.since(core::Seq{0}));
  small.apply(next(moved(1, 2, "-3334FU")), kNow, false);
  EXPECT_FALSE(small.since(core::Seq{0}));
  EXPECT_EQ(seqs(small.since(core::Seq{1}).value()), (std::vector<std::uint64_t>{2, 3}));
}

TEST_F(FeedTest, TheRingIsBoundedInBytesToo) {
  Feed small{Feed::Options{.ring_bytes = 700}, core::Recovery{}, kNow};
  small.apply(next(opened(1)), kNow, false);
  small.apply(next(moved(1, 1, "+7776FU")), kNow, false);
  EXPECT_FALSE(small.since(core::Seq{0}));
  EXPECT_TRUE(small.since(core::Seq{1}));
}

TEST_F(FeedTest, WithoutReadersNothingIsPutIntoWordsButTheGamesAreFollowed) {
  EXPECT_TRUE(feed.apply(next(opened(1)), kNow, true).empty());
  EXPECT_TRUE(feed.apply(next(moved(1, 1, "+7776FU")), kNow, true).empty());
  EXPECT_FALSE(feed.since(core::Seq{1}));
  EXPECT_TRUE(feed.since(core::Seq{2}));
  EXPECT_THAT(feed.snapshot({}, {})->plain(), HasSubstr("+7776FU"));
}

TEST_F(FeedTest, RecoveredGamesAreShown) {
  core::Recovery recovered{.last = core::Seq{1}};
  recovered.live = next(opened(3));
  Feed again{Feed::Options{}, recovered, kNow};
  EXPECT_THAT(again.snapshot({}, {})->plain(), HasSubstr("\"state\":\"agreeing\""));
  EXPECT_TRUE(again.since(core::Seq{1}));
  EXPECT_FALSE(again.since(core::Seq{0}));
}

TEST_F(FeedTest, NamesCannotBreakOutOfTheFormat) {
  core::GameOpened fact = opened(1);
  fact.black.name = "a\n\ndata: x\"</script>\xff\x1b[2J\xe2\x80\xae";
  const auto events = add(fact);
  EXPECT_EQ(std::ranges::count(events[0].text->plain(), '\n'), 4);
  EXPECT_EQ(data_of(events[0].text).at("game").at("black").at("name"), "a  data: x\"</script>\xef\xbf\xbd [2J ");
}

TEST(CleanUtf8, KeepsGoodTextAndReplacesEveryBadByte) {
  EXPECT_EQ(clean_utf8("\xe6\xad\xa9 \xf0\x9f\x80\x80"), "\xe6\xad\xa9 \xf0\x9f\x80\x80");
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(clean_utf8("\xc0\x80"), bad + bad);                      // overlong
  EXPECT_EQ(clean_utf8("\xed\xa0\x80"), bad + bad + bad);            // a surrogate
  EXPECT_EQ(clean_utf8("\xf4\x90\x80\x80"), bad + bad + bad + bad);  // beyond U+10FFFF
  EXPECT_EQ(clean_utf8("\xe6\xad"), bad + bad);                      // cut off
  EXPECT_EQ(clean_utf8(std::string_view("\0\x7f\xc2\x85\xe2\x81\xa6", 7)), "    ");
  EXPECT_EQ(clean_utf8("a\xd8\x9c\xd8\x9b"), "a \xd8\x9b");  // the Arabic letter mark, and a letter beside it
}

// ---- games that spectators see with a delay ----

constexpr std::uint64_t kFirst = 1ull << 51;
const core::GameId kGame{7};

Feed::Options late() { return {.delays = {{"g-*", {.seconds = 10}}}, .first_id = kFirst}; }

class DelayedFeed : public testing::Test {
 protected:
  core::Now now() const { return {core::Instant{500 + us}, core::Wall{us}}; }
  // "+2 moved": how far the id is from the first one.
  std::vector<std::string> words(const std::vector<FeedEvent>& events) {
    std::vector<std::string> list;
    for (const FeedEvent& event : events) {
      const std::size_t at = event.text->plain().find("event: ") + 7;
      list.push_back("+" + std::to_string(core::value(event.seq) - kFirst) + " " +
                     event.text->plain().substr(at, event.text->plain().find('\n', at) - at));
      EXPECT_TRUE(event.text->plain().starts_with("id: " + std::to_string(core::value(event.seq)) + "\n"));
      newest = event;
    }
    return list;
  }
  std::vector<std::string> add(core::Fact fact, bool silent = false) {
    std::visit(
        [&](auto& f) {
          if constexpr (requires { f.at; }) f.at = core::Wall{us};
        },
        fact);
    facts.push_back(number(std::move(fact)).front());
    return words(feed.apply({facts.back()}, now(), silent));
  }
  std::vector<std::string> wait(std::int64_t seconds, bool silent = false) {
    us += seconds * core::kSecond;
    return words(feed.release(now(), silent));
  }
  json::value known() {
    return json::parse(game_json(*feed.find(kGame), now().wall, core::Comments::live, false)).at("game");
  }

  Numbering number;
  Feed feed{late(), core::Recovery{.last = core::Seq{99}}, {}};
  std::vector<core::Journaled> facts;
  FeedEvent newest;
  std::int64_t us = 0;
};

TEST_F(DelayedFeed, SaysLateWhatHappenedWithTheTimesOfThen) {
  EXPECT_THAT(add(opened(7)), ElementsAre("+1 opened"));
  EXPECT_EQ(data_of(newest.text).at("game").at("delay"), (json::object{{"seconds", 10}}));
  EXPECT_THAT(add(core::GameStarted{kGame, {}}), IsEmpty());
  wait(2);
  EXPECT_THAT(add(moved(7, 1, "+7776FU")), IsEmpty());
  EXPECT_EQ(feed.next_release(), (core::Instant{500 + 10 * core::kSecond}));
  EXPECT_EQ(known().at("state"), "agreeing");
  EXPECT_THAT(feed.snapshot({}, now().wall)->plain(), Not(HasSubstr("+7776FU")));
  EXPECT_THAT(wait(8), ElementsAre("+2 started"));
  EXPECT_EQ(data_of(newest.text).at("at_ms"), 10'000);
  EXPECT_THAT(wait(2), ElementsAre("+3 moved"));
  EXPECT_EQ(data_of(newest.text).at("at_ms"), 12'000);
  EXPECT_EQ(known().at("turn_since_ms"), 12'000);
  add(core::GamePaused{.game = kGame, .used_us = 500'000});
  wait(4);
  add(core::GameResumed{.game = kGame});
  EXPECT_THAT(add(ended(7)), IsEmpty());
  EXPECT_THAT(wait(6), ElementsAre("+4 paused"));
  EXPECT_EQ(known().at("paused_ms"), 500);
  EXPECT_EQ(known().at("end"), nullptr);
  EXPECT_THAT(wait(4), ElementsAre("+5 resumed", "+6 ended"));
  EXPECT_EQ(known().at("turn_since_ms"), 26'000 - 500) << "as long after it is shown as it was for the players";
  EXPECT_EQ(known().at("end").at("at_ms"), 26'000);
}

TEST_F(DelayedFeed, ResumesInTheOrderInWhichItWasShown) {
  add(opened(7));
  add(core::GameStarted{kGame, {}});
  wait(5);
  core::GameOpened other = opened(8);
  other.game_name = "open-300-10";
  EXPECT_THAT(add(other), ElementsAre("+2 opened"));
  EXPECT_THAT(wait(5), ElementsAre("+3 started")) << "although it stands before the other in the journal";
  EXPECT_THAT(words(*feed.since(core::Seq{kFirst + 1})), ElementsAre("+2 opened", "+3 started"));
  EXPECT_THAT(words(*feed.since(core::Seq{kFirst})), ElementsAre("+1 opened", "+2 opened", "+3 started"));
  EXPECT_EQ(feed.since(core::Seq{kFirst - 1}), std::nullopt);
  EXPECT_EQ(feed.since(core::Seq{kFirst + 4}), std::nullopt);
  EXPECT_EQ(feed.since(core::Seq{3}), std::nullopt) << "of a node without delays";
}

TEST_F(DelayedFeed, WhatNobodyReadIsNotResumedAcross) {
  add(opened(7));
  add(moved(7, 1, "+7776FU"));
  EXPECT_THAT(wait(10, true), IsEmpty());
  EXPECT_EQ(known().at("moves").as_array().size(), 1U);
  EXPECT_EQ(feed.since(core::Seq{kFirst + 1}), std::nullopt);
  EXPECT_EQ(feed.since(core::Seq{kFirst + 2})->size(), 0U);
}

TEST_F(DelayedFeed, BeginsAnewWithoutWhatIsNotDue) {
  add(opened(7));
  add(core::GameStarted{kGame, {}});
  wait(8);
  add(moved(7, 1, "+7776FU"));
  wait(4);
  Feed::Options options = late();
  options.first_id = kFirst + 1'000;
  feed = Feed(options, {.last = core::Seq{99}, .live = facts}, now());
  EXPECT_EQ(known().at("state"), "running");
  EXPECT_EQ(known().at("turn_since_ms"), 10'000);
  EXPECT_TRUE(known().at("moves").as_array().empty());
  EXPECT_THAT(wait(6), ElementsAre("+1001 moved"));
  EXPECT_EQ(data_of(newest.text).at("at_ms"), 18'000);
  EXPECT_EQ(feed.since(core::Seq{kFirst + 2}), std::nullopt) << "an id from before";
}

TEST(DelayedFeedByMoves, IsSoManyBehindUntilTheEnd) {
  Numbering number;
  Feed feed{{.delays = {{"*", {.moves = 1}}}, .first_id = 5}, {}, kNow};
  const auto count = [&](core::Fact fact) { return feed.apply(number(std::move(fact)), kNow, false).size(); };
  EXPECT_EQ(count(opened(7)), 1U);
  EXPECT_EQ(count(core::GameStarted{kGame, core::Wall{1}}), 1U);
  EXPECT_EQ(count(moved(7, 1, "+7776FU")), 0U);
  EXPECT_EQ(count(moved(7, 2, "-3334FU")), 1U);
  EXPECT_EQ(feed.find(kGame)->moves.size(), 1U);
  EXPECT_EQ(feed.find(kGame)->delay.moves, 1);
  EXPECT_EQ(feed.next_release(), std::nullopt);
  EXPECT_EQ(count(ended(7)), 2U);
  EXPECT_EQ(feed.find(kGame)->moves.size(), 2U);
}

// A game says itself how its room shows it; the feed had nothing to delay before.
class RoomFeed : public testing::Test {
 protected:
  static core::GameOpened shown(std::uint64_t id, core::SpectatorDelay showing) {
    core::GameOpened fact = opened(id);
    fact.room = "final";
    fact.showing = showing;
    return fact;
  }
  std::vector<FeedEvent> add(core::Fact fact) { return feed.apply(number(std::move(fact)), kNow, false); }

  Numbering number{41};
  Feed feed{{.first_id = kFirst}, {.last = core::Seq{41}}, kNow};
};

TEST_F(RoomFeed, OfAHiddenGameNothingIsSeenUntilItIsOver) {
  EXPECT_EQ(add(opened(1)).front().seq, core::Seq{42}) << "without delays a place of the journal, on every node";
  EXPECT_THAT(add(shown(7, {.hidden = true})), IsEmpty());
  EXPECT_THAT(add(core::GameStarted{kGame, core::Wall{1}}), IsEmpty());
  EXPECT_THAT(add(moved(7, 1, "+7776FU")), IsEmpty());
  EXPECT_EQ(feed.find(kGame), nullptr);
  EXPECT_THAT(feed.snapshot({}, kNow.wall)->plain(), Not(HasSubstr("final")));
  const auto events = add(ended(7));
  ASSERT_EQ(events.size(), 4U);
  EXPECT_THAT(events.front().text->plain(), HasSubstr("event: opened"));
  EXPECT_THAT(events.back().text->plain(), HasSubstr("event: ended"));
  EXPECT_EQ(feed.find(kGame)->moves.size(), 1U);
}

TEST_F(RoomFeed, AHiddenGameThatWasNotAgreedToNeverWas) {
  add(shown(7, {.hidden = true}));
  EXPECT_THAT(add(core::GameRejected{.game = kGame, .by = "alice"}), IsEmpty());
  EXPECT_EQ(feed.find(kGame), nullptr);
  EXPECT_EQ(feed.take_lost(), 0U);
  EXPECT_EQ(add(opened(8)).size(), 1U);
}

TEST_F(RoomFeed, FromTheFirstDelayOnTheIdsAreItsOwn) {
  add(opened(1));
  EXPECT_EQ(feed.since(core::Seq{41})->size(), 1U);
  EXPECT_EQ(add(shown(7, {.moves = 1})).front().seq, core::Seq{kFirst + 1});
  EXPECT_EQ(add(moved(1, 1, "+7776FU")).front().seq, core::Seq{kFirst + 2});
  EXPECT_EQ(feed.since(core::Seq{42}), std::nullopt) << "who knows a place of the journal gets a snapshot";
  EXPECT_EQ(feed.since(core::Seq{kFirst})->size(), 2U);
  EXPECT_THAT(add(moved(7, 1, "+7776FU")), IsEmpty());
}

TEST_F(RoomFeed, OfGamesThatRoomsDelayTheEndsAreNotSeenEither) {
  EXPECT_THAT(feed.ends_seen(kNow.wall), IsEmpty());
  add(core::RoomSet{.name = "final", .settings = {"games=g-*", "visibility=seconds:60"}});
  add(core::RoomSet{.name = "open", .settings = {"games=o-*", "visibility=public"}});
  add(shown(7, {.seconds = 60}));
  const core::Wall until{kNow.wall.us - 60 * core::kSecond};
  EXPECT_THAT(feed.ends_seen(kNow.wall),
              ElementsAre(core::EndsSeen{.games = {}, .until = until, .ids = {kGame}},
                          core::EndsSeen{.games = {}, .until = until, .room = "final"},
                          core::EndsSeen{.games = {}, .until = core::Wall{INT64_MAX}, .room = "open"}));
  add(core::RoomClosed{.name = "final"});
  EXPECT_EQ(feed.ends_seen(kNow.wall).front().ids, std::vector{kGame}) << "it stays what it was opened as";
}

TEST_F(RoomFeed, AfterAStartAHiddenGameIsHiddenStill) {
  const core::Transaction first = number(shown(7, {.hidden = true}));
  feed = Feed({.first_id = kFirst}, {.last = core::Seq{42}, .live = first}, kNow);
  EXPECT_EQ(feed.find(kGame), nullptr);
  EXPECT_EQ(add(ended(7)).size(), 2U);
}

}  // namespace
}  // namespace fuhyo::net
