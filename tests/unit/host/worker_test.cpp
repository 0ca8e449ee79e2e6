// Workers: both ends of the protocol against each other, over wires that break, with a clock of the test's own.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "server/host/worker_offer.h"
#include "tests/unit/host/worker_wire.h"

namespace fuhyo::host {
namespace {

using test::kWireSecond;
using test::WireWorker;
using test::WorkerWire;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

std::uint64_t number(WorkerSeat seat) { return static_cast<std::uint64_t>(seat); }

// A worker that is connected and runs one engine, which has been told "usi".
struct SeatedWorker {
  WorkerWire wire;
  WireWorker worker{wire, "lab"};
  WorkerSeat seat{};

  SeatedWorker() {
    worker.connect();
    seat = *wire.server.start("lab", 0);
    say("usi");
    worker.exchange();
  }
  void say(const std::string& line) {
    wire.server.write(seat, line);
    wire.collect();
  }
  std::vector<std::string>& engine() { return worker.engines.at(number(seat)); }
  void engine_says(const std::string& line) { worker.client.engine_line(number(seat), line); }
  void worker_ticks() {
    worker.client.tick(wire.now);
    worker.act();
  }
  // Why the one seat has ended.
  std::string end() const { return wire.ended.size() == 1 ? wire.ended[0].second : "not once"; }
  // A line of the protocol about the seat, on the worker's connection or another one.
  void line(std::string_view word, const std::string& rest) { line(worker.conn, word, rest); }
  void line(core::ConnId conn, std::string_view word, const std::string& rest) {
    wire.line(conn, fmt::format("{} {} {}", word, number(seat), rest));
  }
};

// Rules of a server whose token of every worker is this.
WorkerServer::Rules tokens(bool good) {
  return {.is_token = [good](std::string_view, std::string_view) { return good; }, .is_spared = {}};
}

TEST(Worker, OffersItsEnginesAndIsGivenSeats) {
  SeatedWorker s;
  ASSERT_EQ(s.wire.offered.size(), 1u);
  EXPECT_EQ(s.wire.offered[0].worker, "lab");
  EXPECT_EQ(s.wire.offered[0].threads, 2);
  EXPECT_EQ(s.wire.offered[0].offers.at(0).nps, 1'000);
  EXPECT_TRUE(s.wire.present.at("lab"));
  EXPECT_THAT(s.engine(), ElementsAre("usi"));
  s.engine_says("usiok");
  s.engine_says("info depth 1 nodes 2");
  s.worker.exchange();
  EXPECT_THAT(s.wire.said, ElementsAre(Pair(s.seat, "usiok"), Pair(s.seat, "info depth 1 nodes 2")));
  s.worker.client.engine_ended(number(s.seat), "exit status 3");
  s.worker.exchange();
  EXPECT_THAT(s.wire.ended, ElementsAre(Pair(s.seat, "exit status 3")));
  EXPECT_FALSE(s.wire.server.write(s.seat, "usi"));
  EXPECT_EQ(s.worker.client.seats(), 0u) << "its end is acknowledged";
}

TEST(Worker, IsToldWhatConcernsItsEngines) {
  WorkerWire wire;
  WireWorker worker(wire, "lab");
  wire.server.tell("lab", "nobody hears it");
  worker.connect();
  wire.server.tell("lab", "not seated: lab-1 is seated already");
  wire.server.tell("club", "there is no such worker");
  wire.collect();
  worker.exchange();
  EXPECT_THAT(worker.told, ElementsAre("not seated: lab-1 is seated already"));
}

TEST(Worker, IsGivenSoManySeatsAndNoMore) {
  WorkerWire wire;
  WireWorker worker(wire, "lab");
  worker.connect();
  for (std::size_t i = 0; i < kMostWorkerSeats; ++i) ASSERT_TRUE(wire.server.start("lab", 0)) << i;
  EXPECT_EQ(wire.server.start("lab", 0).error(), "the worker lab has 256 engines already");
}

TEST(Worker, AStartThatWasLostIsSaidAgain) {
  WorkerWire wire;
  WireWorker worker(wire, "lab");
  worker.connect();
  const WorkerSeat seat = *wire.server.start("lab", 0);
  wire.server.write(seat, "usi");
  wire.collect();
  worker.cut();  // before it has read anything of it
  EXPECT_THAT(worker.engines, IsEmpty());
  worker.connect();
  EXPECT_THAT(worker.engines.at(number(seat)), ElementsAre("usi"));
}

TEST(Worker, TheLeaseEndsSeatsOnBothSides) {
  SeatedWorker s;
  s.worker.cut();
  s.wire.pass(30 * kWireSecond - kWireSecond / 2);
  s.worker_ticks();
  EXPECT_THAT(s.wire.ended, IsEmpty());
  EXPECT_EQ(s.worker.engines.size(), 1u);
  s.wire.pass(kWireSecond);
  s.worker_ticks();
  EXPECT_THAT(s.end(), HasSubstr("did not come back"));
  EXPECT_THAT(s.worker.engines, IsEmpty());
  EXPECT_FALSE(s.wire.server.start("lab", 0).has_value()) << "it is away";
}

// The server has given the seat to another process, and the old one, which slept through it all, wakes up.
TEST(Worker, WhoeverComesBackTooLateIsNotHeard) {
  SeatedWorker s;
  s.wire.server.closed(s.worker.conn, s.wire.now);
  s.worker.cut_here();
  s.wire.pass(31 * kWireSecond);  // the worker's own clock stood still: no tick
  ASSERT_EQ(s.wire.ended.size(), 1u);
  s.engine_says("bestmove 7g7f");
  s.worker.connect();
  EXPECT_THAT(s.wire.said, IsEmpty());
  EXPECT_THAT(s.worker.engines, IsEmpty()) << "it is told to end the seat";
  EXPECT_GT(number(*s.wire.server.start("lab", 0)), number(s.seat));
  s.worker.exchange();
  s.line("line", "1 bestmove 7g7f");
  EXPECT_THAT(s.wire.said, IsEmpty());
  EXPECT_EQ(s.wire.last(s.worker.conn), fmt::format("end {}", number(s.seat)));
}

TEST(Worker, AConnectionThatWasReplacedIsNotHeard) {
  SeatedWorker s;
  const core::ConnId former = s.worker.conn;
  s.worker.cut_here();  // the server has noticed nothing
  s.worker.connect();
  EXPECT_THAT(s.wire.closed, ElementsAre(former));
  s.line(former, "line", "1 bestmove 7g7f");
  EXPECT_THAT(s.wire.said, IsEmpty());
  s.engine_says("usiok");
  s.worker.exchange();
  EXPECT_THAT(s.wire.said, ElementsAre(Pair(s.seat, "usiok")));
  s.wire.server.closed(former, s.wire.now);  // at last
  s.wire.collect();
  EXPECT_TRUE(s.wire.present.at("lab"));
  EXPECT_THAT(s.wire.ended, IsEmpty());
}

TEST(Worker, AnotherProcessOfTheNameTakesItsPlace) {
  SeatedWorker s;
  WireWorker other(s.wire, "lab", "s2");
  other.connect();
  EXPECT_THAT(s.end(), HasSubstr("began anew"));
  s.worker.exchange();
  EXPECT_THAT(s.worker.refused, ElementsAre("superseded"));
  EXPECT_THAT(s.worker.engines, IsEmpty());
  EXPECT_TRUE(s.wire.server.start("lab", 0).has_value());
  EXPECT_EQ(s.wire.offered.size(), 2u);
}

TEST(Worker, SilenceEndsAConnectionOnBothSides) {
  SeatedWorker s;
  s.wire.pass(5 * kWireSecond);
  EXPECT_EQ(s.wire.last(s.worker.conn), "ping");
  s.worker.exchange();  // pong
  s.wire.pass(14 * kWireSecond);
  EXPECT_THAT(s.wire.closed, IsEmpty());
  s.wire.pass(2 * kWireSecond);
  EXPECT_THAT(s.wire.closed, ElementsAre(s.worker.conn));
  EXPECT_FALSE(s.wire.present.at("lab"));
  EXPECT_THAT(s.wire.ended, IsEmpty()) << "the lease begins now";
  s.worker_ticks();
  EXPECT_THAT(s.worker.hung_up, ElementsAre("the server is silent"));
}

TEST(Worker, WhoLeavesNeedsNoLease) {
  SeatedWorker s;
  s.worker.client.leave();
  s.worker.exchange();
  EXPECT_THAT(s.worker.engines, IsEmpty());
  EXPECT_THAT(s.end(), HasSubstr("left"));
}

TEST(Worker, IsDroppedUntilTheRulesAreReadAgain) {
  SeatedWorker s;
  EXPECT_FALSE(s.wire.server.drop("nobody"));
  EXPECT_TRUE(s.wire.server.drop("lab"));
  s.wire.collect();
  s.worker.exchange();
  EXPECT_THAT(s.worker.refused, ElementsAre("dropped"));
  EXPECT_EQ(s.wire.ended.size(), 1u);
  WireWorker again(s.wire, "lab", "s2");
  again.connect();
  EXPECT_THAT(again.refused, ElementsAre("dropped"));
  s.wire.server.change(tokens(true));
  WireWorker later(s.wire, "lab", "s3");
  later.connect();
  EXPECT_TRUE(later.client.welcomed());
}

// Whose token is another one since the rules were read again ends; who shows the new one has its place.
TEST(Worker, IsCutOffWithATokenThatWasChanged) {
  SeatedWorker s;
  WireWorker other(s.wire, "mill");
  other.connect();
  s.wire.server.change(
      {.is_token = [](std::string_view name,
                      std::string_view token) { return name == "mill" ? token == "t-mill" : token == "new"; },
       .is_spared = {}});
  s.wire.collect();
  s.worker.exchange();
  EXPECT_THAT(s.worker.refused, ElementsAre("dropped"));
  EXPECT_EQ(s.wire.ended.size(), 1u);
  EXPECT_FALSE(s.wire.present["lab"]);
  EXPECT_THAT(other.refused, testing::IsEmpty()) << "its token is what it was";
  EXPECT_TRUE(s.wire.present["mill"]);
  const core::ConnId anew = s.wire.open();
  s.wire.line(anew, "worker 1 lab new s2");
  EXPECT_THAT(s.wire.last(anew), testing::StartsWith("welcome"));
}

// ---- bad input ----

TEST(WorkerServer, AWrongTokenIsAnsweredLateAndCosts) {
  WorkerWire wire;
  const core::ConnId first = wire.open();
  wire.line(first, "worker 1 lab wrong s1");
  EXPECT_THAT(wire.sent[first], IsEmpty());
  wire.pass(kWireSecond - kWireSecond / 4);
  EXPECT_THAT(wire.sent[first], IsEmpty());
  wire.pass(kWireSecond / 4);
  EXPECT_THAT(wire.sent[first], ElementsAre("refused wrong name or token"));
  EXPECT_THAT(wire.closed, ElementsAre(first));
  for (int i = 0; i < 4; ++i) wire.line(wire.open(), "worker 1 nobody wrong s1");
  const core::ConnId late = wire.open();
  EXPECT_THAT(wire.closed, testing::Contains(late)) << "the address is shut out";
  EXPECT_THAT(wire.closed, Not(testing::Contains(wire.open("198.51.100.1"))));
}

TEST(WorkerServer, NonsenseShutsAnAddressOutForAWhile) {
  WorkerWire wire;
  for (int i = 0; i < 4; ++i) wire.line(wire.open(), "GET / HTTP/1.1");
  EXPECT_THAT(wire.closed, testing::Contains(wire.open()));
  wire.pass(21 * kWireSecond);
  EXPECT_THAT(wire.closed, Not(testing::Contains(wire.open())));
}

TEST(WorkerServer, RefusesWhatIsNoFirstLine) {
  const std::string long_name = "worker 1 " + std::string(33, 'x') + " t s1";
  for (const char* line :
       {"LOGIN lab t-lab", "worker", "worker 0 lab t-lab s1", "worker 2 lab t-lab s1", "worker 1 lab t-lab",
        "worker 1 lab t-lab s1 more", long_name.c_str(), "pong", "", "worker -1 lab t-lab s1"}) {
    WorkerWire wire;
    const core::ConnId conn = wire.open();
    wire.line(conn, line);
    EXPECT_THAT(wire.last(conn), testing::StartsWith("refused ")) << line;
    EXPECT_THAT(wire.closed, ElementsAre(conn)) << line;
    wire.line(conn, "worker 1 lab t-lab s1");
    EXPECT_EQ(wire.sent[conn].size(), 1u) << "nothing is heard any more";
  }
}

TEST(WorkerServer, RefusesWhatNoWorkerSays) {
  for (const std::string line :
       {"hello", "engine", "engine 0 1", "engine 64 1 name=x", "engine x 1 name=x", "hold 5", "hold x 1", "ready",
        "ready 0", "ready 5000", "line 5", "ack", "engine -1 5 name=x", "ready 1 2"}) {
    WorkerWire wire;
    const core::ConnId conn = wire.open();
    wire.line(conn, "worker 1 lab t-lab s1");
    if (line == "engine 0 1") wire.line(conn, "engine 0 1 name=first");  // twice the same
    if (line == "line 5") wire.line(conn, "ready 1");
    wire.line(conn, line);
    const bool harmless = line == "line 5";  // of a seat that has ended: it is told so
    EXPECT_EQ(wire.last(conn).starts_with("refused "), !harmless) << line << ": " << wire.last(conn);
  }
}

TEST(WorkerServer, RefusesAGapAndASecondHoldAndTakesALineOnceAndFewWordsOfAnEnd) {
  SeatedWorker s;
  for (int i = 0; i < 2; ++i) s.line("line", "1 usiok");
  EXPECT_EQ(s.wire.said.size(), 1u);
  s.line("line", "3 readyok");
  EXPECT_THAT(s.wire.last(s.worker.conn), testing::StartsWith("refused "));
  EXPECT_EQ(s.wire.said.size(), 1u);

  SeatedWorker held;
  held.worker.cut();
  const core::ConnId conn = held.wire.open();
  held.wire.line(conn, "worker 1 lab t-lab s1");
  for (int i = 0; i < 2; ++i) held.line(conn, "hold", "0");
  EXPECT_THAT(held.wire.last(conn), testing::StartsWith("refused "));

  SeatedWorker ended;
  ended.line("ended", "1 " + std::string(30'000, 'x'));
  EXPECT_EQ(ended.end(), std::string(200, 'x'));
}

TEST(WorkerServer, AWorkerHasNoSeatOfAnother) {
  SeatedWorker s;
  WireWorker other(s.wire, "club");
  other.connect();
  s.line(other.conn, "line", "1 bestmove 7g7f");
  s.line(other.conn, "info", "depth 1");
  s.line(other.conn, "ended", "1 done");
  EXPECT_THAT(s.wire.said, IsEmpty());
  EXPECT_THAT(s.wire.ended, IsEmpty());
}

TEST(WorkerServer, AFloodEndsTheConnection) {
  WorkerWire wire(WorkerLimits{.bytes_per_second = 1'000});
  const core::ConnId conn = wire.open();
  wire.line(conn, "worker 1 lab t-lab s1");
  wire.line(conn, "ready 1");
  for (int second = 0; second < 3; ++second) {
    wire.now = wire.now + kWireSecond;
    for (int i = 0; i < 9; ++i) wire.line(conn, "info 7 " + std::string(92, 'x'));  // 100 bytes with the line's end
  }
  EXPECT_THAT(wire.closed, IsEmpty());
  for (int i = 0; i < 2; ++i) wire.line(conn, "info 7 " + std::string(92, 'x'));
  EXPECT_EQ(wire.last(conn), "refused it sends too much");
}

TEST(WorkerServer, StrangersAreFewAndHaveLittleTime) {
  WorkerWire wire(WorkerLimits{.strangers = 2});
  const core::ConnId first = wire.open();
  const core::ConnId second = wire.open();
  wire.open();
  EXPECT_THAT(wire.closed, ElementsAre(first)) << "the oldest makes room";
  wire.pass(10 * kWireSecond);
  EXPECT_EQ(wire.last(second), "refused nothing was said");
}

TEST(WorkerServer, WhoOnlySitsThereKeepsNobodyOut) {
  WorkerWire wire;
  std::vector<core::ConnId> crowd;
  const core::ConnId other = wire.open("192.0.2.8");
  for (int i = 0; i < 100; ++i) crowd.push_back(wire.open("192.0.2.9"));
  EXPECT_EQ(wire.closed, std::vector(crowd.begin(), crowd.end() - 8)) << "eight of one address, the newest";
  for (int i = 0; i < 28; ++i) wire.open(fmt::format("198.51.100.{}", i));
  EXPECT_THAT(wire.closed, Not(testing::Contains(other))) << "those go first whose address has most";
  WireWorker worker(wire, "lab");
  worker.connect();
  EXPECT_TRUE(wire.present.at("lab"));
}

// Each change of offers takes players away and brings others.
TEST(WorkerServer, OffersDoNotChangeAllTheTime) {
  WorkerWire wire;
  const auto offers = [&](int number) {
    const core::ConnId conn = wire.open();
    wire.line(conn, "worker 1 lab t-lab s1");
    wire.line(conn, fmt::format("engine 0 {} name=lab-1", number));
    wire.line(conn, "ready 1");
    return !wire.last(conn).starts_with("refused ");
  };
  int taken = 0;
  for (int number = 1; number <= 20; ++number) taken += offers(number) ? 1 : 0;
  EXPECT_EQ(taken, 6);
  EXPECT_EQ(wire.offered.size(), 6U);
  EXPECT_TRUE(offers(6)) << "the same again costs nothing";
  wire.pass(11 * kWireSecond);
  EXPECT_TRUE(offers(30));
  EXPECT_FALSE(offers(31));
}

TEST(WorkerServer, AWorkerThatDoesNotReadLosesTheSeat) {
  WorkerWire wire(WorkerLimits{.unread_bytes = 100});
  WireWorker worker(wire, "lab");
  worker.connect();
  const WorkerSeat seat = *wire.server.start("lab", 0);
  EXPECT_TRUE(wire.server.write(seat, std::string(100, 'x')));
  EXPECT_FALSE(wire.server.write(seat, "x"));
  wire.collect();
  ASSERT_EQ(wire.ended.size(), 1u);
  EXPECT_THAT(wire.ended[0].second, HasSubstr("does not take"));
}

// ---- the worker's own limits ----

TEST(WorkerClient, ATokenThatWasNeverGoodIsTheEnd) {
  WorkerWire wire;
  wire.server.change(tokens(false));
  WireWorker worker(wire, "lab");
  worker.connect();
  wire.pass(kWireSecond);
  worker.exchange();
  EXPECT_THAT(worker.refused, ElementsAre("wrong name or token"));
}

TEST(WorkerClient, DoesNotObeyAServerThatItDoesNotUnderstand) {
  for (const std::string line :
       {"hello", "start 5 0", "welcome 2 30 5", "welcome 1 30", "welcome 1 30 0", "welcome 1 99999 5"}) {
    WorkerWire wire;
    WireWorker worker(wire, "lab");
    worker.client.connected(wire.now);
    worker.client.line(line, wire.now);
    worker.act();
    EXPECT_EQ(worker.hung_up.size(), 1u) << line;
    EXPECT_THAT(worker.engines, IsEmpty());
  }
  SeatedWorker s;
  const std::string seat = std::to_string(number(s.seat));
  for (const std::string& line :
       std::vector<std::string>{"start " + seat + " 0", "start 77 1", "line " + seat, "line " + seat + " 9 stop",
                                "ack " + seat + " 9", "welcome 1 30 5"}) {
    s.worker.hung_up.clear();
    s.worker.client.line(line, s.wire.now);
    s.worker.act();
    EXPECT_EQ(s.worker.hung_up.size(), 1u) << line;
  }
}

TEST(WorkerClient, AnEngineThatSaysTooMuchUnheardIsEnded) {
  SeatedWorker s;
  s.worker.cut();
  for (std::size_t i = 0; i <= WorkerClient::kUnheardBytes / 1'000; ++i) s.engine_says(std::string(1'000, 'x'));
  s.worker.act();
  EXPECT_THAT(s.worker.engines, IsEmpty());
  s.worker.connect();
  EXPECT_THAT(s.end(), HasSubstr("more than the server took"));
}

// Whatever breaks whenever: each side hears every line of the other once, in order, as long as the seat lives.
TEST(Worker, LinesAreHeardOnceAndInOrderThroughAnyBreaks) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    SeatedWorker s;
    std::vector<std::string> told = {"usi"}, said;
    for (int step = 0; step < 60; ++step) {
      switch (random() % 6) {
        case 0:
          told.push_back("position " + std::to_string(step));
          s.say(told.back());
          break;
        case 1:
          said.push_back("bestmove " + std::to_string(step));
          s.worker.client.engine_line(number(s.seat), said.back());
          break;
        case 2:
          s.worker.act();
          s.worker.lose_sent();
          random() % 2 == 0 ? s.worker.cut() : s.worker.cut_here();
          s.worker.connect();
          break;
        case 3:
          s.wire.pass(kWireSecond);
          break;
        default:
          s.worker.exchange();
      }
    }
    s.worker.exchange();
    s.worker.lose_sent();
    s.worker.cut();
    EXPECT_FALSE(s.wire.present.at("lab")) << "nobody is to ask its players for a new game";
    s.engine_says("info depth 9 score cp 1 pv 7g7f");  // old infos are no news
    s.worker.connect();
    EXPECT_TRUE(s.wire.present.at("lab"));
    EXPECT_EQ(s.wire.offered.size(), 1u) << "it offers what it did";
    EXPECT_EQ(s.engine(), told) << "seed " << seed;
    std::vector<std::string> heard;
    for (const auto& [seat, line] : s.wire.said) heard.push_back(line);
    EXPECT_EQ(heard, said) << "seed " << seed;
    EXPECT_THAT(s.wire.ended, IsEmpty()) << "seed " << seed;
    EXPECT_THAT(s.worker.hung_up, IsEmpty()) << "seed " << seed;
  }
}

// ---- offers ----

TEST(WorkerOffer, LeavesWhatIsOfItsMachineThere) {
  const auto offer = offer_of(
      "name=lab-1 engine='./my engine --x' serve=club-*,x-9-9 threads=2 memory=512 nice=3 greeting=\"Good 'day'; x=y\" "
      "option.Book=/a\\ b");
  ASSERT_TRUE(offer) << offer.error();
  EXPECT_THAT(*offer, Not(HasSubstr("engine")));
  EXPECT_THAT(*offer, Not(HasSubstr("memory")));
  const auto player = parse_offer(*offer, "lab");
  ASSERT_TRUE(player) << player.error();
  EXPECT_EQ(player->name, "lab-1");
  EXPECT_EQ(player->threads, 2);
  EXPECT_EQ(player->greeting, "Good 'day'; x=y");
  EXPECT_THAT(player->serves, ElementsAre("club-*", "x-9-9"));
  EXPECT_THAT(player->options, testing::Contains(Pair("Book", "/a b")));
  EXPECT_THAT(player->command, ElementsAre("lab:"));
}

TEST(WorkerOffer, RefusesWhatAWorkerMayNotSay) {
  for (const std::string line :
       {"", "name=x engine=/bin/sh", "name=x dir=/etc", "name=x read=/etc/passwd", "name=x room=vip",
        "name=x password=y", "name='x", "name=", "count=3", "name=x threads=0"}) {
    EXPECT_FALSE(parse_offer(line, "lab").has_value()) << line;
  }
  EXPECT_FALSE(offer_of("name=x engine=e room=vip").has_value());
  EXPECT_FALSE(offer_of("name=x\nengine 1 1 name=y engine=e").has_value());
}

TEST(WorkerOffer, NamesFitPatterns) {
  for (const char* name : {"lab-7", "lab", "a-x-b"}) EXPECT_TRUE(fits_any(name, {"lab", "lab-*", "a-*-b"})) << name;
  for (const char* name : {"labour", "a-b", "alice"}) EXPECT_FALSE(fits_any(name, {"lab", "lab-*", "a-*-b"})) << name;
  EXPECT_FALSE(fits_any("alice", {}));
  EXPECT_TRUE(fits_any("anybody", {"*"}));
}

}  // namespace
}  // namespace fuhyo::host
