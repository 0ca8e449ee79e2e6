#include "server/app/relay/relay.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/app/join/server_wire.h"
#include "server/app/serve/host_facts.h"
#include "server/app/serve/node.h"

namespace fuhyo::app {
namespace {

// A refused login may be one that the server has not seen end yet; a shogi-server stands still for 3 s to refuse it.
constexpr ServerWire::Limits kRelayWire{.line = 64 * 1024,
                                        .unsent = 64 * 1024,
                                        .connect = std::chrono::seconds(15),
                                        .first_delay = std::chrono::seconds(10),
                                        .longest_delay = std::chrono::seconds(600)};

core::Now this_moment() { return {.mono = Node::clock(), .wall = wall_now()}; }

std::vector<core::GameStory> unfinished(const core::Recovery& recovered, std::string_view room) {
  std::map<core::GameId, core::GameStory> stories;
  for (const core::Journaled& row : recovered.live) {
    if (const auto* opened = std::get_if<core::GameOpened>(&row.fact); opened != nullptr && opened->room == room) {
      stories.emplace(opened->game, core::GameStory{*opened});
    } else if (const auto found = stories.find(core::game_of(row.fact)); found != stories.end()) {
      found->second.apply(row.fact);
    }
  }
  std::vector<core::GameStory> list;
  for (auto& [id, story] : stories) list.push_back(std::move(story));
  return list;
}

}  // namespace

class Relay::Line {
 public:
  Line(Relay& relay, const RelaySource& source, const std::vector<core::GameStory>& unfinished)
      : relay_(relay),
        room_(source.follow.room),
        follower_(source.follow, relay.last_game_, unfinished),
        wire_(relay.io_, source.address, kRelayWire, events()),
        timer_(relay.io_) {}

  std::expected<void, std::string> set_up() { return wire_.set_up(); }
  void start() { wire_.connect(); }
  void stop() {
    wire_.stop();
    timer_.cancel();
  }

 private:
  ServerWire::Events events() {
    return {.connected =
                [this] {
                  follower_.connected(this_moment());
                  carry_out();
                },
            .line = [this](std::string_view line) { follower_.line(line, this_moment()); },
            .read = [this] { carry_out(); },
            .lost = [this](const std::string& why, bool) { lost(why); },
            .sent = [] {}};
  }

  void lost(const std::string& why) {
    follower_.disconnected();
    const auto delay = wire_.connect_again();
    relay_.log_.warning(
        fmt::format("{}; the next try is in {} s", why, std::chrono::ceil<std::chrono::seconds>(delay).count()),
        {{"server", room_}});
  }

  void carry_out() {
    Follower::Effects effects = follower_.take();
    if (!effects.facts.empty()) relay_.append(std::move(effects.facts));
    for (const std::string& note : effects.notes) relay_.log_.warning(note, {{"server", room_}});
    if (effects.fault) return wire_.drop(*effects.fault);
    if (follower_.welcome()) wire_.went_well();
    for (const std::string& line : effects.lines) wire_.write(line);
    wait();
  }

  void wait() {
    const std::int64_t left_us = std::min(follower_.due() - Node::clock(), 60 * core::kSecond);
    timer_.expires_after(std::chrono::microseconds(std::max<std::int64_t>(left_us, 0)));
    timer_.async_wait([this](boost::system::error_code cancelled) {
      if (cancelled || !wire_.online()) return;
      follower_.tick(this_moment());
      carry_out();
    });
  }

  Relay& relay_;
  const std::string room_;
  Follower follower_;
  ServerWire wire_;
  boost::asio::steady_timer timer_;
};

Relay::Relay(std::vector<RelaySource> sources, core::Journal& journal, const core::Recovery& recovered, Log& log)
    : journal_(journal),
      log_(log),
      last_(recovered.last),
      last_game_(recovered.last_game),
      sources_(std::move(sources)) {
  for (const RelaySource& source : sources_) {
    lines_.push_back(std::make_unique<Line>(*this, source, unfinished(recovered, source.follow.room)));
  }
}

Relay::~Relay() { stop(); }

// Pages show games of rooms that somebody has told them of.
void Relay::set_rooms(const core::Recovery& recovered) {
  std::vector<core::Fact> facts;
  for (const RelaySource& source : sources_) {
    core::RoomSet room{.name = source.follow.room,
                       .settings = {fmt::format("games={}-*", source.follow.room), "comments=live", "pairing=host"},
                       .by = "relay",
                       .why = fmt::format("{}:{} is followed", source.address.host, source.address.port),
                       .at = wall_now()};
    const bool stands = std::ranges::any_of(recovered.keyed_facts, [&](const core::Journaled& row) {
      const auto* known = std::get_if<core::RoomSet>(&row.fact);
      return known != nullptr && known->name == room.name && known->settings == room.settings;
    });
    if (!stands) facts.emplace_back(std::move(room));
  }
  append(std::move(facts));
}

void Relay::append(std::vector<core::Fact> facts) {
  core::Transaction transaction;
  for (core::Fact& fact : facts) transaction.push_back({last_ = core::next(last_), std::move(fact)});
  if (!transaction.empty()) journal_.append(std::move(transaction));
}

std::expected<void, std::string> Relay::set_up(const core::Recovery& recovered) {
  for (const auto& line : lines_) {
    if (auto fine = line->set_up(); !fine) return fine;
  }
  set_rooms(recovered);
  return {};
}

void Relay::start() {
  thread_ = std::thread([this] {
    for (const auto& line : lines_) line->start();
    io_.run();
  });
}

void Relay::stop() {
  if (!thread_.joinable()) return;
  boost::asio::post(io_, [this] {
    for (const auto& line : lines_) line->stop();
    io_.stop();
  });
  thread_.join();
}

}  // namespace fuhyo::app
