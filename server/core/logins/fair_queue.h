// A fair queue for something that serves one at a time: nobody waits for those who ask more often than he. Start-time
// fair queueing (Goyal, Vin and Cheng, 1996) over networks and the addresses in them. Pure.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "server/core/logins/penalties.h"

namespace fuhyo::core {

template <class Item>
class FairQueue {
 public:
  explicit FairQueue(std::size_t most) : most_(most) {}

  // Returns what finds no place: the item that would be served last, perhaps the new one. Items that are `reserved`
  // come before all others.
  std::optional<Item> push(Item item, std::string_view address, bool reserved) {
    waiting_.emplace(Place{!reserved, take_turn(address), ~++pushed_}, std::move(item));
    if (waiting_.size() <= most_) return std::nullopt;
    return std::move(waiting_.extract(std::prev(waiting_.end())).mapped());
  }

  // Nothing: nobody waits, and who had which turn is forgotten.
  std::optional<Item> pop() {
    if (waiting_.empty()) {
      turns_.clear();
      now_ = 0;
      return std::nullopt;
    }
    auto first = waiting_.extract(waiting_.begin());
    now_ = std::max(now_, first.key().turn);
    return std::move(first.mapped());
  }

  std::size_t size() const { return waiting_.size(); }

 private:
  // The first is served next. Of those with one turn the newest: who is served at once does not wait for a flood of
  // strangers that came before him from a network each.
  struct Place {
    bool late;
    std::uint64_t turn, age;
    auto operator<=>(const Place&) const = default;
  };
  // So many addresses of one network may ask at a time, each served as often as a network of one address.
  static constexpr std::uint64_t kAddresses = 16;
  // Whose turns are remembered; all are forgotten beyond it. Some hundred are served a minute.
  static constexpr std::size_t kNetworks = 4096;

  std::uint64_t take_turn(std::string_view address) {
    if (turns_.size() >= kNetworks) turns_.clear();
    std::uint64_t& of_network = turns_[wide_network(address)];
    std::uint64_t& of_address = turns_[narrow_network(address)];
    const std::uint64_t turn = std::max({now_, of_network, of_address});
    of_network = std::max(now_, of_network) + 1;
    of_address = turn + kAddresses;
    return turn;
  }

  const std::size_t most_;
  std::map<Place, Item> waiting_;
  std::unordered_map<std::string, std::uint64_t> turns_;  // the earliest that each may have next
  std::uint64_t now_ = 0, pushed_ = 0;                    // the turn of who is served
};

}  // namespace fuhyo::core
