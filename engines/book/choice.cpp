#include "engines/book/choice.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace fuhyo::book {
namespace {

std::uint64_t total_count(const Entry& entry) {
  std::uint64_t total = 0;
  for (const BookMove& move : entry) total += move.count;
  return total;
}

// Tells how many are left, where some are not.
template <class Bad>
void leave_out(Entry& entry, const Bad& bad, std::string_view why, std::vector<std::string>& notes) {
  const std::size_t before = entry.size();
  std::erase_if(entry, bad);
  if (entry.size() != before) notes.push_back(fmt::format("{}: {} of {} book moves remain", why, entry.size(), before));
}

const BookMove& draw(const Entry& entry, bool by_count, Random& random) {
  const std::uint64_t total = by_count ? total_count(entry) : 0;
  if (total == 0) return entry[random() % entry.size()];
  std::uint64_t ticket = random() % total;
  auto move = entry.begin();
  while (ticket >= move->count) ticket -= (move++)->count;
  return *move;
}

}  // namespace

void sort_by_merit(Entry& entry) {
  const auto better = [](const BookMove& a, const BookMove& b) {
    return std::tuple(a.count, a.value) > std::tuple(b.count, b.value);
  };
  // By insertion: entries are short, and equals keep their order.
  for (auto move = entry.begin(); move != entry.end(); ++move) {
    std::rotate(std::upper_bound(entry.begin(), move, *move, better), move, move + 1);
  }
}

Choice choose(const Entry& candidates, const ChoiceRules& rules, Random& random) {
  Choice choice;
  Entry left = candidates;
  if (const std::uint64_t total = total_count(left); rules.narrow && total != 0) {
    const auto rare = [&](const BookMove& move) { return move.count < total / 10 + (total % 10 != 0 ? 1 : 0); };
    leave_out(left, rare, "NarrowBook", choice.notes);
  }
  if (left.empty()) return choice;
  if (const BookMove& first = left.front(); rules.depth_limit != 0 && first.depth < rules.depth_limit) {
    choice.notes.push_back(
        fmt::format("the book is left aside: depth {} is less than BookDepthLimit {}", first.depth, rules.depth_limit));
    return choice;
  }
  const int limit = std::max(left.front().value - rules.eval_diff, rules.eval_limit);
  leave_out(
      left, [&](const BookMove& move) { return move.value < limit; },
      fmt::format("BookEvalDiff {}, limit of the evaluation {}", rules.eval_diff, rules.eval_limit), choice.notes);
  if (!left.empty()) choice.move = draw(left, rules.by_count, random);
  return choice;
}

}  // namespace fuhyo::book
