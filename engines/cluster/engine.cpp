#include "engines/cluster/engine.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "engines/members/own_checks.h"
#include "engines/usi/declaring.h"
#include "engines/usi/time_manager.h"

namespace fuhyo::cluster {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kLeastIntervalMs = 50;
// From the "stop" of pondering to the "go" of the same turn: GUIs send them together. After that nobody plays on.
constexpr auto kLinger = 2s;

}  // namespace

std::expected<ClusterFile, std::string> read_cluster_file(const std::string& file, const std::string& beside) {
  std::ifstream in(file);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) return std::unexpected("ClusterFile: '" + file + "' cannot be read");
  return parse_cluster_file(text.str(), file, beside);
}

std::vector<members::MemberConfig> configs_of(const ClusterFile& file, const usi::OptionTable& table) {
  std::vector<members::MemberConfig> configs;
  for (const NodeSettings& node : file.nodes) {
    members::MemberConfig& config = configs.emplace_back(node.config);
    auto& setup = config.setup;
    setup.if_declared = members::common_setup(table, node.threads, node.memory_mb);
    setup.if_declared.emplace_back("TableExchange", node.role == Role::mate ? "off" : file.modes.exchange);
    setup.if_declared.emplace_back("TableExchangeDepth", std::to_string(file.modes.exchange_depth));
    setup.if_declared.emplace_back("TableExchangeRate", std::to_string(file.modes.exchange_bytes));
    setup.max_moves = usi::time_options(table).max_moves;
  }
  return configs;
}

Engine::Engine(std::string beside, int ranks, members::MemberPool::Spawn spawn)
    : beside_(std::move(beside)), ranks_(ranks), pool_(std::move(spawn)) {
  usi::add_common_options(options_);
  options_.add_filename("ClusterFile", "cluster.toml",
                        {"the nodes and what they do together (CLUSTER.md); their threads and memory are told there",
                         "ノードとその役割を書いたファイル。スレッド数とメモリーもここで決める"});
  usi::add_time_options(options_);
}

std::expected<void, std::string> Engine::get_ready() {
  able_ = played_ = false;
  notes_.clear();
  auto file = read_cluster_file(options_.text("ClusterFile"), beside_);
  if (!file) return std::unexpected(file.error());
  file_ = *std::move(file);
  spread_over_ranks(file_, ranks_);
  common_ = usi::common_options(options_);
  return start();
}

// A node that is not there costs its share. Where none searches there is nobody to play.
std::expected<void, std::string> Engine::start() {
  cluster_.reset();
  played_ = false;
  const std::vector<std::string> errors = pool_.get_ready(configs_of(file_, options_));
  notes_ = pool_.take_notes();
  const std::vector<members::Member*> members = pool_.members();
  std::vector<Cluster::Node> nodes;
  able_ = false;
  for (std::size_t i = 0; i < members.size(); ++i) {
    nodes.push_back({.member = members[i], .role = file_.nodes[i].role});
    able_ = able_ || (nodes[i].role != Role::mate && errors[i].empty());
    if (errors[i].empty()) continue;
    std::erase(notes_, errors[i]);
    notes_.push_back("Error! " + errors[i]);  // a server tells it in its log
  }
  if (!able_) return std::unexpected("no node is ready: " + *std::ranges::find_if_not(errors, &std::string::empty));
  cluster_.emplace(file_.modes, nodes);
  return {};
}

// The nodes forget, too; what a GUI sends right after "isready" is no second game.
void Engine::new_game() {
  if (able_ && played_) able_ = start().has_value();
}

Request Engine::request_of(const usi::Game& game, const usi::GoLimits& limits, bool pondering) const {
  const shogi::Position root = game.current();
  const usi::TimeOptions time = usi::time_options(options_);
  return {.game = game,
          .moves = members::playable_moves(root, limits.searchmoves),
          .limits = limits,
          .plan = usi::TimePlan::make(limits, root.side_to_move(), root.ply(), time),
          .pondering = pondering,
          .analysis = limits.infinite || common_.consideration,
          .lines = common_.multi_pv,
          .max_moves = time.max_moves};
}

void Engine::run(Request request, const usi::SearchControl& control,
                 const std::function<void(const usi::Info&)>& report) {
  bool pondering = request.pondering, begun = false;
  const auto look = [&](std::int64_t now) {
    if (!std::exchange(begun, true)) {
      cluster_->begin(std::move(request), now, pondering ? now : now - control.clock_ms());
    }
    const bool hit = pondering && !control.pondering();
    if (control.stopped()) {
      cluster_->stop(now);
    } else if (hit) {
      pondering = false;
      cluster_->ponderhit(now, now - control.clock_ms());
    }
    cluster_->look(now);
    return cluster_->outcome().has_value();
  };
  const auto lines = [&](std::int64_t now) { return cluster_->lines(now); };
  pool_.run({.look = look, .lines = lines}, std::max(common_.pv_interval_ms, kLeastIntervalMs), report);
  if (pondering) pool_.rest_after(kLinger, [this](std::int64_t now) { cluster_->rest(now); });
}

usi::SearchResult Engine::search(const usi::Game& game, const usi::GoLimits& limits, const usi::SearchControl& control,
                                 const std::function<void(const usi::Info&)>& report) {
  if (!able_) {
    report({.text = "Error! no node is ready"});
    return {.best = {.kind = usi::BestMove::Kind::resign}};
  }
  const shogi::Position root = game.current();
  const auto requirement = shogi::DeclarationRequirement::of(common_.declaration, root);
  const auto declared = usi::win_by_declaration(root, requirement, report);
  if (declared && !limits.infinite && !common_.consideration) return {.best = *declared};
  Request asked = request_of(game, limits, control.pondering());
  if (asked.moves.empty()) return {.best = {.kind = usi::BestMove::Kind::resign}};
  played_ = true;
  run(std::move(asked), control, report);
  const Outcome& outcome = *cluster_->outcome();
  for (const std::string& note : outcome.notes) report({.text = note});
  usi::SearchResult result{.best = {.kind = usi::BestMove::Kind::move, .move = outcome.move, .ponder = outcome.ponder},
                           .nodes = outcome.nodes};
  if (outcome.line) {
    usi::Info line = *outcome.line;
    line.multipv.reset();
    line.time_ms = control.elapsed_ms();
    line.nodes = outcome.nodes;
    result.score = line.score;
    report(line);
  }
  if (declared) result.best = *declared;
  return result;
}

usi::Checkmate Engine::solve_mate(const usi::Game& game, const usi::GoLimits& limits, const usi::SearchControl& control,
                                  const std::function<void(const usi::Info&)>& report) {
  if (!able_) {
    if (const auto ready = get_ready(); !ready) {
      report({.text = "Error! " + ready.error()});
      return {.kind = usi::Checkmate::Kind::timeout};
    }
  }
  played_ = true;
  const auto rest = [&](std::int64_t now) {
    cluster_->rest(now);
    return true;
  };
  pool_.run({.look = rest, .lines = [](std::int64_t) { return std::vector<usi::Info>(); }}, kLeastIntervalMs, report);
  return pool_.search_mate(game, limits.mate_ms.value_or(usi::kForever), control, kLeastIntervalMs, report);
}

std::vector<std::string> Engine::eval_lines(const shogi::Position&) {
  return {"eval: USI asks no engine for its evaluation; \"go nodes 1\" comes near it"};
}

}  // namespace fuhyo::cluster
