// What our engines answer to "go mate", and the options of it. On the thread of the search.
#pragma once

#include <cstdint>
#include <functional>
#include <new>
#include <string>

#include "engines/usi/engine.h"
#include "engines/usi/options.h"

namespace fuhyo::usi {

// Its memory in megabytes, and whether it looks on for the shortest mate.
inline void add_mate_options(OptionTable& options) {
  options.add_spin("MateHash", 64, 1, 65'536, {"megabytes for \"go mate\"", "詰将棋(go mate)に使うメモリー (MB)"});
  options.add_check(
      "MateShortestLine", false,
      {"\"go mate\" looks on for the shortest mate, with the longest defence", "go mateで最短の詰み手順を求める"});
}

// `solver`: one of engines/mate, which this room does not know. It takes its memory when it is first asked.
template <class Solver>
Checkmate answer_go_mate(Solver& solver, const OptionTable& options, const Game& game, const GoLimits& limits,
                         const SearchControl& control, const std::function<void(const Info&)>& report) {
  const auto megabytes = static_cast<std::size_t>(options.spin("MateHash"));
  try {
    if (megabytes != solver.megabytes()) solver.resize(megabytes);
  } catch (const std::bad_alloc&) {
    report({.text = "Error! MateHash: there is no memory for " + std::to_string(megabytes) + " MB"});
    return {.kind = Checkmate::Kind::timeout};
  }
  const std::int64_t limit_ms = limits.mate_ms.value_or(kForever);
  const auto answer = solver.solve(game.current(), options.check("MateShortestLine"), [&](std::uint64_t) {
    return control.stopped() || control.elapsed_ms() >= limit_ms;
  });
  using Kind = decltype(answer.kind);
  Info info{.time_ms = control.elapsed_ms(), .nodes = static_cast<std::int64_t>(answer.nodes)};
  if (answer.kind == Kind::mate) {
    info.score = {.kind = Score::Kind::win, .value = static_cast<int>(answer.line.size())};
    info.pv = answer.line;
  }
  report(info);
  if (answer.kind == Kind::mate) return {.kind = Checkmate::Kind::mate, .line = answer.line};
  return {.kind = answer.kind == Kind::no_mate ? Checkmate::Kind::no_mate : Checkmate::Kind::timeout};
}

}  // namespace fuhyo::usi
