// fuhyo_sim: runs the simulator over many seeds and says what it saw; or one seed, with everything that happens in it.
//   fuhyo_sim [--seeds N] [--first S] [--plant NAME]     N seeds from S on (--from is the same as --first)
//   fuhyo_sim --seed S [--trace] [--plant NAME]          one seed
// Exit code 1 if a promise was broken; a line says how to see the run again.
#include <charconv>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "tests/sim/world.h"

namespace fuhyo::sim {
namespace {

struct Options {
  std::uint64_t first = 1, seeds = 50;
  Plant plant = Plant::none;
  bool trace = false, one = false;
};

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

int usage(std::string_view why) {
  fmt::print(stderr, "fuhyo_sim: {}\nusage: fuhyo_sim [--seeds N] [--first S] | --seed S [--trace]   [--plant NAME]\n",
             why);
  return 64;
}

std::optional<std::string> parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--trace") {
      options.trace = true;
      continue;
    }
    if (i + 1 >= argc) return fmt::format("{} needs a value, or is no option", flag);
    const std::string_view value = argv[++i];
    const auto n = number(value);
    if (flag == "--plant") {
      options.plant = plant_of(value);
      if (options.plant == Plant::none && value != "none") return fmt::format("no plant '{}'", value);
    } else if (flag != "--seeds" && flag != "--seed" && flag != "--first" && flag != "--from") {
      return fmt::format("no option {}", flag);
    } else if (!n) {
      return fmt::format("{} is no number", value);
    } else if (flag == "--seeds") {
      options.seeds = *n;
    } else {
      options.first = *n;
      options.one = flag == "--seed";
    }
  }
  if (options.one) options.seeds = 1;
  return std::nullopt;
}

void print_violations(const Report& report, const Options& options) {
  constexpr std::size_t kMost = 10;
  for (std::size_t i = 0; i < report.violations.size() && i < kMost; ++i) {
    const Violation& v = report.violations[i];
    fmt::print("seed {}: {} at {:.6f} s: {}\n", report.seed, to_string(v.check), static_cast<double>(v.at_us) / 1e6,
               v.text);
  }
  if (report.violations.empty()) return;
  const bool planted = options.plant != Plant::none;
  fmt::print("seed {}: {} promises broken; see it with: fuhyo_sim --seed {} --trace{}{}\n", report.seed,
             report.violations.size(), report.seed, planted ? " --plant " : "",
             planted ? to_string(options.plant) : "");
}

void print_marks(const Marks& marks) {
  std::size_t reached = 0;
  for (std::size_t i = 0; i < kMarks.size(); ++i) {
    if (marks.counts()[i] > 0) ++reached;
    fmt::print("  {:<24} {}\n", kMarks[i], marks.counts()[i]);
  }
  fmt::print("marks {}/{}\n", reached, kMarks.size());
}

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 1 << 16);  // a long run shows at once what it found
  Options options;
  if (const auto error = parse(argc, argv, options)) return usage(*error);
  const auto began = std::chrono::steady_clock::now();
  const std::clock_t began_cpu = std::clock();
  std::uint64_t games = 0, moves = 0, events = 0, digest = 0, broken = 0;
  std::int64_t virtual_us = 0;
  Marks marks;
  for (std::uint64_t seed = options.first; seed < options.first + options.seeds; ++seed) {
    std::function<void(std::string_view)> trace;
    if (options.trace) trace = [](std::string_view line) { fmt::print("{}\n", line); };
    const Report report = run(draw_scenario(seed, options.plant), trace);
    print_violations(report, options);
    broken += report.violations.empty() ? 0 : 1;
    games += report.games;
    moves += report.moves;
    events += report.events;
    virtual_us += report.virtual_us;
    digest = digest * 1099511628211u + report.digest;
    marks.add(report.marks);
  }
  const double took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const double cpu_s = static_cast<double>(std::clock() - began_cpu) / CLOCKS_PER_SEC;
  print_marks(marks);
  fmt::print("{} seeds from {}, {} broken; {} games, {} moves, {} events, {:.1f} virtual days\n", options.seeds,
             options.first, broken, games, moves, events, static_cast<double>(virtual_us) / 86400e6);
  fmt::print("{:.2f} s ({:.2f} s of one core); a core-second does {:.1f} seeds, {:.0f} games, {:.0f} moves\n", took_s,
             cpu_s, static_cast<double>(options.seeds) / cpu_s, static_cast<double>(games) / cpu_s,
             static_cast<double>(moves) / cpu_s);
  fmt::print("digest {:016x}\n", digest);
  return broken == 0 ? 0 : 1;
}

}  // namespace
}  // namespace fuhyo::sim

int main(int argc, char** argv) { return fuhyo::sim::main(argc, argv); }
