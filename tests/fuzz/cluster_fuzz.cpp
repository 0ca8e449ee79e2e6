// The nodes of a cluster gone mad. Each line of the input is an act: its first byte says whose, the rest what it says.
// Whatever comes, the move is legal and in time, and no line to a node holds a line end or is longer than one may be.

#include "engines/cluster/cluster.h"
#include "engines/members/own_checks.h"
#include "engines/usi/table_lines.h"
#include "tests/fuzz/fuzz.h"

namespace {

using fuhyo::fuzz::require;
using fuhyo::members::Member;
namespace cluster = fuhyo::cluster;
namespace usi = fuhyo::usi;

constexpr int kMostActs = 400;
constexpr std::int64_t kMoveMs = 2'000;

class Nodes {
 public:
  Nodes() {
    for (Member& member : members_) {
      member.start(now_);
      for (const char* const line :
           {"option name MultiPV type spin default 1 min 1 max 99", "tt keys 0000000000000001", "usiok", "readyok"}) {
        member.line(line, now_);
      }
    }
    cluster_.begin(request(), now_, now_);
    settle();
  }
  void act(std::string_view line) {
    if (line.empty()) return;
    const char who = line.front();
    const std::string_view text = line.substr(1);
    if (who >= '0' && who <= '2') members_[static_cast<std::size_t>(who - '0')].line(text, now_);
    if (who == 'd') members_[text.size() % members_.size()].closed("killed");
    if (who == 'r') members_[text.size() % members_.size()].start(now_);
    if (who == 't') now_ += static_cast<std::int64_t>(std::min<std::size_t>(text.size(), 50)) * 10;
    if (who == 's') cluster_.stop(now_);
    if (who == 'p') cluster_.ponderhit(now_, now_);
    settle();
  }
  void finish() {
    cluster_.ponderhit(now_, now_);
    now_ += kMoveMs;
    cluster_.look(now_);
    require(cluster_.outcome().has_value(), "there is a move in time");
    fuhyo::shogi::Position position = game_.current();
    require(position.is_legal(cluster_.outcome()->move), "it is legal");
    position.do_move(cluster_.outcome()->move);
    const auto ponder = cluster_.outcome()->ponder;
    require(!ponder || position.is_legal(ponder), "so is the answer expected");
  }

 private:
  cluster::Request request() const {
    const usi::GoLimits limits{.movetime_ms = kMoveMs, .ponder = true};
    return {.game = game_,
            .moves = fuhyo::members::playable_moves(game_.current(), {}),
            .limits = limits,
            .plan = usi::TimePlan::make(limits, fuhyo::shogi::BLACK, 2, {}),
            .pondering = true};
  }
  std::vector<cluster::Cluster::Node> nodes() {
    return {{.member = &members_[0]}, {.member = &members_[1]}, {.member = &members_[2], .role = cluster::Role::mate}};
  }
  void settle() {
    cluster_.look(now_);
    for (Member& member : members_) {
      member.tick(now_);
      for (const std::string& line : member.take_lines()) {
        require(line.find('\n') == std::string::npos && line.size() <= usi::kLongestTableLine, "a line is one line");
      }
      for (const auto& line : member.take_sent_tables()) {
        require(line->find('\n') == std::string::npos && line->size() <= usi::kLongestTableLine, "a batch is one line");
      }
      member.take_notes();
    }
  }

  const usi::Game game_ = *usi::parse_position("startpos moves 7g7f 3c3d");
  std::vector<Member> members_{Member({.name = "a"}), Member({.name = "b"}), Member({.name = "c"})};
  std::int64_t now_ = 1'000;
  cluster::Cluster cluster_{{.split = true, .list_ms = 10}, nodes()};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = fuhyo::fuzz::text(data, size);
  Nodes nodes;
  for (int acts = 0; !rest.empty() && acts < kMostActs; ++acts) nodes.act(fuhyo::fuzz::take_line(rest));
  nodes.finish();
  return 0;
}
