// The wiring of a node: what leaves when, with a journal that commits when told and transports that remember.
#include "server/app/serve/node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "server/app/serve/host_facts.h"
#include "server/app/serve/move_delays.h"
#include "tests/support/patience.h"

namespace fuhyo::app {
namespace {

using core::ConnId;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct FakeJournal : core::Journal {
  void append(core::Transaction transaction) override { transactions.push_back(std::move(transaction)); }
  bool close() override { return true; }
  std::vector<core::Transaction> transactions;
};

struct FakeDoorway : core::Transport {
  void write(ConnId conn, std::string bytes) override { written[conn].push_back(std::move(bytes)); }
  void close(ConnId conn, std::string_view) override {
    closed.push_back(conn);
    sink->deliver(core::Closed{conn, "closed by the server"});
  }
  void read_pass(ConnId conn, std::uint64_t token) override {
    if (!unread.empty()) sink->deliver(core::ClientLine{conn, std::exchange(unread, {}), sink->now(), false});
    sink->deliver(core::ReadPassed{conn, token});
  }
  void limit_lines(ConnId, std::size_t bytes) override { limit = bytes; }
  void throttle(ConnId, bool) override {}

  std::string all(ConnId conn) {
    std::string text;
    for (const std::string& part : written[conn]) text += part;
    return text;
  }
  core::InputSink* sink = nullptr;
  std::map<ConnId, std::vector<std::string>> written;
  std::vector<ConnId> closed;
  std::string unread;
  std::size_t limit = 0;
};

class NodeTest : public testing::Test {
 protected:
  NodeTest() {
    transport.sink = &node;
    core::Rules rules;
    rules.trip_hash = [](std::string_view trip) { return md5_hex(trip); };
    node.start(journal, rules, {});
  }
  ConnId open() { return node.open(transport, core::ConnectionKind::csa, "main", "192.0.2.1:1", false); }
  void say(ConnId conn, const std::string& line) { node.deliver(core::ClientLine{conn, line, node.now(), false}); }
  void turn() {
    io.restart();
    io.poll();
  }
  void commit() {
    turn();
    events.durable(journal.transactions.back().back().seq);
    turn();
  }
  // Two players who are asked whether they agree to a game.
  void pair() {
    black = open();
    white = open();
    say(black, "LOGIN alice g-300-0-B,x");
    say(white, "LOGIN bob g-300-0-W,x");
    commit();
  }
  // ... and who have agreed.
  void begin() {
    pair();
    say(black, "AGREE");
    say(white, "AGREE");
    commit();
  }

