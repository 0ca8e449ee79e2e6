// Identities and times of the server, as types that cannot be mixed up. Values only; any thread.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace fuhyo::core {

enum class ConnId : std::uint64_t {};  // one connection, never reused within a process
enum class GameId : std::uint64_t {};  // one game, never reused within a store; 0 is no game

// A place in the journal. 0 is "before everything": an effect with after = Seq{0} depends on nothing.
enum class Seq : std::uint64_t {};
constexpr Seq next(Seq s) { return Seq{static_cast<std::uint64_t>(s) + 1}; }

template <class Id>
constexpr std::uint64_t value(Id id) {
  return static_cast<std::uint64_t>(id);
}

// Monotonic time in microseconds since an arbitrary start: clocks and time-outs.
struct Instant {
  std::int64_t us = 0;
  auto operator<=>(const Instant&) const = default;
};
constexpr Instant operator+(Instant t, std::int64_t us) { return Instant{t.us + us}; }
constexpr std::int64_t operator-(Instant a, Instant b) { return a.us - b.us; }

// Wall time in microseconds since 1970-01-01T00:00:00Z: schedules, Game_ID and records.
struct Wall {
  std::int64_t us = 0;
  auto operator<=>(const Wall&) const = default;
};

struct Now {
  Instant mono;
  Wall wall;
};

constexpr std::int64_t kSecond = 1'000'000;  // in microseconds

}  // namespace fuhyo::core
