#include "engines/learn/policy/from_lines.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

#include "engines/jobs/fingerprint.h"
#include "engines/match/opening_line.h"
#include "engines/match/tune/random.h"

namespace fuhyo::learn::policy {
namespace {

using Line = usi::Game;

bool by_moves(const Line& a, const Line& b) {
  const auto start = [](const Line& line) { return line.start.sfen(); };
  if (!a.start.same_as(b.start)) return start(a) < start(b);
  return a.moves < b.moves;
}

bool is_held_out(const Line& line, const LineOptions& options) {
  jobs::Fingerprint print;
  print.add_number(line.start.key());
  const std::size_t plies = std::min(options.prefix_plies, line.moves.size());
  for (std::size_t i = 0; i < plies; ++i) print.add_number(line.moves[i].bits());
  return match::tune::Random(print.value(), 0).uniform() < options.held_out;
}

// Calls visit(position, move) for each edge of the tree that the lines make together. They get sorted.
template <class Visit>
void each_edge(std::vector<Line>& lines, const Visit& visit) {
  std::ranges::sort(lines, by_moves);
  const Line* before = nullptr;
  for (const Line& line : lines) {
    std::size_t shared = 0;
    if (before != nullptr && before->start.same_as(line.start)) {
      shared = static_cast<std::size_t>(std::ranges::mismatch(before->moves, line.moves).in2 - line.moves.begin());
    }
    before = &line;
    shogi::Position position = line.start;
    for (std::size_t i = 0; i < line.moves.size(); ++i) {
      if (i >= shared) visit(position, line.moves[i]);
      position.do_move(line.moves[i]);
    }
  }
}

std::uint64_t pair_key(const shogi::Position& position, shogi::Move move) {
  return match::tune::Random(position.key(), move.bits()).bits();
}

}  // namespace

std::expected<LineSamples, std::string> samples_of_lines(std::string_view text, const std::string& name,
                                                         const LineOptions& options) {
  LineSamples out;
  std::vector<Line> train, test;
  std::size_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    auto opening = match::parse_opening(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    if (!opening) {
      out.faults.push_back(fmt::format("{}:{}: {}", name, number, opening.error()));
    } else if (*opening && !(*opening)->game.moves.empty()) {
      Line& line = (*opening)->game;
      (is_held_out(line, options) ? test : train).push_back(std::move(line));
    }
  }
  if (out.faults.size() > number / 100) {
    return std::unexpected(
        fmt::format("{} ({} of {} lines cannot be played)", out.faults.front(), out.faults.size(), number));
  }
  out.lines = train.size() + test.size();
  out.test_lines = test.size();
  if (train.empty()) return std::unexpected(fmt::format("{}: no line to learn from", name));
  std::unordered_set<std::uint64_t> pairs, seen;
  each_edge(train, [&](const shogi::Position& position, shogi::Move move) {
    ++out.edges;
    if (!pairs.insert(pair_key(position, move)).second) return;
    seen.insert(input_key(position));
    if (const auto sample = sample_of(position, move)) out.train.push_back(*sample);
  });
  each_edge(test, [&](const shogi::Position& position, shogi::Move move) {
    if (!pairs.insert(pair_key(position, move)).second) return;
    if (seen.contains(input_key(position))) {
      ++out.dropped;
    } else if (const auto sample = sample_of(position, move)) {
      out.test.push_back(*sample);
    }
  });
  return out;
}

}  // namespace fuhyo::learn::policy
