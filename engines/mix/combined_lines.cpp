#include "engines/mix/combined_lines.h"

#include <algorithm>
#include <tuple>

#include "engines/mix/decision.h"

namespace fuhyo::mix {
namespace {

struct CombinedLine {
  usi::Info info;
  double support = 0;  // weight of those whose best line it is
  Value value{};
};

void add_lines(std::vector<CombinedLine>& lines, const Contributor& contributor,
               std::span<const shogi::Move> playable) {
  bool best = true;
  for (const usi::Info& info : contributor.member->lines()) {
    if (info.pv.empty() || std::ranges::find(playable, info.pv.front()) == playable.end()) continue;
    auto line = std::ranges::find(lines, info.pv.front(), [](const CombinedLine& l) { return l.info.pv.front(); });
    if (line == lines.end()) line = lines.insert(line, {.info = info});
    line->info.depth = std::max(line->info.depth, info.depth);
    line->info.seldepth = std::max(line->info.seldepth, info.seldepth);
    if (std::exchange(best, false)) line->support += contributor.weight;
  }
}

}  // namespace

std::vector<usi::Info> combined_lines(std::span<const Contributor> contributors, std::span<const shogi::Move> playable,
                                      std::size_t most, std::int64_t time_ms) {
  std::vector<CombinedLine> lines;
  std::vector<Opinion> known;
  std::int64_t nodes = 0;
  for (const Contributor& contributor : contributors) {
    add_lines(lines, contributor, playable);
    Opinion& opinion = known.emplace_back(Opinion{.weight = contributor.weight});
    for (const auto& [move, value] : contributor.member->values()) opinion.values.push_back({move, value});
    nodes += contributor.member->nodes();
  }
  for (CombinedLine& line : lines) line.value = mean_value(known, line.info.pv.front()).value_or(Value{});
  std::ranges::sort(lines, std::ranges::greater{}, [](const CombinedLine& line) {
    return std::tuple(line.support, line.value.chance, line.info.pv.front());
  });
  std::vector<usi::Info> out;
  for (const CombinedLine& line : lines) {
    if (out.size() == most) break;
    usi::Info& info = out.emplace_back(usi::Info{.depth = line.info.depth, .seldepth = line.info.seldepth});
    if (most > 1) info.multipv = static_cast<int>(out.size());
    info.time_ms = time_ms;
    info.nodes = nodes;
    info.nps = nodes * 1'000 / std::max<std::int64_t>(time_ms, 1);
    info.score = score_of(line.value);
    info.pv = line.info.pv;
  }
  return out;
}

}  // namespace fuhyo::mix
