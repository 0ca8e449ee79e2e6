#include "engines/cluster/exchange.h"

#include <algorithm>

namespace fuhyo::cluster {
namespace {

constexpr std::size_t kMostKept = 256;  // batches
constexpr std::int64_t kSecondMs = 1'000;

bool takes_part(const Exchange::Node& node) {
  const members::Member& member = *node.member;
  return node.search != 0 && member.table_keys() && member.asked() && !member.answered();
}

bool is_under_way(const Exchange::Node& node) { return takes_part(node) && !node.member->waits(); }

bool is_waiting(const Exchange::Node& node) { return takes_part(node) && node.member->waits(); }

}  // namespace

void Exchange::pass_on(std::span<const Node> nodes, std::int64_t now) {
  seats_.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Seat& seat = seats_[i];
    if (seat.search != nodes[i].search) seat.told = false, seat.turns = 0;
    seat.search = nodes[i].search;
    if (!seat.told && seat.search != 0 && nodes[i].member->thinking()) tell(seat, nodes[i]);
  }
  if (lockstep_ && std::ranges::any_of(nodes, is_under_way)) return;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].member->take_tables([&](members::TableText batch) {
      const bool current = nodes[i].search != 0 && batch.search == nodes[i].search && nodes[i].member->table_keys();
      if (!current) {
        ++counts_.stale;
      } else if (!lockstep_ && floods(seats_[i], batch.line->size(), now)) {
        ++counts_.flooded;
      } else {
        pass(nodes, i, std::move(batch.line));
      }
    });
  }
  if (lockstep_) give_turn(nodes);
}

// To the one that has had the fewest, the first of equals.
void Exchange::give_turn(std::span<const Node> nodes) {
  Seat* next = nullptr;
  members::Member* member = nullptr;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!is_waiting(nodes[i]) || (next != nullptr && seats_[i].turns >= next->turns)) continue;
    next = &seats_[i];
    member = nodes[i].member;
  }
  if (next == nullptr) return;
  ++next->turns;
  member->next_slice();
}

void Exchange::tell(Seat& seat, const Node& node) const {
  seat.told = true;
  for (const Kept& kept : kept_) {
    if (kept.search == seat.search && kept.keys == node.member->table_keys()) node.member->send_table(kept.line);
  }
}

bool Exchange::floods(Seat& seat, std::size_t bytes, std::int64_t now) const {
  if (now - seat.second_begun >= kSecondMs) seat.second_begun = now, seat.bytes = 0;
  seat.bytes += static_cast<std::int64_t>(bytes);
  return seat.bytes > bytes_per_second_;
}

void Exchange::pass(std::span<const Node> nodes, std::size_t from, members::SharedLine line) {
  ++counts_.batches;
  counts_.bytes += static_cast<std::int64_t>(line->size() + 1);
  const Node& sender = nodes[from];
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool wanted = i != from && nodes[i].search == sender.search && seats_[i].told &&
                        nodes[i].member->table_keys() == sender.member->table_keys();
    if (wanted) nodes[i].member->send_table(line);
  }
  kept_.push_back({.search = sender.search, .keys = *sender.member->table_keys(), .line = std::move(line)});
  if (kept_.size() > kMostKept) kept_.pop_front();
}

void Exchange::send(std::span<const Node> nodes, std::int64_t search, std::string line) {
  const auto shared = std::make_shared<const std::string>(std::move(line));
  for (const Node& node : nodes) {
    if (node.search == search && node.member->table_keys()) node.member->send_table(shared);
  }
}

}  // namespace fuhyo::cluster
