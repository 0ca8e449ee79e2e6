// Followers of the stream of events (GET /api/v1/events), by one thread: who is cut comes back, as a browser does, from
// the last event that he had (Last-Event-ID). Moves are told apart by the ids of their events, which every node gives
// them alike.
#pragma once

#include <atomic>
#include <map>
#include <optional>

#include "engines/shogi/number.h"
#include "tests/bench/load_poller.h"
#include "tests/bench/measure.h"

namespace fuhyo::bench {

struct FollowOptions {
  int followers = 0;
  std::string path = "/api/v1/events";
  std::string accept;   // a coding that the answer may have: gzip, br; empty: none
  int back_ms = 1'000;  // those who are cut come back within it, one after the other
  int setup_s = 120;
};

// A move that came to one of them.
struct Arrival {
  std::uint64_t event = 0;
  std::int64_t at_ns = 0;  // of the steady clock, which is the same for all processes of a machine
};

struct FollowFigures {
  std::vector<Arrival> moves;                     // in a coding that is not ours, br, they are not seen
  std::vector<std::int64_t> back_ns;              // when those who were cut followed again
  std::uint64_t twice = 0;                        // moves that one had already
  std::uint64_t snapshots = 0;                    // in place of what one who came back had missed
  std::uint64_t cuts = 0, refused = 0, away = 0;  // away: cut, and not back in the end
  std::uint64_t bytes = 0;
};

// Of "id: 12". The heads of a packed stream, ten bytes, and of its block, five, may stand before it.
inline std::optional<std::uint64_t> event_id(std::string_view text) {
  constexpr std::string_view kId = "id: ";
  const auto at = text.substr(0, 15 + kId.size()).find(kId);
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + kId.size());
  return shogi::number_of<std::uint64_t>(text);
}

class FollowLoad : public LineHandler {
 public:
  FollowLoad(Target target, FollowOptions options)
      : poller_(std::move(target)),
        options_(std::move(options)),
        followers_(static_cast<std::size_t>(options_.followers)) {}

  // Connects all of them; returns when each has the head of its answer. Otherwise why not.
  std::expected<void, std::string> start() {
    const auto began = Clock::now();
    for (std::size_t i = 0; i < followers_.size(); ++i) {
      if (const auto connected = connect(i); !connected) return connected;
      if (i % kConnectsAtOnce == 0) poller_.poll(*this, 0);
    }
    while (following_ < followers_.size()) {
      poller_.poll(*this, 100);
      if (!due_.empty()) return std::unexpected("followers are refused: is their address exempt?");
      if (seconds_since(began) > options_.setup_s) {
        return std::unexpected(fmt::format("{} of {} follow", following_, followers_.size()));
      }
    }
    return {};
  }
  void follow(const std::atomic<bool>& ends) {
    while (!ends) turn();
  }
  // For what is on its way: until each is there and has had so many moves; with 0, as they may be in a coding that is
  // not ours, until nothing comes any more.
  void wait_for(std::uint64_t moves) {
    const auto began = Clock::now();
    auto heard = began;
    while (seconds_since(began) < kPatienceS) {
      const std::uint64_t before = poller_.received();
      turn();
      if (poller_.received() != before) heard = Clock::now();
      const bool silent = seconds_since(heard) > kSilenceS, whole = figures_.moves.size() >= moves * followers_.size();
      if (following_ == followers_.size() && (moves > 0 ? whole : silent)) return;
    }
  }
  FollowFigures finish() {
    figures_.bytes = poller_.received();
    figures_.away = followers_.size() - following_;
    return std::move(figures_);
  }

 private:
  static constexpr std::size_t kConnectsAtOnce = 64;
  static constexpr double kSilenceS = 2, kPatienceS = 30;

  struct Follower {
    bool follows = false, was_cut = false;
    std::uint64_t last = 0;  // event that it had; 0: none
    // The event that is being read:
    std::uint64_t event = 0;
    bool moved = false, snapshot = false;
  };

  // HTTP/1.0: no proxy cuts the stream into chunks.
  std::string request(const Follower& follower) const {
    std::string text = fmt::format("GET {} HTTP/1.0\r\nHost: localhost\r\n", options_.path);
    if (!options_.accept.empty()) text += fmt::format("Accept-Encoding: {}\r\n", options_.accept);
    if (follower.last != 0) text += fmt::format("Last-Event-ID: {}\r\n", follower.last);
    return text + "\r\n";
  }
  std::expected<void, std::string> connect(std::size_t number) {
    const auto connection = poller_.connect();
    if (!connection) return std::unexpected(connection.error());
    places_[(*connection)->id()] = number;
    (*connection)->send(request(followers_[number]));
    return {};
  }
  void turn() {
    poller_.poll(*this, 20);
    for (std::size_t i = 0; i < kConnectsAtOnce && !due_.empty() && due_.begin()->first <= Clock::now(); ++i) {
      const std::size_t number = due_.begin()->second;
      due_.erase(due_.begin());
      if (!connect(number)) come_back_later(number);
    }
  }
  void come_back_later(std::size_t number) {
    const auto wait = std::chrono::microseconds(options_.back_ms) * static_cast<std::int64_t>(number % 1'000 + 1);
    due_.emplace(Clock::now() + wait, number);
  }

  void line(Connection& connection, std::string_view text) override {
    Follower& follower = followers_[places_.at(connection.id())];
    if (!follower.follows) return begin(follower, text);
    if (text.empty()) return take_event(follower);
    if (text == "event: moved") follower.moved = true;
    if (text == "event: snapshot") follower.snapshot = true;
    if (const auto id = event_id(text)) follower.event = *id;
  }
  void begin(Follower& follower, std::string_view text) {
    if (!text.starts_with("HTTP/1.")) return;  // a line of a refusal
    follower.follows = text.find(" 200 ") != text.npos;
    if (!follower.follows) return void(++figures_.refused);
    ++following_;
    if (follower.was_cut) figures_.back_ns.push_back(now_ns());
  }
  void take_event(Follower& follower) {
    const bool had = follower.last != 0;
    if (follower.snapshot && had) ++figures_.snapshots;
    if (follower.moved && follower.event <= follower.last) ++figures_.twice;
    if (follower.moved && follower.event > follower.last) figures_.moves.push_back({follower.event, now_ns()});
    follower.last = std::max(follower.last, follower.event);
    forget_event(follower);
  }
  static void forget_event(Follower& follower) {
    follower.event = 0;
    follower.moved = follower.snapshot = false;
  }
  void closed(Connection& connection) override {
    const auto found = places_.find(connection.id());
    const std::size_t number = found->second;
    places_.erase(found);
    Follower& follower = followers_[number];
    if (follower.follows) {
      ++figures_.cuts;
      --following_;
    }
    follower.was_cut = follower.was_cut || follower.follows;
    follower.follows = false;
    forget_event(follower);
    come_back_later(number);
  }
  static std::int64_t now_ns() { return to_ns(Clock::now()); }

  Poller poller_;
  const FollowOptions options_;
  std::vector<Follower> followers_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // by connection
  std::multimap<Clock::time_point, std::size_t> due_;      // who comes back
  FollowFigures figures_;
  std::size_t following_ = 0;
};

}  // namespace fuhyo::bench
