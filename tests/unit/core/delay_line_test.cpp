// What waits before spectators may see it: order, times, moves, ends, restarts, bounds.
#include "server/core/monitors/delay_line.h"

#include "tests/unit/core/core_test.h"

namespace fuhyo::core {
namespace {

constexpr std::int64_t kStart = 1'000 * kSecond, kWall = 1'800'000'000 * kSecond;
constexpr std::string_view kMoves[] = {"+7776FU", "-3334FU", "+2726FU", "-8384FU", "+2625FU", "-8485FU"};

// A journal whose rows go through the line as they are written; time is a number of seconds.
class Journal {
 public:
  explicit Journal(DelayRules rules, std::size_t most_bytes = DelayLine::kMostBytes) : line(rules, most_bytes) {}

  Now now() const { return {Instant{kStart + at}, Wall{kWall + at}}; }
  Wall wall() const { return now().wall; }
  // What may be seen by it.
  std::vector<std::string> write(Fact fact) {
    rows.push_back({Seq{rows.size() + 1}, std::move(fact)});
    return words(line.take(rows.back(), now()));
  }
  std::vector<std::string> wait(std::int64_t seconds) {
    at += seconds * kSecond;
    return words(line.release(now().mono));
  }
  std::vector<std::string> open(std::uint64_t id, std::string name = "club-300-0") {
    return write(GameOpened{.game = GameId{id}, .game_name = std::move(name), .at = wall()});
  }
  std::vector<std::string> start(std::uint64_t id) { return write(GameStarted{GameId{id}, wall()}); }
  std::vector<std::string> move(std::uint64_t id, std::int32_t ply) {
    return write(MoveMade{.game = GameId{id}, .ply = ply, .csa = std::string(kMoves[ply - 1]), .at = wall()});
  }
  std::vector<std::string> pause(std::uint64_t id) { return write(GamePaused{.game = GameId{id}, .at = wall()}); }
  std::vector<std::string> resume(std::uint64_t id) { return write(GameResumed{.game = GameId{id}, .at = wall()}); }
  std::vector<std::string> end(std::uint64_t id) { return write(GameEnded{.game = GameId{id}, .at = wall()}); }

  // "7:move 2 @15": of game 7, seen at second 15.
  static std::vector<std::string> words(const std::vector<Journaled>& rows) {
    std::vector<std::string> list;
    for (const Journaled& row : rows) {
      const auto word = [&](const auto& fact) -> std::string {
        using F = std::remove_cvref_t<decltype(fact)>;
        if constexpr (std::is_same_v<F, RecordNote>) return "note";
        if constexpr (requires { fact.at; }) {
          std::string text = std::is_same_v<F, GameOpened>    ? "opened"
                             : std::is_same_v<F, GameStarted> ? "started"
                             : std::is_same_v<F, GamePaused>  ? "paused"
                             : std::is_same_v<F, GameResumed> ? "resumed"
                             : std::is_same_v<F, GameEnded>   ? "ended"
                                                              : "rejected";
          if constexpr (requires { fact.ply; }) text = "move " + std::to_string(fact.ply);
          return text + " @" + std::to_string((fact.at.us - kWall) / kSecond);
        }
        return "?";
      };
      list.push_back(std::to_string(value(game_of(row.fact))) + ":" + std::visit(word, row.fact));
    }
    return list;
  }

