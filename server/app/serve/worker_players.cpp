// Workers: machines that bring engines to this server. Their players are seated like those of `engine` lines, and share
// the threads of their own machine.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <made/admin_answers.h>
#include <utility>

#include <boost/asio/post.hpp>

#include "server/app/admin/answers.h"
#include "server/app/serve/builtin_players.h"
#include "server/app/serve/host_facts.h"

namespace fuhyo::app {
namespace {

constexpr std::size_t kLongestWhy = 200;

std::string engines_of(const host::WorkerServer::Row& row) {
  std::vector<std::string> engines;
  for (const host::WorkerOffer& offer : row.offers) {
    const auto player = host::parse_offer(offer.line, row.name);
    const std::string speed = offer.nps > 0 ? fmt::format(" ({} nps)", offer.nps) : std::string();
    engines.push_back((player ? player->name : std::string("?")) + speed);
  }
  return fmt::format("{}", fmt::join(engines, ", "));
}

std::string seconds_since(core::Instant then, core::Instant now) {
  return std::to_string(std::max<std::int64_t>(0, now - then) / core::kSecond);
}

// Words of a worker's may be as long as its lines.
std::string_view shortened(std::string_view text) { return text.substr(0, kLongestWhy); }

}  // namespace

Started BuiltinPlayers::listen(Listeners& listeners) {
  if (config_.worker_door.empty()) return {};
  WorkerListener::Hooks hooks;
  hooks.offered = [this](host::WorkerServer::Offered offered) {
    boost::asio::post(io_, [this, offered = std::move(offered)] { take_offers(offered); });
  };
  hooks.present = [this](const host::WorkerServer::Present& present) {
    boost::asio::post(io_, [this, present] {
      const auto seats = worker_seats_.find(present.worker);
      if (seats != worker_seats_.end()) seats->second->set_open(present.there);
    });
  };
  hooks.log = [this](bool warning, const std::string& text) { log(warning, text); };
  worker_listener_ = std::make_unique<WorkerListener>(listeners.certificate().pair(),
                                                      static_cast<std::uint64_t>(wall_now().us), std::move(hooks));
  worker_listener_->pool().change(worker_rules());
  worker_listener_->expect_proxy_header(is_listed_in(config_.proxy_protocol));
  return listeners.bind("worker", config_.worker_door,
                        [this](std::string_view address) { return worker_listener_->listen(address); });
}

// Copies: another thread asks.
host::WorkerServer::Rules BuiltinPlayers::worker_rules() const {
  return {.is_token = [posts = config_.workers](std::string_view name,
                                                std::string_view token) { return is_worker_token(posts, name, token); },
          .is_spared = is_listed_in(config_.exempt)};
}

// New tokens. A worker without one is disconnected.
void BuiltinPlayers::change_workers() {
  if (!worker_listener_) return;
  worker_listener_->pool().change(worker_rules());
  for (const host::WorkerServer::Row& row : worker_listener_->pool().rows()) {
    if (std::ranges::find(config_.workers, row.name, &WorkerPost::name) == config_.workers.end()) {
      drop_worker(row.name);
    }
  }
}

// ---- players ----

// Who is offered as before stays as he is, in a game or not.
void BuiltinPlayers::take_offers(const host::WorkerServer::Offered& offered) {
  const auto post = std::ranges::find(config_.workers, offered.worker, &WorkerPost::name);
  if (post == config_.workers.end()) return;
  auto& seats = worker_seats_[offered.worker];
  const bool other_machine = !seats || seats->figures().capacity != offered.threads;
  unseat_of_worker(offered.worker, [&](const Seated& seated) {
    return other_machine || std::ranges::find(offered.offers, seated.offer) == offered.offers.end();
  });
  if (other_machine) seats = std::make_shared<host::CpuScheduler>(offered.threads);
  for (const host::WorkerOffer& offer : offered.offers) {
    if (const std::string why_not = seat_offer(*post, offer, seats); !why_not.empty()) {
      log_.warning(fmt::format("worker {}: {}", offered.worker, shortened(why_not)));
      worker_listener_->pool().tell(offered.worker, fmt::format("not seated: {}", shortened(why_not)));
    }
  }
}

// What is wrong with it; empty: it is seated.
std::string BuiltinPlayers::seat_offer(const WorkerPost& post, const host::WorkerOffer& offer,
                                       const std::shared_ptr<host::CpuScheduler>& seats) {
  const auto player = host::parse_offer(offer.line, post.name);
  if (!player) return player.error();
  std::string wrong;
  for (host::BuiltinPlayer& each : host::each_of(*player)) {
    const auto there = engines_.find(each.name);
    if (there != engines_.end() && there->second.worker == post.name && there->second.offer == offer) continue;
    if (!host::fits_any(each.name, post.players)) {
      wrong = fmt::format("its players may not be called {}: players = {}", each.name, fmt::join(post.players, ","));
      continue;
    }
    if (there != engines_.end()) {
      wrong = each.name + " is seated already";
      continue;
    }
    const auto of_it = std::ranges::count_if(engines_, [&](const auto& one) { return one.second.worker == post.name; });
    if (static_cast<std::size_t>(of_it) >= host::kMostWorkerPlayers) {
      wrong = fmt::format("it brings more than {} players", host::kMostWorkerPlayers);
      break;
    }
    each.password = secret_;
    each.spawn = worker_listener_->pool().spawner(post.name, offer.engine);
    auto host = std::make_unique<host::BuiltinHost>(node_, std::vector{each}, hooks(), seats);
    host->start();
    const std::string name = each.name;
    ++changes_;
    engines_.insert_or_assign(
        name, Seated{.player = std::move(each), .host = std::move(host), .worker = post.name, .offer = offer});
  }
  return wrong;
}

void BuiltinPlayers::unseat_of_worker(const std::string& worker, const std::function<bool(const Seated&)>& if_so) {
  std::vector<std::string> names;
  for (const auto& [name, seated] : engines_) {
    if (seated.worker == worker && if_so(seated)) names.push_back(name);
  }
  for (const std::string& name : names) unseat(name);
}

// ---- for operators ----

core::AdminResult BuiltinPlayers::workers() const {
  if (!worker_listener_) return refused("this server has no worker-door");
  core::AdminResult result{.ok = true,
                           .text = {},
                           .columns = {"name", "state", "address", "since_s", "heard_s", "threads", "seats", "engines"},
                           .rows = {}};
  const std::vector<host::WorkerServer::Row> rows = worker_listener_->pool().rows();
  std::size_t connected = 0;
  for (const host::WorkerServer::Row& row : rows) {
    connected += row.connected ? 1 : 0;
    const auto seats = worker_seats_.find(row.name);
    const int taken = seats == worker_seats_.end() ? 0 : seats->second->figures().taken;
    result.rows.push_back(
        {row.name, std::string(to_string(row.connected ? core::WorkerState::connected : core::WorkerState::away)),
         row.address, seconds_since(row.since, node_.now()), seconds_since(row.last_heard, node_.now()),
         fmt::format("{} of {}", taken, row.threads), std::to_string(row.seats), engines_of(row)});
  }
  for (const WorkerPost& post : config_.workers) {
    if (std::ranges::find(rows, post.name, &host::WorkerServer::Row::name) != rows.end()) continue;
    result.rows.push_back({post.name, std::string(to_string(core::WorkerState::never_seen)), "", "", "", "", "", ""});
  }
  result.text = fmt::format("{} of {} workers are connected", connected, config_.workers.size());
  return result;
}

core::AdminResult BuiltinPlayers::drop_worker(std::string_view rest) {
  if (!worker_listener_) return refused("this server has no worker-door");
  const std::string name(rest.substr(0, rest.find(' ')));
  // Its engines end with their players, who leave first.
  unseat_of_worker(name, [](const Seated&) { return true; });
  worker_seats_.erase(name);
  if (!worker_listener_->pool().drop(name)) return refused(fmt::format("there is no worker {} here", name));
  return done(fmt::format("{} is taken away with its engines, and stays away until a reload or the next start", name));
}

}  // namespace fuhyo::app
