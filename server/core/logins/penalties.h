// Penalties for wrong secrets. Two tables, both bounded: what failed for a name from a network makes the next try wait
// (five are free, then 1, 2, 4 ... 300 s); what failed from an address, for whatever name, adds up, and shuts the
// address out for a while, as OpenSSH's PerSourcePenalties do. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/core/ids.h"

namespace fuhyo::core {

struct PenaltyLimits {
  int free_tries = 5;
  std::int64_t longest_wait_us = 300 * kSecond;
  std::int64_t forgotten_us = 3600 * kSecond;  // ... of a name, after the last wrong try
  std::int64_t failure_us = 5 * kSecond;       // what one failure costs an address
  std::int64_t tolerated_us = 15 * kSecond;    // beyond this it is shut out
  std::int64_t most_us = 600 * kSecond;
  std::size_t entries = 65'536;  // of each table; the oldest goes first
};

// "192.0.2.0/24", "2001:db8:1::/48": where one attacker may have many addresses. An address that is none is itself.
std::string wide_network(std::string_view address);
// What one machine has: "192.0.2.7", "2001:db8:1:2::/64".
std::string narrow_network(std::string_view address);

class Penalties {
 public:
  explicit Penalties(const PenaltyLimits& limits) : limits_(limits) {}

  // A wrong secret for the name (a comparison key, see name_key()).
  void failed(std::string_view name, std::string_view address, Instant now);
  // The right one: the name is free of guilt for this network; the address stays with what it has.
  void succeeded(std::string_view name, std::string_view address);
  // Something else that an address should not do often.
  void charge(std::string_view address, std::int64_t us, Instant now);

  // How long nothing is tried for the name from there; 0: it may be.
  std::int64_t wait_us(std::string_view name, std::string_view address, Instant now) const;
  // How long the address is shut out; 0: it is not.
  std::int64_t shut_out_us(std::string_view address, Instant now) const;

  std::size_t names() const { return names_.size(); }
  std::size_t addresses() const { return addresses_.size(); }

 private:
  struct Entry {
    std::string key;
    int failures = 0;
    Instant until;  // name: of the wait; address: when the guilt is paid off
    Instant last;
  };
  // Entries in the order of their last change.
  class Table {
   public:
    Entry& touch(const std::string& key, std::size_t most);
    const Entry* find(const std::string& key) const;
    void forget(const std::string& key);
    std::size_t size() const { return by_key_.size(); }

   private:
    std::list<Entry> entries_;
    std::unordered_map<std::string, std::list<Entry>::iterator> by_key_;
  };

  PenaltyLimits limits_;
  Table names_, addresses_;
};

}  // namespace fuhyo::core
