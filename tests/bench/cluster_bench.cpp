// What the master of a cluster costs: entries passed on to 64 nodes, and its share of a move with 16 nodes that send
// lines and entries. CPU time of one thread; the nodes are simulated, and no pipe is written.
//   cluster_bench [BATCHES [MOVES]]    default 20000 and 50; printed of the moves is the median

#include <fmt/core.h>
#include <string>
#include <vector>

#include "engines/cluster/cluster.h"
#include "engines/members/own_checks.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/table_lines.h"
#include "tests/bench/measure.h"

namespace {

using fuhyo::members::Member;
namespace bench = fuhyo::bench;
namespace cluster = fuhyo::cluster;
namespace shogi = fuhyo::shogi;
namespace usi = fuhyo::usi;

constexpr std::int64_t kUnlimited = 1'000'000'000'000;

// Ready, with the same keys.
std::vector<Member> ready_members(std::size_t count) {
  std::vector<Member> members(count, Member({.name = "node"}));
  for (Member& member : members) {
    member.start(0);
    for (const char* const line : {"tt keys 0000000000000001", "usiok", "readyok"}) member.line(line, 0);
    member.take_lines();
  }
  return members;
}

std::string full_batch(std::int64_t search) {
  const usi::TableEntry entry{.key = 0x0123456789abcdef, .depth = 20, .value = -1'234, .evaluation = -1'200};
  return usi::to_text(search, std::vector(usi::kMostTableEntries, entry));
}

void measure_exchange(std::int64_t batches) {
  std::vector<Member> members = ready_members(64);
  std::vector<cluster::Exchange::Node> nodes;
  for (Member& member : members) {
    member.ask(usi::Game{}, {.infinite = true}, 0, {.search = 1});
    nodes.push_back({.member = &member, .search = 1});
  }
  cluster::Exchange exchange(kUnlimited);
  exchange.pass_on(nodes, 0);
  const std::string batch = full_batch(1);
  const double began = bench::thread_seconds();
  for (std::int64_t i = 0; i < batches; ++i) {
    members[static_cast<std::size_t>(i) % members.size()].line(batch, i);
    exchange.pass_on(nodes, i);
    for (Member& member : members) member.take_sent_tables();
  }
  const double seconds = bench::thread_seconds() - began;
  const double entries = static_cast<double>(batches) * static_cast<double>(usi::kMostTableEntries);
  fmt::print("64 nodes: {:.0f} entries a second taken, {:.0f} copies a second passed on\n", entries / seconds,
             63 * entries / seconds);
}

// A game of so many moves, drawn in a fixed order.
usi::Game game_of(std::size_t plies) {
  usi::Game game;
  shogi::Position position = game.start;
  while (game.moves.size() < plies) {
    const auto legal = shogi::legal_moves(position);
    const shogi::Move move = legal[game.moves.size() * 7 % legal.size()];
    position.do_move(move);
    game.moves.push_back(move);
    if (shogi::legal_moves(position).empty()) bench::fail("the game has ended");
  }
  return game;
}

// A move of a second in the middle of a game: each node sends ten lines and as many batches. Milliseconds of the
// master's.
double move_ms(cluster::Cluster& master, std::vector<Member>& members, std::int64_t search) {
  const usi::GoLimits limits{.movetime_ms = 1'000};
  const usi::Game game = game_of(100);
  const auto moves = fuhyo::members::playable_moves(game.current(), {});
  const std::string move = shogi::to_usi(moves.front());
  const std::string batch = full_batch(search);
  const std::int64_t begun = search * 10'000;
  const auto plan = usi::TimePlan::make(limits, game.current().side_to_move(), 100, {});
  const double began = bench::thread_seconds();
  master.begin({.game = game, .moves = moves, .limits = limits, .plan = plan}, begun, begun);
  for (std::int64_t ms = 1; ms <= 1'000 && !master.outcome(); ++ms) {
    const std::int64_t now = begun + ms;
    for (Member& member : members) {
      if (ms % 100 == 0)
        member.line("info depth 20 score cp 30 nodes 1000000 pv " + move + " 8c8d 2f2e 8d8e 2e2d", now);
      if (ms % 100 == 0) member.line(batch, now);
      for (const std::string& line : member.take_lines()) {
        if (line == "stop") member.line("bestmove " + move, now);
      }
      member.take_sent_tables();
    }
    master.look(now);
  }
  if (!master.outcome()) bench::fail("the master has not moved");
  return 1e3 * (bench::thread_seconds() - began);
}

void measure_moves(std::int64_t moves) {
  std::vector<Member> members = ready_members(16);
  std::vector<cluster::Cluster::Node> nodes;
  for (Member& member : members) nodes.push_back({.member = &member});
  cluster::Cluster master({.exchange_bytes = kUnlimited}, nodes);
  std::vector<double> times;
  for (std::int64_t i = 1; i <= moves; ++i) times.push_back(move_ms(master, members, i));
  fmt::print("16 nodes: {:.2f} ms of the master's CPU in a move of a second; the first one {:.2f} ms\n",
             bench::median(times), times.front());
}

}  // namespace

int main(int argc, char** argv) {
  measure_exchange(argc > 1 ? std::stoll(argv[1]) : 20'000);
  measure_moves(argc > 2 ? std::stoll(argv[2]) : 50);
  return 0;
}
