// Time of the mate solver on problems, one SFEN a line; after a tab, how many plies its author says, and after another
// its name (long_mates.sfen: mates of many plies).
//   mate_bench FILE [--hash MB] [--ms LIMIT] [--shortest] [--each]    default 256 MB, 10000 ms of CPU time a problem
// Prints how many were mated, refuted or left open, and the CPU time of that; --each prints every problem.

#include <cstdio>
#include <fmt/core.h>
#include <fstream>
#include <map>

#include "engines/mate/solver.h"
#include "engines/shogi/usi_move.h"
#include "tests/bench/measure.h"

namespace {

using fuhyo::mate::Answer;

struct Settings {
  std::string file;
  std::size_t megabytes = 256;
  int limit_ms = 10'000;
  bool shortest = false, each = false;
};

Settings settings(int argc, char** argv) {
  Settings s;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--shortest") {
      s.shortest = true;
    } else if (word == "--each") {
      s.each = true;
    } else if (word == "--hash" && i + 1 < argc) {
      s.megabytes = std::strtoul(argv[++i], nullptr, 10);
    } else if (word == "--ms" && i + 1 < argc) {
      s.limit_ms = std::atoi(argv[++i]);
    } else {
      s.file = word;
    }
  }
  return s;
}

double thread_ms() { return 1e3 * fuhyo::bench::thread_seconds(); }

std::string text(const Answer& answer) {
  switch (answer.kind) {
    case Answer::Kind::mate:
      break;
    case Answer::Kind::no_mate:
      return "nomate";
    case Answer::Kind::unknown:
      return "timeout";
  }
  std::string line = fmt::format("{}{}:", answer.shortest ? "=" : "<=", answer.line.size());
  for (const auto move : answer.line) line += " " + fuhyo::shogi::to_usi(move);
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  const Settings s = settings(argc, argv);
  std::ifstream file(s.file);
  fuhyo::mate::Solver solver;
  solver.resize(s.megabytes);
  std::vector<double> times;
  std::map<std::string, int> answers;
  std::map<std::size_t, int> lengths;
  std::uint64_t nodes = 0;
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = std::min(line.find('\t'), line.size());
    const auto position = fuhyo::shogi::Position::from_sfen(line.substr(0, tab));
    if (!position) continue;
    const double start = thread_ms(), end = start + s.limit_ms;
    const Answer answer = solver.solve(*position, s.shortest, [&](std::uint64_t) { return thread_ms() >= end; });
    times.push_back(thread_ms() - start);
    nodes += answer.nodes;
    const bool mate = answer.kind == Answer::Kind::mate;
    ++answers[mate ? (answer.shortest ? "mate (shortest)" : "mate") : text(answer)];
    if (mate) ++lengths[answer.line.size()];
    if (!s.each) continue;
    fmt::print("{:4} {:9.2f} ms {:9} nodes {:5} kB{} {}\n", times.size(), times.back(), answer.nodes,
               solver.used_bytes() / 1024, line.substr(tab), text(answer));
    std::fflush(stdout);
  }
  if (times.empty()) return 1;
  double total = 0;
  for (const double t : times) total += t;
  std::ranges::sort(times);
  for (const auto& [answer, count] : answers) fmt::print("{}: {}\n", answer, count);
  fmt::print("lengths:");
  for (const auto& [length, count] : lengths) fmt::print(" {}x{}", length, count);
  fmt::print("\n{} problems, {:.1f} ms, {:.3f} ms each (median {:.3f}, worst {:.1f}); {} nodes, {:.2f} M nodes/s\n",
             times.size(), total, total / static_cast<double>(times.size()), times[times.size() / 2], times.back(),
             nodes, static_cast<double>(nodes) / total / 1e3);
}
