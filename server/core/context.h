// What every part of the core works with: the time of the input, the settings, the timers, and what goes out.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/core/effects.h"
#include "server/core/figures.h"
#include "server/core/journal.h"
#include "server/core/limits.h"
#include "server/core/server.h"
#include "server/core/timers.h"

namespace fuhyo::core {

// Counts of refusals since the start. They are logged once a minute at most, with their number.
class Refusals {
 public:
  void count(Refusal why) { ++counts_[static_cast<std::size_t>(why)]; }
  const std::array<std::uint64_t, kRefusals>& counts() const { return counts_; }
  bool tell(Instant now);
  std::string untold();

 private:
  std::array<std::uint64_t, kRefusals> counts_{};
  std::optional<Instant> told_;
  std::size_t silent_ = 0;
};

class Context {
 public:
  // `appended` is called after every fact: last_appended() is the one.
  Context(const Limits& limits_in, Rules rules_in, const Recovery& recovered, std::function<void()> appended);

  // begin() and complete() enclose one input: its effects go to `out`.
  void begin(Now now_in, Effects& out);
  void complete();

  // Outward effects leave when everything that the input has appended is durable. What operators are told of a store
  // that is away does not wait for it.
  void send(ConnId conn, std::string bytes);
  void send_ungated(ConnId conn, std::string bytes);  // only what reads no shared state
  void close(ConnId conn, std::string_view why);
  Seq append(Fact fact);
  // The store is away, and the input has appended nothing: whoever asks is answered at once.
  bool only_asks() const { return store_is_away() && newest == newest_before_; }
  bool store_is_away() const { return !store_fault.empty(); }
  bool takes_games() const { return !draining && !stopped; }  // new ones; they begin when the store is back
  bool starts_games() const { return takes_games() && !store_is_away(); }
  // Until the next effect.
  const Journaled& last_appended() const { return std::get<Append>(out_->back()).row; }
  void note(Note::Level level, std::string text);
  void put(Effect effect) { out_->push_back(std::move(effect)); }
  std::size_t effects() const { return out_->size(); }
  // Bytes that the effects from this one on send to the connection.
  std::size_t sent_to(ConnId conn, std::size_t from) const;
  // The newest effect is a Send that tells of a move.
  void stamp(const MoveStamp& stamp) { std::get<Send>(out_->back()).move = stamp; }

  std::string local_time(Wall at) const;
  std::string local_time() const { return local_time(now.wall); }
  std::string local_date(Wall at) const;  // "YYYY-MM-DD"
  std::uint64_t random();
  std::uint64_t digest() const { return hash_; }
  void digest(std::string_view bytes);
  void digest(std::uint64_t number) { hash_ = (hash_ ^ number) * kDigestPrime; }

  Limits limits;
  Rules rules;
  Now now{};
  Timers timers;
  Refusals refusals;
  std::shared_ptr<const PlayerRatings> ratings;  // not null
  Seq newest{}, durable{};
  std::string store_fault;  // empty: the store works
  bool draining = false, stopping = false;
  bool stopped = false;  // by the file STOP

 private:
  static constexpr std::uint64_t kDigestPrime = 1099511628211u;  // FNV-1a

  std::function<void()> appended_;
  std::uint64_t rng_ = 0, hash_ = 0;
  Effects* out_ = nullptr;
  std::size_t first_effect_ = 0;
  Seq newest_before_{};           // the input
  std::optional<Instant> armed_;  // what the shell's timer is set to
};

}  // namespace fuhyo::core