  DelayLine line;
  std::vector<Journaled> rows;
  std::int64_t at = 0;  // us
};

DelayRules seconds(std::int32_t n) { return {{"club-*", {.seconds = n}}}; }
DelayRules moves(std::int32_t n) { return {{"club-*", {.moves = n}}}; }

TEST(DelayRule, TheFirstThatFitsCounts) {
  const DelayRules rules = {{"club-final-*", {}}, {"club-*", {.seconds = 60}}, {"*", {.moves = 3}}};
  EXPECT_EQ(delay_of(rules, "club-final-900-0"), SpectatorDelay{});
  EXPECT_EQ(delay_of(rules, "club-900-0").seconds, 60);
  EXPECT_EQ(delay_of(rules, "Club-900-0").moves, 3);
  EXPECT_EQ(delay_of({}, "club-900-0"), SpectatorDelay{});
  EXPECT_THAT(ends_seen(rules, Wall{100 * kSecond}),
              ElementsAre(EndsSeen{"club-final-*", Wall{INT64_MAX}}, EndsSeen{"club-*", Wall{40 * kSecond}},
                          EndsSeen{"*", Wall{INT64_MAX}}));
  EXPECT_THAT(ends_seen(moves(3), Wall{}), IsEmpty()) << "their ends are seen at once";
}

TEST(DelayLine, WithoutADelayNothingWaits) {
  Journal none({}), other(seconds(60));
  EXPECT_TRUE(none.line.idle());
  EXPECT_THAT(none.open(1), ElementsAre("1:opened @0"));
  EXPECT_THAT(none.move(1, 1), ElementsAre("1:move 1 @0"));
  EXPECT_THAT(other.open(1, "open-300-0"), ElementsAre("1:opened @0"));
  EXPECT_THAT(other.move(1, 1), ElementsAre("1:move 1 @0"));
  EXPECT_THAT(other.end(1), ElementsAre("1:ended @0"));
}

TEST(DelayLine, BySecondsEachFactIsSeenSoMuchLaterAndTheEndToo) {
  Journal journal(seconds(10));
  EXPECT_THAT(journal.open(1), ElementsAre("1:opened @0")) << "who plays is no secret";
  EXPECT_THAT(journal.start(1), IsEmpty());
  journal.wait(3);
  EXPECT_THAT(journal.move(1, 1), IsEmpty());
  journal.wait(2);
  EXPECT_THAT(journal.end(1), IsEmpty());
  EXPECT_EQ(journal.line.next(), Instant{kStart + 10 * kSecond});
  EXPECT_THAT(journal.wait(4), IsEmpty());
  EXPECT_THAT(journal.wait(1), ElementsAre("1:started @10"));
  EXPECT_THAT(journal.wait(5), ElementsAre("1:move 1 @13", "1:ended @15"));
  EXPECT_EQ(journal.line.next(), std::nullopt);
  EXPECT_EQ(journal.line.waiting(), 0U);
}

TEST(DelayLine, ByMovesTheGameIsSeenSoManyBehindAndAtTheEndWhole) {
  Journal journal(moves(2));
  journal.open(1);
  EXPECT_THAT(journal.start(1), ElementsAre("1:started @0")) << "nobody has moved yet";
  EXPECT_THAT(journal.pause(1), ElementsAre("1:paused @0"));
  EXPECT_THAT(journal.resume(1), ElementsAre("1:resumed @0"));
  EXPECT_THAT(journal.move(1, 1), IsEmpty());
  EXPECT_THAT(journal.pause(1), IsEmpty()) << "it stands behind a move that is not seen";
  EXPECT_THAT(journal.resume(1), IsEmpty());
  EXPECT_THAT(journal.move(1, 2), IsEmpty());
  journal.wait(7);
  EXPECT_THAT(journal.move(1, 3), ElementsAre("1:move 1 @7", "1:paused @7", "1:resumed @7"));
  journal.wait(1);
  EXPECT_THAT(journal.move(1, 4), ElementsAre("1:move 2 @8"));
  EXPECT_EQ(journal.line.next(), std::nullopt) << "time alone brings nothing";
  EXPECT_THAT(journal.end(1), ElementsAre("1:move 3 @8", "1:move 4 @8", "1:ended @8"));
  EXPECT_EQ(journal.line.waiting(), 0U);
}

TEST(DelayLine, AGameThatNeverBeganIsRejectedLateToo) {
  Journal late(seconds(10)), behind(moves(2));
  for (Journal* journal : {&late, &behind}) journal->open(1);
  EXPECT_THAT(late.write(GameRejected{.game = GameId{1}, .at = late.wall()}), IsEmpty());
  EXPECT_THAT(late.wait(10), ElementsAre("1:rejected @10"));
  EXPECT_THAT(behind.write(GameRejected{.game = GameId{1}, .at = behind.wall()}), ElementsAre("1:rejected @0"));
}

TEST(DelayLine, GamesWaitByThemselves) {
  Journal journal({{"slow-*", {.seconds = 60}}, {"club-*", {.seconds = 5}}, {"far-*", {.moves = 1}}});
  journal.open(1, "slow-1-0");
  journal.open(2, "club-1-0");
  journal.open(3, "far-1-0");
  journal.open(4, "open-1-0");
  for (std::uint64_t id = 1; id <= 3; ++id) EXPECT_THAT(journal.move(id, 1), IsEmpty()) << id;
  EXPECT_THAT(journal.move(4, 1), ElementsAre("4:move 1 @0"));
  EXPECT_THAT(journal.move(3, 2), ElementsAre("3:move 1 @0"));
  EXPECT_THAT(journal.wait(5), ElementsAre("2:move 1 @5"));
  journal.wait(50);
  EXPECT_THAT(journal.move(2, 2), IsEmpty());
  EXPECT_THAT(journal.wait(5), ElementsAre("1:move 1 @60", "2:move 2 @60"));
}

// What has become due by the time of another fact comes before it.
TEST(DelayLine, AFactBringsWhatIsDue) {
  Journal journal(seconds(2));
  journal.open(1);
  journal.move(1, 1);
  journal.at += 2 * kSecond;
  EXPECT_THAT(journal.open(2, "open-1-0"), ElementsAre("1:move 1 @2", "2:opened @2"));
}

// Nothing is seen early, everything is seen in order and at its time: over whole games, whenever one looks.
TEST(DelayLine, NothingIsSeenBeforeItsTime) {
  for (const std::int32_t delay : {1, 7, 60}) {
    Journal journal(seconds(delay));
    std::vector<std::string> seen, happened;
    const auto add = [&](const std::vector<std::string>& more) { seen.insert(seen.end(), more.begin(), more.end()); };
    const auto expect = [&](const std::string& what) {
      happened.push_back("1:" + what + " @" + std::to_string(journal.at / kSecond + delay));
    };
    const auto look = [&] {  // what is seen is exactly what is old enough
      std::size_t old = 0;
      for (const std::string& fact : happened) {
        old += std::stoll(fact.substr(fact.find('@') + 1)) * kSecond <= journal.at ? 1 : 0;
      }
      EXPECT_EQ(seen.size(), old + 1) << "and that it was opened";
    };
    add(journal.open(1));
    expect("started"), add(journal.start(1));
    for (std::int32_t ply = 1; ply <= 6; ++ply) {
      for (int second = 0; second < ply * 2; ++second) add(journal.wait(1)), look();
      expect("move " + std::to_string(ply)), add(journal.move(1, ply));
      look();
    }
    expect("ended"), add(journal.end(1));
    for (int second = 0; second < delay; ++second) look(), add(journal.wait(1));
    happened.insert(happened.begin(), "1:opened @0");
    EXPECT_EQ(seen, happened);
  }
  for (const std::int32_t delay : {1, 3, 5}) {
    Journal journal(moves(delay));
    std::size_t seen = journal.open(1).size() + journal.start(1).size();
    for (std::int32_t ply = 1; ply <= 6; ++ply) {
      seen += journal.move(1, ply).size();
      EXPECT_EQ(seen, static_cast<std::size_t>(2 + std::max(0, ply - delay)));
    }
  }
}

// A start, of a server or of one that had fallen behind: what is not due waits on.
TEST(DelayLine, BeginsAnewWithWhatStillHasToWait) {
  Journal journal(seconds(10));
  journal.open(1);
  journal.start(1);
  journal.wait(4);
  journal.move(1, 1);
  journal.write(RecordNote{GameId{1}, "Deferred -3334FU"});
  journal.wait(4);
  journal.move(1, 2);
  journal.wait(3);  // at 11: started is due, the moves are at 14 and 18
  DelayLine again(seconds(10));
  const Now late{Instant{77}, journal.wall()};  // another process: its steady clock is another one
  EXPECT_THAT(Journal::words(again.begin(journal.rows, late)), ElementsAre("1:opened @0", "1:started @10"));
  EXPECT_EQ(again.next(), Instant{77 + 3 * kSecond});
  EXPECT_THAT(Journal::words(again.release(Instant{77 + 3 * kSecond})), ElementsAre("1:move 1 @14", "1:note"));
  EXPECT_THAT(Journal::words(again.release(Instant{77 + 7 * kSecond})), ElementsAre("1:move 2 @18"));
  // The clock was set back: nothing waits for longer than it would have had to.
  again.begin(journal.rows, {Instant{0}, Wall{kWall - 500 * kSecond}});
  EXPECT_EQ(again.next(), Instant{10 * kSecond});

  Journal far(moves(1));
  far.open(1);
  far.start(1);
  far.move(1, 1);
  far.move(1, 2);
  DelayLine anew(moves(1));
  EXPECT_THAT(Journal::words(anew.begin(far.rows, far.now())),
              ElementsAre("1:opened @0", "1:started @0", "1:move 1 @0"));
  EXPECT_EQ(anew.waiting(), 1U);
}

// What finds no room is lost with all of its game but the end, so that no position is ever wrong.
TEST(DelayLine, IsBounded) {
  for (const DelayRules& rules : {seconds(10), moves(5)}) {
    Journal journal(rules, 2 * sizeof(Journaled) + 100);
    journal.open(1);
    journal.move(1, 1);
    journal.write(MoveMade{.game = GameId{1}, .ply = 2, .at = journal.wall(), .comment = std::string(100, 'x')});
    EXPECT_EQ(journal.line.waiting(), 2U);
    EXPECT_EQ(journal.line.take_lost(), 0U);
    EXPECT_THAT(journal.move(1, 3), IsEmpty());
    EXPECT_EQ(journal.line.take_lost(), 3U);
    EXPECT_EQ(journal.line.waiting(), 0U);
    journal.move(1, 4);
    EXPECT_EQ(journal.line.take_lost(), 1U);
    std::vector<std::string> seen = journal.end(1);
    for (const std::string& late : journal.wait(10)) seen.push_back(late);
    ASSERT_EQ(seen.size(), 1U);
    EXPECT_TRUE(seen.front().starts_with("1:ended"));
    journal.open(2);
    journal.move(2, 1);
    EXPECT_EQ(journal.line.waiting(), 1U) << "another game has its place again";
  }
}

}  // namespace
}  // namespace fuhyo::core