  ConnId black{}, white{};
  boost::asio::io_context io{1};
  FakeJournal journal;
  FakeDoorway transport;
  std::vector<std::string> notes;
  std::vector<std::string> replies, requests;  // of and to operators
  bool drained = false;
  std::shared_ptr<MoveDelays> delays = std::make_shared<MoveDelays>(&Node::clock);
  Node node{io, core::Limits{},
            Node::Hooks{.note = [this](const core::Note& note) { notes.push_back(note.text); },
                        .drained = [this] { drained = true; },
                        .admin_reply = [this](const core::AdminReply& reply) { replies.push_back(reply.result.text); },
                        .host_request = [this](const core::HostRequest& request) { requests.push_back(request.verb); },
                        .delays = delays}};
  core::JournalEvents events = node.journal_events();
};

TEST_F(NodeTest, NothingLeavesBeforeWhatItDependsOnIsDurable) {
  pair();
  EXPECT_THAT(transport.all(black), HasSubstr("END Game_Summary"));
  say(black, "AGREE");
  say(white, "AGREE");
  turn();
  EXPECT_EQ(transport.all(black).find("START:"), std::string::npos);
  commit();
  EXPECT_THAT(transport.all(black), HasSubstr("START:"));
  EXPECT_THAT(transport.all(white), HasSubstr("START:"));
}

TEST_F(NodeTest, OperatorsAreAnsweredAndObeyedWhenItIsWrittenDown) {
  node.deliver(core::AdminLine{.token = 1, .who = "root", .text = "games"});
  turn();
  EXPECT_THAT(replies, ElementsAre("0 games")) << "nothing to wait for";
  node.deliver(core::AdminLine{.token = 2, .who = "root", .text = "forbid mallory"});
  node.deliver(core::AdminLine{.token = 3, .who = "root", .text = "games"});
  node.deliver(core::AdminLine{.token = 4, .who = "root", .text = "drain"});
  turn();
  EXPECT_EQ(replies.size(), 1u);
  EXPECT_TRUE(requests.empty());
  commit();
  EXPECT_THAT(replies, ElementsAre("0 games", "mallory is forbidden", "0 games"));
  EXPECT_THAT(requests, ElementsAre("drain"));
}

TEST_F(NodeTest, OperatorsAreToldThatTheStoreIsAway) {
  for (const char* text : {"forbid mallory", "drain"}) {
    node.deliver(core::AdminLine{.token = 1, .who = "root", .text = text});
  }
  turn();
  EXPECT_THAT(replies, IsEmpty());
  events.lost("disk full");
  turn();
  const std::string waits = "the store is away (disk full): it takes effect when that is back";
  EXPECT_THAT(std::exchange(replies, {}), ElementsAre(waits, waits));
  EXPECT_THAT(requests, IsEmpty());
  node.deliver(core::AdminLine{.token = 3, .who = "root", .text = "games"});
  node.deliver(core::AdminLine{.token = 4, .who = "root", .text = "engines"});
  turn();
  EXPECT_THAT(replies, ElementsAre("0 games")) << "who only asks does not wait";
  EXPECT_THAT(std::exchange(requests, {}), ElementsAre("engines"));
  events.back();
  commit();
  EXPECT_THAT(requests, ElementsAre("drain"));
  EXPECT_THAT(replies, ElementsAre("0 games")) << "nobody is told twice";
}

TEST_F(NodeTest, ADoorwayThatGoesTakesItsGuestsWithIt) {
  FakeDoorway other;
  other.sink = &node;
  const ConnId stays = open();
  const ConnId goes = node.open(other, core::ConnectionKind::builtin, "main", "engine", true);
  node.hang_up(other, "the engine was taken away");
  EXPECT_EQ(node.sessions(), 1u);
  say(goes, "");
  say(stays, "LOGIN alice pw x1");
  turn();
  EXPECT_TRUE(other.written.empty());
  EXPECT_THAT(transport.all(stays), HasSubstr("LOGIN:alice OK"));
}

TEST_F(NodeTest, AllOfATurnLeavesInOneWrite) {
  const ConnId conn = open();
  say(conn, "LOGIN alice pw x1");
  say(conn, "%%VERSION");
  say(conn, "");
  EXPECT_TRUE(transport.written.empty());
  turn();
  EXPECT_EQ(transport.written[conn].size(), 1u);
  EXPECT_GT(transport.limit, core::Limits{}.line_before_login);
}

TEST_F(NodeTest, OneEventIsOneStep) {
  begin();
  const std::size_t before = journal.transactions.size();
  say(white, "+7776FU");  // out of turn: a line for the record
  say(black, "%TORYO");
  EXPECT_EQ(journal.transactions.size(), before);  // the journal gets all of a turn at once
  turn();
  EXPECT_EQ(journal.transactions.size(), before + 2);
}

TEST_F(NodeTest, AConnectionThatIsGoneGetsNothing) {
  const ConnId conn = open();
  say(conn, "LOGIN alice pw x1");
  node.deliver(core::Closed{conn, "reset"});
  turn();
  EXPECT_TRUE(transport.written.empty());
  EXPECT_EQ(node.sessions(), 0u);
}

TEST_F(NodeTest, TheEndOfAGameClosesInOrderAndFreesTheName) {
  pair();
  say(black, "REJECT");
  commit();
  EXPECT_TRUE(transport.written[black].back().ends_with("by alice\n")) << transport.written[black].back();
  EXPECT_THAT(transport.closed, testing::UnorderedElementsAre(black, white));
  EXPECT_EQ(node.sessions(), 0u);
}

TEST_F(NodeTest, AfterRetireNothingChangesAGame) {
  begin();
  const std::size_t transactions = journal.transactions.size();
  node.retire();
  node.deliver(core::Closed{black, "the server ends"});
  say(white, "%TORYO");
  turn();
  EXPECT_EQ(journal.transactions.size(), transactions);
}

TEST_F(NodeTest, DrainEndsWhenNoGameIsLeft) {
  begin();
  node.drain();
  EXPECT_FALSE(drained);
  say(black, "%TORYO");
  EXPECT_FALSE(drained);
  EXPECT_FALSE(node.settled());
  commit();
  EXPECT_TRUE(drained);
  EXPECT_TRUE(node.settled());
  EXPECT_TRUE(transport.all(white).ends_with("#WIN\n"));
}

TEST_F(NodeTest, TheDelayOfAMoveLastsUntilItsLineIsWritten) {
  begin();
  const core::Instant arrived = node.now();
  say(black, "+7776FU");
  turn();
  EXPECT_EQ(delays->all().count, 0u) << "it waits for the disk";
  EXPECT_TRUE(test::eventually([&] { return node.now() - arrived >= 5'000; }));
  commit();
  EXPECT_THAT(transport.all(white), HasSubstr("+7776FU,T0"));
  EXPECT_EQ(delays->all().count, 1u) << "for the opponent, not for who has moved";
  EXPECT_GE(delays->all().max_us, 5'000);
  EXPECT_LE(delays->all().max_us, node.now() - arrived);
}

TEST_F(NodeTest, WhatIsNoMoveHasNoDelay) {
  begin();
  say(black, "%TORYO");
  commit();
  EXPECT_THAT(transport.all(white), HasSubstr("#WIN"));
  EXPECT_EQ(delays->all().count, 0u);
}

TEST_F(NodeTest, ALossOnTimeIsLoggedWithTheShareOfTheServer) {
  begin();
  say(black, "+7776FU");
  commit();
  node.deliver(core::ClientLine{white, "-3334FU", node.now() + 400 * core::kSecond, false});
  commit();
  EXPECT_THAT(transport.all(white), HasSubstr("#TIME_UP"));
  EXPECT_THAT(notes, testing::Contains(testing::MatchesRegex(
                         "game #1 is lost on time: the server had kept the move before for [0-9]+ us")));
  EXPECT_EQ(delays->table().rows.back()[1], "1");
}

TEST_F(NodeTest, ALossOnTimeWithoutAMoveIsNobodysDelay) {
  begin();
  node.deliver(core::ClientLine{black, "+7776FU", node.now() + 400 * core::kSecond, false});
  commit();
  EXPECT_THAT(notes, testing::Contains("game #1 is lost on time: there was no move before"));
  EXPECT_EQ(delays->table().rows.back()[1], "0");
}

TEST_F(NodeTest, NotesReachTheLog) {
  const ConnId conn = open();
  say(conn, "LOGIN alice pw x1");
  ASSERT_FALSE(notes.empty());
  EXPECT_THAT(notes.back(), HasSubstr("alice logged in"));
}

}  // namespace
}  // namespace fuhyo::app
