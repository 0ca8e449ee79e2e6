#include "server/core/logins/penalties.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace fuhyo::core {
namespace {

constexpr std::size_t kGroups = 8;  // of 16 bits

// Groups of "2001:db8::1". One of another kind ("fe80::1%eth0", "::ffff:192.0.2.7") is no such address here.
std::optional<std::array<unsigned, kGroups>> groups_of(std::string_view text) {
  std::array<unsigned, kGroups> groups{};
  const std::size_t gap = text.find("::");
  const auto read = [](std::string_view part, std::array<unsigned, kGroups>& out) -> std::optional<std::size_t> {
    std::size_t count = 0;
    while (!part.empty()) {
      if (count == kGroups) return std::nullopt;
      const std::size_t colon = part.find(':');
      const std::string_view word = part.substr(0, colon);
      const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), out[count], 16);
      if (fault != std::errc{} || end != word.data() + word.size() || word.size() > 4) return std::nullopt;
      ++count;
      part.remove_prefix(colon == std::string_view::npos ? part.size() : colon + 1);
    }
    return count;
  };
  const auto front = read(text.substr(0, gap), groups);
  if (!front) return std::nullopt;
  if (gap == std::string_view::npos) return *front == kGroups ? std::optional(groups) : std::nullopt;
  std::array<unsigned, kGroups> back{};
  const auto tail = read(text.substr(gap + 2), back);
  if (!tail || *front + *tail > kGroups) return std::nullopt;
  std::copy_n(back.begin(), *tail, groups.end() - static_cast<std::ptrdiff_t>(*tail));
  return groups;
}

// "::ffff:192.0.2.7" -> "192.0.2.7"
std::string_view unmapped(std::string_view address) {
  return address.starts_with("::ffff:") && address.contains('.') ? address.substr(7) : address;
}

std::string network(std::string_view given, bool wide) {
  const std::string_view address = unmapped(given);
  if (!address.contains(':')) {
    const std::size_t dot = address.rfind('.');
    return wide && dot != std::string_view::npos ? fmt::format("{}.0/24", address.substr(0, dot))
                                                 : std::string(address);
  }
  const auto groups = groups_of(address.substr(0, address.find('%')));
  if (!groups) return std::string(address);
  const auto& g = *groups;
  return wide ? fmt::format("{:x}:{:x}:{:x}::/48", g[0], g[1], g[2])
              : fmt::format("{:x}:{:x}:{:x}:{:x}::/64", g[0], g[1], g[2], g[3]);
}

std::string pair_key(std::string_view name, std::string_view address) {
  return fmt::format("{}\n{}", name, wide_network(address));
}

}  // namespace

std::string wide_network(std::string_view address) { return network(address, true); }
std::string narrow_network(std::string_view address) { return network(address, false); }

Penalties::Entry& Penalties::Table::touch(const std::string& key, std::size_t most) {
  const auto found = by_key_.find(key);
  if (found != by_key_.end()) {
    entries_.splice(entries_.end(), entries_, found->second);
    return *found->second;
  }
  if (by_key_.size() >= most) {
    by_key_.erase(entries_.front().key);
    entries_.pop_front();
  }
  entries_.push_back(Entry{.key = key, .failures = 0, .until = {}, .last = {}});
  by_key_.emplace(key, std::prev(entries_.end()));
  return entries_.back();
}

const Penalties::Entry* Penalties::Table::find(const std::string& key) const {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &*found->second;
}

void Penalties::Table::forget(const std::string& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return;
  entries_.erase(found->second);
  by_key_.erase(found);
}

void Penalties::failed(std::string_view name, std::string_view address, Instant now) {
  Entry& entry = names_.touch(pair_key(name, address), limits_.entries);
  if (entry.failures > 0 && now - entry.last >= limits_.forgotten_us) entry.failures = 0;
  entry.last = now;
  ++entry.failures;
  if (const int over = entry.failures - limits_.free_tries; over >= 0) {
    const std::int64_t wait_us = kSecond << std::min(over, 20);
    entry.until = now + std::min(wait_us, limits_.longest_wait_us);
  }
  charge(address, limits_.failure_us, now);
}

void Penalties::succeeded(std::string_view name, std::string_view address) { names_.forget(pair_key(name, address)); }

void Penalties::charge(std::string_view address, std::int64_t us, Instant now) {
  Entry& entry = addresses_.touch(narrow_network(address), limits_.entries);
  entry.until = std::min(std::max(entry.until, now) + us, now + limits_.most_us);
  entry.last = now;
}

std::int64_t Penalties::wait_us(std::string_view name, std::string_view address, Instant now) const {
  const Entry* entry = names_.find(pair_key(name, address));
  return entry == nullptr ? 0 : std::max<std::int64_t>(0, entry->until - now);
}

std::int64_t Penalties::shut_out_us(std::string_view address, Instant now) const {
  const Entry* entry = addresses_.find(narrow_network(address));
  if (entry == nullptr) return 0;
  return std::max<std::int64_t>(0, entry->until - now - limits_.tolerated_us);
}

}  // namespace fuhyo::core
